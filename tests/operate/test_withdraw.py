"""``withdraw``: all that is managed goes, the rest stays, and only under a digest."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from datetime import datetime, timedelta, timezone

import pytest

from folds.zone import LiveCheck, LiveSet, LiveZone
from local.environment import CHECKOUT
from operate.withdrawal import withdrawal
from policy.guards.digest import digest
from tests.operate.conftest import Desk
from tests.support.steering import APEX, ZONE, converged, settings
from tests.support.zones import READS

NOW = datetime.now(timezone.utc)
FOREIGN = (
    LiveSet(f"www.{APEX}", "CNAME", ttl=300, values=("www.example.net.",)),
    LiveSet(f"a.bab.{APEX}", "TXT", ttl=60, values=('"a text"',)),
    LiveSet(f"w.{APEX}", "A", "others/b0", "eu-west-1", 60, ("192.0.2.77",)),
)
CHECK = LiveCheck("foreign", "somebody/1", type="TCP", address="192.0.2.77", port=1)


@pytest.fixture
def full(desk: Desk) -> Desk:
    """A zone with foreign sets and the sets of four boxes and two hosts."""
    fill(desk, ("a", "b"))
    return desk


def fill(desk: Desk, hosts: tuple[str, ...]) -> None:
    live = converged(4, hosts)
    desk.account.seed(LiveZone(ZONE, APEX, (*live.sets, *FOREIGN), (*live.checks, CHECK)))


def word_for(desk: Desk, ahead: timedelta = timedelta(hours=1)) -> str:
    code = withdrawal(desk.account.live(), settings(), "").digest
    return f"{code}.{NOW + ahead:%Y%m%dT%H%M%SZ}"


def ours(desk: Desk) -> int:
    """How much is left: managed sets, and health checks but for the foreign one."""
    live = desk.account.live()
    return sum(each.managed("carlos-steering/") for each in live.sets) + len(live.checks) - 1


def test_without_a_word(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It lists what would be removed, and how: 1, and nothing is written."""
    assert full.run("withdraw") == 1
    out = capsys.readouterr().out
    assert out.startswith(f"zone {ZONE} (carlos-steering/): +0 ~0 -12 of 12 record sets, 3 hosts")
    assert len(re.findall(r"^- ", out, re.MULTILINE)) == 12 + 4
    code = word_for(full).partition(".")[0]
    line = rf"to remove exactly this: FAIRLEAD_ACKNOWLEDGE={code}\.\S+ python -m operate withdraw"
    assert re.search(line, out)
    assert full.account.writes() == []


