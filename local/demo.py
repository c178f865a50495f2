"""The demo deployment: what a bucket and a zone hold before the first `make up` converges them.

Four boxes in four regions and a standby, twelve steered hosts of two accounts, and three records
that steering refuses. All addresses are of the documentation nets. `demo_box` has the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from control.keys import EDGES_PREFIX

BUCKET = "fairlead-demo"
ZONE = "ZDEMO0EXAMPLE0COM"
DOMAIN = "example.com"

_WRITTEN = "2026-09-07T10:00:00Z"
_BOXES = (
    # label, placement code, AWS region, address
    ("au-1", "au", "ap-southeast-2", "192.0.2.4"),
    ("ie-1", "ie", "eu-west-1", "192.0.2.1"),
    ("ie-2", "ie", "eu-west-1", "192.0.2.5"),
    ("uk-1", "uk", "eu-west-2", "192.0.2.2"),
    ("us-1", "us", "us-east-1", "192.0.2.3"),
)
_APPS = {
    "bab": ("api", "blog", "docs", "hello", "shop", "status"),
    "bdf": ("api", "chat", "hello", "media", "news", "wiki"),
}
_REFUSED: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    # account, app, first labels of the host, what differs from a steered record
    ("bab", "hello", "*.hello", {}),
    ("bdf", "batch", "batch", {"pool": "gpu"}),
    ("bdf", "games", "games", {"steering": "nearest"}),
)


def objects() -> dict[str, bytes]:
    """Return every object that steers by its key, in the order of the keys."""
    return encoded([*_edges(), *_instances()])


def encoded(documents: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, bytes]:
    """Return documents as the bodies of objects, in the order of the keys."""
    return {
        key: json.dumps(body, separators=(",", ":")).encode() + b"\n"
        for key, body in sorted(documents, key=itemgetter(0))
    }


def zone() -> dict[str, Any]:
    """Return the zone as the emulator is seeded with it: with records that are not ours."""
    foreign = [
        {"Name": f"{DOMAIN}.", "Type": "MX", **_plain("10 mail.example.net.")},
        {"Name": f"www.{DOMAIN}.", "Type": "CNAME", **_plain("www.example.net.")},
    ]
    return {"zones": [{"id": ZONE, "name": f"{DOMAIN}.", "record_sets": foreign}]}


def _plain(value: str) -> dict[str, Any]:
    return {"TTL": 300, "ResourceRecords": [{"Value": value}]}


def _edges() -> Iterator[tuple[str, dict[str, Any]]]:
    for box, code, region, address in _BOXES:
        yield (
            f"{EDGES_PREFIX}{box}.json",
            {
                "v": 1,
                "box": box,
                "region": code,
                "aws_region": region,
                "eip": address,
                "armed": True,
                "updated_at": _WRITTEN,
            },
        )


def _instances() -> Iterator[tuple[str, dict[str, Any]]]:
    for account, apps in _APPS.items():
        for app in apps:
            yield _instance(account, app, app, {})
    for account, app, labels, differing in _REFUSED:
        yield _instance(account, app, labels, differing)


def _instance(
    account: str, app: str, labels: str, differing: dict[str, str]
) -> tuple[str, dict[str, Any]]:
    host = f"{labels}.{account}.{DOMAIN}"
    return (
        f"apps/{account}/{app}/instances/{host}.json",
        {
            "v": 1,
            "host": host,
            "account": account,
            "app": app,
            "kind": "exec",
            "channel": "edge",
            "environment": "",
            "region": "",
            "pool": "",
            "steering": "latency",
            "hibernate": True,
            "created_at": _WRITTEN,
            **differing,
        },
    )
