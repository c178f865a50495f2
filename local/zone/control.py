"""The control paths: what a test or an operator asks of the emulator itself, never throttled.

GET state, calls, violations; POST seed and faults (JSON) and reset, each under /_emulator/.
"""

import json
from collections.abc import Callable
from typing import Any

from local.zone.answers import Answer, json_answer
from local.zone.errors import ApiError
from local.zone.service import Service

PREFIX = "/_emulator/"
BAD_REQUEST = 400


def control(service: Service, method: str, path: str, body: bytes) -> Answer:
    """The answer to a control request; 400 with the reason for one that makes no sense."""
    actions: dict[str, Callable[[], Any]] = {
        "GET state": service.state,
        "GET calls": lambda: service.calls,
        "GET violations": lambda: service.violations,
        "POST seed": lambda: service.seed(json.loads(body)),
        "POST faults": lambda: service.set_faults(json.loads(body)),
        "POST reset": service.reset,
    }
    with service.lock:
        try:
            value = actions[f"{method} {path.removeprefix(PREFIX).strip('/')}"]()
        except (ApiError, LookupError, TypeError, ValueError) as error:
            return json_answer(BAD_REQUEST, repr(error))
        return json_answer(200, value)
