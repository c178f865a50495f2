"""What one sidecar pass reads of the bucket.

Only two failures stop it: the listing of the accounts and the listing of the apps. Anything else
that could not be read is part of the result, for the fold to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from control.errors import (
    ListingFailed,
    Malformed,
    ObjectNotFound,
    ReadFailed,
)
from control.keys import APPS_PREFIX
from control.sidecar_documents import (
    FreshReads,
    ManifestFound,
    RecordFound,
    SidecarDocuments,
)
from control.sidecar_keys import (
    ACCOUNTS_PREFIX,
    TRASH_PREFIX,
    AppKey,
    SidecarKey,
    account_key,
    sidecar_key,
    trash_key,
    unparsed_sidecar_key,
)
from control.sidecar_manifests import parse_manifest
from control.sidecar_reads import Read, manifest_in, marked, parsed, record_in
from control.sidecar_records import (
    SidecarRecord,
    parse_account,
    parse_record,
)
from control.store import Body, Progress, ReadStore

DUTY = "sidecars"

_UNPARSED = (
    "is not apps/<account>/<app>/sidecars/<name>.json with an account known under accounts/;"
    " rename or remove it, or make its account known"
)


def read_sidecars(
    store: ReadStore,
    *,
    concerns: Callable[[SidecarRecord], bool],
    progress: Progress | None = None,
) -> SidecarDocuments:
    """Read accounts, records, the manifests of the records that concern the box, and the trash.

    ``concerns`` picks the records whose manifest is needed; each is read once (behaviour 95).
    ``progress`` is told of the records. Raises `ListingFailed`, beginning with ``sidecars:``, where
    the accounts (behaviour 93) or the apps (behaviour 99) cannot be listed.
    """
    accounts, unreadable = _accounts(store)
    keys, unlisted = _app_keys(store)
    unparsed = [Malformed(key, _UNPARSED) for key in keys if unparsed_sidecar_key(key, accounts)]
    records, etags = _records(store, [sidecar_key(key, accounts) for key in keys], progress)
    apps = {
        key.owner for key, found in records if isinstance(found, SidecarRecord) and concerns(found)
    }
    trashed, trash_failure = _trashed(store)
    return SidecarDocuments(
        accounts=accounts,
        records=records,
        manifests=_manifests(store, apps),
        trashed=trashed,
        trash_failure=trash_failure,
        unclean=tuple(str(failure) for failure in (*unreadable, *unlisted, *unparsed)),
        etags=etags,
    )


def read_again(
    store: ReadStore, sidecars: Iterable[SidecarKey], apps_in_trash: Iterable[AppKey] = ()
) -> FreshReads:
    """Read once more what removals rest on: records with their manifests, and trash markers.

    Nothing is remembered from an earlier read, and every failure is a result.
    """
    keys, apps = sorted(set(sidecars)), sorted(set(apps_in_trash))
    bodies = store.get_each([key.record for key in keys])
    markers = store.get_each([app.trash for app in apps])
    return FreshReads(
        records={key: _again(bodies[key.record], key) for key in keys},
        manifests=_manifests(store, {key.owner for key in keys}),
        trash={app: marked(markers[app.trash]) for app in apps},
    )


def _accounts(store: ReadStore) -> tuple[frozenset[str], list[ReadFailed | Malformed]]:
    """Return the known accounts: one whose manifest cannot be read is known (behaviour 94)."""
    keys = [key for key in _listed(store.list, ACCOUNTS_PREFIX) if account_key(key)]
    found = [parsed(body, parse_account, key) for key, body in store.get_each(keys).items()]
    known = frozenset(filter(None, map(account_key, keys)))
    return known, [each for each in found if isinstance(each, (ReadFailed, Malformed))]


def _app_keys(store: ReadStore) -> tuple[list[str], list[ListingFailed]]:
    """List the apps of each account by itself: one that fails hides no other (behaviour 99)."""
    prefixes = [f"{APPS_PREFIX}{each}/" for each in _listed(store.folders, APPS_PREFIX)]
    listings = store.list_each(prefixes).values()
    failed = [each for each in listings if isinstance(each, ListingFailed)]
    whole = [each for each in listings if not isinstance(each, ListingFailed)]
    return sorted(key for keys in whole for key in keys), failed


def _records(
    store: ReadStore, keys: Iterable[SidecarKey | None], progress: Progress | None
) -> tuple[tuple[tuple[SidecarKey, RecordFound], ...], dict[SidecarKey, str]]:
    """Read the keys that parsed, and return the ETags too.

    A listed record that is gone by now is unread (behaviour 101).
    """
    named = [key for key in keys if key]
    bodies = store.get_each([key.record for key in named], progress)
    reads = [(key, bodies[key.record]) for key in named]
    records = tuple((key, record_in(parsed(read, parse_record, key))) for key, read in reads)
    return records, {key: read.etag for key, read in reads if isinstance(read, Body)}


def _again(read: Read, key: SidecarKey) -> RecordFound | None:
    """Return a record, or None where there is none: asked for by its name, that is an answer."""
    found = parsed(read, parse_record, key)
    return None if isinstance(found, ObjectNotFound) else record_in(found)


def _manifests(store: ReadStore, apps: Iterable[AppKey]) -> dict[AppKey, ManifestFound]:
    ordered = sorted(apps)
    bodies = store.get_each([app.manifest for app in ordered])
    return {app: manifest_in(parsed(bodies[app.manifest], parse_manifest, app)) for app in ordered}


def _trashed(store: ReadStore) -> tuple[frozenset[AppKey], str]:
    """Return the apps in the trash: an object's key says so, whatever its body does."""
    try:
        return frozenset(filter(None, map(trash_key, store.list(TRASH_PREFIX)))), ""
    except ListingFailed as failure:
        return frozenset(), str(failure)


def _listed(list_keys: Callable[[str], tuple[str, ...]], prefix: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(list_keys(prefix)))
    except ListingFailed as error:
        raise ListingFailed(error.prefix, error.reason, DUTY) from error
