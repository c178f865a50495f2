"""The verdict over names: which converge, which keep what they have, which are refused and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from folds.adoption import adoption_of
from folds.desired import Desired, Edge, Refusal
from folds.hosts import under
from folds.zone import LiveSet


@dataclass(frozen=True, slots=True)
class Names:
    """The verdict over names. ``hosts`` converge, ``held`` are kept, ``refused`` says why.

    ``adopted`` gives a host that is adopted the simple sets of others that go.
    """

    hosts: tuple[str, ...]
    held: tuple[str, ...]
    refused: tuple[Refusal, ...]
    adopted: Mapping[str, tuple[LiveSet, ...]]


def names_of(
    desired: Desired,
    apex: str,
    foreign: Sequence[LiveSet],
    serving: Sequence[Edge],
    ours: Mapping[str, object],
) -> Names:
    """Judge every name that is asked for, held or to be adopted.

    ``apex`` is the zone's name, ``foreign`` the live sets that are not ours, ``ours`` those that
    are, by name.
    """
    asked = sorted({*desired.hosts, *filter(None, [desired.edge_host])})
    adoption = adoption_of(desired, asked, foreign)
    staying = [each for each in foreign if each.name not in adoption.sets]
    conflicts = _conflicts(asked, apex, staying, {"CNAME", *(edge.type for edge in serving)})
    hosts = [name for name in asked if name not in conflicts]
    held = {*conflicts, *desired.held} & ours.keys() - set(hosts)
    refused = [*desired.refused, *_refusals(conflicts, adoption.reasons)]
    ordered = sorted(refused, key=lambda each: (each.host, each.key))
    return Names(tuple(hosts), tuple(sorted(held)), tuple(ordered), adoption.sets)


def _refusals(*verdicts: Mapping[str, str]) -> Iterator[Refusal]:
    """Yield one refusal a name, with all that the verdicts have against it."""
    for name in sorted({name for each in verdicts for name in each}):
        reasons = [each[name] for each in verdicts if name in each]
        yield Refusal(host=name, key="", reason="; ".join(reasons))


def _conflicts(
    asked: Iterable[str], apex: str, foreign: Iterable[LiveSet], excluding: set[str]
) -> dict[str, str]:
    """Return the asked names that the zone has no room for, with the reason.

    ``excluding`` are the types of foreign sets that no latency set of ours can stand beside.
    """
    taken: dict[str, set[str]] = defaultdict(set)
    for each in foreign:
        if each.type in excluding:
            taken[each.name].add(each.type)
    reasons: dict[str, str] = {}
    for name in asked:
        if not under(name, apex):
            reasons[name] = f"outside the zone {apex}, or its apex"
        elif name in taken:
            reasons[name] = f"the name carries a foreign {' and '.join(sorted(taken[name]))} set"
    return reasons
