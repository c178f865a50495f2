from __future__ import annotations

import json
from typing import Any

import pytest

from control.errors import Malformed
from control.sidecar_keys import SidecarKey
from control.sidecar_records import SidecarRecord, parse_account, parse_record

_KEY = SidecarKey("bab", "eleven", "bot-acme")
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


def _mistakes(fields: dict[str, Any], key: SidecarKey = _KEY) -> str:
    with pytest.raises(Malformed) as caught:
        _record(fields, key)
    assert caught.value.key == key.record
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


def test_account_manifest() -> None:
    """Whatever it says, it must be readable: its key says who the account is."""
    parse_account(b'{"v":1,"account":"other","owners":null}', "accounts/bab.json")

    for body in (b"", b"[]", b"{", b'{"a":1,"a":2}'):
        with pytest.raises(Malformed, match=r"^accounts/bab\.json: "):
            parse_account(body, "accounts/bab.json")
