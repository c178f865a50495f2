"""A host's claim: who holds the host, and what is being done with it.

The platform writes claims; Fairlead only reads them. Unknown fields are passed over, an absent one
is its zero value, names match exactly. `null` stands for "none" where Go writes it for that: the
holder, the completed relocation, an empty list or map. Everything here is as written, unescaped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from control.claim_mistakes import HOLDER_ZERO, OP_ZERO, claim_mistakes
from control.errors import Malformed
from control.keys import HOST_CHARACTERS, is_host
from control.records import wrong_kinds
from control.snapshot_records import moment
from control.strict_json import kind_of, parse_object

CLAIMS_PREFIX = "control/claims/"
SERVING = "serving"

_OBLIGATION_ZERO = dict.fromkeys(("kind", "box", "op"), "")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of a claim that cannot be read: an error where it is needed, never "none"."""

    reason: str


@dataclass(frozen=True, slots=True)
class Holder:
    """The record that a host belongs to. ``stamp`` counts up with every change of executor."""

    key: str
    incarnation: str
    family: str
    stamp: int


@dataclass(frozen=True, slots=True)
class Op:
    """The operation under way. ``exec`` is the box that acts; the rest is a relocation's."""

    id: str
    kind: str
    exec: str = ""
    phase: str = ""
    source: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Obligation:
    """What a box still owes for an operation, such as ``park-local``."""

    kind: str
    box: str
    op: str


@dataclass(frozen=True, slots=True)
class Completed:
    """A relocation that is over: its operation, and the box on which it ended."""

    op: str
    box: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as it was read.

    ``lost`` are boxes given up. ``quiet_after`` has, by region, the time until which nothing is
    installed there, sorted; ``""`` is the home region.
    """

    host: str
    holder: Holder | None
    op: Op
    lost: tuple[str, ...] = ()
    obligations: tuple[Obligation, ...] | Unreadable = ()
    quiet_after: tuple[tuple[str, datetime], ...] | Unreadable = ()
    completed: Completed | Unreadable | None = None


def claim_key(host: str) -> str:
    """Return the key of a host's claim, ``control/claims/<host>.json``.

    Raises `Malformed` for what is no host's name: no such text becomes a key.
    """
    if not is_host(host):
        raise Malformed(
            f"{CLAIMS_PREFIX}{host[:HOST_CHARACTERS]}",
            "is not a host's: lower-case labels with dots between, at most"
            f" {HOST_CHARACTERS} characters",
        )
    return f"{CLAIMS_PREFIX}{host}.json"


def parse_claim(body: bytes, host: str) -> Claim:
    """Parse a host's claim.

    Raises `Malformed` with every mistake in one line: not a strict JSON object, another version
    than 1, another host; a holder, an operation or a list of lost boxes that cannot be read. The
    other parts are `Unreadable` each by itself.
    """
    key = claim_key(host)
    fields = parse_object(body, key)
    if mistakes := [*claim_mistakes(fields, host)]:
        raise Malformed(key, "; ".join(mistakes))
    return Claim(
        host=host,
        holder=_holder(fields.get("holder")),
        op=Op(**_texts(fields.get("op", {}), OP_ZERO)),
        lost=tuple(sorted(set(fields.get("lost") or ()))),
        obligations=_obligations(fields.get("obligations")),
        quiet_after=_quiet_after(fields.get("quiet_after")),
        completed=_completed(fields.get("completed_relocation")),
    )


def _texts(fields: Mapping[str, Any], zeros: Mapping[str, str]) -> dict[str, str]:
    return {name: fields.get(name, zero) for name, zero in zeros.items()}


def _holder(holder: dict[str, Any] | None) -> Holder | None:
    if holder is None:
        return None
    return Holder(**_texts(holder, HOLDER_ZERO), stamp=holder.get("stamp", 0))


def _obligations(items: object) -> tuple[Obligation, ...] | Unreadable:
    if not isinstance(items, list | None):
        return Unreadable(f"obligations is {kind_of(items)}, not an array")
    for place, each in enumerate(items or ()):
        if not isinstance(each, dict):
            return Unreadable(f"obligations[{place}] is {kind_of(each)}, not an object")
        for mistake in wrong_kinds(each, _OBLIGATION_ZERO):
            return Unreadable(f"obligations[{place}].{mistake}")
    return tuple(Obligation(**_texts(each, _OBLIGATION_ZERO)) for each in items or ())


def _quiet_after(times: object) -> tuple[tuple[str, datetime], ...] | Unreadable:
    if not isinstance(times, dict | None):
        return Unreadable(f"quiet_after is {kind_of(times)}, not an object")
    read = []
    for region, text in sorted((times or {}).items()):
        try:
            read.append((region, moment(text)))
        except (TypeError, ValueError):
            return Unreadable(f'quiet_after["{region}"] is not a time of RFC 3339')
    return tuple(read)


def _completed(record: object) -> Completed | Unreadable | None:
    if record is None:
        return None
    if not isinstance(record, dict):
        return Unreadable(f"completed_relocation is {kind_of(record)}, not an object")
    op, stop = record.get("op"), record.get("stop")
    box = stop.get("box") if isinstance(stop, dict) else None
    if not (isinstance(op, str) and op and isinstance(box, str) and box):
        return Unreadable("completed_relocation does not name its op and its stop.box")
    return Completed(op, box)
