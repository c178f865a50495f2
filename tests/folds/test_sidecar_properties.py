"""What holds for every box, bucket and registry, not for examples alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, get_args

import pytest
from hypothesis import assume, find, given, settings
from hypothesis import strategies as st

from control.sidecar_documents import RecordFound, SidecarDocuments
from control.sidecar_keys import SidecarKey
from folds.sidecar_authority import Authorities
from folds.sidecar_changes import Action, Converge, Mint, Removal
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_report import removed_hosts
from folds.sidecar_rows import KIND, Rows, in_scope, minted_key
from folds.sidecar_standing import desired_of
from policy.guards.sidecars import sidecar_violations
from tests.folds.sidecar_model import BROKEN, UNREAD, applied, held, removed, settled
from tests.folds.sidecar_strategies import KEYS, Case, authorities, cases

many = settings(max_examples=300, deadline=None)
_Item = TypeVar("_Item")


def _plan(
    case: Case, acknowledged: str = "", authorities: Authorities | None = None
) -> SidecarPlan:
    found, rows, box = case
    return settled(desired_of(found, box), rows, acknowledged, authorities)


def _about_others(done: SidecarPlan, key: SidecarKey) -> object:
    """What a plan does and says about every other host than one key's."""
    changes = [line for line in done.lines if line.split(" ")[1] != key.host]
    return changes, [each for each in done.verdicts if each.host != key.host]


def _with(found: SidecarDocuments, key: SidecarKey, value: RecordFound) -> SidecarDocuments:
    records = {**dict(found.records), key: value}
    return replace(found, records=tuple(records.items()))


@many
@given(cases(), authorities(), st.integers(0, 1_000_000))
def test_any_order(case: Case, said: Authorities | None, seed: int) -> None:
    """Records, manifests, rows and claims in any order give the same, to the byte."""
    found, rows, box = case

    def mixed(items: Sequence[_Item]) -> tuple[_Item, ...]:
        return tuple(random.Random(seed).sample(items, len(items)))

    manifests = dict(mixed([*found.manifests.items()]))
    shuffled = replace(found, records=mixed(found.records), manifests=manifests)
    others = None if said is None else dict(mixed([*said.items()]))
    one = _plan(case, "", said)
    other = _plan((shuffled, Rows(mixed(rows.rows), mixed(rows.strange)), box), "", others)

    assert desired_of(shuffled, box) == desired_of(found, box)
    assert replace(one, seen=other.seen) == other
    assert (one.lines, one.verdicts) == (other.lines, other.verdicts)


@many
@given(cases())
@pytest.mark.behaviour(131)
def test_unclean_scan(case: Case) -> None:
    """Nothing is removed, and the run fails; what is to be removed is held back."""
    found, rows, box = case
    unclean = replace(found, unclean=("list apps/x/: denied",))

    done = _plan((unclean, rows, box))

    assert done.removals == ()
    assert done.failures
    assert set(removed(_plan(case))) <= set(held(done))


@many
@given(cases())
@pytest.mark.behaviour(127)
@pytest.mark.behaviour(128)
@pytest.mark.behaviour(129)
def test_rows_that_may_be_removed(case: Case) -> None:
    """Only minted ones in scope; one with a record of this box only with its whole app."""
    found, rows, box = case
    by_host = {row.host: row for row in rows.rows}
    wanted = {each.host for each in desired_of(found, box).wanted}

    done = _plan(case)

    for removal in (*done.removals, *done.held_back):
        row = by_host[removal.host]
        assert minted_key(row) == removal.key
        assert in_scope(row, box)
        assert removal.host not in wanted


@many
@given(cases())
def test_rows_of_others(case: Case) -> None:
    """They are byte for byte what they were."""
    _, rows, _ = case
    others = {row for row in rows.rows if minted_key(row) is None}

    after = applied(rows, _plan(case))

    assert others <= set(after.rows)
    assert after.strange == rows.strange


@many
@given(cases(whole=True), st.sampled_from(KEYS))
@pytest.mark.behaviour(102)
def test_record_that_breaks(case: Case, key: SidecarKey) -> None:
    """A record that was one, or that was not there, changes nothing for any other host."""
    found, rows, box = case
    assume(not _plan(case).held_back)

    broken = _plan((_with(found, key, BROKEN), rows, box))

    assert _about_others(broken, key) == _about_others(_plan(case), key)
    assert box.drop_trashed or key.host not in removed(broken)


@many
@given(cases(), authorities())
def test_held_rows(case: Case, said: Authorities | None) -> None:
    """Claims on or off, none of them changes but by its own operation, which it has already."""
    _, rows, _ = case
    held = {row for row in rows.rows if row.hold}

    done = _plan(case, "", said)

    assert held <= set(applied(rows, done).rows)
    assert {row.host for row in held}.isdisjoint(each.split(" ")[1] for each in done.lines)


