"""What the engine sends a ``ZoneRecords`` provider."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from folds.zone import LiveZone
from providers.zone_inputs import ZoneInputs
from stacks.decision import Decision, decide
from tests.support.steering import observed, settings
from tests.support.zones import Account

Props = dict[str, Any]


def decided(
    live: LiveZone, boxes: int = 4, hosts: Iterable[str] = ("a", "b"), acknowledged: str = ""
) -> Decision:
    """What a program decides that sees this zone, so many boxes and these hosts."""
    return decide(settings(), observed(boxes, hosts, live), acknowledged)


def sent(decision: Decision) -> Props:
    """A decision as inputs on the wire: every number is a float, and the provider is there too."""
    made = ZoneInputs(desired=decision.desired, plan=decision.plan.lines, summary=decision.summary)
    props: Props = json.loads(made.model_dump_json(by_alias=True), parse_int=float)
    return {**props, "__provider": "gASV"}


def inputs(account: Account, boxes: int = 4, hosts: Iterable[str] = ("a", "b")) -> Props:
    """What a program sends that sees the account as it is."""
    return sent(decided(account.live(), boxes, hosts))
