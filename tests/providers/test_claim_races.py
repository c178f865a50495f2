"""Two real processes that want one host at once: at most one writes, and the other is told why."""

from __future__ import annotations

from tests.support.claims_bucket import ClaimsBucket
from tests.support.claims_jobs import JobBox, Jobs, Report, claimed, record

ROUNDS = 8


def raced(jobs: Jobs, host: str, *boxes: JobBox) -> list[Report]:
    """Let two installs of one host run at once, and return what came of each."""
    processes = [jobs.start("install", box, host) for box in boxes]
    return [jobs.wait(process) for process in processes]


def told(report: Report) -> bool:
    """Say whether who lost was told why, in one line."""
    words = ("ClaimChanged: claims: ", "refused a row is there meanwhile", "HostBusy: ")
    return report.outcome.startswith(words) and "\n" not in report.outcome


def split(reports: list[Report]) -> tuple[list[Report], list[Report]]:
    won = [each for each in reports if each.outcome == "done"]
    return won, [each for each in reports if each.outcome != "done"]


def test_two_runs_of_one_box(running: Jobs, ie: JobBox, control: ClaimsBucket) -> None:
    """One mints; the other finds its row, or a row as it wants it."""
    for number in range(ROUNDS):
        host = claimed(control, f"s{number}")
        won, lost = split(raced(running, host, ie, ie))
        assert len(won) == 1, lost
        assert all(told(each) or each.outcome == "nothing to do" for each in lost), lost
        row = ie.row(host)
        assert row
        assert row.claim_stamp == 7


def test_two_boxes_and_one_claim(
    running: Jobs, ie: JobBox, uk: JobBox, control: ClaimsBucket
) -> None:
    """The one that the claim names installs, and the other hears which one that is."""
    for number in range(ROUNDS):
        host = claimed(control, f"t{number}", ("ie-1", "uk-1")[number % 2])
        boxes = [ie, uk] if number % 4 < 2 else [uk, ie]
        won, lost = split(raced(running, host, *boxes))
        assert (len(won), len(lost)) == (1, 1)
        assert told(lost[0]), lost
        assert f"serving on {('ie-1', 'uk-1')[number % 2]}" in lost[0].outcome
        assert [bool(box.row(host)) for box in (ie, uk)] == [number % 2 == 0, number % 2 == 1]


def test_two_boxes_and_no_claim(
    running: Jobs, ie: JobBox, uk: JobBox, control: ClaimsBucket
) -> None:
    """Both would make the claim: one does, and installs."""
    for number in range(ROUNDS):
        host = record(control, f"a{number}")
        won, lost = split(raced(running, host, ie, uk))
        assert (len(won), len(lost)) == (1, 1)
        assert told(lost[0]), lost
        assert [bool(ie.row(host)), bool(uk.row(host))].count(True) == 1


def test_claim_that_goes_from_box_to_box(
    running: Jobs, ie: JobBox, uk: JobBox, control: ClaimsBucket
) -> None:
    """However often: the box that the newest claim names has a row of it."""
    host = claimed(control, "there-and-back")
    key = control.platform.key_of(host)
    for stamp in range(7, 7 + ROUNDS):
        serving = ("ie-1", "uk-1")[stamp % 2]
        control.platform.serve(host, serving, key=key, stamp=stamp)
        channel = f"c{stamp}"
        started = [running.start("install", box, host, channel=channel) for box in (ie, uk)]
        won, _ = split([running.wait(process) for process in started])
        assert len(won) == 1
        row = {"ie-1": ie, "uk-1": uk}[serving].row(host)
        assert row
        assert (row.claim_stamp, row.channel) == (stamp, channel)