@many
@given(cases(), authorities())
def test_writes_without_authority(case: Case, said: Authorities | None) -> None:
    """With claims on there are none; what is left out is told, and nothing else changes."""
    assume(said is not None)
    free = _plan(case)

    done = _plan(case, "", said)

    answers = {host: each.answer for host, each in (said or {}).items()}
    writes: list[Mint | Converge | Removal] = [*done.mints, *done.converges, *done.removals]
    assert {answers.get(each.host) for each in writes} <= {"write"}
    assert {answers.get(each.host) for each in done.holds} <= {"hold"}
    changed = Counter(line.split(" ")[1] for line in done.lines)
    assert set(changed.values()) <= {1}
    left_out = {line.split(" ")[1] for line in free.lines} - changed.keys()
    not_done = ("not minted: ", "not converged: ", "not removed: ")
    assert left_out == {each.host for each in done.verdicts if each.reason.startswith(not_done)}
    assert (done.summary, done.digest, done.held_back) == (
        free.summary,
        free.digest,
        free.held_back,
    )
    assert bool(done.failures) >= any(each.failed for each in (said or {}).values())


@many
@given(cases(), st.sampled_from(KEYS))
@pytest.mark.behaviour(101)
def test_record_that_is_unread(case: Case, key: SidecarKey) -> None:
    """Other hosts' rows are minted and converged all the same."""
    found, rows, box = case
    unread = _plan((_with(found, key, UNREAD), rows, box))
    before = _plan(case)

    assert [each for each in before.converges if each.host != key.host] == [*unread.converges]
    assert [each for each in before.mints if each.row.host != key.host] == [*unread.mints]
    assert unread.removals == ()


@many
@given(cases(), authorities())
@pytest.mark.behaviour(148)
def test_plan_after_its_own_application(case: Case, said: Authorities | None) -> None:
    """Nothing is left to mint, converge or hold, nor to remove but what was held back."""
    found, rows, box = case
    done = _plan(case, "", said)

    after = applied(rows, done)
    again = _plan((found, after, box), "", said)

    assert (again.mints, again.converges, again.holds) == ((), (), ())
    assert set(removed(again)) <= set(held(done))
    assert done.held_back or again.empty
    assert {row.host for row in after.rows if row.host in done.rows} == set(done.rows)


@many
@given(cases(whole=True, lost=True))
def test_acknowledged_end(case: Case) -> None:
    """A digest lets exactly what was held back through, in this run or the next one."""
    found, rows, box = case
    done = _plan(case)
    assume(done.held_back)

    at_once = _plan(case, done.digest)
    later = _plan((found, applied(rows, done), box), done.digest)

    assert set(removed(at_once)) == {*removed(done), *held(done)}
    assert (at_once.held_back, at_once.failures) == ((), ())
    assert set(removed(later)) == set(held(done))


@many
@given(cases(), st.sampled_from(["", "0" * 12]), authorities())
def test_guards_over_every_plan(case: Case, acknowledged: str, said: Authorities | None) -> None:
    """The fuse leaves nothing for the guards to find."""
    done = _plan(case, acknowledged, said)

    assert sidecar_violations(done.summary) == ()
    assert bool(done.failures) >= bool(done.held_back)
    assert removed_hosts(done.lines) == set(removed(done))


@many
@given(cases(), authorities())
def test_verdict_for_everything(case: Case, said: Authorities | None) -> None:
    """Each record has one, and each sidecar row that no record is about; each with a reason."""
    found, rows, _ = case
    done = _plan(case, "", said)

    told = Counter(each.key for each in done.verdicts)
    keys = {key.record: 1 for key, _ in found.records}
    hosts = {key.host for key, _ in found.records}
    alone = [row.host for row in rows.rows if row.kind == KIND and row.host not in hosts]

    assert told == Counter({**keys, **({"": len(alone)} if alone else {})})
    assert [each.host for each in done.verdicts if not each.key] == sorted(alone)
    assert all(
        each.reason
        for each in done.verdicts
        if each.action not in {"mint", "converge", "hold", "keep"}
    )


@many
@given(cases())
def test_desired_without_the_records_of_others(case: Case) -> None:
    """What a plan is worked out from may leave them out."""
    found, rows, box = case
    desired = desired_of(found, box)
    hosts = {row.host for row in rows.rows}

    trimmed = settled(desired.without_others(hosts), rows)
    done = settled(desired, rows)

    assert (trimmed.lines, trimmed.held_back) == (done.lines, done.held_back)
    assert (trimmed.summary, trimmed.failures) == (done.summary, done.failures)


@pytest.mark.parametrize("action", get_args(Action))
def test_strategies_reach_every_action(action: str) -> None:
    """The cases above are not all alike."""

    def has(drawn: tuple[Case, Authorities | None]) -> bool:
        return action in {each.action for each in _plan(drawn[0], "", drawn[1]).verdicts}

    drawn = st.tuples(cases(whole=True, lost=action == "held back"), authorities())
    find(drawn, has, settings=settings(max_examples=2000))
