"""Bin packing: few bins, whole items, nothing over capacity."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from route53.packing import Cost, fewest, pack

CAPACITY = (1000, 32_000, 1000)


def of_a(values: int) -> Cost:
    """A host of IPv4 addresses at their longest: the values run out first."""
    return (values, 15 * values, values)


def of_aaaa(values: int) -> Cost:
    """A host of IPv6 addresses at their longest: the characters run out first."""
    return (values, 39 * values, values)


def largest_first(costs: Sequence[Cost]) -> list[Cost]:
    return sorted(costs, key=lambda cost: -max(cost[0] / 1000, cost[1] / 32_000))


def extra(costs: Sequence[Cost]) -> int:
    """Bins over the lower bound; every item is in one bin and no bin over its capacity."""
    bins = pack(costs, CAPACITY)
    assert sorted(index for each in bins for index in each) == list(range(len(costs)))
    for each in bins:
        assert each
        totals = [sum(costs[index][place] for index in each) for place in range(3)]
        assert all(total <= room for total, room in zip(totals, CAPACITY, strict=True))
    return len(bins) - fewest(costs, CAPACITY)


@st.composite
def hosts(draw: st.DrawFn) -> list[Cost]:
    """Up to 10,000 values in hosts of 1 to 60: A alone, AAAA alone, mixed, several in a set."""
    sizes = draw(st.lists(st.integers(1, 60), min_size=1, max_size=160))
    kinds = draw(st.lists(st.sampled_from("46me"), min_size=1, max_size=8))
    costs = [_cost(kinds[place % len(kinds)], size) for place, size in enumerate(sizes)]
    return largest_first(costs * max(1, 10_000 // sum(sizes)))


def _cost(kind: str, size: int) -> Cost:
    if kind == "m":
        return (size, 15 * (size // 2) + 39 * (size - size // 2), size)
    if kind == "e":
        return (size, 15 * size, -(-size // 5))
    return of_a(size) if kind == "4" else of_aaaa(size)


@settings(max_examples=40, deadline=None)
@given(hosts())
def test_hosts_of_up_to_sixty_values(costs: list[Cost]) -> None:
    """At most one bin more than the sums force."""
    assert extra(costs) <= 1


@pytest.mark.parametrize("seed", range(6))
def test_twenty_thousand_values(seed: int) -> None:
    """Still at most one more, where sizes and types are mixed."""
    chosen = random.Random(seed)
    costs: list[Cost] = []
    while sum(cost[0] for cost in costs) < 20_000 - 60:
        kind = chosen.choice([of_a, of_aaaa])
        costs.append(kind(chosen.randint(1, 60)))
    assert extra(largest_first(costs)) <= 1


@pytest.mark.parametrize(
    ("costs", "bins"),
    [
        ([of_a(4)] * 2200, 9),
        ([of_a(8)] * 700, 6),
        ([of_aaaa(4)] * 2200, 11),
        ([of_a(4)] * 1000 + [of_aaaa(4)] * 1000, 8),
        ([of_a(30)] * 100 + [of_aaaa(30)] * 240, 11),
        ([], 0),
    ],
)
def test_plans_as_they_come(costs: list[Cost], bins: int) -> None:
    """Created and replaced hosts of four edges, of either type and both."""
    assert len(pack(largest_first(costs), CAPACITY)) == bins


def test_both_dimensions_full() -> None:
    """Values and characters stay in step: 292 of one type and 708 of the other fill a bin."""
    costs = [of_a(1)] * 2920 + [of_aaaa(1)] * 7080
    assert fewest(costs, CAPACITY) == 10
    assert extra(largest_first(costs)) == 0


def test_sizes_that_forbid_it() -> None:
    """No packing takes fewer bins than whole items leave room for: 13 of these fit into one."""
    costs = [of_aaaa(59)] * 222
    assert (fewest(costs, CAPACITY), len(pack(costs, CAPACITY)), -(-222 // 13)) == (16, 18, 18)


def test_item_over_the_capacity() -> None:
    """It gets a bin to itself; whoever asks has refused it before."""
    assert pack([(1200, 0, 1), (1, 0, 1)], CAPACITY) == [[1], [0]]


def test_many_items_that_do_not_pair() -> None:
    """More than half of a bin each: one bin each."""
    assert len(pack([(501, 0, 1)] * 300, CAPACITY)) == 300
