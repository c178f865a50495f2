"""Which armed edges answer: one per record type and latency region, the others stand by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from control.records import Edge as EdgeFile
from folds.desired import Edge
from folds.zone import LiveSet


def armed(edges: Iterable[EdgeFile]) -> tuple[Edge, ...]:
    """Return the armed edges by box label."""
    wanted = [
        Edge(box=each.box, region=each.aws_region, address=each.address)
        for each in edges
        if each.armed
    ]
    return tuple(sorted(wanted, key=lambda edge: edge.box))


def placed(
    edges: Iterable[Edge], live: Iterable[LiveSet], prefixes: Iterable[str]
) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Split armed edges into serving and standby, each by box label.

    Route 53 takes one latency set per name, type and region. Of two boxes with one type and region
    the one that holds it live keeps it (with most sets, where both do), else the first by label.
    """
    holds = Counter((each.type, each.region, each.set_identifier) for each in live if each.region)
    places: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        places[edge.type, edge.region].append(edge)

    def rank(edge: Edge) -> tuple[int, str]:
        held = sum(holds[edge.type, edge.region, prefix + edge.box] for prefix in prefixes)
        return (-held, edge.box)

    ranked = [sorted(rivals, key=rank) for rivals in places.values()]
    serving = [rivals[0] for rivals in ranked]
    standby = [edge for rivals in ranked for edge in rivals[1:]]
    return _by_box(serving), _by_box(standby)


def _by_box(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    return tuple(sorted(edges, key=lambda edge: edge.box))
