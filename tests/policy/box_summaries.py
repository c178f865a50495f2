"""Summaries of a box's two stacks, and one mutation of each that breaks a rule alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Fields = Mapping[str, Any]

SIDECAR_ROUTES = "pulumi-python:dynamic/box:SidecarRoutes"
REGISTRY_SNAPSHOT = "pulumi-python:dynamic/box:RegistrySnapshot"

# A box of ten rows, of which nothing goes.
SIDECARS: Fields = {
    "box": "ie-1",
    "bucket": "control-bucket",
    "owned": 10,
    "removed": 0,
    "absent": 0,
    "unknown": 0,
    "unclean": [],
    "reachable": [],
    "end": "e" * 64,
    "acknowledged": "",
}
_PRIOR: Fields = {
    "key": "control/registry-snapshot/ie-1.db",
    "fingerprint": "0" * 64,
    "lineage": "4f0c2a9d51e84b6f9a3b7c1d2e5f6a70",
    "createdAt": "2026-09-07T10:00:00Z",
    "routes": "40",
    "hostsKnown": True,
    "hostsGone": 40,
    "hostsNew": 1,
    "fault": "",
}
# A box that goes on from its own snapshot.
SNAPSHOT: Fields = {
    "box": "ie-1",
    "bucket": "control-bucket",
    "registry": "/var/lib/platform/registry.db",
    "writes": True,
    "fingerprint": "1" * 64,
    "routes": 1,
    "lineage": "4f0c2a9d51e84b6f9a3b7c1d2e5f6a70",
    "last": "0" * 64,
    "pending": "0" * 64,
    "metaBox": "ie-1",
    "prior": [_PRIOR],
    "replaced": "0" * 64,
    "acknowledged": "",
}

# By rule: the type it is about, fields that still pass, and fields that break it.
CASES: Mapping[str, tuple[str, Fields, Fields]] = {
    "sidecar-reachability": (
        SIDECAR_ROUTES,
        SIDECARS,
        {**SIDECARS, "reachable": ["indexer.shop.bab.sidecar.internal"]},
    ),
    "sidecar-mass-retire": (
        SIDECAR_ROUTES,
        {**SIDECARS, "removed": 5, "absent": 5},
        {**SIDECARS, "removed": 6, "absent": 6},
    ),
    "sidecar-unclean-read": (
        SIDECAR_ROUTES,
        {**SIDECARS, "unclean": ["read accounts/bab.json: HTTP 503"]},
        {**SIDECARS, "removed": 1, "unclean": ["read accounts/bab.json: HTTP 503"]},
    ),
    "snapshot-foreign-box": (
        REGISTRY_SNAPSHOT,
        SNAPSHOT,
        {**SNAPSHOT, "metaBox": "uk-1"},
    ),
    "snapshot-lineage": (
        REGISTRY_SNAPSHOT,
        {**SNAPSHOT, "writes": False, "last": "", "pending": ""},
        {**SNAPSHOT, "lineage": "", "last": "", "pending": ""},
    ),
}
