"""docs/permissions.md: the two stacks of a box ask for what its policy allows, and all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from control.bucket import open_bucket, open_writable
from control.sidecar_keys import AppKey, SidecarKey
from control.sidecar_scan import read_again
from operate.claims_adopted import adoption_of
from providers.claim_store import BucketClaims
from providers.sidecar_selection import selection_of
from providers.sidecar_work import reconcile
from providers.snapshot_upload import Job
from providers.snapshot_work import run_pass
from registry.connection import reading
from registry.rows import read_rows
from stacks.box_settings import SidecarsSettings
from stacks.sidecar_decision import decide, observe
from tests.registry.samples import insert, registry_of, sidecar
from tests.support.s3_bucket import S3Bucket, point_at, serve_s3
from tests.support.s3_faults import Call, FaultProxy, fault_proxy

_PAGE = (Path(__file__).parents[2] / "docs" / "permissions.md").read_text()
_BLOCKS = re.findall(r"```json\n(.*?)```", _PAGE, re.DOTALL)
_POLICY, _CLAIMS = json.loads(_BLOCKS[-2]), json.loads(_BLOCKS[-1])
_BOX, _APP = "ie-1", AppKey("bab", "shop")
_START = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[S3Bucket]:
    """A bucket that asks for one sidecar, and has an app in the trash."""
    key = SidecarKey(_APP.account, _APP.app, "mailer")
    identity = {"name": key.name, "account": key.account, "app": key.app, "host": key.host}
    with contextmanager(serve_s3)(tmp_path) as make:
        made = make()
        made.put("accounts/bab.json", {"v": 1})
        made.put(_APP.manifest, {"v": 1})
        made.put(_APP.trash, {"v": 1})
        made.put(key.record, {**identity, "channel": "edge"})
        yield made


@pytest.fixture
def proxy(bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultProxy]:
    with fault_proxy(bucket.url) as made:
        point_at(monkeypatch, made.url)
        yield made


def granted(call: Call, policy: Any = _POLICY) -> set[tuple[str, str]]:
    """Return the grants of a policy that allow a request: an action and a resource each."""
    if call.page:
        return {("s3:ListBucket", "")} & grants(policy)
    if call.method == "POST":  # DeleteObjects: its keys are in the body
        return {each for each in grants(policy) if each[0] == "s3:DeleteObject"}
    action = "s3:PutObject" if call.method == "PUT" else "s3:GetObject"
    assert call.method in {"GET", "HEAD", "PUT"}
    return {each for each in grants(policy) if each[0] == action and fnmatchcase(call.key, each[1])}


def grants(policy: Any = _POLICY) -> set[tuple[str, str]]:
    """Return every action and resource, the latter without the bucket."""
    return {
        (action, resource.partition("control-bucket")[2].lstrip("/"))
        for each in policy["Statement"]
        for action in ([each["Action"]] if isinstance(each["Action"], str) else each["Action"])
        for resource in (
            [each["Resource"]] if isinstance(each["Resource"], str) else each["Resource"]
        )
    }


def sidecars(bucket: S3Bucket, registry: Path) -> None:
    """Observe as a run does, and read again what a removal and the drop of an app rest on."""
    told = {"bucket": bucket.name, "box": _BOX, "registry": str(registry)}
    observe(SidecarsSettings(**told, data_dir=str(registry.parent)), lambda _: None)
    key = SidecarKey(_APP.account, _APP.app, "mailer")
    read_again(open_bucket(bucket.name), [key], [_APP])


def under_claims(bucket: S3Bucket, registry: Path) -> None:
    """Adopt a row, converge it, mint another, and read claims as a preview does."""
    told = {"bucket": bucket.name, "box": _BOX, "registry": str(registry), "region_code": "ie"}
    own = {**told, "data_dir": str(registry.parent), "claims": True, "region_ha": True}
    settings = SidecarsSettings(**own)
    seen = observe(settings, lambda _: None)
    writer = open_writable(bucket.name)
    adoption = adoption_of(settings.place, writer, BucketClaims(open_bucket(bucket.name)))
    adoption.adopt(selection_of(seen.desired.wanted[0], settings.place))
    seen = observe(settings, lambda _: None)
    reconcile(decide(seen).inputs(settings))


def snapshots(bucket: S3Bucket, registry: Path) -> None:
    """Take ten snapshots: of a new box, again and again, and over 8 generations."""
    for number in range(10):
        insert(registry, [sidecar(f"n{number}")])
        now = _START + timedelta(minutes=number)
        store = open_writable(bucket.name)
        run_pass(Job(store, registry, _BOX, bucket.name, now, new_id="a" * 32))


def test_what_a_box_asks_for(bucket: S3Bucket, proxy: FaultProxy, tmp_path: Path) -> None:
    """Every request is allowed, and there is no grant that no request needs."""
    registry = registry_of(tmp_path / "registry.db")
    sidecars(bucket, registry)
    snapshots(bucket, registry)
    left = open_writable(bucket.name).list("control/")
    assert [call for call in proxy.calls if not granted(call)] == []
    assert set().union(*map(granted, proxy.calls)) == grants()
    assert sum(key.startswith("control/registry-snapshots/ie-1/") for key in left) == 8
    assert {"control/registry-snapshot/ie-1.db", "control/registry-snapshot/ie-1.json"} < set(left)


def test_what_claims_ask_for(bucket: S3Bucket, proxy: FaultProxy, tmp_path: Path) -> None:
    """Every request is allowed by the two policies, and each grant of the claims' is needed."""
    bucket.delete(_APP.trash)
    registry = registry_of(tmp_path / "registry.db")
    under_claims(bucket, registry)
    asked = [call for call in proxy.calls if not granted(call)]
    assert [call for call in asked if not granted(call, _CLAIMS)] == []
    assert set().union(*(granted(call, _CLAIMS) for call in asked)) == grants(_CLAIMS)
    with reading(registry) as connection:
        assert [row.claim_stamp for row in read_rows(connection).routes] == [1]


def test_claims_are_created_only() -> None:
    """The policy lets nobody write over one."""
    [put] = [each for each in _CLAIMS["Statement"] if each["Action"] == "s3:PutObject"]
    assert put["Condition"] == {"Null": {"s3:if-none-match": "false"}}


def test_table_of_requests() -> None:
    """It has the actions of the policy, and no other."""
    rows = re.findall(r"^\| [^|]+ \| (?:sidecars|snapshot) \| (.+) \|$", _PAGE, re.MULTILINE)
    named = {action for row in rows for action in re.findall(r"`(s3:\w+)`", row)}
    assert named == {action for action, _ in grants()}
