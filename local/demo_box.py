"""The demo's box: what the bucket asks it to run, and the registry that it begins with.

Account ``bab`` has sidecars that belong here, one for boxes that nothing can reach, and one whose
record is malformed; of account ``bdf`` one belongs to another region, and one to an app in the
trash. The registry has rows that are not Fairlead's, and a table that is not either.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from control.sidecar_keys import AppKey, SidecarKey
from folds.sidecar_desired import Box
from local import demo
from local.environment import CHECKOUT
from registry.route import COLUMNS, Route
from registry.schema import create

FOLDER = CHECKOUT / ".local" / "box"
REGISTRY = FOLDER / "registry.db"
BOX = Box(box="ie-1", bucket=demo.BUCKET, inbound="public", data_dir=str(FOLDER / "data"))

_MANIFESTS: dict[tuple[str, str], dict[str, Any]] = {
    ("bab", "blog"): {"args": ["blog", "import"]},
    ("bab", "shop"): {"args": ["shop", "work"], "idle": "10m", "max_run": "2h"},
    ("bdf", "chat"): {"args": ["chat", "bot"], "hibernate": False},
    ("bdf", "quiz"): {"args": ["quiz", "grade"]},
}
_RECORDS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    # account, app, name, what differs from a record that belongs to the box
    ("bab", "blog", "importer", {"channel": 7}),
    ("bab", "shop", "indexer", {}),
    ("bab", "shop", "ledger", {"placement": "no-inbound"}),
    ("bab", "shop", "mailer", {}),
    ("bdf", "chat", "bot", {"channel": "beta"}),
    ("bdf", "chat", "relay", {"region": "uk"}),
    ("bdf", "quiz", "grader", {}),
)
_TRASHED = AppKey("bdf", "quiz")
_ROUTES = (
    Route("api.bab.example.com", kind="exec", app="api", account="bab", status="ready"),
    Route("hello.bab.example.com", kind="exec", app="hello", account="bab", status="ready"),
    Route("probe.hello.bab.sidecar.internal", kind="sidecar", app="hello", account="bab"),
)
_GRANTS = (
    "CREATE TABLE grants (host TEXT NOT NULL, capability TEXT NOT NULL)",
    "INSERT INTO grants VALUES ('api.bab.example.com', 'mail'), ('hello.bab.example.com', 'store')",
)
_INSERT = f"INSERT INTO routes VALUES ({', '.join('?' for _ in COLUMNS)})"  # noqa: S608 - no text


def objects() -> dict[str, bytes]:
    """Return every object that sidecars come from by its key, in the order of the keys."""
    return demo.encoded(_documents())


def make_registry(path: Path = REGISTRY) -> bool:
    """Make the registry, unless there is one; say whether there was none.

    On a box the platform makes it. It gets its name once it is whole.
    """
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    create(new)
    with closing(sqlite3.connect(new)) as connection, connection:
        connection.executemany(_INSERT, _ROUTES)
        for statement in _GRANTS:
            connection.execute(statement)
    new.rename(path)
    return True


def _documents() -> Iterator[tuple[str, dict[str, Any]]]:
    for account in sorted({account for account, _ in _MANIFESTS}):
        yield f"accounts/{account}.json", {"v": 1, "account": account}
    for key, manifest in _MANIFESTS.items():
        yield AppKey(*key).manifest, {"v": 1, **manifest}
    for account, app, name, differing in _RECORDS:
        yield _record(SidecarKey(account, app, name), differing)
    yield _TRASHED.trash, {"v": 1, "account": _TRASHED.account, "app": _TRASHED.app}


def _record(key: SidecarKey, differing: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    identity = {"name": key.name, "account": key.account, "app": key.app, "host": key.host}
    return key.record, {"v": 1, **identity, "channel": "edge", **differing}
