"""ChangeResourceRecordSets and ListResourceRecordSets."""

import time
from bisect import bisect_left

from local.zone.account import Account
from local.zone.batch import Batch
from local.zone.errors import refuse
from local.zone.faults import error_of
from local.zone.names import canonical_name, sort_key
from local.zone.operations.violations import observe_change
from local.zone.record_sets import check_form
from local.zone.request import Request
from local.zone.vocabulary import RECORD_TYPES, Doc
from local.zone.zones import Place

MAX_PAGE = 300


def change_resource_record_sets(account: Account, request: Request) -> Doc:
    """Apply a change batch whole, or refuse it and change nothing."""
    document = request.read()["ChangeBatch"]
    zone = account.zone(request.args[0])
    batch = Batch(zone, document["Changes"], account.settings)
    request.call.update(changes=len(batch.changes), units=batch.units, chars=batch.chars)
    for change in batch.changes:
        check_form(change["Action"], change["ResourceRecordSet"])
    if time.monotonic() < zone.busy_until:
        raise error_of("prior_request", request.op)
    _require_health_checks(account, batch)
    batch.check()
    before = {name: zone.names.get(name, {}) for name in batch.touched}
    zone.put(batch.touched)
    zone.busy_until = time.monotonic() + account.settings.prior_window
    for name, old in before.items():
        observe_change(account, request, zone.id, name, (old, batch.touched[name]))
    return account.new_change(document.get("Comment"))


def list_resource_record_sets(account: Account, request: Request) -> Doc:
    """A page of a zone's record sets in listing order, from the cursor on."""
    zone, start = account.zone(request.args[0]), _cursor(request)
    size = request.page_size(account.settings.default_page, MAX_PAGE)
    first = bisect_left(zone.order(), start)
    found = zone.record_sets(first, first + size + 1)
    after = found[size] if len(found) > size else None
    return {
        "ResourceRecordSets": [record_set.doc for record_set in found[:size]],
        "IsTruncated": after is not None,
        "NextRecordName": after and after.name,
        "MaxItems": size,
        "NextRecordType": after and after.type,
        "NextRecordIdentifier": (after and after.key[1]) or None,
    }


def _require_health_checks(account: Account, batch: Batch) -> None:
    """DELETE excepted: a set whose health check is gone must be removable."""
    for change in batch.changes:
        wanted = change["ResourceRecordSet"]
        if change["Action"] != "DELETE" and "HealthCheckId" in wanted:
            account.health_check(wanted["HealthCheckId"])


def _cursor(request: Request) -> Place:
    """The place that the query names; ApiError InvalidInput for half a cursor."""
    name, kind, identifier = (request.query.get(key) for key in ("name", "type", "identifier"))
    refuse(
        "InvalidInput",
        (kind and name is None, "Invalid parameter : type needs name."),
        (identifier and kind is None, "Invalid parameter : identifier needs type."),
        (kind and kind not in RECORD_TYPES, f"Invalid parameter : type '{kind}'"),
    )
    place = "" if name is None else sort_key(canonical_name(name, "InvalidInput"))
    return place, kind or "", identifier or "", ""
