"""A process stopped at every step while its host's claim moves on: awake again, it writes nothing.

Real processes (SIGSTOP, SIGCONT), a real bucket, real files and SQLite. Each pause is a host of its
own. Between its last read of the claim and its commit the claim cannot fence a process off: there
it holds the host's lock and the registry's, and whoever takes the host in good order waits.
"""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from registry.route import Route
from tests.support.claims_bucket import ClaimsBucket
from tests.support.claims_jobs import JobBox, Jobs, Report, claimed, installed, pause_points
from tests.support.claims_platform import fence

BUSY = "HostBusy"


def points(steps: tuple[str, ...]) -> list[int]:
    """Return where to stop: every step but the commit, and what comes after it."""
    assert steps[-2:] == ("COMMIT", "end")
    return [number for number in pause_points(steps) if number < len(steps) - 2]


def stopped(jobs: Jobs, work: str, box: JobBox, host: str, at: int, **options: object) -> Report:
    report = jobs.run(work, box, host, at=at, how=signal.SIGSTOP, **options)
    assert report.stopped
    return report


def refused(report: Report) -> bool:
    return report.outcome.startswith(("ClaimChanged", "refused"))


def there(row: Route | None) -> Route:
    assert row
    return row


def given_to(control: ClaimsBucket, host: str, box: str) -> None:
    """Take a host from its box without asking it, as from one that does not answer."""
    control.platform.serve(host, box, key=control.platform.key_of(host), stamp=8)


def test_stopped_while_installing(
    running: Jobs, ie: JobBox, uk: JobBox, control: ClaimsBucket
) -> None:
    """Another box is given the host, and installs it: one row on one box."""
    steps = running.run("install", ie, claimed(control, "first")).steps
    for at in points(steps):
        host = claimed(control, f"p{at}")
        late = stopped(running, "install", ie, host, at)
        given_to(control, host, "uk-1")
        assert running.run("install", uk, host).outcome == "done"
        assert refused(running.go_on(late)), steps[at]
        assert ie.row(host) is None, steps[at]
        assert there(uk.row(host)).claim_stamp == 8


def test_stopped_while_converging(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """Another box is given the host: the row stays as it was."""
    first = installed(control, ie, "first")
    steps = running.run("install", ie, first, channel="beta").steps
    for at in points(steps):
        host = installed(control, ie, f"c{at}")
        before = ie.row(host)
        late = stopped(running, "install", ie, host, at, channel="beta")
        given_to(control, host, "uk-1")
        assert refused(running.go_on(late)), steps[at]
        assert ie.row(host) == before, steps[at]


def test_stopped_while_holding(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """The relocation is given up, and the row serves on: it is not held for what is over."""

    def relocating(name: str) -> str:
        host = installed(control, ie, name)
        control.platform.release(host, "uk-1")
        fence(ie.folder, host)
        return host

    steps = running.run("install", ie, relocating("first")).steps
    for at in points(steps):
        host = relocating(f"h{at}")
        late = stopped(running, "install", ie, host, at)
        control.platform.abort(host)
        assert running.go_on(late).outcome != "held", steps[at]
        assert there(ie.row(host)).hold == "", steps[at]


def test_stopped_while_retiring(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """A relocation begins: the route is not torn down in the middle of it."""
    steps = running.run("retire", ie, installed(control, ie, "first")).steps
    for at in points(steps):
        host = installed(control, ie, f"r{at}")
        late = stopped(running, "retire", ie, host, at)
        control.platform.release(host, "uk-1")
        assert refused(running.go_on(late)), steps[at]
        assert ie.row(host), steps[at]


def test_stopped_while_this_box_is_given_the_host_anew(
    running: Jobs, ie: JobBox, control: ClaimsBucket
) -> None:
    """The later run writes, or waits for the lock in vain and the next one does; never both."""
    steps = running.run("install", ie, claimed(control, "first")).steps
    for at in points(steps):
        host = claimed(control, f"n{at}")
        late = stopped(running, "install", ie, host, at)
        given_to(control, host, "ie-1")
        other = running.run("install", ie, host, limit=0.05)
        assert other.outcome == "done" or other.outcome.startswith(BUSY), (steps[at], other)
        ended = running.go_on(late)
        # Awake before its first read of the claim, it is as good as a later run itself.
        assert refused(ended) or other.outcome.startswith(BUSY) or _same(ended), (steps[at], ended)
        running.run("install", ie, host)
        assert there(ie.row(host)).claim_stamp == 8, steps[at]


def _same(ended: Report) -> bool:
    return ended.outcome == "nothing to do"


def test_stopped_while_the_row_comes_and_goes(
    running: Jobs, ie: JobBox, control: ClaimsBucket
) -> None:
    """Another run mints it, a third retires it, all under one claim: it does not come back."""
    steps = running.run("install", ie, claimed(control, "first")).steps
    for at in points(steps):
        host = claimed(control, f"g{at}")
        late = stopped(running, "install", ie, host, at)
        others = [running.run(work, ie, host, limit=0.05) for work in ("install", "retire")]
        ended = running.go_on(late)
        if others[1].outcome == "done":
            assert refused(ended), (steps[at], ended)
            assert ie.row(host) is None, steps[at]
        else:  # it was stopped with the lock, so nobody else did anything
            assert [each.outcome.startswith(BUSY) for each in others[:1]] == [True], steps[at]
            assert ended.outcome == "done"


WORKS: dict[str, Callable[[ClaimsBucket, JobBox, str], str]] = {
    "install": lambda control, _, name: claimed(control, name),
    "retire": installed,
}


@pytest.mark.parametrize("work", WORKS)
def test_stopped_at_the_commit(running: Jobs, ie: JobBox, control: ClaimsBucket, work: str) -> None:
    """It holds the host's lock there: whoever takes the host in good order waits, or goes away."""
    steps = running.run(work, ie, WORKS[work](control, ie, "first")).steps
    host = WORKS[work](control, ie, "second")
    late = stopped(running, work, ie, host, len(steps) - 2)
    assert running.run(work, ie, host, limit=0.05).outcome.startswith(BUSY)
    assert running.go_on(late).outcome == "done"
