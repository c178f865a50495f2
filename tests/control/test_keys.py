from __future__ import annotations

import pytest

from control.keys import InstanceKey, edge_box, instance_key, is_label, unparsed_instance_key


@pytest.mark.parametrize("box", ["ie-1", "a1b2c3", "IE_1", "h\xe9", ".json", "a.b"])
def test_edges_file(box: str) -> None:
    """The shape decides, not what the box is called."""
    assert edge_box(f"control/edges/{box}.json") == box


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("control/edge/ie-1.json", marks=pytest.mark.behaviour(3)),
        pytest.param("x/control/edges/ie-1.json", marks=pytest.mark.behaviour(3)),
        pytest.param("control/edges/ie-1.txt", marks=pytest.mark.behaviour(4)),
        pytest.param("control/edges/ie-1.json.bak", marks=pytest.mark.behaviour(4)),
        pytest.param("control/edges/", marks=pytest.mark.behaviour(4)),
        pytest.param("control/edges/old/ie-1.json", marks=pytest.mark.behaviour(5)),
        pytest.param("control/edges//ie-1.json", marks=pytest.mark.behaviour(5)),
        "control/edges/.json",
    ],
)
def test_stray_under_the_edges_prefix(key: str) -> None:
    """Another prefix, another ending, nested, or no box: not an edges file."""
    assert edge_box(key) is None


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("apps/bab/hello/instances/h.bab.x.com.json", ("bab", "hello", "h.bab.x.com")),
        ("apps/b2/a/instances/*.x.json", ("b2", "a", "*.x")),
        ("apps/bab/hello/instances/\n \xe9.json", ("bab", "hello", "\n \xe9")),
        ("apps/bab/instances/instances/x.json", ("bab", "instances", "x")),
        ("apps/bab/hello/instances/.json.json", ("bab", "hello", ".json")),
    ],
)
def test_instance_record(key: str, parts: tuple[str, str, str]) -> None:
    """Account and app follow the name rules; the last segment may say anything."""
    assert instance_key(key) == InstanceKey(*parts)
    assert not unparsed_instance_key(key, ignore_legacy=False)


@pytest.mark.parametrize(
    "key",
    [
        "apps/b/hello/instances/x.json",
        "apps/BAB/hello/instances/x.json",
        "apps/bab-1/hello/instances/x.json",
        "apps/bab/-hello/instances/x.json",
        "apps/bab/he_llo/instances/x.json",
        "apps/bab/hello\n/instances/x.json",
        f"apps/bab/{'a' * 64}/instances/x.json",
        "apps/bab/hello/instances/a/x.json",
        "apps/bab/hello/instances/.json",
        "apps/bab/hello/extra/instances/x.json",
    ],
)
def test_key_that_looks_like_an_instance_record(key: str) -> None:
    """It does not parse, and must fail the run, under either setting: a skipped key is a loss."""
    assert instance_key(key) is None
    assert unparsed_instance_key(key, ignore_legacy=False)
    assert unparsed_instance_key(key, ignore_legacy=True)


@pytest.mark.parametrize("key", ["apps/hello/instances/x.json", "apps/hello/instances/a/x.json"])
def test_key_from_before_accounts(key: str) -> None:
    """The legacy layout fails the run too, unless the setting passes over it."""
    assert unparsed_instance_key(key, ignore_legacy=False)
    assert not unparsed_instance_key(key, ignore_legacy=True)


@pytest.mark.parametrize(
    "key",
    [
        "apps/bab/hello/sidecars/bot.json",
        "apps/bab/hello/sidecars.json",
        "apps/bab/hello/instances/x.txt",
        "apps/bab/hello/instances.json",
        "control/apps/bab/hello/instances/x.json",
    ],
)
def test_other_object(key: str) -> None:
    """What does not look like an instance record is none of ours."""
    assert instance_key(key) is None
    assert not unparsed_instance_key(key, ignore_legacy=False)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("a", True), ("a" * 63, True), ("a-1", True), ("a" * 64, False), ("", False), ("a\n", False)],
)
def test_label(text: str, is_one: bool) -> None:  # noqa: FBT001  # a parameter of the case
    """1 to 63 of a-z, 0-9 and inner hyphens, and nothing after it."""
    assert is_label(text) is is_one
