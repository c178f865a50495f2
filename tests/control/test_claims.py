from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.claims import (
    Claim,
    Completed,
    Holder,
    Obligation,
    Op,
    Unreadable,
    claim_key,
    parse_claim,
)
from control.errors import Malformed
from tests.support.sidecar_bodies import NO_OBJECT, NOT_JSON

HOST = "hello.bab.oncarlos.com"
KEY = f"control/claims/{HOST}.json"
RECORD = "apps/bab/hello/instances/hello.bab.oncarlos.com.json"
EXAMPLE: dict[str, Any] = {
    "v": 1,
    "host": HOST,
    "holder": {"key": RECORD, "incarnation": "01J8ZQ5E7M", "family": "instance", "stamp": 7},
    "op": {"id": "op-42", "kind": "serving", "exec": "uk-1"},
    "obligations": [{"kind": "park-local", "box": "ie-1", "op": "op-41"}],
    "lost": [],
    "quiet_after": {"uk": "2026-09-07T10:05:00Z"},
    "completed_relocation": {"op": "op-41", "stop": {"box": "uk-1"}, "at": "2026-09-07T10:04:00Z"},
}
MOVE = {"id": "op-41", "kind": "relocating", "exec": "ie-1", "phase": "releasing"}
BODIES = {**NOT_JSON, **NO_OBJECT}
MOVE |= {"source": "ie-1", "target": "uk-1"}


def parsed(**fields: object) -> Claim:
    return parse_claim(json.dumps(EXAMPLE | fields).encode(), HOST)


def mistakes(**fields: object) -> str:
    with pytest.raises(Malformed) as caught:
        parsed(**fields)
    assert caught.value.key == KEY
    return caught.value.reason


def test_claim_of_a_served_host() -> None:
    """Every part is read, what is unknown is passed over."""
    assert parsed(more={"deep": []}) == Claim(
        host=HOST,
        holder=Holder(RECORD, "01J8ZQ5E7M", "instance", 7),
        op=Op("op-42", "serving", "uk-1"),
        obligations=(Obligation("park-local", "ie-1", "op-41"),),
        quiet_after=(("uk", datetime(2026, 9, 7, 10, 5, tzinfo=timezone.utc)),),
        completed=Completed("op-41", "uk-1"),
    )


def test_claim_that_relocates() -> None:
    """Its operation has phase, source and target."""
    assert parsed(op=MOVE).op == Op("op-41", "relocating", "ie-1", "releasing", "ie-1", "uk-1")


def test_claim_with_its_host_alone() -> None:
    """What is absent is its zero value; no holder is no holder."""
    bare = parse_claim(json.dumps({"v": 1, "host": HOST}).encode(), HOST)

    assert bare == Claim(host=HOST, holder=None, op=Op("", ""))


def test_claim_with_nulls() -> None:
    """Go writes an empty list or map, and a missing object, as null."""
    names = ("holder", "lost", "obligations", "quiet_after", "completed_relocation")
    body = {"v": 1, "host": HOST, **dict.fromkeys(names)}

    assert parse_claim(json.dumps(body).encode(), HOST) == Claim(HOST, None, Op("", ""))


def test_parts_in_another_order() -> None:
    """Lost boxes and regions come sorted, once each."""
    times = {"uk": "2026-09-07T10:05:00Z", "": "2026-09-07T12:05:00+02:00"}
    claim = parsed(lost=["uk-1", "ie-1", "uk-1"], quiet_after=times)

    assert claim.lost == ("ie-1", "uk-1")
    assert not isinstance(claim.quiet_after, Unreadable)
    assert [region for region, _ in claim.quiet_after] == ["", "uk"]
    assert len({time for _, time in claim.quiet_after}) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"v": 2}, "v is not the number 1, the one version known"),
        ({"v": None}, "v is not the number 1, the one version known"),
        ({"v": "1"}, "v is not the number 1, the one version known"),
        ({"v": True}, "v is not the number 1, the one version known"),
        ({"host": None}, f'host is null, the key says "{HOST}"'),
        ({"host": "other"}, f'host is "other", the key says "{HOST}"'),
        ({"host": HOST.title()}, f'host is "{HOST.title()}", the key says "{HOST}"'),
        ({"host": f"{HOST}."}, f'host is "{HOST}.", the key says "{HOST}"'),
        ({"holder": "ie-1"}, "holder is a string, not an object"),
        ({"holder": []}, "holder is an array, not an object"),
        ({"holder": {"key": None}}, "holder.key is null, not a string"),
        ({"holder": {"incarnation": 7}}, "holder.incarnation is a number, not a string"),
        ({"holder": {"stamp": -1}}, "holder.stamp is not a whole number of 0 or more"),
        ({"holder": {"stamp": 7.5}}, "holder.stamp is not a whole number of 0 or more"),
        ({"holder": {"stamp": "7"}}, "holder.stamp is not a whole number of 0 or more"),
        ({"holder": {"stamp": True}}, "holder.stamp is not a whole number of 0 or more"),
        ({"op": None}, "op is null, not an object"),
        ({"op": {"kind": 1}}, "op.kind is a number, not a string"),
        ({"op": MOVE | {"id": ""}}, "op.id is missing, and the operation is relocating"),
        ({"op": MOVE | {"phase": ""}}, "op.phase is missing, and the operation is relocating"),
        ({"op": MOVE | {"target": ""}}, "op.target is missing, and the operation is relocating"),
        ({"lost": "ie-1"}, "lost is a string, not an array"),
        ({"lost": ["ie-1", None]}, "lost[1] is null, not a string"),
    ],
)
def test_claim_that_cannot_be_read(fields: dict[str, object], said: str) -> None:
    """It is an error that names the claim and the field, never "no claim"."""
    assert mistakes(**fields) == said