def test_under_its_digest(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """All that is managed goes, the checks last; the rest stays byte for byte."""
    foreign = full.account.foreign()
    assert full.run("withdraw", word=word_for(full)) == 0
    assert ours(full) == 0
    assert full.account.foreign() == foreign
    assert "foreign" in full.account.emulator.health_checks
    assert full.account.writes() == ["ChangeResourceRecordSets", *["DeleteHealthCheck"] * 4]
    assert "done: 16 changes in 1 request" in capsys.readouterr().out


def test_what_the_next_run_would_do(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """An armed stack makes all of it again: it is said before and after, with the way out."""
    for word in ("", word_for(full)):
        full.run("withdraw", word=word)
        assert 'pulumi config set fairlead:zoneId "" --stack prod' in capsys.readouterr().out


def test_a_zone_with_nothing_of_ours(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to do: 0, with or without a word."""
    full.run("withdraw", word=word_for(full))
    capsys.readouterr()
    assert full.run("withdraw") == 0
    assert capsys.readouterr().out == f"zone {ZONE} (carlos-steering/): nothing is managed\n"


@pytest.mark.parametrize(
    ("ahead", "says"),
    [(timedelta(seconds=-1), "expired at"), (timedelta(days=8), "limit 7 days ahead")],
)
def test_a_word_that_does_not_hold(
    full: Desk, capsys: pytest.CaptureFixture[str], ahead: timedelta, says: str
) -> None:
    """Expired or too far ahead, it counts for nothing: 1, and nothing is written."""
    assert full.run("withdraw", word=word_for(full, ahead)) == 1
    assert says in capsys.readouterr().out
    assert full.account.writes() == []


def test_a_word_for_another_end(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It lets nothing through."""
    expiry = word_for(full).partition(".")[2]
    assert full.run("withdraw", word=f"0123456789ab.{expiry}") == 1
    assert "0123456789ab is not for this end" in capsys.readouterr().out
    assert full.account.writes() == []


def test_a_word_for_fewer_rules(full: Desk) -> None:
    """A digest that does not answer every rule in the way lets nothing through."""
    found = withdrawal(full.account.live(), settings(), "")
    fewer = digest(found.summary, ["steering-adoption"], with_hosts=True)
    assert not withdrawal(full.account.live(), settings(), fewer).acknowledged
    assert withdrawal(full.account.live(), settings(), found.digest).acknowledged


def test_a_word_for_another_prefix(full: Desk) -> None:
    """A digest is for one zone and one prefix."""
    full.configure(setIdentifierPrefix="others/")
    assert full.run("withdraw", word=word_for(full)) == 1
    assert full.account.writes() == []


def test_the_last_health_checks(full: Desk) -> None:
    """When only checks are left, they go under the same digest, and not without one."""
    word = word_for(full)
    live = full.account.live()
    full.account.clear()
    full.account.seed(LiveZone(ZONE, APEX, FOREIGN, live.checks))
    assert full.run("withdraw") == 1
    assert full.run("withdraw", word="0123456789ab" + word[12:]) == 1
    assert full.account.writes() == []
    assert full.run("withdraw", word=word) == 0
    assert ours(full) == 0


def test_a_zone_that_changes_meanwhile(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What appeared after the list was made is not removed: 2, and it says why."""
    more = converged(4, ("a", "b", "c"))

    def appear(call: dict[str, object]) -> None:
        if call["op"] == "ListHealthChecks":
            full.account.emulator.on_call = None
            full.account.seed(LiveZone(ZONE, APEX, (*more.sets, *FOREIGN), (*more.checks, CHECK)))

    word = word_for(full)
    full.account.emulator.on_call = appear
    assert full.run("withdraw", word=word) == 2
    assert "4 removals are not in its plan" in capsys.readouterr().err
    assert full.account.writes() == []


def test_a_dormant_stack(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It has no zone of its own: the operator names it, and nothing would come back."""
    full.configure(zoneId="")
    assert full.run("withdraw") == 2
    assert "the stack is dormant; name the zone" in capsys.readouterr().err
    named = ("withdraw", "--zone-id", f"/hostedzone/{ZONE}")
    assert full.run(*named) == 1
    out = capsys.readouterr().out
    assert f"withdraw --stack prod --zone-id {ZONE}\n" in out
    assert "config set" not in out
    assert full.run(*named, word=word_for(full)) == 0
    assert ours(full) == 0


def test_a_zone_id_that_is_none(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Even on an armed stack: nobody means its own zone by it."""
    assert full.run("withdraw", "--zone-id", "nonsense") == 2
    assert "--zone-id is no zone id" in capsys.readouterr().err


def test_a_host_that_no_request_can_empty(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What no digest lets through is named, and no digest offered."""
    many = tuple(f"192.0.{number // 250}.{number % 250 + 1}" for number in range(1001))
    huge = LiveSet(f"h.{APEX}", "A", "carlos-steering/b0", "eu-west-1", 60, many)
    desk.account.seed(LiveZone(ZONE, APEX, (huge,), ()))
    assert desk.run("withdraw") == 1
    out = capsys.readouterr().out
    assert "steering-limits" in out
    assert "FAIRLEAD_ACKNOWLEDGE" not in out


@pytest.mark.parametrize("last", [1, 2, 4])
def test_a_withdrawal_that_is_killed(desk: Desk, last: int) -> None:
    """Killed in the middle of a call, it goes on under the same digest to the same end."""
    fill(desk, tuple(f"h{number:03}" for number in range(300)))
    word, foreign = word_for(desk), desk.account.foreign()
    command = [sys.executable, "-m", "operate", "withdraw", "--stack", "prod"]
    environ = {**os.environ, "FAIRLEAD_ACKNOWLEDGE": word}
    child = subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=subprocess.DEVNULL)

    def kill(call: dict[str, object]) -> None:
        if call["op"] not in READS and len(desk.account.writes()) == last:
            child.kill()

    desk.account.emulator.on_call = kill
    assert child.wait(60) == -signal.SIGKILL
    desk.account.emulator.on_call = None
    assert ours(desk) > 0
    assert desk.run("withdraw", word=word) == 0
    assert (ours(desk), desk.account.foreign()) == (0, foreign)


def test_a_prefix_that_is_being_changed(full: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What still has the former one goes too, under a digest of its own."""
    full.configure(setIdentifierPrefix="new/", formerPrefix="carlos-steering/")
    assert full.run("withdraw") == 1
    out = capsys.readouterr().out
    assert f"zone {ZONE} (new/): +0 ~0 -12 of 12 record sets, 3 hosts" in out
    offered = re.search(r"FAIRLEAD_ACKNOWLEDGE=(\S+)", out)
    assert offered
    assert full.run("withdraw", word=offered[1]) == 0
    assert ours(full) == 0
