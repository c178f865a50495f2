"""A process killed at every step of an install, a hold and a retirement: the next run finishes.

Real processes, a real bucket, real files and SQLite. Each kill is a host of its own.
"""

from __future__ import annotations

from providers.claim_documents import Activation, Installed, read_document
from providers.claim_files import HostFiles
from tests.support.claims_bucket import ClaimsBucket
from tests.support.claims_jobs import (
    JobBox,
    Jobs,
    Report,
    claimed,
    installed,
    kill_points,
    record,
)
from tests.support.claims_platform import fence


def whole(ie: JobBox, host: str) -> bool:
    """Say whether everything of the box that tells of the host can be read."""
    files = HostFiles(ie.folder)
    read_document(files, host, Activation)
    read_document(files, host, Installed)
    return ie.whole()


def killed_and_again(jobs: Jobs, work: str, ie: JobBox, host: str, at: int) -> Report:
    """Kill a job at a step; find nothing damaged, and no lock taken; do it again."""
    assert jobs.run(work, ie, host, at=at).killed == 9
    assert whole(ie, host)
    return jobs.run(work, ie, host, limit=0.5)


def test_killed_while_installing(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """The row is minted once, under its claim, by this run or the next."""
    steps = running.run("install", ie, claimed(control, "first")).steps
    for at in kill_points(steps):
        host = claimed(control, f"m{at}")
        again = killed_and_again(running, "install", ie, host, at)
        assert again.outcome in ("done", "nothing to do"), (steps[at], again)
        row = ie.row(host)
        assert row
        assert (row.claim_stamp, row.hold) == (7, ""), steps[at]


def test_killed_while_converging(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """The row has all of the change or nothing of it, and all of it after the next run."""

    def written(host: str) -> tuple[str, int]:
        row = ie.row(host)
        assert row
        return row.channel, row.claim_stamp

    def behind(name: str) -> str:
        host = installed(control, ie, name)
        control.platform.serve(host, "ie-1", key=control.platform.key_of(host), stamp=8)
        return host

    steps = running.run("install", ie, behind("first"), channel="beta").steps
    for at in kill_points(steps):
        host = behind(f"c{at}")
        assert running.run("install", ie, host, channel="beta", at=at).killed == 9
        assert written(host) in (("edge", 7), ("beta", 8)), steps[at]
        assert whole(ie, host)
        again = running.run("install", ie, host, channel="beta", limit=0.5)
        assert again.outcome in ("done", "nothing to do"), (steps[at], again)
        assert written(host) == ("beta", 8)


def test_killed_while_adopting(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """A claim that was made is found, one that was not is made: one install either way."""
    steps = running.run("install", ie, record(control, "first")).steps
    for at in kill_points(steps):
        host = record(control, f"a{at}")
        again = killed_and_again(running, "install", ie, host, at)
        assert again.outcome in ("done", "nothing to do"), (steps[at], again)
        row = ie.row(host)
        assert row
        assert row.claim_stamp == 1, steps[at]


def relocating(ie: JobBox, control: ClaimsBucket, name: str) -> str:
    """Install a host, begin its relocation and close this box's fence."""
    host = installed(control, ie, name)
    control.platform.release(host, "uk-1")
    fence(ie.folder, host)
    return host


def test_killed_while_holding(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """The row is there all the time, and held after the next run."""
    steps = running.run("install", ie, relocating(ie, control, "first")).steps
    for at in kill_points(steps):
        host = relocating(ie, control, f"h{at}")
        again = killed_and_again(running, "install", ie, host, at)
        assert again.outcome in ("held", "nothing to do"), (steps[at], again)
        row = ie.row(host)
        assert row
        assert (row.hold, row.claim_stamp) == ("op-41", 7), steps[at]


def test_killed_while_retiring(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """The row goes, and no installer of that stamp brings it back."""
    steps = running.run("retire", ie, installed(control, ie, "first")).steps
    for at in kill_points(steps):
        host = installed(control, ie, f"r{at}")
        again = killed_and_again(running, "retire", ie, host, at)
        assert again.outcome in ("done", "nothing to do"), (steps[at], again)
        assert ie.row(host) is None
        back = running.run("install", ie, host)
        assert "its row was retired here under stamp 7" in back.outcome, (steps[at], back)
        assert ie.row(host) is None