def test_claim_with_many_mistakes() -> None:
    """All of them are named at once."""
    said = mistakes(v=2, host="x", holder=[], op=[], lost={})

    assert [each.split()[0] for each in said.split("; ")] == ["v", "host", "holder", "op", "lost"]


@pytest.mark.parametrize("body", BODIES.values(), ids=[*BODIES])
def test_body_that_is_no_object(body: bytes) -> None:
    """Nothing that is cut short, or of another kind, reads as a claim."""
    with pytest.raises(Malformed) as caught:
        parse_claim(body, HOST)
    assert caught.value.key == KEY


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("obligations", {}, "obligations is an object, not an array"),
        ("obligations", [{}, "x"], "obligations[1] is a string, not an object"),
        ("obligations", [{"box": None}], "obligations[0].box is null, not a string"),
        ("quiet_after", [], "quiet_after is an array, not an object"),
        ("quiet_after", {"uk": "soon"}, 'quiet_after["uk"] is not a time of RFC 3339'),
        ("quiet_after", {"uk": 1757239200}, 'quiet_after["uk"] is not a time of RFC 3339'),
        ("quiet_after", {"": None}, 'quiet_after[""] is not a time of RFC 3339'),
        ("completed_relocation", "op-41", "completed_relocation is a string, not an object"),
        ("completed_relocation", {}, "completed_relocation does not name its op and its stop.box"),
        (
            "completed_relocation",
            {"op": "op-41", "stop": "uk-1"},
            "completed_relocation does not name its op and its stop.box",
        ),
        (
            "completed_relocation",
            {"op": "", "stop": {"box": "uk-1"}},
            "completed_relocation does not name its op and its stop.box",
        ),
    ],
)
def test_part_that_cannot_be_read(field: str, value: object, said: str) -> None:
    """It is an error where it is needed, and stops nobody who does not need it."""
    attribute = {"completed_relocation": "completed"}.get(field, field)

    assert getattr(parsed(**{field: value}), attribute) == Unreadable(said)


def test_key() -> None:
    """One object for each host."""
    assert claim_key(HOST) == KEY
    assert claim_key("a") == "control/claims/a.json"
    assert claim_key(".".join(["a" * 61] * 4)).startswith("control/claims/a")


@pytest.mark.parametrize(
    "host",
    [
        *("", ".", "..", "../x", "a/b", "/etc/passwd", "a\0b", "a\n", " a", "*", "*.bab.x"),
        *("A", HOST.title(), f"{HOST}.", f".{HOST}", "a..b", "-a", "a-", "a_b", "caf\xe9.x"),
        *("\ud800", "\u212a.x", "a" * 64, ".".join(["a" * 61] * 5), "a." * 150, "a" * 300),
    ],
)
@pytest.mark.parametrize("call", [claim_key, lambda host: parse_claim(b"{}", host)])
def test_host_that_is_none(host: str, call: Callable[[str], object]) -> None:
    """It becomes no key: another spelling is another host, and a path stays where it belongs."""
    with pytest.raises(Malformed, match="is not a host's"):
        call(host)


_JSON = st.recursive(
    st.sampled_from([None, True, -1, 0, 7, 7.5, "", "ie-1", "relocating", "2026-09-07T10:05:00Z"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["box", "op", "stop", "kind"]), inner, max_size=3)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(sorted(EXAMPLE)), _JSON))
def test_any_value_in_any_field(fields: dict[str, object]) -> None:
    """A claim is read, or refused as malformed; nothing else comes of it."""
    try:
        assert parsed(**fields).host == HOST
    except Malformed as error:
        assert str(error).startswith(f"{KEY}: ")  # noqa: PT017 - either is right
