"""Whether a record is this box's: its region, its pool, and whether it may be reached there."""

from __future__ import annotations

from control.sidecar_documents import ManifestFound
from control.sidecar_keys import SidecarKey
from control.sidecar_manifests import SidecarsManifest
from control.sidecar_records import ANY, NO_INBOUND, SidecarRecord
from folds.sidecar_desired import Box, Standing, State
from folds.sidecar_rows import pool_served
from folds.sidecar_text import shown

CLOSED = "none"
"""What a box's ``inbound`` is where nothing can reach it."""


def concerns(record: SidecarRecord, box: Box) -> bool:
    """Say whether a record is of the box's region and pools, so that its manifest is needed."""
    return record.region == box.region and pool_served(box.pools, record.pool)


def placement(record: SidecarRecord, manifest: SidecarsManifest | None) -> str:
    """Return the placement a record runs under, the most restrictive one said (80-83, 111)."""
    said = (record.placement, manifest.placement if manifest else "")
    return NO_INBOUND if NO_INBOUND in said else ANY


def outside(
    key: SidecarKey, record: SidecarRecord, manifest: ManifestFound, box: Box
) -> Standing | None:
    """Say why a record that was read is not this box's, or return None where it is (84-109)."""
    if record.region != box.region:
        reason = f"asks for {_region(record.region)}, and the box is of {_region(box.region)}"
        return standing(key, record.host, "elsewhere", reason)
    if not pool_served(box.pools, record.pool):
        reason = f'asks for pool "{record.pool}", which the box does not serve'
        return standing(key, record.host, "elsewhere", reason)
    known = manifest if isinstance(manifest, SidecarsManifest) else None
    if placement(record, known) == NO_INBOUND and box.inbound != CLOSED:
        reason = (
            f'asks for "{NO_INBOUND}" placement, and the box accepts inbound work'
            f' (inbound "{box.inbound}")'
        )
        return standing(key, record.host, "unplaceable", reason)
    return None


def _region(region: str) -> str:
    return f'region "{region}"' if region else "the home region"


def standing(key: SidecarKey, host: str, state: State, reason: str) -> Standing:
    """Return where a record stands, its reason printable."""
    return Standing(key=key.record, host=host, state=state, reason=shown(reason))
