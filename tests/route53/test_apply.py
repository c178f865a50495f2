"""One wave of a plan: checks, batches, sweep, in this order."""

from __future__ import annotations

import pytest

from folds.desired import CheckSettings, Desired
from folds.steering import plan
from route53.apply import Applier
from route53.batches import BatchLimits
from route53.errors import AccessRefused, BatchRefused, LostAnswer, Throttled
from route53.journal import Journal
from tests.support.zones import APEX, FOUR, ZONE, Account, box, host_names, wanting

SMALL = BatchLimits(values=8)
NEW = (*FOUR[1:], box("au-2", "ap-southeast-2", "13.54.0.2"))


def applier(account: Account) -> Applier:
    return Applier(account.calls(), ZONE, Journal(), SMALL)


def wave(account: Account, wanted: Desired) -> Applier:
    made = applier(account)
    work = plan(wanted, account.live())
    made.journal.begin(work)
    made.wave(work)
    return made


def moved(account: Account) -> Desired:
    """A converged zone, and a box replaced by another: a check to make, sets, a check to sweep."""
    wave(account, wanting("abc"))
    account.emulator.reset()
    return wanting("abc", NEW, CheckSettings(path="/up"))


@pytest.mark.behaviour(40)
def test_order_of_a_wave(account: Account) -> None:
    """Sets never point at a check that is not there: checks come first and go last."""
    wave(account, moved(account))
    assert account.writes() == [
        "CreateHealthCheck",
        "ChangeTagsForResource",
        *["UpdateHealthCheck"] * 3,
        "ChangeResourceRecordSets",
        "DeleteHealthCheck",
    ]
    assert not account.emulator.violations


def test_checks_that_a_wave_leaves(account: Account) -> None:
    """It returns the check of each address, old ones and new ones."""
    wanted = moved(account)
    work = plan(wanted, account.live())
    checks = applier(account).wave(work)
    assert checks == {each.address: each.id for each in account.live().checks}
    assert len(checks) == 4


def test_name_of_a_check(account: Account) -> None:
    """People find a box by it."""
    wave(account, wanting("a"))
    names = sorted(tags["Name"] for tags in account.emulator.tags.values())
    assert names == sorted(f"edge {each.box} {each.address}" for each in FOUR)


def test_name_that_cannot_be_given(account: Account) -> None:
    """The wave goes on, with a warning."""
    account.fault("ChangeTagsForResource", "denied", 2)
    journal = wave(account, wanting("abc")).journal
    assert len(journal.warnings) == 1
    assert account.plan(wanting("abc")).empty


@pytest.mark.parametrize(
    ("do", "kind"), [("denied", AccessRefused), ("500", LostAnswer), ("throttle", Throttled)]
)
def test_batch_that_fails(account: Account, do: str, kind: type[Exception]) -> None:
    """Nothing after it is tried: above all, nothing is swept."""
    wanted = moved(account)
    account.emulator.set_faults([{"op": "ChangeResourceRecordSets", "do": do}])
    with pytest.raises(kind, match=r"zone Z1, a change batch of 3 hosts from a\.example"):
        wave(account, wanted)
    assert "DeleteHealthCheck" not in account.writes()


def test_batch_that_is_refused(account: Account) -> None:
    """The error carries the documents of each host in it."""
    wave(account, wanting("ab"))
    work = plan(wanting(), account.live())
    wave(account, wanting())
    with pytest.raises(BatchRefused, match="InvalidChangeBatch") as caught:
        applier(account).wave(work)
    assert {name: len(each) for name, each in caught.value.hosts.items()} == {
        f"a.{APEX}": 4,
        f"b.{APEX}": 4,
    }


def test_what_a_wave_has_done(account: Account) -> None:
    """The journal counts it as it goes."""
    wanted = moved(account)
    journal = wave(account, wanted).journal
    assert journal.text() == (
        "done: 1 health check creation, 3 health check updates, 6 record set changes,"
        " 1 health check removal; not done: nothing"
    )


def test_wave_that_ends_half_way(account: Account) -> None:
    """The journal tells the one half from the other."""
    account.fault("ChangeResourceRecordSets", "denied", 2)
    work = plan(wanting(host_names(4)), account.live())
    made = applier(account)
    made.journal.begin(work)
    with pytest.raises(AccessRefused):
        made.wave(work)
    assert made.journal.text() == (
        "done: 4 health check creations, 8 record set changes; not done: 8 record set changes"
    )


def test_progress_of_a_wave(account: Account) -> None:
    """A line for each call."""
    lines: list[str] = []
    work = plan(wanting("abc"), account.live())
    Applier(account.calls(), ZONE, Journal(), SMALL, lines.append).wave(work)
    assert lines == [
        *(f"zone Z1: creating health check {number} of 4" for number in range(1, 5)),
        "zone Z1: sending change batch 1 of 2",
        "zone Z1: sending change batch 2 of 2",
    ]
