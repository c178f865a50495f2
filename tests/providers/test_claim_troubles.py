"""Clocks that are wrong and buckets that fail: on real processes and a real S3 protocol."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest

from control.claims import claim_key
from control.sidecar_keys import host_key
from providers.claim_files import HostFiles
from providers.claim_lock import host_lock
from tests.support.claims_bucket import ClaimsBucket
from tests.support.claims_jobs import JobBox, Jobs, claimed, installed, jobs, record
from tests.support.claims_platform import fence
from tests.support.s3_bucket import point_at
from tests.support.s3_faults import DROP

Making = Callable[[ClaimsBucket, JobBox, str], str]
HOURS = [2 * 3600, -2 * 3600]


def of_install(control: ClaimsBucket, box: JobBox, name: str) -> str:
    del box
    return claimed(control, name)


def of_hold(control: ClaimsBucket, box: JobBox, name: str) -> str:
    host = installed(control, box, name)
    control.platform.release(host, "uk-1")
    fence(box.folder, host)
    return host


WORK = [("install", of_install), ("install", of_hold), ("retire", installed)]


@pytest.fixture
def behind_the_proxy(control: ClaimsBucket, monkeypatch: pytest.MonkeyPatch) -> ClaimsBucket:
    """The bucket as the jobs reach it: through the proxy."""
    point_at(monkeypatch, control.proxy.url)
    return control


# --- clocks


@pytest.mark.parametrize("clock", HOURS)
def test_clock_that_is_wrong(
    running: Jobs, ie: JobBox, control: ClaimsBucket, clock: float
) -> None:
    """No claim is stale by a clock: another's is never taken, and one's own is as good as ever."""
    theirs = claimed(control, "theirs", "uk-1")
    assert "serving on uk-1" in running.run("install", ie, theirs, clock=clock).outcome
    assert ie.row(theirs) is None
    assert running.run("install", ie, claimed(control, "mine"), clock=clock).outcome == "done"


@pytest.mark.parametrize("clock", HOURS)
def test_lock_that_looks_old(
    running: Jobs, ie: JobBox, control: ClaimsBucket, clock: float
) -> None:
    """Whatever the times of its file say, a lock that is held is held."""
    host = claimed(control, "locked")
    with host_lock(HostFiles(ie.folder), host):
        changed = time.time() + clock
        os.utime(ie.folder / "claims" / host / "lock", (changed, changed))
        assert running.run("install", ie, host, limit=0.05).outcome.startswith("HostBusy")
    assert running.run("install", ie, host).outcome == "done"


def test_quiet_window_by_a_wrong_clock(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """A slow clock waits longer, and no clock lets in a box that the claim does not name."""
    until = datetime.now(timezone.utc) + timedelta(hours=1)
    mine, theirs = claimed(control, "mine"), claimed(control, "theirs", "uk-1")
    for host in (mine, theirs):
        control.platform.change(host, quiet_after={"ie": until.isoformat()})
    for clock in (0, HOURS[1]):
        assert (
            "nothing is installed in region ie up to"
            in running.run("install", ie, mine, clock=clock).outcome
        )
    for clock in (0, *HOURS):
        assert "serving on uk-1" in running.run("install", ie, theirs, clock=clock).outcome
    assert ie.row(mine) is ie.row(theirs) is None


# --- nothing of a claim is ever deleted or written over


def test_requests(running: Jobs, ie: JobBox, behind_the_proxy: ClaimsBucket) -> None:
    """A claim is read, and created where there is none; no object is deleted or replaced."""
    del running
    with jobs() as running_behind:
        for number, (work, make) in enumerate(WORK):
            host = make(behind_the_proxy, ie, f"w{number}")
            running_behind.run(work, ie, host)
        running_behind.run("install", ie, record(behind_the_proxy, "new"))
    calls = {(call.method, call.key) for call in behind_the_proxy.proxy.calls}
    writes = {(method, key) for method, key in calls if method not in ("GET", "HEAD")}
    assert writes == {("PUT", claim_key("new.eleven.bab.sidecar.internal"))}


# --- a bucket that does not answer


@pytest.mark.parametrize("status", [403, 500, 503, DROP])
@pytest.mark.parametrize(("work", "make"), WORK, ids=["install", "hold", "retire"])
def test_claim_that_cannot_be_read(
    ie: JobBox,
    behind_the_proxy: ClaimsBucket,
    work: str,
    make: Making,
    status: int,
) -> None:
    """Nothing is installed, held or retired; the error names the host and what the store said."""
    host = make(behind_the_proxy, ie, "w")
    before, files = ie.row(host), sorted(ie.folder.rglob("*.json"))
    behind_the_proxy.proxy.fail_key(claim_key(host), status)
    with jobs() as running:
        report = running.run(work, ie, host)
    assert report.outcome.startswith(f"ClaimReadFailed: claims: {host}: cannot read "), report
    assert ie.row(host) == before
    assert sorted(ie.folder.rglob("*.json")) == files


@pytest.mark.parametrize("status", [403, 503])
def test_record_that_cannot_be_read_again(
    ie: JobBox, behind_the_proxy: ClaimsBucket, status: int
) -> None:
    """What asks for the host is not taken for unchanged."""
    host = claimed(behind_the_proxy, "w")
    key = host_key(host)
    assert key
    with jobs() as running:
        first = running.run("install", ie, host)
        stop = [number for number, name in enumerate(first.steps) if name.endswith(key.record)][1]
        other = claimed(behind_the_proxy, "x")
        late = running.run("install", ie, other, at=stop, how=19)
        assert late.stopped
        behind_the_proxy.proxy.fail_key(key.record.replace("/w.", "/x."), status)
        report = running.go_on(late)
    assert report.outcome.startswith(f"ClaimReadFailed: claims: {other}: cannot read apps/"), report
    assert ie.row(other) is None


def test_bucket_that_is_gone_at_the_commit(ie: JobBox, behind_the_proxy: ClaimsBucket) -> None:
    """The last look at the claim fails, and the statement is taken back."""
    with jobs() as running:
        steps = running.run("install", ie, claimed(behind_the_proxy, "w")).steps
        host = claimed(behind_the_proxy, "x")
        late = running.run("install", ie, host, at=len(steps) - 3, how=19)
        behind_the_proxy.proxy.fail_key(claim_key(host), DROP)
        assert running.go_on(late).outcome.startswith("ClaimReadFailed")
        assert ie.row(host) is None
        behind_the_proxy.proxy.clear()
        assert running.run("install", ie, host).outcome == "done"


def test_claim_that_goes_missing(ie: JobBox, behind_the_proxy: ClaimsBucket) -> None:
    """Not found is not "free" where this box knows of a claim: none is made, nothing is written."""
    host = installed(behind_the_proxy, ie, "w")
    before = ie.row(host)
    behind_the_proxy.bucket.delete(claim_key(host))
    with jobs() as running:
        install = running.run("install", ie, host, channel="beta")
        retire = running.run("retire", ie, host)
    assert "put the claim back" in install.outcome
    assert retire.outcome.startswith("ClaimUnsupported")
    assert ie.row(host) == before
