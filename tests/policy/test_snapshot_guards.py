from __future__ import annotations

import itertools
import re
import shlex
from typing import Any

import pytest

from policy.guards.snapshots import (
    SNAPSHOTS,
    read_snapshot,
    snapshot_digest,
    snapshot_violations,
)
from policy.guards.summary import SummaryUnreadableError

Fields = dict[str, Any]

_OLD, _NEW, _PENDING = "0" * 64, "1" * 64, "2" * 64
PRIOR: Fields = {
    "key": "control/registry-snapshot/a1.db",
    "fingerprint": _OLD,
    "lineage": "line-1",
    "createdAt": "2026-09-07T10:00:00Z",
    "routes": "40",
    "hostsKnown": False,
    "hostsGone": 0,
    "hostsNew": 0,
    "fault": "",
}
# A box that goes on from its own snapshot.
QUIET: Fields = {
    "box": "a1",
    "bucket": "control",
    "registry": "/var/lib/registry.db",
    "writes": True,
    "fingerprint": _NEW,
    "routes": 1,
    "lineage": "line-1",
    "last": _OLD,
    "pending": _OLD,
    "metaBox": "a1",
    "prior": [PRIOR],
    "replaced": _OLD,
    "acknowledged": "",
}


def _broken(prior: Fields | None = None, **changes: Any) -> list[str]:
    fields = {**QUIET, "prior": [{**PRIOR, **(prior or {})}], **changes}
    return [each.rule for each in snapshot_violations(read_snapshot(fields))]


def test_nothing_to_replace() -> None:
    """The first snapshot replaces none."""
    assert snapshot_violations(read_snapshot({**QUIET, "prior": [], "metaBox": ""})) == ()


@pytest.mark.parametrize(
    ("prior", "changes"),
    [
        ({}, {}),
        ({}, {"last": "", "pending": _OLD}),
        ({}, {"last": _PENDING, "pending": _OLD}),
        ({}, {"fingerprint": _OLD, "lineage": "", "last": "", "pending": ""}),
        ({"lineage": "line-2"}, {"fingerprint": _OLD}),
        ({"lineage": ""}, {}),
        ({"lineage": "", "hostsKnown": True, "fingerprint": _PENDING}, {}),
        ({"fingerprint": _PENDING}, {"writes": False}),
        ({}, {"metaBox": ""}),
    ],
)
def test_snapshot_that_may_be_replaced(prior: Fields, changes: Fields) -> None:
    """One's own, last or in mid-air; equal content; another program's with these hosts."""
    assert _broken(prior, **changes) == []


@pytest.mark.parametrize(
    ("prior", "changes"),
    [
        ({"fingerprint": _PENDING}, {}),
        ({"lineage": "line-2"}, {}),
        ({}, {"lineage": ""}),
        ({}, {"lineage": "", "last": "", "pending": ""}),
        ({"fingerprint": ""}, {"last": "", "pending": ""}),
        ({"lineage": "", "fingerprint": ""}, {"last": "", "pending": "", "fingerprint": ""}),
        ({"lineage": "", "fingerprint": _PENDING, "hostsKnown": True, "hostsGone": 1}, {}),
        ({"lineage": "", "fingerprint": _PENDING, "hostsKnown": True, "hostsNew": 1}, {}),
        ({"lineage": "", "fingerprint": _PENDING}, {}),
        ({"lineage": "line-2", "fingerprint": _PENDING, "hostsKnown": True}, {}),
    ],
)
def test_snapshot_that_may_not_be_replaced(prior: Fields, changes: Fields) -> None:
    """Another content of another past, or of one nobody knows."""
    assert _broken(prior, **changes) == ["snapshot-lineage"]


def test_another_box() -> None:
    """It is named, whatever the lineage says."""
    assert _broken(metaBox="b2") == ["snapshot-foreign-box"]
    assert _broken(metaBox="b2", writes=False) == []
    assert _broken({"lineage": "line-2"}, metaBox="b2") == [rule.name for rule in SNAPSHOTS]


