"""Random boxes: what a bucket says of sidecars, and a registry that some past has left behind.

Every choice is one byte, the plainest first: that is quick to draw, and shrinks to little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st

from control.sidecar_documents import ManifestFound, RecordFound, SidecarDocuments
from control.sidecar_keys import SidecarKey
from control.sidecar_manifests import SidecarsManifest
from folds.sidecar_authority import Authorities, Authority
from folds.sidecar_desired import Box
from folds.sidecar_rows import Row, Rows, StrangeRow
from tests.folds.sidecar_model import (
    BOX,
    BROKEN,
    ELEVEN,
    HELLO,
    MANIFEST,
    TWELVE,
    UNREAD,
    key,
    minted,
    record,
)

Case: TypeAlias = tuple[SidecarDocuments, Rows, Box]
_Choice = TypeVar("_Choice")

APPS = [ELEVEN, TWELVE, HELLO]
KEYS = [key(name, app) for app in APPS for name in "abc"]

_FIELDS: list[dict[str, str]] = [
    {},
    {},
    {"environment": "blue"},
    {"channel": "beta"},
    {"placement": "any"},
    {"region": "uk"},
    {"pool": "eu"},
    {"placement": "no-inbound"},
]
_RECORDS: dict[SidecarKey, list[RecordFound | None]] = {
    each: [None, None, *(record(each.name, each.owner, **f) for f in _FIELDS), BROKEN, UNREAD]
    for each in KEYS
}
_MANIFESTS: list[ManifestFound] = [
    MANIFEST,
    MANIFEST,
    SidecarsManifest(placement="no-inbound", idle_seconds=60),
    SidecarsManifest(hibernate=False, args='["x"]'),
    None,
    UNREAD,
]
_COLUMNS: list[dict[str, Any]] = [
    {},
    {},
    {"channel": "old"},
    {"environment": "blue", "hibernate": 0, "args": ""},
    {"idle_seconds": 1},
    {"db_path": "/old.db", "socket": "/run/x.sock"},
    {"region": "uk"},
    {"pool": "eu"},
    {"kind": "exec"},
    {"provisioned": 0},
    {"app": "x"},
    {"hold": "op-41"},
    {"hold": "by hand", "channel": "old"},
]
_ROWS: dict[SidecarKey, list[Row | StrangeRow | None]] = {
    each: [
        None,
        None,
        *(replace(minted(record(each.name, each.owner)), **columns) for columns in _COLUMNS),
        StrangeRow(each.host, "kind is a blob"),
    ]
    for each in KEYS
}
_BOXES = [
    BOX.model_copy(
        update=dict(zip(("region", "inbound", "drop_trashed", "pools"), of, strict=True))
    )
    for of in product(["", "uk"], ["none", "public"], [False, True], [(), ("", "eu")])
]
_ACCOUNTS = [frozenset(each) for each in ({"bab", "jam"}, {"bab"}, {"jam"}, set[str]())]
_TRASHED = [frozenset(each) for each in ([], [], [ELEVEN], [HELLO])]
_TRASH_FAILURES = ["", "", "", "list control/trash/: denied"]
_AUTHORITIES: dict[str, list[Authority | None]] = {
    host: [
        Authority(host, "write"),
        Authority(host, "write"),
        Authority(host, "no", "its claim is served by uk-1"),
        Authority(host, "hold", "relocating ie-1 to uk-1, installing", hold_op="op-41"),
        Authority(host, "no", "its claim could not be read: denied", failed=True),
        None,
    ]
    for host in (each.host for each in KEYS)
}
_UNCLEAN = [(), (), (), ("list apps/jam/: denied",)]


def cases(*, whole: bool = False, lost: bool = False) -> st.SearchStrategy[Case]:
    """A bucket, a registry and a box.

    ``whole`` where nothing of the bucket failed to be read, ``lost`` where most of it is gone.
    """
    size = 2 * len(KEYS) + len(APPS) + 5
    drawn = st.binary(min_size=size, max_size=size)
    return drawn.map(lambda each: _case(each, whole=whole, lost=lost))


def authorities() -> st.SearchStrategy[Authorities | None]:
    """What was found out of each host's claim, and of some nothing; None where claims are off."""
    size = len(KEYS)
    return st.none() | st.binary(min_size=size, max_size=size).map(_authorities)


def _authorities(drawn: bytes) -> Authorities:
    taken = iter(drawn)
    found = [_pick(taken, each) for each in _AUTHORITIES.values()]
    return {each.host: each for each in found if each}


def _case(drawn: bytes, *, whole: bool, lost: bool) -> Case:
    taken = iter(drawn)
    rows = [_pick(taken, _ROWS[each]) for each in KEYS]
    found = _bucket(taken, whole=whole, lost=lost)
    registry = Rows(
        (
            *(row for row in rows if isinstance(row, Row)),
            Row("eleven.bab.example.com", kind="exec"),
        ),
        tuple(row for row in rows if isinstance(row, StrangeRow)),
    )
    return found, registry, _pick(taken, _BOXES)


def _bucket(taken: Iterator[int], *, whole: bool, lost: bool) -> SidecarDocuments:
    fit = slice(None, -1) if whole else slice(None)
    gone = [None] * 60 if lost else []
    records = [(each, _pick(taken, [*gone, *_RECORDS[each][fit]])) for each in KEYS]
    return SidecarDocuments(
        records=tuple((each, found) for each, found in records if found),
        manifests={app: _pick(taken, _MANIFESTS[fit]) for app in APPS},
        accounts=_pick(taken, _ACCOUNTS),
        trashed=_pick(taken, _TRASHED),
        trash_failure=_pick(taken, _TRASH_FAILURES[fit]),
        unclean=_pick(taken, _UNCLEAN[fit]),
    )


def _pick(taken: Iterator[int], choices: Sequence[_Choice]) -> _Choice:
    return choices[next(taken) % len(choices)]
