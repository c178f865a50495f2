"""Boxes with claims on, in the real engine, on the reference adapters alone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from control.claims import CLAIMS_PREFIX, claim_key
from tests.engine.boxes import BoxDeployment, deploy_box, fill
from tests.engine.cli import Completed, EngineRunner, lives, with_children
from tests.registry.samples import dump, run
from tests.support.claims_platform import INCARNATION, ClaimsPlatform, fence
from tests.support.s3_bucket import S3Bucket
from tests.support.s3_faults import FaultProxy, fault_proxy

pytestmark = pytest.mark.engine

_ON = {"claims": True, "regionCode": "ie", "regionHa": True}
_MAIL = "mail.eleven.bab.sidecar.internal"
_SLOW = """
CREATE TRIGGER slow BEFORE INSERT ON routes BEGIN
    SELECT count(*) FROM (
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT 3000000)
        SELECT n FROM numbers
    );
END
"""


@pytest.fixture
def platform(bucket: S3Bucket) -> ClaimsPlatform:
    """The platform, which writes claims into the boxes' bucket."""
    return ClaimsPlatform(bucket.put)


@pytest.fixture
def proxy(bucket: S3Bucket) -> Iterator[FaultProxy]:
    """What a box reaches its bucket through, where it is told to."""
    with fault_proxy(bucket.url) as made:
        yield made


@pytest.fixture
def box(engine: EngineRunner, tmp_path: Path, bucket: S3Bucket) -> BoxDeployment:
    """A box with claims on, and nothing in its registry."""
    return _box(engine, tmp_path, bucket, "ie-1")


@pytest.fixture
def other(engine: EngineRunner, tmp_path: Path, bucket: S3Bucket) -> BoxDeployment:
    """Another box of the same region and bucket."""
    return _box(engine, tmp_path, bucket, "ie-2")


def _box(engine: EngineRunner, folder: Path, bucket: S3Bucket, label: str) -> BoxDeployment:
    made = deploy_box(engine, folder, bucket, label)
    made.configure(**_ON)
    fill(made)
    return made


def _claim(box: BoxDeployment, platform: ClaimsPlatform, *names: str) -> None:
    """Write records of these names, and claims that the box serves."""
    for name in names:
        host = box.record(name, incarnation=INCARNATION)
        platform.serve(host, box.label, key=f"apps/bab/eleven/sidecars/{name}.json")


def _files(box: BoxDeployment) -> list[str]:
    """All that lies in the box's data directory but stacks and registry, sorted."""
    found = (each.relative_to(box.registry.parent) for each in box.registry.parent.rglob("*"))
    left = ("sidecars", "snapshot", "registry.db", "registry.db-wal", "registry.db-shm")
    return sorted(map(str, (each for each in found if each.parts[0] not in left)))


def _holds(*boxes: BoxDeployment) -> list[str | None]:
    """What each box's row of the moving host is held by; None where it has none."""
    rows = [box.rows().get(_MAIL) for box in boxes]
    return [row.hold if row else None for row in rows]


def _previewed(box: BoxDeployment) -> str:
    """What a preview says of the moving host."""
    return _told(box.run("preview"))


def _told(done: Completed) -> str:
    """What a run said of the moving host: its line of the plan, without what is before it."""
    told = [each.strip() for each in done.stdout.splitlines() if _MAIL in each]
    [line] = [each for each in told if each[:2] in ("+ ", "~ ", "- ", "= ")]
    return line.replace(f" (apps/bab/eleven/sidecars/{_MAIL.partition('.')[0]}.json)", "")


def test_preview_and_up(box: BoxDeployment, platform: ClaimsPlatform, proxy: FaultProxy) -> None:
    """A preview judges by the claims and writes nothing; up mints under them; again, no change.

    Switched off, no claim is read.
    """
    box.s3_url = proxy.url
    _claim(box, platform, "a", "b")
    box.record("free", incarnation=INCARNATION)
    before = dump(box.registry)
    told = box.run("preview").stdout
    assert "sidecars: +2 ~0 -0 of 0 rows, 1 declined" in told
    assert "decline: not minted: there is no claim" in told
    assert (_files(box), dump(box.registry)) == ([], before)
    box.up()
    assert box.names() == ["a", "b"]
    assert {row.claim_stamp for row in box.rows().values()} == {7}
    box.up("--expect-no-changes")
    assert any(call.key.startswith(CLAIMS_PREFIX) for call in proxy.calls)
    box.configure(claims=False, regionHa=False)
    proxy.calls.clear()
    box.up()
    assert box.names() == ["a", "b", "free"]
    assert not any(call.key.startswith(CLAIMS_PREFIX) for call in proxy.calls)


