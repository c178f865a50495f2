"""A file of waivers to test with, and what is wrong with one."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from policy.guards import waiver_mistakes
from tests.policy.records import urn

TODAY = date(2026, 12, 1)
MATCH = {"policies": ["route53-ttl"], "targets": [urn("www")]}


def file_of(waiver: object = None, **changes: Any) -> dict[str, Any]:
    """A file of one waiver with which all is well, but for the changes."""
    fine = {"reason": "CHG-7, until=2026-12-31", "match": [MATCH]}
    return {"version": 2, "exceptions": {"CHG-7": waiver or {**fine, **changes}}}


def wrong(document: object, stack: str = "dev", today: date = TODAY) -> list[str]:
    return [*waiver_mistakes(json.dumps(document).encode(), stack, today)]


def only(document: object, **given: Any) -> str:
    (mistake,) = wrong(document, **given)
    return mistake
