"""Bodies that are no sidecar record of `KEY`, by what is wrong with them."""

from __future__ import annotations

import codecs
import json
from typing import Any

from control.sidecar_keys import SidecarKey
from control.strict_json import MAX_BYTES

KEY = SidecarKey("bab", "eleven", "bad")
GOOD: dict[str, Any] = {
    "name": "bad",
    "account": "bab",
    "app": "eleven",
    "host": "bad.eleven.bab.sidecar.internal",
    "channel": "edge",
}
_TEXT = json.dumps(GOOD)


def _with(**fields: object) -> bytes:
    return json.dumps(GOOD | fields).encode()


def _without(*names: str) -> bytes:
    return json.dumps({name: GOOD[name] for name in GOOD if name not in names}).encode()


NOT_JSON = {
    "nothing": b"",
    "a blank": b" ",
    "a newline": b"\n",
    "half of it": _TEXT.encode()[: len(_TEXT) // 2],
    "all but its end": _TEXT.encode()[:-1],
    "two of them": (_TEXT + _TEXT).encode(),
    "a trailing comma": _TEXT.replace("}", ",}").encode(),
    "single quotes": _TEXT.replace('"', "'").encode(),
    "a comment": f"// bot\n{_TEXT}".encode(),
    "a page of HTML": b"<html><body>503 Service Unavailable</body></html>",
    "YAML": b"name: bad\naccount: bab\n",
    "zero bytes": b"\x00" * 64,
    "a gzip header": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "UTF-16": _TEXT.encode("utf-16"),
    "a byte order mark": codecs.BOM_UTF8 + _TEXT.encode(),
    "latin-1": _TEXT.replace("edge", "\xe9dge").encode("latin-1"),
    "NaN": _TEXT.replace('"edge"', "NaN").encode(),
    "Infinity": _TEXT.replace('"edge"', "-Infinity").encode(),
    "a name twice": _TEXT.replace("{", '{"name":"bad",', 1).encode(),
    "a lone surrogate": _TEXT.replace("edge", r"\ud800").encode(),
    "a raw control character": _TEXT.replace("edge", "ed\nge").encode(),
    "a number beyond 2^53": _with(v=2**53 + 1),
    "a number of 5000 digits": _TEXT.replace("{", '{"v":' + "9" * 5000 + ",", 1).encode(),
    "an array 10,000 deep": b"[" * 10_000 + b"]" * 10_000,
    "an object 65 deep": b'{"a":' * 65 + b"1" + b"}" * 65,
    "10 MB": _with(note="x" * 10 * 1024 * 1024),
    "one byte too many": _TEXT.encode() + b" " * (MAX_BYTES + 1 - len(_TEXT)),
}
NO_OBJECT = {
    "null": b"null",
    "true": b"true",
    "a number": b"8080",
    "a string": b'"x"',
    "an empty array": b"[]",
    "it in an array": f"[{_TEXT}]".encode(),
    "it in a string": json.dumps(_TEXT).encode(),
}
_WRONG_KIND = {
    f"{field} {json.dumps(value)}": _with(**{field: value})
    for field, value in (
        *(("name", None), ("name", 7), ("account", True), ("app", []), ("host", {})),
        *(("host", None), ("channel", None), ("channel", 1.5), ("channel", ["edge"])),
        *(("environment", None), ("environment", False), ("region", None), ("region", 1)),
        *(("pool", None), ("pool", []), ("placement", None), ("placement", False)),
        *(("incarnation", 1), ("created_at", 1757239200)),
    )
}
_WRONG_TEXT = {
    f"{field} {json.dumps(value)}": _with(**{field: value})
    for field, value in (
        *(("name", ""), ("name", "good"), ("name", "BAD"), ("name", "bad "), ("account", "jam")),
        *(("account", ""), ("app", ""), ("app", "twelve"), ("host", ""), ("host", "*")),
        *(("host", "bad.eleven.bab.sidecar.internal."), ("host", "eleven.bab.example.com")),
        *(("host", "b\xe4d.eleven.bab.sidecar.internal"), ("host", "xn--bd-via.eleven.bab")),
        *(("host", "Bad.eleven.bab.sidecar.internal"), ("channel", "")),
        *(("placement", "None"), ("placement", "no inbound"), ("placement", "ANY")),
    )
}
_MISSING = {
    "an empty object": b"{}",
    "no name": _without("name"),
    "no account": _without("account"),
    "no app": _without("app"),
    "no host": _without("host"),
    "no channel": _without("channel"),
    "host spelt target": json.dumps({**GOOD, "target": GOOD["host"], "host": ""}).encode(),
    "names in capitals": json.dumps({name.title(): text for name, text in GOOD.items()}).encode(),
    "it one level down": json.dumps({"record": GOOD}).encode(),
}

MALFORMED: dict[str, bytes] = {
    **NOT_JSON,
    **NO_OBJECT,
    **_WRONG_KIND,
    **_WRONG_TEXT,
    **_MISSING,
}
