"""A box, its bucket and its registry as values, and what a plan makes of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from control.sidecar_documents import Broken, ManifestFound, RecordFound, SidecarDocuments, Unread
from control.sidecar_keys import AppKey, SidecarKey
from control.sidecar_manifests import SidecarsManifest
from control.sidecar_records import SidecarRecord
from folds.sidecar_authority import Authorities, Authority
from folds.sidecar_changes import Admission, Verdict
from folds.sidecar_desired import Box, SidecarDesired, Wanted
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row, Rows, row_for
from folds.sidecar_standing import desired_of
from folds.sidecars import candidates, plan

ELEVEN, TWELVE, HELLO = AppKey("bab", "eleven"), AppKey("bab", "twelve"), AppKey("jam", "hello")
BOX = Box(box="ie-1", bucket="carlos/eu", inbound="none", data_dir="/data")
CLAIMING = BOX.model_copy(update={"claims": True, "region_code": "ie", "home_region": "ie"})
MANIFEST = SidecarsManifest(args='["bot","run"]')
BROKEN, UNREAD = Broken("is null, not an object"), Unread("access denied")

Found = Mapping[SidecarKey, RecordFound]


def key(name: str, app: AppKey = ELEVEN) -> SidecarKey:
    return SidecarKey(app.account, app.app, name)


def host(name: str, app: AppKey = ELEVEN) -> str:
    return key(name, app).host


def record(name: str, app: AppKey = ELEVEN, **fields: str) -> SidecarRecord:
    """A record of the home region and shared pool, on channel ``edge``."""
    identity = {"name": name, "account": app.account, "app": app.app, "host": host(name, app)}
    return SidecarRecord(**{**identity, "channel": "edge", **fields})


def keyed(*records: SidecarRecord) -> dict[SidecarKey, RecordFound]:
    return {SidecarKey(each.account, each.app, each.name): each for each in records}


def documents(
    found: Found,
    manifests: Mapping[AppKey, ManifestFound] | None = None,
    **more: Any,
) -> SidecarDocuments:
    """What a scan found: every app has `MANIFEST` unless said otherwise."""
    apps = {each.owner: MANIFEST for each in found}
    return SidecarDocuments(
        accounts=more.pop("accounts", frozenset({"bab", "jam"})),
        records=tuple(found.items()),
        manifests={**apps, **(manifests or {})},
        **more,
    )


def bucket(*records: SidecarRecord, **more: Any) -> SidecarDocuments:
    return documents(keyed(*records), **more)


def minted(record: SidecarRecord, box: Box = BOX, **columns: Any) -> Row:
    """The row that a pass minted for a record, with columns changed since."""
    wanted = desired_of(documents(keyed(record)), box.model_copy(update=_admitting(record))).wanted
    return replace(row_for(wanted[0], box), **columns)


def _admitting(record: SidecarRecord) -> dict[str, object]:
    return {"region": record.region, "pools": (record.pool,), "inbound": "none"}


def admitted(wanted: Iterable[Wanted]) -> list[Admission]:
    return [Admission(each.host) for each in wanted]


def planned(
    found: SidecarDocuments, *rows: Row, box: Box = BOX, acknowledged: str = ""
) -> SidecarPlan:
    """The plan of a box that has nothing against any mint."""
    return settled(desired_of(found, box), Rows(tuple(rows)), acknowledged)


def settled(
    desired: SidecarDesired,
    rows: Rows,
    acknowledged: str = "",
    authorities: Authorities | None = None,
) -> SidecarPlan:
    return plan(
        desired, rows, admitted(candidates(desired, rows)), acknowledged, authorities=authorities
    )


def claimed(found: SidecarDocuments, *rows: Row, says: Iterable[Authority] = ()) -> SidecarPlan:
    """The plan of a box with claims on, which say this."""
    authorities = {each.host: each for each in says}
    return settled(desired_of(found, CLAIMING), Rows(tuple(rows)), authorities=authorities)


def applied(rows: Rows, done: SidecarPlan) -> Rows:
    """What a plan makes of the rows."""
    left = {row.host: row for row in rows.rows}
    for removal in done.removals:
        del left[removal.host]
    for converge in done.converges:
        assert not left[converge.host].hold
        for change in converge.changes:
            columns: dict[str, Any] = dict(zip(change.columns, change.after, strict=True))
            left[converge.host] = replace(left[converge.host], **columns)
    for hold in done.holds:
        assert left[hold.host].hold in {"", hold.op}
        left[hold.host] = replace(left[hold.host], hold=hold.op)
    for mint in done.mints:
        assert mint.row.host not in left
        left[mint.row.host] = mint.row
    return replace(rows, rows=tuple(left.values()))


def minted_hosts(done: SidecarPlan) -> list[str]:
    return [each.row.host for each in done.mints]


def removed(done: SidecarPlan) -> list[str]:
    return [each.host for each in done.removals]


def held(done: SidecarPlan) -> list[str]:
    return [each.host for each in done.held_back]


def verdict(done: SidecarPlan, name: str, app: AppKey = ELEVEN) -> Verdict:
    """The one verdict about a host."""
    (only,) = [each for each in done.verdicts if each.host == host(name, app)]
    return only


def states(found: SidecarDesired) -> dict[str, str]:
    """Where each record stands, by host."""
    wanted = {each.host: "wanted" for each in found.wanted}
    return wanted | {each.host: each.state for each in found.standings}
