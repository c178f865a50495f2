from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.snapshot_keys import Generations, generation_key
from control.snapshot_records import SnapshotMeta
from folds.snapshot_seen import LiveRegistry, Prior, SnapshotSeen
from folds.snapshots import KEEP, beyond, decide, remarks

_CURRENT, _META = "control/registry-snapshot/a1.db", "control/registry-snapshot/a1.json"
_OLD, _NEW = "0" * 64, "1" * 64
_TOLD = SnapshotMeta(box="a1", fingerprint=_OLD, sha256="s", lineage="line-1", routes=2)
_LIVE = LiveRegistry("/r.db", _OLD, frozenset({b"a", b"b"}), "line-1", _OLD, _OLD)
_PRIOR = Prior(_CURRENT, _OLD, "line-1", meta=_TOLD, etag="e")
SETTLED = SnapshotSeen("a1", "control", _LIVE, _TOLD, "m", Generations())
CHANGED = replace(SETTLED, live=replace(_LIVE, fingerprint=_NEW), prior=_PRIOR)


def _keys(count: int) -> tuple[str, ...]:
    start = datetime(2026, 9, 7, tzinfo=timezone.utc)
    return tuple(generation_key("a1", start + timedelta(hours=each)) for each in range(count))


@pytest.mark.behaviour(44)
def test_settled() -> None:
    """A registry that is as its snapshot, and knows it, has nothing to write."""
    decision = decide(SETTLED)

    assert decision.plan.empty
    assert decision.plan.lines == ()
    assert not decision.summary.writes


@pytest.mark.parametrize(
    "seen",
    [
        replace(SETTLED, meta=None, meta_etag=None),
        replace(SETTLED, meta=_TOLD.model_copy(update={"box": "b2"})),
        replace(SETTLED, meta=_TOLD.model_copy(update={"fingerprint": _NEW})),
        replace(SETTLED, live=replace(_LIVE, fingerprint=_NEW)),
        replace(SETTLED, live=replace(_LIVE, last="")),
        replace(SETTLED, live=replace(_LIVE, pending=_NEW)),
        replace(SETTLED, live=LiveRegistry("/r.db", _OLD, _LIVE.hosts)),
    ],
)
def test_not_settled(seen: SnapshotSeen) -> None:
    """A change, a description that does not fit, or bookkeeping that did not come to its end."""
    assert not seen.settled
    assert not decide(seen).plan.empty


def test_restored() -> None:
    """Nothing is pending after a restore."""
    assert replace(SETTLED, live=replace(_LIVE, pending="")).settled


@pytest.mark.behaviour(46)
def test_change() -> None:
    """It is uploaded; the line says from what to what."""
    plan = decide(CHANGED).plan

    assert plan.action == "upload"
    assert plan.lines == (f"~ {_CURRENT}: {_OLD[:12]} -> {_NEW[:12]} (2 routes)",)


def test_first_snapshot() -> None:
    """Nothing is replaced."""
    seen = SnapshotSeen("a1", "control", _LIVE, None, None, Generations())

    assert decide(seen).plan.lines == (f"+ {_CURRENT}: {_OLD[:12]} (2 routes)",)
    assert decide(seen).summary.prior == ()


def test_current_that_is_this_content() -> None:
    """It is described and remembered, not uploaded again."""
    seen = replace(SETTLED, live=replace(_LIVE, pending=_NEW), prior=_PRIOR)

    assert decide(seen).plan.action == "settle"
    assert decide(seen).plan.lines == (
        f"~ {_META} and the registry's lineage: {_OLD[:12]} (2 routes)",
    )


@pytest.mark.parametrize(
    "prior",
    [replace(_PRIOR, etag=None), replace(_PRIOR, meta=None), replace(_PRIOR, fingerprint="x")],
)
def test_content_that_is_not_current(prior: Prior) -> None:
    """What another object or nobody says of current is no reason not to write it."""
    seen = replace(CHANGED, prior=prior)

    assert decide(seen).plan.action == "upload"


