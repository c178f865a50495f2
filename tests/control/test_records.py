from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from control.errors import Malformed
from control.records import Edge, Instance, parse_edge, parse_instance

_REGIONS = frozenset({"eu-west-1", "eu-west-2"})
_EDGE = {"v": 1, "box": "ie-1", "aws_region": "eu-west-1", "eip": "99.81.104.219", "armed": True}
_EDGE_KEY = "control/edges/ie-1.json"
_KEY = "apps/bab/hello/instances/hello.bab.example.com.json"
_RECORD = {"v": 1, "host": "hello.bab.example.com", "steering": "latency", "pool": ""}


def _edge(fields: dict[str, Any], key: str = _EDGE_KEY, *, allow_test: bool = False) -> Edge:
    body = json.dumps(fields).encode()
    return parse_edge(body, key, regions=_REGIONS, allow_test_addresses=allow_test)


def _record(**fields: object) -> Instance:
    return parse_instance(json.dumps(fields).encode(), _KEY)


def _mistakes(fields: dict[str, Any], key: str = _EDGE_KEY) -> str:
    with pytest.raises(Malformed) as caught:
        _edge(fields, key)
    assert caught.value.key == key
    return caught.value.reason


def test_edges_file_of_an_armed_box() -> None:
    """Box, region, address and state are read; other fields are passed over."""
    edge = _edge(_EDGE | {"region": "ie", "updated_at": 7, "more": {"deep": []}})

    assert edge == Edge(box="ie-1", aws_region="eu-west-1", address="99.81.104.219", armed=True)
    assert edge.record_type == "A"


def test_edges_file_with_an_ipv6_address() -> None:
    """The address is normalised, and makes an AAAA record."""
    edge = _edge(_EDGE | {"eip": "2600:1F18:0::1"})

    assert (edge.address, edge.record_type) == ("2600:1f18::1", "AAAA")


def test_edges_file_of_a_disarmed_box() -> None:
    """A disarmed box needs neither region nor address, and an absent `armed` is false."""
    bare = {"v": 1, "box": "ie-1"}

    assert _edge(bare) == Edge(box="ie-1", aws_region="", address="", armed=False)
    assert _edge(bare | {"armed": False, "eip": "pending"}).address == ""


def test_edges_file_in_a_documentation_net() -> None:
    """Such an address is admitted by its setting alone."""
    fields = _EDGE | {"eip": "203.0.113.9"}

    assert _edge(fields, allow_test=True).address == "203.0.113.9"
    assert "eip 203.0.113.9 is in 203.0.113.0/24" in _mistakes(fields)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"v": 2}, "v is not the number 1, the one version known"),
        ({"v": True}, "v is not the number 1, the one version known"),
        ({"v": 1.0}, "v is not the number 1, the one version known"),
        ({"v": "1"}, "v is not the number 1, the one version known"),
        ({"v": None}, "v is not the number 1, the one version known"),
        ({"box": 5}, "box is a number, not a string"),
        ({"box": "uk-1"}, 'box is "uk-1", the key says "ie-1"'),
        ({"box": "IE-1"}, 'box is "IE-1", the key says "ie-1"'),
        ({"armed": "true"}, "armed is a string, not a boolean"),
        ({"armed": 1}, "armed is a number, not a boolean"),
        ({"armed": None}, "armed is null, not a boolean"),
        ({"aws_region": ""}, "armed without an aws_region"),
        ({"aws_region": "eu-west-9"}, 'aws_region "eu-west-9" is not a region of AWS'),
        ({"aws_region": "eu-west-9", "armed": False}, 'aws_region "eu-west-9" is not a region'),
        ({"aws_region": ["eu-west-1"]}, "aws_region is an array, not a string"),
        ({"eip": ""}, "armed without an address in eip"),
        ({"eip": None}, "eip is null, not a string"),
        ({"eip": 16843009}, "eip is a number, not a string"),
        ({"eip": 16843009, "armed": False}, "eip is a number, not a string"),
        ({"eip": "99.81.104.219 "}, 'eip "99.81.104.219 " is not an IPv4 or IPv6 address'),
        ({"eip": "10.0.0.1"}, "eip 10.0.0.1 is in 10.0.0.0/8, which Route 53 cannot check"),
    ],
)
def test_edges_file_with_one_mistake(change: dict[str, Any], reason: str) -> None:
    """It fails, and the one mistake is all it complains of."""
    assert _mistakes(_EDGE | change).startswith(reason)
    assert "; " not in _mistakes(_EDGE | change)


@pytest.mark.parametrize("field", ["v", "box", "aws_region", "eip"])
def test_edges_file_of_an_armed_box_without_a_field(field: str) -> None:
    """An absent field is its zero value, and an armed box needs them all."""
    assert _mistakes({name: value for name, value in _EDGE.items() if name != field})