def test_relocation(box: BoxDeployment, other: BoxDeployment, platform: ClaimsPlatform) -> None:
    """Through all phases at most one box has a row that is not held, and none is lost."""
    _claim(box, platform, "mail")
    box.up()
    other.up()
    assert _holds(box, other) == ["", None]

    platform.release(_MAIL, "ie-2")
    assert _previewed(box) == f"= {_MAIL} keep: relocating ie-1 to ie-2, releasing, fence open"
    fence(box.registry.parent, _MAIL)
    moving = "relocating ie-1 to ie-2, releasing, fence closed"
    assert _previewed(box) == f"~ {_MAIL} held by op-41: {moving}"
    box.up()
    assert _previewed(box) == f"= {_MAIL} keep: held by op-41: {moving}"
    assert _holds(box, other) == ["op-41", None]

    platform.install(_MAIL)
    declined = _told(other.run("preview", "--expect-no-changes"))
    assert "decline: not minted: relocating ie-1 to ie-2, installing" in declined
    box.up("--expect-no-changes")
    assert _holds(box, other) == ["op-41", None]

    platform.settle(_MAIL)
    other.up()
    box.up("--expect-no-changes")
    assert _holds(box, other) == ["op-41", ""]
    run(box.registry, "DELETE FROM routes")  # the platform parks what is left
    platform.change(_MAIL, obligations=[])
    box.up()
    assert _holds(box, other) == [None, ""]
    assert _previewed(box) == f"= {_MAIL} decline: not minted: serving on ie-2"


def test_relocation_that_a_box_slept_through(box: BoxDeployment, platform: ClaimsPlatform) -> None:
    """Its row is held in the end, for the operation that is over, until its parking retires it."""
    _claim(box, platform, "mail")
    box.up()
    platform.release(_MAIL, "ie-2")
    platform.install(_MAIL)
    platform.settle(_MAIL)
    assert _told(box.up()) == f"~ {_MAIL} held by op-41: relocated, serving on ie-2"
    assert _holds(box) == ["op-41"]
    box.up("--expect-no-changes")


def test_relocation_that_is_given_up(box: BoxDeployment, platform: ClaimsPlatform) -> None:
    """The hold stays until its own operation takes it away: then the row converges again."""
    _claim(box, platform, "mail")
    box.up()
    platform.release(_MAIL, "ie-2")
    fence(box.registry.parent, _MAIL)
    box.up()
    platform.abort(_MAIL)
    box.record("mail", incarnation=INCARNATION, channel="beta")
    told = f"= {_MAIL} keep: held by op-41: its claim: serving on ie-1"
    assert _told(box.run("preview", "--expect-no-changes")) == told
    run(box.registry, "UPDATE routes SET hold = ''")
    box.up()
    assert box.rows()[_MAIL].channel == "beta"


def test_claims_that_cannot_be_read(
    box: BoxDeployment, platform: ClaimsPlatform, proxy: FaultProxy
) -> None:
    """Their hosts are left alone, the others converge, and the run fails naming each."""
    box.s3_url = proxy.url
    _claim(box, platform, "a", "b", "c")
    hosts = {name: f"{name}.eleven.bab.sidecar.internal" for name in "abc"}
    platform.spoil(hosts["a"], b"{")
    proxy.faults.keys[claim_key(hosts["b"])] = 403
    failed = box.up(check=False)
    assert failed.returncode != 0
    assert f"{hosts['a']}: {claim_key(hosts['a'])} is not JSON" in failed.stdout
    assert f"{hosts['b']}: cannot read {claim_key(hosts['b'])}" in failed.stdout
    assert box.names() == ["c"]
    proxy.clear()
    platform.serve(hosts["a"], box.label, key="apps/bab/eleven/sidecars/a.json")
    box.up()
    assert box.names() == ["a", "b", "c"]


def test_killed_half_way(box: BoxDeployment, platform: ClaimsPlatform) -> None:
    """The provider writes nothing more for nobody; the next run finds no stuck lock and ends it."""
    names = [f"n{number}" for number in range(6)]
    _claim(box, platform, *names)
    run(box.registry, _SLOW)
    cli = box.start()
    deadline = time.monotonic() + 120
    while not box.rows():
        assert time.monotonic() < deadline
        assert cli.poll() is None
        time.sleep(0.01)
    started = with_children(cli.pid)
    os.kill(cli.pid, signal.SIGKILL)
    cli.wait()
    while any(map(lives, started)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(box.names()) in {1, 2}  # the one that was being committed may be there
    run(box.registry, "DROP TRIGGER slow")
    box.sidecars.launch("up", "--yes", "--skip-preview", env=box.env)
    assert box.names() == names
