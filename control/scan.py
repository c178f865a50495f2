"""What one steering pass reads of the bucket, in which order, and what makes it fail.

Every failure fails the whole pass. To go on with what came back would be a short read: a box or a
host missing from it would look withdrawn, and its records would be removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, TypeVar

from control.errors import ListingFailed, Malformed, ReadFailed, ReadsFailed
from control.keys import (
    APPS_PREFIX,
    EDGES_PREFIX,
    edge_box,
    instance_key,
    unparsed_instance_key,
)
from control.records import Edge, Instance, parse_edge, parse_instance
from control.store import Progress, ReadStore

DUTY = "steering"

_UNPARSED = (
    "is not apps/<account>/<app>/instances/<host>.json; rename or remove it,"
    " or set ignoreLegacyKeys for apps/<app>/instances/"
)

Bodies: TypeAlias = tuple[tuple[str, bytes], ...]
_Document = TypeVar("_Document")


@dataclass(frozen=True, slots=True)
class SteeringDocuments:
    """All that the bucket says of steering, each part sorted by key.

    ``records`` holds every instance record, those that ask for no steering too: that a record says
    "off" and that it is absent are two things.
    """

    edges: tuple[Edge, ...]
    records: tuple[Instance, ...]


def read_steering(
    store: ReadStore,
    *,
    regions: frozenset[str],
    allow_test_addresses: bool = False,
    ignore_legacy_keys: bool = False,
    progress: Progress | None = None,
) -> SteeringDocuments:
    """Read edges files, then instance records (behaviours 1-11, 14, 21, 22).

    The records are not touched before every edges file was read and parsed. Within each part all
    failing keys are reported at once. Raises `ListingFailed` or `ReadsFailed`, both beginning with
    ``steering:``. ``progress`` is told of the objects of each part.
    """
    parse = partial(parse_edge, regions=regions, allow_test_addresses=allow_test_addresses)
    edges, malformed = _parsed(load_edges_bodies(store, progress), parse)
    _fail_on(malformed)
    records = _load_records(store, progress, ignore_legacy=ignore_legacy_keys)
    return SteeringDocuments(edges, records)


def load_edges_bodies(store: ReadStore, progress: Progress | None = None) -> Bodies:
    """Return key and raw body of each edges file, sorted by key; a body may be anything.

    Strays under the prefix are not read, so they cannot fail the pass (behaviour 8).
    """
    keys = [key for key in _listed(store, EDGES_PREFIX) if edge_box(key)]
    bodies, failures = _read(store, keys, progress)
    _fail_on(failures)
    return bodies


def _load_records(
    store: ReadStore, progress: Progress | None, *, ignore_legacy: bool
) -> tuple[Instance, ...]:
    keys = _listed(store, APPS_PREFIX)
    unparsed = [
        Malformed(key, _UNPARSED)
        for key in keys
        if unparsed_instance_key(key, ignore_legacy=ignore_legacy)
    ]
    bodies, failures = _read(store, [key for key in keys if instance_key(key)], progress)
    records, malformed = _parsed(bodies, parse_instance)
    _fail_on([*unparsed, *failures, *malformed])
    return records


def _listed(store: ReadStore, prefix: str) -> tuple[str, ...]:
    try:
        return store.list(prefix)
    except ListingFailed as error:
        raise ListingFailed(error.prefix, error.reason, DUTY) from error


def _read(
    store: ReadStore, keys: list[str], progress: Progress | None
) -> tuple[Bodies, list[ReadFailed]]:
    results = store.get_each(keys, progress)
    failures = [result for result in results.values() if isinstance(result, ReadFailed)]
    bodies = [
        (key, result.data)
        for key, result in sorted(results.items())
        if not isinstance(result, ReadFailed)
    ]
    return tuple(bodies), failures


def _parsed(
    bodies: Bodies, parse: Callable[[bytes, str], _Document]
) -> tuple[tuple[_Document, ...], list[Malformed]]:
    results = [_attempt(parse, body, key) for key, body in bodies]
    documents = tuple(each for each in results if not isinstance(each, Malformed))
    return documents, [each for each in results if isinstance(each, Malformed)]


def _attempt(
    parse: Callable[[bytes, str], _Document], body: bytes, key: str
) -> _Document | Malformed:
    try:
        return parse(body, key)
    except Malformed as error:
        return error


def _fail_on(failures: Iterable[ReadFailed | Malformed]) -> None:
    if failed := tuple(failures):
        raise ReadsFailed(failed, DUTY)
