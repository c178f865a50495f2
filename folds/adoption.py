"""Adoption: whose simple sets of others make room for latency sets of ours.

what a name of the setting ``adopt`` has      what becomes of it
no A, AAAA or CNAME set of others             nothing: it is adopted, or there is nothing to adopt
simple A and AAAA sets, all values armed      they go, in the batch that its latency sets come in
anything else of these types                  it is treated as without the setting, and reported
no record that steers it                      the same

A name is adopted whole or not at all: half of it would lead to another platform.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from control.text import printable
from folds.desired import Desired
from folds.zone import LiveSet

_ADDRESSES = frozenset({"A", "AAAA"})
_ALONE = "CNAME"


@dataclass(frozen=True, slots=True)
class Adoption:
    """``sets`` are the simple sets to go, by name; ``reasons`` say why a name is not adopted."""

    sets: Mapping[str, tuple[LiveSet, ...]]
    reasons: Mapping[str, str]


def adoption_of(desired: Desired, asked: Collection[str], foreign: Iterable[LiveSet]) -> Adoption:
    """Judge every name that is to be adopted. ``asked`` are the names that are to be steered."""
    found = _in_the_way(frozenset(desired.adopt), foreign) if desired.adopt else {}
    armed = frozenset(edge.address for edge in desired.edges)
    steered = frozenset(asked)
    sets: dict[str, tuple[LiveSet, ...]] = {}
    reasons: dict[str, str] = {}
    for name in desired.adopt:
        others = found.get(name, ())
        if name not in steered:
            reasons[name] = "not adopted: no record steers it"
        elif problems := [problem for each in others for problem in _problems(each, armed)]:
            reasons[name] = f"not adopted: {problems[0]}"
        elif others:
            sets[name] = others
    return Adoption(sets, reasons)


def _in_the_way(
    names: frozenset[str], foreign: Iterable[LiveSet]
) -> Mapping[str, tuple[LiveSet, ...]]:
    found: dict[str, list[LiveSet]] = defaultdict(list)
    for each in foreign:
        if each.name in names and each.type in {*_ADDRESSES, _ALONE}:
            found[each.name].append(each)
    return {name: tuple(sorted(sets, key=lambda each: each.key)) for name, sets in found.items()}


def _problems(one: LiveSet, armed: frozenset[str]) -> Iterator[str]:
    """Yield why a set cannot make room, the plainest reason first."""
    this = f"its {one.type} set"
    if one.type == _ALONE:
        yield f"{this} leads to another name"
    if one.set_identifier:
        yield f"{this} {printable(one.set_identifier)} has a routing policy"
    if not one.values:
        yield f"{this} is an alias"
    for address in sorted(set(one.values) - armed):
        yield f"{this} answers {printable(address)}, which is no address of an armed box"
