"""What describes a registry snapshot: the JSON beside the current one, and each file's metadata.

Two carriers of the same facts. The JSON is what other programs read; the metadata of an object
comes and goes with its bytes, so it holds when a run ends between the two writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from control.errors import Malformed
from control.strict_json import parse_object

_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-]\d\d:\d\d))", re.ASCII
)
_OPTIONAL = ("sha256", "routes", "lineage", "parent")
_COMPLETE = ("box", "fingerprint", "created-at", "sha256")


def moment(text: str) -> datetime:
    """Return a time of RFC 3339, to the microsecond. Raises `ValueError` where it is none."""
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError("not a time of RFC 3339")
    day, time, fraction, offset = match.groups()
    micro = (fraction or "").ljust(6, "0")[:6]
    return datetime.fromisoformat(f"{day}T{time}.{micro}{offset or '+00:00'}")


def rfc3339(now: datetime) -> str:
    """Write a time, which has a time zone, as Go does: UTC, without trailing zeros."""
    utc = now.astimezone(timezone.utc)
    fraction = f".{utc.microsecond:06}".rstrip("0").rstrip(".")
    return f"{utc.replace(tzinfo=None, microsecond=0).isoformat()}{fraction}Z"


def _checked(text: str) -> str:
    moment(text)
    return text


class SnapshotMeta(BaseModel):
    """A snapshot as it is described.

    ``fingerprint`` is of its content, ``sha256`` and ``size`` (bytes) are of the file, and
    ``routes`` counts its rows. ``lineage`` is the registry's that wrote it, ``parent`` the
    fingerprint of the snapshot it replaced. ``created_at`` is as it was written. What another
    program left out is empty; ``routes`` is None then.
    """

    model_config = ConfigDict(frozen=True, strict=True, populate_by_name=True)

    box: str = ""
    fingerprint: str = ""
    created_at: Annotated[str, AfterValidator(_checked)] = "0001-01-01T00:00:00Z"
    size: int = Field(default=0, ge=0, alias="bytes")
    sha256: str = ""
    routes: int | None = Field(default=None, ge=0)
    lineage: str = ""
    parent: str = ""

    @property
    def body(self) -> bytes:
        """The JSON object: compact, its fields in their order of old, the optional ones last."""
        fields = {"v": 1, **self.model_dump(by_alias=True)}
        kept = {name: value for name, value in fields.items() if _present(name, value)}
        return json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()

    @property
    def attributes(self) -> dict[str, str]:
        """The metadata of an object that has these bytes; its size is the object's own."""
        fields = self.model_dump(exclude={"size"})
        kept = {name: value for name, value in fields.items() if _present(name, value)}
        return {name.replace("_", "-"): str(value) for name, value in kept.items()}


def _present(name: str, value: object) -> bool:
    return name not in _OPTIONAL or value not in ("", None)


def parse_meta(body: bytes, key: str) -> SnapshotMeta:
    """Parse the JSON that describes a box's current snapshot.

    ``v`` is not read. `null` is a zero value, for the whole object and for each field, as it is to
    the program that these documents come from.

    Raises:
        Malformed: not a strict JSON object, a field of another kind, a time that is none. What
            cannot be read must not pass for "no snapshot yet" (behaviours 65, 67).
    """
    fields = {} if body.strip() == b"null" else parse_object(body, key)
    try:
        known = {name: value for name, value in fields.items() if value is not None}
        return SnapshotMeta.model_validate(known, by_alias=True, by_name=False)
    except ValidationError as error:
        mistakes = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise Malformed(key, "; ".join(sorted(mistakes))) from error


def described(attributes: Mapping[str, str], size: int) -> SnapshotMeta | None:
    """Read an object's metadata; None where it does not say all that `attributes` says.

    Another program's objects have none, and a copy may have lost it.
    """
    if not all(attributes.get(name) for name in _COMPLETE):
        return None
    known = {name.replace("-", "_"): value for name, value in attributes.items()}
    try:
        return SnapshotMeta.model_validate({**known, "size": size}, strict=False)
    except ValidationError:
        return None