@pytest.mark.behaviour(59)
@pytest.mark.parametrize(
    ("count", "coming", "gone"), [(8, 0, 0), (9, 0, 1), (7, 1, 0), (8, 1, 1), (12, 1, 5), (0, 0, 0)]
)
def test_retention(count: int, coming: int, gone: int) -> None:
    """The lexically oldest over eight, the one that is coming counted."""
    keys = _keys(count)

    assert beyond(keys, coming) == keys[:gone]


def test_retention_in_an_unchanged_pass() -> None:
    """More than eight are pruned then too, and the plan says which; the guards see no write."""
    keys = _keys(10)
    decision = decide(replace(SETTLED, generations=Generations(keys)))

    assert decision.plan.prunes == keys[:2]
    assert decision.plan.lines == tuple(f"- {key}" for key in keys[:2])
    assert not decision.plan.empty
    assert not decision.summary.writes


@given(st.integers(0, 30), st.integers(0, 1))
def test_retention_of_any_number(count: int, coming: int) -> None:
    """At most eight stay, and every one that goes is older than every one that stays."""
    keys = _keys(count)
    gone = beyond(keys, coming)

    assert len(keys) - len(gone) + coming == min(count + coming, KEEP)
    assert keys[: len(gone)] == gone


@pytest.mark.behaviour(60)
def test_foreign_keys() -> None:
    """One line, escaped, with their number."""
    strays = tuple(f"x{number}\x1b" for number in range(10))
    (line,) = remarks(replace(SETTLED, generations=Generations((), strays)))

    assert line.startswith("10 keys are no generations, and are left alone: x0\\x1b, x1\\x1b")
    assert line.endswith(" and 2 more")
    assert remarks(SETTLED) == ()


def test_summary() -> None:
    """What the guards read: the registry's past, and what would be replaced."""
    summary = decide(CHANGED, "0123456789ab").summary
    (prior,) = summary.prior

    assert (summary.last, summary.pending, summary.lineage) == (_OLD, _OLD, "line-1")
    assert (summary.fingerprint, summary.routes, summary.meta_box) == (_NEW, 2, "a1")
    assert (prior.key, prior.fingerprint, prior.routes) == (_CURRENT, _OLD, "2")
    assert (summary.replaced, summary.acknowledged) == (_OLD, "0123456789ab")


def test_summary_of_hosts() -> None:
    """Hosts that were read are counted both ways, as bytes."""
    hosts = frozenset({b"a", b"gone", b"\xff"})
    prior = replace(_PRIOR, meta=None, hosts=hosts)
    (found,) = decide(replace(CHANGED, prior=prior)).summary.prior

    assert (found.hosts_known, found.hosts_gone, found.hosts_new) == (True, 2, 1)
    assert found.routes == "3"


def test_texts_of_others() -> None:
    """They are escaped, and no longer than a line."""
    nasty = "\n::error::" + "x" * 500
    told = _TOLD.model_copy(update={"box": nasty, "fingerprint": nasty, "lineage": nasty})
    seen = replace(CHANGED, meta=told, prior=Prior(_CURRENT, nasty, nasty, etag="e"))
    decision = decide(seen)
    (prior,) = decision.summary.prior
    shown = [decision.summary.meta_box, decision.summary.replaced, prior.lineage, prior.fingerprint]

    assert all(text.startswith("\\n::error::x") and len(text) == 200 for text in shown)
    assert "\n" not in "".join(decision.plan.lines)


@given(st.randoms(), st.integers(0, 12))
def test_order_of_what_is_seen(chance: random.Random, count: int) -> None:
    """Hosts in any order give the same bytes."""
    names = [b"h%d" % number for number in range(count)]
    shuffled = frozenset(chance.sample(names, len(names)))
    one, other = (
        decide(replace(CHANGED, live=replace(_LIVE, hosts=hosts)))
        for hosts in (frozenset(names), shuffled)
    )

    assert one.summary.model_dump_json() == other.summary.model_dump_json()
    assert one.plan == other.plan
