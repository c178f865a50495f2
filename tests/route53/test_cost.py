"""How many calls a run makes, counted by the emulator."""

from __future__ import annotations

import pytest

from tests.bench.calls import CASES, Case, measure
from tests.support.zones import Account, host_names, wanting

NOTHING_TO_DO, *CHANGING = CASES


def test_nothing_to_do(account: Account) -> None:
    """Exactly the pages of 300 sets and of 100 checks: 31 + 1."""
    cost = measure(account, NOTHING_TO_DO)
    assert (cost.reads, cost.least_reads) == (32, 32)
    assert account.made().total() == 32


@pytest.mark.parametrize("case", CHANGING, ids=lambda case: case.title)
def test_large_change(account: Account, case: Case) -> None:
    """At most one change batch more than Route 53's limits force, and no host in two of them."""
    cost = measure(account, case)
    assert cost.reads == cost.least_reads
    assert cost.batches <= cost.least_batches + 1
    names = [name for hosts in cost.hosts for name in hosts]
    assert len(names) == len(set(names)) == len(case.after.hosts)
    assert account.plan(case.after).empty


def test_more_sets_than_a_zone_holds_at_first(account: Account) -> None:
    """Removals go along with additions, so that a full zone has room for what takes their place."""
    account.emulator.settings.zone_quota = 102
    account.converge(wanting(host_names(25, "old")))
    result = account.converge(wanting(host_names(25, "new")))
    assert result.batches == 1
