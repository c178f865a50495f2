"""An app's sidecars manifest: its defaults, its mistakes, and the text of its arguments."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.errors import Malformed
from control.sidecar_keys import AppKey
from control.sidecar_manifests import SidecarsManifest, args_text, parse_manifest

_APP = AppKey("bab", "eleven")


def _manifest(**fields: object) -> SidecarsManifest:
    return parse_manifest(json.dumps(fields).encode(), _APP)


def _manifest_mistakes(**fields: object) -> str:
    with pytest.raises(Malformed) as caught:
        _manifest(**fields)
    assert caught.value.key == "apps/bab/eleven/sidecars.json"
    return caught.value.reason


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
