from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.errors import Malformed
from control.strict_json import MAX_BYTES, MAX_DEPTH, kind_of, parse_object

_BIG = 2**53

_REFUSED: list[tuple[bytes, str]] = [
    (b"", "is empty"),
    (b" \n", "is not JSON: Expecting value"),
    (b'{"a":1', "is not JSON: Expecting ',' delimiter"),
    (b'{"a":1} x', "is not JSON: Extra data"),
    (b"{}{}", "is not JSON: Extra data"),
    (b"{'a':1}", "is not JSON: Expecting property name"),
    (b'{"a":1,}', "is not JSON: "),
    (b'{"a":"\n"}', "is not JSON: Invalid control character"),
    (b'{"a":01}', "is not JSON: Expecting ',' delimiter"),
    (b"[]", "is an array, not an object"),
    (b'"x"', "is a string, not an object"),
    (b"7", "is a number, not an object"),
    (b"true", "is a boolean, not an object"),
    (b"null", "is null, not an object"),
    (b'{"a":1,"a":1}', 'has the name "a" twice'),
    (b'{"a":1,"\\u0061":2}', 'has the name "a" twice'),
    (b'{"x":[{"a":1,"b":2,"a":3}]}', 'has the name "a" twice'),
    (b'{"a":NaN}', "has the value NaN"),
    (b'{"a":[Infinity]}', "has the value Infinity"),
    (b'{"a":-Infinity}', "has the value -Infinity"),
    (b'{"a":1e400}', "has the number 1e400, beyond 2^53"),
    (b'{"a":9007199254740993}', "has the number 9007199254740993, beyond 2^53"),
    (b'{"a":-9007199254740993}', "has the number -9007199254740993, beyond 2^53"),
    (b'{"a":' + b"9" * 5000 + b"}", "has the number 9999999999999999..., beyond 2^53"),
    (b'{"a":1e16}', "has the number 1e16, beyond 2^53"),
    (b"\xef\xbb\xbf{}", "begins with a byte order mark"),
    ("\ufeff{}".encode("utf-16-le"), "begins with a byte order mark"),
    ("\ufeff{}".encode("utf-16-be"), "begins with a byte order mark"),
    (b'{"a":"\xff"}', "is not UTF-8 at byte 6"),
    (b'{"a":"\xed\xa0\x80"}', "is not UTF-8 at byte 6"),
    (b'{"a":"caf\xe9"}', "is not UTF-8 at byte 9"),
    (b'{"a":"\\ud800"}', "has a lone surrogate, \\ud800"),
    (b'{"a":["x\\uDFFFy"]}', "has a lone surrogate, \\udfff"),
    (b'{"\\udc00":1}', "has a lone surrogate, \\udc00"),
    (b'{"a":"\\ude00\\ud83d"}', "has a lone surrogate, \\ude00"),
    (b'{"a":"' + b"x" * MAX_BYTES + b'"}', f"is {MAX_BYTES + 8} bytes, over the limit"),
    (b'{"a":' * 65 + b"1" + b"}" * 65, "nests over 64 deep"),
    (b'{"a":' + b"[" * 100_000, "nests over 64 deep"),
]


@pytest.mark.parametrize(("body", "reason"), _REFUSED, ids=[reason for _, reason in _REFUSED])
def test_body_that_readers_would_not_agree_on(body: bytes, reason: str) -> None:
    """Each kind is refused by name, and the error names the key."""
    with pytest.raises(Malformed) as caught:
        parse_object(body, "control/edges/ie-1.json")

    assert caught.value.key == "control/edges/ie-1.json"
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b"{}", {}),
        (b' \r\n\t{"a" : null}\n', {"a": None}),
        (b'{"a":9007199254740992,"b":-9007199254740992}', {"a": _BIG, "b": -_BIG}),
        (b'{"a":-0,"b":1.5,"c":1E2,"d":1e-400}', {"a": 0, "b": 1.5, "c": 100.0, "d": 0.0}),
        (b'{"a":"\\ud83d\\ude00","\xc3\xa9":"\\u0000"}', {"a": "\U0001f600", "\xe9": "\x00"}),
        (b'{"a":"\\\\ud800"}', {"a": "\\ud800"}),
        (b'{"a":"' + b"[" * 100 + b'\\"{"}', {"a": "[" * 100 + '"{'}),
        (b'{"a":1,"b":{"a":1}}', {"a": 1, "b": {"a": 1}}),
    ],
)
def test_body_that_reads_one_way(body: bytes, value: dict[str, Any]) -> None:
    """Limits are inclusive, and what only looks like a refused kind is taken."""
    assert parse_object(body, "k") == value


def test_body_at_the_limits() -> None:
    """64 levels and 262,144 bytes are inside."""
    deep = b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    filled = b'{"a":"' + b"x" * (MAX_BYTES - 8) + b'"}'

    assert len(filled) == MAX_BYTES
    assert "a" in parse_object(deep, "k")
    assert "a" in parse_object(filled, "k")


@pytest.mark.parametrize(
    "unit", [b'\\"', b'"', b"\\", b'"a":1,', b"[],", b"1", b"{", b"}", b"\\ud800", b" ", b"\n"]
)
def test_hostile_body_of_full_size(unit: bytes) -> None:
    """No 256 KiB take longer than a linear reader needs: quadratic ones would take minutes."""
    body = b'{"a":"' + unit * (MAX_BYTES // len(unit) - 8)
    begun = time.process_time()

    with pytest.raises(Malformed):
        parse_object(body, "k")
    with pytest.raises(Malformed):
        parse_object(body.replace(b'"a":"', b'"a":', 1), "k")

    assert time.process_time() - begun < 2


_TOKENS = st.sampled_from(
    [*b'{}[]:,"1\\-. ', 0xFF, b'"a"', b"\\u", b"d800", b"NaN", b"e9", b"null", b"\xef\xbb\xbf"]
).map(lambda token: token if isinstance(token, bytes) else bytes([token]))


@given(st.binary(max_size=200) | st.lists(_TOKENS, max_size=40).map(b"".join))
def test_any_bytes(body: bytes) -> None:
    """Whatever the bytes, there is an object or `Malformed`, and no other error."""
    try:
        value = parse_object(body, "k")
    except Malformed:
        return

    assert value == json.loads(body)


_NUMBERS = st.integers(-_BIG, _BIG) | st.floats(-_BIG, _BIG, allow_nan=False)
_JSON = st.recursive(
    st.none() | st.booleans() | _NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), _JSON, max_size=5), st.booleans())
def test_any_good_object(value: dict[str, Any], ascii_only: bool) -> None:  # noqa: FBT001
    """An object without the refused kinds is read as the standard library reads it."""
    body = json.dumps(value, ensure_ascii=ascii_only).encode()

    assert parse_object(body, "k") == json.loads(body) == value


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({}, "an object"),
        ([], "an array"),
        ("", "a string"),
        (True, "a boolean"),
        (1, "a number"),
        (1.5, "a number"),
        (None, "null"),
    ],
)
def test_kind_of_a_value(value: object, kind: str) -> None:
    """Each JSON value has a kind by name; a boolean is no number."""
    assert kind_of(value) == kind
