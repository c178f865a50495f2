"""From the bucket's documents to what they ask of one box, record by record.

record                          manifest            what it is here
unread                          any                 unread: no row at all is removed
broken                          any                 protected, whatever its region
another region or pool          any                 elsewhere
asks for no inbound, box has    any                 unplaceable
its host is another's already   any                 duplicate
its app is in the trash         any                 trashed
any other                       missing or unread   unconfigured
any other                       read                wanted

A row with a record that is elsewhere or unplaceable goes; with any other it stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from control.sidecar_documents import (
    Broken,
    SidecarDocuments,
    Unread,
)
from control.sidecar_keys import AppKey, SidecarKey
from control.sidecar_manifests import SidecarsManifest
from control.sidecar_records import SidecarRecord
from folds.sidecar_desired import Box, SidecarDesired, Standing, Wanted
from folds.sidecar_placement import concerns, outside, standing
from folds.sidecar_text import shown


def desired_of(documents: SidecarDocuments, box: Box) -> SidecarDesired:
    """Fold what one scan found into what it asks of a box (behaviours 80-113)."""
    judged = _judged(documents, box)
    apps = _apps_here(documents, box)
    return SidecarDesired(
        box=box,
        wanted=tuple(each for each in judged if isinstance(each, Wanted)),
        standings=tuple(each for each in judged if isinstance(each, Standing)),
        accounts=tuple(sorted(documents.accounts)),
        trashed=tuple(sorted(_path(app) for app in documents.trashed if box.drop_trashed)),
        unclean=tuple(sorted({*documents.unclean, *_unread(documents, apps)})),
        trash_failure=documents.trash_failure,
        notices=tuple(_notices(documents, apps)),
    )


def _judged(documents: SidecarDocuments, box: Box) -> list[Wanted | Standing]:
    """Judge the records in the order of their keys: of two with one host the first has it."""
    keepers: dict[str, SidecarKey] = {}
    judged = []
    for key, found in sorted(documents.records, key=lambda pair: pair[0].record):
        if isinstance(found, SidecarRecord):
            judged.append(_of_record(key, found, documents, box, keepers))
        else:
            judged.append(_unusable(key, found))
    return judged


def _unusable(key: SidecarKey, found: Broken | Unread) -> Standing:
    if isinstance(found, Unread):
        return standing(key, key.host, "unread", f"could not be read: {found.reason}")
    return standing(key, key.host, "protected", found.reason)


def _of_record(
    key: SidecarKey,
    record: SidecarRecord,
    documents: SidecarDocuments,
    box: Box,
    keepers: dict[str, SidecarKey],
) -> Wanted | Standing:
    app = key.owner
    manifest = documents.manifests.get(app)
    if elsewhere := outside(key, record, manifest, box):
        return elsewhere
    keeper = keepers.setdefault(record.host, key)
    if keeper is not key:
        reason = f"asks for the host that {keeper.record} has, which is kept"
        return standing(key, record.host, "duplicate", reason)
    if documents.trash_failure or app in documents.trashed:
        return standing(key, record.host, "trashed", _trash_reason(documents))
    if not isinstance(manifest, SidecarsManifest):
        return standing(key, record.host, "unconfigured", _manifest_reason(manifest))
    wanted = _wanted(record, manifest)
    return _identified(wanted, record, documents.etags.get(key, "")) if box.claims else wanted


def _identified(wanted: Wanted, record: SidecarRecord, etag: str) -> Wanted:
    """Add what a claim is compared with, and what an adoption is told."""
    rest = ("placement", "incarnation", "created_at")
    return replace(wanted, etag=etag, **{name: getattr(record, name) for name in rest})


def _wanted(record: SidecarRecord, manifest: SidecarsManifest) -> Wanted:
    return Wanted(
        name=record.name,
        app=record.app,
        account=record.account,
        host=record.host,
        region=record.region,
        pool=record.pool,
        channel=record.channel,
        environment=record.environment,
        hibernate=int(manifest.hibernate),
        args=manifest.args,
        idle_seconds=manifest.idle_seconds,
        max_run_seconds=manifest.max_run_seconds,
    )


def _trash_reason(documents: SidecarDocuments) -> str:
    if documents.trash_failure:
        return "the trash could not be listed, so every app counts as trashed"
    return "its app is in the trash"


def _manifest_reason(manifest: Unread | None) -> str:
    return "its app's manifest could not be read" if manifest else "its app has no manifest"


def _apps_here(documents: SidecarDocuments, box: Box) -> list[AppKey]:
    """Return the apps whose manifest this box needs; others' manifests stop nothing here."""
    names = {
        (key.account, key.app)
        for key, found in documents.records
        if isinstance(found, SidecarRecord) and concerns(found, box)
    }
    return [AppKey(*each) for each in sorted(names)]


def _unread(documents: SidecarDocuments, apps: list[AppKey]) -> Iterator[str]:
    for key, found in documents.records:
        if isinstance(found, Unread):
            yield f"read {shown(key.record)}: {shown(found.reason)}"
    for app in apps:
        if isinstance(manifest := documents.manifests.get(app), Unread):
            yield f"read {app.manifest}: {shown(manifest.reason)}"


def _notices(documents: SidecarDocuments, apps: list[AppKey]) -> Iterator[str]:
    """Say once for each app what stops all its sidecars (behaviours 96, 97)."""
    for app in apps:
        manifest = documents.manifests.get(app)
        if isinstance(manifest, Unread):
            what = f"its manifest {app.manifest} could not be read"
        else:
            what = f"it has sidecar records and no manifest {app.manifest}"
        if not isinstance(manifest, SidecarsManifest):
            yield f"{_path(app)}: {what}: nothing of it is minted or converged"


def _path(app: AppKey) -> str:
    return f"{app.account}/{app.app}"
