"""An app's sidecars manifest as a value: how its sidecars run.

Unknown fields are passed over, an absent one is its zero value, names match exactly. `null` is a
value of the wrong kind, but for ``args`` and ``hibernate``, where Go writes it for "not set".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from control.errors import Malformed
from control.records import wrong_kinds
from control.sidecar_durations import DurationInvalid, whole_seconds
from control.sidecar_keys import AppKey
from control.sidecar_records import shape_mistakes, texts_in
from control.strict_json import kind_of, parse_object

_MANIFEST_ZERO: Mapping[str, str] = dict.fromkeys(("placement", "channel", "idle", "max_run"), "")
_DEFAULT_CEILINGS: Mapping[str, str] = {"idle": "5m", "max_run": "1h"}
# What Go's encoder escapes so that JSON can stand in HTML and in JavaScript.
_GO_ESCAPES = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


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


def _manifest_mistakes(fields: Mapping[str, Any]) -> Iterator[str]:
    yield from wrong_kinds(fields, _MANIFEST_ZERO)
    version = fields.get("v", 1)
    if type(version) is not int or version != 1:
        yield "v is not the number 1, the one version known"
    if not isinstance(fields.get("hibernate"), bool | None):
        yield f"hibernate is {kind_of(fields['hibernate'])}, not a boolean"
    yield from _args_mistakes(fields.get("args"))
    yield from shape_mistakes(texts_in({"placement": fields.get("placement", "")}))
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
