"""What is wrong with a claim as a whole: version, host, holder, operation, lost boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from control.records import wrong_kinds
from control.strict_json import kind_of

RELOCATING = "relocating"
OP_ZERO = dict.fromkeys(("id", "kind", "exec", "phase", "source", "target"), "")
HOLDER_ZERO = dict.fromkeys(("key", "incarnation", "family"), "")


def claim_mistakes(fields: Mapping[str, Any], host: str) -> Iterator[str]:
    """Yield every mistake of a host's claim, but for those of parts that are not always needed."""
    if type(version := fields.get("v")) is not int or version != 1:
        yield "v is not the number 1, the one version known"
    if (said := fields.get("host")) != host:
        named = f'"{said}"' if isinstance(said, str) else kind_of(said)
        yield f'host is {named}, the key says "{host}"'
    yield from _holder_mistakes(fields.get("holder"))
    yield from _op_mistakes(fields.get("op", {}))
    yield from _list_mistakes("lost", fields.get("lost"))


def _holder_mistakes(holder: object) -> Iterator[str]:
    if holder is None:
        return
    if not isinstance(holder, dict):
        yield f"holder is {kind_of(holder)}, not an object"
        return
    yield from (f"holder.{mistake}" for mistake in wrong_kinds(holder, HOLDER_ZERO))
    if type(stamp := holder.get("stamp", 0)) is not int or stamp < 0:
        yield "holder.stamp is not a whole number of 0 or more"


def _op_mistakes(op: object) -> Iterator[str]:
    if not isinstance(op, dict):
        yield f"op is {kind_of(op)}, not an object"
        return
    yield from (f"op.{mistake}" for mistake in wrong_kinds(op, OP_ZERO))
    if op.get("kind") == RELOCATING:
        # Without its id a hold would have no name; without the rest nobody knows whose turn it is.
        missing = [name for name in ("id", "phase", "source", "target") if not op.get(name)]
        yield from (f"op.{name} is missing, and the operation is relocating" for name in missing)


def _list_mistakes(name: str, items: object) -> Iterator[str]:
    if not isinstance(items, list | None):
        yield f"{name} is {kind_of(items)}, not an array"
        return
    for place, each in enumerate(items or ()):
        if not isinstance(each, str):
            yield f"{name}[{place}] is {kind_of(each)}, not a string"
