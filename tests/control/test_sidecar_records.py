from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.errors import Malformed
from control.sidecar_keys import AppKey, SidecarKey
from control.sidecar_records import (
    SidecarRecord,
    SidecarsManifest,
    args_text,
    parse_account,
    parse_manifest,
    parse_record,
)

_KEY = SidecarKey("bab", "eleven", "bot-acme")
_APP = AppKey("bab", "eleven")
_RECORD = {
    "name": "bot-acme",
    "account": "bab",
    "app": "eleven",
    "host": "bot-acme.eleven.bab.sidecar.internal",
    "channel": "edge",
    "environment": "blue",
    "region": "uk",
    "pool": "fleet/eu",
    "placement": "no-inbound",
    "incarnation": "01J8ZQ5E7N",
    "created_at": "2026-09-07T10:00:00Z",
}


def _record(fields: dict[str, Any], key: SidecarKey = _KEY) -> SidecarRecord:
    return parse_record(json.dumps(fields).encode(), key)


def _manifest(**fields: object) -> SidecarsManifest:
    return parse_manifest(json.dumps(fields).encode(), _APP)


def _mistakes(fields: dict[str, Any], key: SidecarKey = _KEY) -> str:
    with pytest.raises(Malformed) as caught:
        _record(fields, key)
    assert caught.value.key == key.record
    return caught.value.reason


def _manifest_mistakes(**fields: object) -> str:
    with pytest.raises(Malformed) as caught:
        _manifest(**fields)
    assert caught.value.key == "apps/bab/eleven/sidecars.json"
    return caught.value.reason


def test_record() -> None:
    """Every field is read as it is, other fields are passed over."""
    assert _record(_RECORD | {"v": 7, "more": {}}) == SidecarRecord(**_RECORD)


def test_record_with_what_it_must_have() -> None:
    """Identity, host and channel suffice: the rest is empty."""
    needed = {name: _RECORD[name] for name in ("name", "account", "app", "host", "channel")}

    assert _record(needed) == SidecarRecord(**needed)


_OPTIONAL = ["environment", "region", "pool", "placement", "incarnation", "created_at"]


@pytest.mark.parametrize("field", _OPTIONAL)
def test_record_field_missing_empty_or_null(field: str) -> None:
    """Missing and empty are the same; null is neither, it is a value of the wrong kind."""
    missing = {name: text for name, text in _RECORD.items() if name != field}

    assert _record(missing) == _record(_RECORD | {field: ""})
    assert _mistakes(_RECORD | {field: None}) == f"{field} is null, not a string"


@pytest.mark.behaviour(103)
@pytest.mark.parametrize("field", ["name", "account", "app"])
def test_record_that_disagrees_with_its_key(field: str) -> None:
    """Who a record is, its key says; a body that says another is no record of either."""
    said = _mistakes(_RECORD | {field: "other"})

    assert said.startswith(f'{field} is "other", the key says "{_RECORD[field]}"')


@pytest.mark.behaviour(104)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Bot", 'name "Bot" is not a label'),
        ("a.b", 'name "a.b" is not a label'),
        ("-a", 'name "-a" is not a label'),
        ("a" * 64, "is not a label"),
    ],
)
def test_record_with_an_illegal_name(name: str, reason: str) -> None:
    """What the console would not have let through is refused here as well."""
    key = SidecarKey("bab", "eleven", name)

    assert reason in _mistakes(_RECORD | {"name": name, "host": key.host}, key)


@pytest.mark.behaviour(104)
def test_record_with_an_unknown_placement() -> None:
    """A word that nobody knows would place anywhere."""
    said = _mistakes(_RECORD | {"placement": "no_inbound"})

    assert said == 'placement "no_inbound" is neither "any" nor "no-inbound"'


@pytest.mark.behaviour(105)
@pytest.mark.parametrize("host", ["", "eleven.bab.example.com", _RECORD["host"].upper()])
def test_record_with_another_host(host: str) -> None:
    """The host becomes a database path and a primary key: it is derived, never taken on trust."""
    said = _mistakes(_RECORD | {"host": host})

    assert said == f'host is "{host}", the key says "{_RECORD["host"]}"'


@pytest.mark.behaviour(106)
def test_record_without_a_channel() -> None:
    """A route without one has no build to run."""
    assert _mistakes(_RECORD | {"channel": ""}).startswith("channel is empty")
    assert _mistakes({k: v for k, v in _RECORD.items() if k != "channel"}).startswith("channel")


def test_record_with_many_mistakes() -> None:
    """All are told at once, those of kind first; a field of the wrong kind is told once."""
    wrong = {"app": 7, "name": "Bot", "host": None, "placement": "x", "channel": ""}

    assert [each.split()[0] for each in _mistakes(_RECORD | wrong).split("; ")] == [
        *("app", "host", "name", "name", "placement", "channel")
    ]


