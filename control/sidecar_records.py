"""The documents that sidecar routes come from, as values: records, manifests, account manifests.

Unknown fields are passed over, an absent one is its zero value, names match exactly. `null` is a
value of the wrong kind, but for a manifest's ``args`` and ``hibernate``, where Go writes it for
"not set".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from control.errors import Malformed
from control.keys import is_label
from control.records import wrong_kinds
from control.sidecar_durations import DurationInvalid, whole_seconds
from control.sidecar_keys import AppKey, SidecarKey, is_account
from control.strict_json import kind_of, parse_object

ANY, NO_INBOUND = "any", "no-inbound"
PLACEMENTS = ("", ANY, NO_INBOUND)

_IDENTITY = ("name", "account", "app")
_REST = ("host", "channel", "environment", "region", "pool", "placement", "incarnation")
_RECORD_ZERO: Mapping[str, str] = dict.fromkeys((*_IDENTITY, *_REST, "created_at"), "")
_MANIFEST_ZERO: Mapping[str, str] = dict.fromkeys(("placement", "channel", "idle", "max_run"), "")
_DEFAULT_CEILINGS: Mapping[str, str] = {"idle": "5m", "max_run": "1h"}
# What Go's encoder escapes so that JSON can stand in HTML and in JavaScript.
_GO_ESCAPES = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


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


class SidecarsManifest(BaseModel):
    """How an app's sidecars run, with the defaults filled in (behaviour 88).

    ``args`` is the registry's text of the arguments, see `args_text`. Ceilings are in whole
    seconds. ``placement`` is as written. ``channel`` is what the console gives to new records; no
    route takes it (behaviour 87).
    """

    model_config = ConfigDict(frozen=True, strict=True)

    args: str = ""
    placement: str = ""
    hibernate: bool = True
    idle_seconds: int = 300
    max_run_seconds: int = 3600
    channel: str = ""


def args_text(args: Sequence[str]) -> str:
    """Return arguments as the registry holds them (behaviours 78, 79); ``""`` for none.

    As Go's ``json.Marshal`` writes them, byte for byte: compact, other scripts raw, and ``<``,
    ``>``, ``&``, U+2028 and U+2029 escaped.
    """
    if not args:
        return ""
    text = json.dumps(args, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_GO_ESCAPES)


def parse_record(body: bytes, key: SidecarKey) -> SidecarRecord:
    """Parse a sidecar record (behaviours 102-106).

    Raises `Malformed` with every mistake in one line: fields of the wrong kind, an identity or host
    that is not its key's, a wrong shape, no channel.
    """
    fields = parse_object(body, key.record)
    texts = {name: fields.get(name, zero) for name, zero in _RECORD_ZERO.items()}
    mistakes = [*wrong_kinds(fields, _RECORD_ZERO), *_record_mistakes(_right(texts), key)]
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


def parse_manifest(body: bytes, app: AppKey) -> SidecarsManifest:
    """Parse an app's sidecars manifest and fill in the defaults.

    Raises `Malformed` with every mistake in one line. What it says is read when it was read whole,
    or not at all: an app's policy half taken is a policy that nobody stated.
    """
    fields = parse_object(body, app.manifest)
    if mistakes := [*_manifest_mistakes(fields)]:
        raise Malformed(app.manifest, "; ".join(mistakes))
    return SidecarsManifest(
        args=args_text(fields.get("args") or ()),
        placement=fields.get("placement", ""),
        hibernate=fields.get("hibernate") is not False,
        idle_seconds=_ceiling(fields, "idle"),
        max_run_seconds=_ceiling(fields, "max_run"),
        channel=fields.get("channel", ""),
    )


def parse_account(body: bytes, key: str) -> None:
    """Check that an account manifest can be read; who the account is, its key says.

    Raises `Malformed` when the body is not a strict JSON object.
    """
    parse_object(body, key)


def _right(fields: Mapping[str, Any]) -> dict[str, str]:
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


def _manifest_mistakes(fields: Mapping[str, Any]) -> Iterator[str]:
    yield from wrong_kinds(fields, _MANIFEST_ZERO)
    version = fields.get("v", 1)
    if type(version) is not int or version != 1:
        yield "v is not the number 1, the one version known"
    if not isinstance(fields.get("hibernate"), bool | None):
        yield f"hibernate is {kind_of(fields['hibernate'])}, not a boolean"
    yield from _args_mistakes(fields.get("args"))
    yield from shape_mistakes(_right({"placement": fields.get("placement", "")}))
    yield from _ceiling_mistakes(fields)


def _args_mistakes(args: object) -> Iterator[str]:
    if args is None:
        return
    if not isinstance(args, list):
        yield f"args is {kind_of(args)}, not an array"
        return
    for place, each in enumerate(args):
        if not isinstance(each, str):
            yield f"args[{place}] is {kind_of(each)}, not a string"


def _ceiling_mistakes(fields: Mapping[str, Any]) -> Iterator[str]:
    for name in _DEFAULT_CEILINGS:
        if not isinstance(text := fields.get(name, ""), str):
            continue  # the wrong kind is named already
        try:
            _ceiling(fields, name)
        except DurationInvalid as invalid:
            yield f'{name} "{text}" {invalid}'


def _ceiling(fields: Mapping[str, Any], name: str) -> int:
    return whole_seconds(fields.get(name) or _DEFAULT_CEILINGS[name])