def test_command_that_is_to_be_typed() -> None:
    """A shell reads each word as one, whatever the bucket says of a box, or a path is called."""
    changes = {"metaBox": "b2; rm -r /", "registry": "/var/lib/a platform/registry.db"}
    found = snapshot_violations(read_snapshot({**QUIET, **changes}))
    command = re.search("python -m operate (restore .* --replace)", found[0].message)
    assert command is not None
    assert shlex.split(command[1]) == [
        *("restore", "--bucket", "control", "--box", "b2; rm -r /"),
        *("--to", "/var/lib/a platform/registry.db", "--replace"),
    ]


def test_every_rule_is_mandatory() -> None:
    """Each has a way out, by a digest."""
    assert {(rule.level, rule.acknowledgeable) for rule in SNAPSHOTS} == {("mandatory", True)}


def test_message() -> None:
    """One line: subject, measure, limit, what to run, and the digest."""
    prior = {**PRIOR, "lineage": "0123456789abcdef"}
    summary = read_snapshot({**QUIET, "prior": [prior]})
    (violation,) = snapshot_violations(summary)
    restore = "--bucket control --box a1 --to /var/lib/registry.db --replace"

    assert violation.message == (
        "snapshot-lineage: box a1 (bucket control): control/registry-snapshot/a1.db"
        " (of 2026-09-07T10:00:00Z, 40 routes, lineage 0123456789ab) is not the past of"
        " /var/lib/registry.db (1 route, lineage line-1), limit: a snapshot replaces one that its"
        " registry wrote or was restored from; restore it first: python -m operate restore"
        f" {restore}; or, if it is meant, acknowledge digest {snapshot_digest(summary)}"
    )


def test_digest() -> None:
    """It covers the box and what is replaced, and lets both rules through; nothing else counts."""
    refused = {**QUIET, "metaBox": "b2", "last": "", "pending": ""}
    digest = snapshot_digest(read_snapshot(refused))
    others: list[Fields] = [{"box": "a2"}, {"replaced": _PENDING}]
    same: list[Fields] = [
        {"fingerprint": _PENDING},
        {"routes": 9},
        {"lineage": "x"},
        {"registry": "/y"},
    ]

    assert snapshot_violations(read_snapshot({**refused, "acknowledged": digest})) == ()
    for change in others:
        changed = read_snapshot({**refused, **change, "acknowledged": digest})
        assert snapshot_violations(changed)
    for kept in same:
        assert snapshot_digest(read_snapshot({**refused, **kept})) == digest
    assert len(digest) == 12


@pytest.mark.parametrize("missing", [*QUIET, *(f"prior.{name}" for name in PRIOR)])
def test_summary_that_lacks_a_key(missing: str) -> None:
    """It cannot be read, so it is held against every rule by whoever asks."""
    top, _, inner = missing.partition(".")
    fields: Fields = {name: value for name, value in QUIET.items() if name != top or inner}
    if inner:
        fields["prior"] = [{name: value for name, value in PRIOR.items() if name != inner}]
    with pytest.raises(SummaryUnreadableError):
        read_snapshot(fields)


@pytest.mark.parametrize("raw", [None, [], "x", {**QUIET, "more": 1}, {**QUIET, "prior": None}])
def test_summary_that_is_none(raw: object) -> None:
    """Nor can anything that is not exactly one."""
    with pytest.raises(SummaryUnreadableError):
        read_snapshot(raw)


def test_numbers_as_the_engine_has_them() -> None:
    """They are floats there."""
    prior = {**PRIOR, "hostsGone": 1.0, "hostsNew": 0.0}
    assert read_snapshot({**QUIET, "routes": 1.0, "prior": [prior]}).prior[0].hosts_gone == 1


def test_descent_is_never_by_chance() -> None:
    """Over all small worlds: a stranger's content goes only where its hosts are all there."""
    texts = ("", "x", "y")
    for fingerprint, lineage, last in itertools.product(texts, repeat=3):
        prior: Fields = {"fingerprint": fingerprint, "lineage": lineage}
        refused = _broken(prior, lineage="x", last=last, pending="")
        own = fingerprint == last != "" and lineage in ("", "x")
        assert (refused == []) == own