def test_record_of_another_spelling() -> None:
    """Names match exactly: a reader that ignores case would take another field."""
    shouting = {name.upper(): text for name, text in _RECORD.items()}

    assert _mistakes(shouting).startswith('name is "", the key says "bot-acme"')


def test_manifest() -> None:
    """Every field is read, durations in whole seconds."""
    manifest = _manifest(
        v=1,
        args=["bot", "run"],
        placement="no-inbound",
        hibernate=False,
        idle="90s",
        max_run="1h30m",
        channel="edge",
        more=[],
    )

    assert manifest == SidecarsManifest(
        args='["bot","run"]',
        placement="no-inbound",
        hibernate=False,
        idle_seconds=90,
        max_run_seconds=5400,
        channel="edge",
    )


@pytest.mark.behaviour(88)
@pytest.mark.parametrize(
    "fields", [{}, {"args": None, "hibernate": None}, {"args": [], "idle": "", "max_run": ""}]
)
def test_manifest_that_says_nothing(fields: dict[str, object]) -> None:
    """The defaults: no arguments, hibernating, 5 minutes idle, an hour of running."""
    manifest = _manifest(**fields)

    assert manifest == SidecarsManifest(
        args="", placement="", hibernate=True, idle_seconds=300, max_run_seconds=3600
    )


def test_manifest_with_a_zero_ceiling() -> None:
    """Zero is what it says, not "not set"."""
    assert _manifest(idle="0s", max_run="300ms").idle_seconds == 0
    assert _manifest(idle="0s", max_run="300ms").max_run_seconds == 0


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"v": 2}, "v is not the number 1"),
        ({"v": True}, "v is not the number 1"),
        ({"v": "1"}, "v is not the number 1"),
        ({"args": "bot run"}, "args is a string, not an array"),
        ({"args": ["bot", 7]}, "args[1] is a number, not a string"),
        ({"args": [None]}, "args[0] is null, not a string"),
        ({"hibernate": "no"}, "hibernate is a string, not a boolean"),
        ({"hibernate": 0}, "hibernate is a number, not a boolean"),
        ({"placement": "none"}, 'placement "none" is neither "any" nor "no-inbound"'),
        ({"placement": None}, "placement is null, not a string"),
        ({"idle": 300}, "idle is a number, not a string"),
        ({"idle": "5"}, 'idle "5" is not a duration such as "90s" or "1h30m"'),
        ({"idle": "-5m"}, 'idle "-5m" is negative'),
        ({"max_run": "9999999h"}, 'max_run "9999999h" is over 292 years'),
        ({"max_run": None}, "max_run is null, not a string"),
        ({"channel": []}, "channel is an array, not a string"),
    ],
)
def test_manifest_with_a_mistake(fields: dict[str, object], reason: str) -> None:
    """A manifest is read whole or not at all."""
    assert _manifest_mistakes(**fields).startswith(reason)


def test_manifest_with_many_mistakes() -> None:
    """All are told at once."""
    said = _manifest_mistakes(v=0, args=[1, "a", 2], hibernate="", idle="x", max_run=1)

    assert [each.split(" ")[0] for each in said.split("; ")] == [
        *("max_run", "v", "hibernate", "args[0]", "args[2]", "idle")
    ]


@pytest.mark.behaviour(78)
def test_no_arguments() -> None:
    """None at all is the empty text, never null or []."""
    assert args_text([]) == ""


# As Go 1.26's json.Marshal writes them.
@pytest.mark.behaviour(79)
@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["bot", "run"], '["bot","run"]'),
        ([""], '[""]'),
        (["a<b>&c"], r'["a\u003cb\u003e\u0026c"]'),
        (["\u2028\u2029"], r'["\u2028\u2029"]'),
        (["h\xe9", "\u65e5", "\U0001f600"], '["h\xe9","\u65e5","\U0001f600"]'),
        (['"', "\\", "/"], r'["\"","\\","/"]'),
        (["\b\f\n\r\t"], r'["\b\f\n\r\t"]'),
        (["\x00\x1f\x7f"], '["\\u0000\\u001f\x7f"]'),
    ],
)
def test_arguments_as_text(args: list[str], text: str) -> None:
    """One differing byte, and every pass would converge the row."""
    assert args_text(args) == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_arguments_read_back(args: list[str]) -> None:
    """The text is JSON of the same arguments, and needs no escaping in HTML."""
    text = args_text(args)

    assert json.loads(text) == args
    assert not set(text) & set("<>&\u2028\u2029")


def test_account_manifest() -> None:
    """Whatever it says, it must be readable: its key says who the account is."""
    parse_account(b'{"v":1,"account":"other","owners":null}', "accounts/bab.json")

    for body in (b"", b"[]", b"{", b'{"a":1,"a":2}'):
        with pytest.raises(Malformed, match=r"^accounts/bab\.json: "):
            parse_account(body, "accounts/bab.json")
