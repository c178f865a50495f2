"""A sidecar's record as a value, and the manifest of its account.

Unknown fields are passed over, an absent one is its zero value, names match exactly, and `null` is
a value of the wrong kind. An app's manifest is `control.sidecar_manifests`' business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from control.errors import Malformed
from control.keys import is_label
from control.records import wrong_kinds
from control.sidecar_keys import SidecarKey, is_account
from control.strict_json import parse_object

ANY, NO_INBOUND = "any", "no-inbound"
PLACEMENTS = ("", ANY, NO_INBOUND)

_IDENTITY = ("name", "account", "app")
_REST = ("host", "channel", "environment", "region", "pool", "placement", "incarnation")
_RECORD_ZERO: Mapping[str, str] = dict.fromkeys((*_IDENTITY, *_REST, "created_at"), "")


class SidecarRecord(BaseModel):
    """One sidecar: who it is, what it runs and where it may. Every text is as written.

    ``region`` empty is the home region, ``pool`` empty the shared pool; ``placement`` is one of
    `PLACEMENTS`, empty where the record leaves it to the manifest.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    name: str
    account: str
    app: str
    host: str
    channel: str
    environment: str = ""
    region: str = ""
    pool: str = ""
    placement: str = ""
    incarnation: str = ""
    created_at: str = ""


def parse_record(body: bytes, key: SidecarKey) -> SidecarRecord:
    """Parse a sidecar record (behaviours 102-106).

    Raises `Malformed` with every mistake in one line: fields of the wrong kind, an identity or host
    that is not its key's, a wrong shape, no channel.
    """
    fields = parse_object(body, key.record)
    texts = {name: fields.get(name, zero) for name, zero in _RECORD_ZERO.items()}
    mistakes = [*wrong_kinds(fields, _RECORD_ZERO), *_record_mistakes(texts_in(texts), key)]
    if mistakes:
        raise Malformed(key.record, "; ".join(mistakes))
    return SidecarRecord(**texts)


def shape_mistakes(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what the console would not have let through (behaviour 104).

    Of a record's texts, by field. The channel is no part of the shape.
    """
    for name in ("name", "app"):
        if not is_label(texts.get(name, "x")):
            yield f'{name} "{texts[name]}" is not a label: 1 to 63 of a-z, 0-9 and inner hyphens'
    if not is_account(texts.get("account", "xx")):
        yield f'account "{texts["account"]}" is not two or more of a-z and 0-9'
    if (placement := texts.get("placement", "")) not in PLACEMENTS:
        yield f'placement "{placement}" is neither "{ANY}" nor "{NO_INBOUND}"'


def parse_account(body: bytes, key: str) -> None:
    """Check that an account manifest can be read; who the account is, its key says.

    Raises `Malformed` when the body is not a strict JSON object.
    """
    parse_object(body, key)


def texts_in(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that are texts: what is of another kind is named by `wrong_kinds`."""
    return {name: text for name, text in fields.items() if isinstance(text, str)}


def _record_mistakes(texts: Mapping[str, str], key: SidecarKey) -> Iterator[str]:
    """Yield what is wrong with fields of the right kind; `wrong_kinds` names the others."""
    meant = {name: getattr(key, name) for name in (*_IDENTITY, "host")}
    for name, should in meant.items():
        if (said := texts.get(name, should)) != should:
            yield f'{name} is "{said}", the key says "{should}"'
    yield from shape_mistakes(texts)
    if not texts.get("channel", "x"):
        yield "channel is empty: its route would have no build to run"