def test_edges_file_with_every_mistake() -> None:
    """All mistakes come in one line."""
    wrong = {"v": 3, "box": [], "aws_region": "mars", "eip": "::1", "armed": True}

    assert _mistakes(wrong).split("; ") == [
        "box is an array, not a string",
        "v is not the number 1, the one version known",
        'aws_region "mars" is not a region of AWS',
        "eip ::1 is in ::/3, which Route 53 cannot check: give a public address",
    ]


def test_edges_file_whose_box_is_no_label() -> None:
    """Key and body agree, and still it cannot name a record set."""
    reason = _mistakes(_EDGE | {"box": "IE_1"}, "control/edges/IE_1.json")

    assert reason == 'box "IE_1" is not a label: 1 to 63 of a-z, 0-9 and inner hyphens'


@pytest.mark.parametrize("body", [b'{"v":1,"box":"ie-1","ar', b"[]", b'{"box":"a","box":"b"}', b""])
def test_body_that_is_not_strict_json(body: bytes) -> None:
    """A truncated or ambiguous document of either kind is malformed, by its key."""
    with pytest.raises(Malformed, match=_EDGE_KEY):
        parse_edge(body, _EDGE_KEY, regions=_REGIONS, allow_test_addresses=False)
    with pytest.raises(Malformed, match=_KEY):
        parse_instance(body, _KEY)


def test_instance_record() -> None:
    """Key parts and the three fields are read."""
    assert _record(**_RECORD) == Instance(
        key=_KEY,
        account="bab",
        app="hello",
        name="hello.bab.example.com",
        host="hello.bab.example.com",
        steering="latency",
        pool="",
    )


@pytest.mark.behaviour(13)
@pytest.mark.behaviour(19)
def test_record_homed_on_a_box() -> None:
    """Kind, region, account and everything else of a body change nothing."""
    elsewhere = _record(**_RECORD, kind="exec", region="uk", account="zzz", incarnation=None)

    assert elsewhere == _record(**_RECORD)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        pytest.param("steering", "LATENCY ", marks=pytest.mark.behaviour(16)),
        pytest.param("steering", "geo\n", marks=pytest.mark.behaviour(16)),
        pytest.param("host", "*.Bab.example.com.", marks=pytest.mark.behaviour(17)),
        pytest.param("pool", "fleet/eu", marks=pytest.mark.behaviour(18)),
    ],
)
def test_value_that_the_fold_will_refuse(field: str, text: str) -> None:
    """It is passed on exactly as read: reading is not a second, quieter policy."""
    assert getattr(_record(**{**_RECORD, field: text}), field) == text


def test_record_that_says_nothing() -> None:
    """Absent fields are empty, and the record is there: "off" is not "absent"."""
    record = _record()

    assert (record.host, record.steering, record.pool) == ("", "", "")


@pytest.mark.parametrize("value", [None, 1, True, ["latency"], {"mode": "latency"}])
def test_field_that_is_not_a_string(value: object) -> None:
    """The record is malformed, `null` included, and every such field is named."""
    with pytest.raises(Malformed) as caught:
        _record(host=value, steering=value, pool=value)

    assert [part.split(" is ")[0] for part in caught.value.reason.split("; ")] == [
        *("host", "steering", "pool")
    ]


def test_key_that_is_no_instance_record() -> None:
    """Its body is not looked at."""
    with pytest.raises(Malformed, match="is not apps/"):
        parse_instance(b"{}", "apps/hello/instances/x.json")


def test_document_that_somebody_changes() -> None:
    """Documents are values."""
    with pytest.raises(ValidationError):
        _record(**_RECORD).host = "other"  # type: ignore[misc]  # the point of the test


_SMALL = st.integers(-(2**53), 2**53)
_JUNK = st.none() | st.booleans() | _SMALL | st.text() | st.lists(st.text(), max_size=2)


def _mostly(value: object) -> st.SearchStrategy[object]:
    return st.one_of(st.just(value), st.just(value), _JUNK)


@given(st.fixed_dictionaries({}, optional={n: _mostly(v) for n, v in (_EDGE | _RECORD).items()}))
def test_any_edges_file(fields: dict[str, Any]) -> None:
    """There is an edge or `Malformed`; an edge that is armed is complete, and it was asked for."""
    try:
        edge = _edge(fields)
    except Malformed:
        return

    assert edge.box == "ie-1"
    assert edge.armed is fields.get("armed", False)
    assert not edge.armed or (edge.aws_region in _REGIONS and edge.address)


@given(st.fixed_dictionaries({}, optional={n: _mostly(v) for n, v in (_EDGE | _RECORD).items()}))
def test_any_record(fields: dict[str, Any]) -> None:
    """There is a record exactly where the three fields are strings, with their values."""
    three = {name: fields.get(name, "") for name in ("host", "steering", "pool")}

    if all(isinstance(value, str) for value in three.values()):
        assert _record(**fields).model_dump(include=set(three)) == three
    else:
        with pytest.raises(Malformed):
            _record(**fields)
