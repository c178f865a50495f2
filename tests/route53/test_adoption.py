"""Simple sets that become latency sets: in one batch, whatever strikes, and nothing beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings

from folds.steering import plan
from folds.zone import LiveSet, LiveZone
from route53.batches import BatchLimits
from route53.client import Calls
from route53.errors import PartlyApplied, Route53Error
from tests.folds.model import simple
from tests.folds.strategies import Deployment, adoptions
from tests.route53.endings import FAULTS, EngineEnded, ended_after
from tests.route53.test_properties import harm
from tests.support.zones import (
    APEX,
    FOUR,
    IE,
    UK,
    US,
    ZONE,
    Account,
    on_each,
    settled,
    shown,
    wanting,
)

NAMES = tuple(f"{label}.{APEX}" for label in "abcd")
WANTED = wanting(NAMES, FOUR, adopt=NAMES)
LIMITS = BatchLimits(values=12)  # two hosts a batch: six values each, or five
OLD = LiveZone(
    ZONE,
    APEX,
    (
        simple(NAMES[0], IE.address),
        simple(NAMES[1], UK.address, US.address, ttl=3600),
        simple(NAMES[2], IE.address),
        simple(NAMES[3], IE.address),
        simple(f"www.{APEX}", IE.address, ttl=17),
    ),
    (),
)


def simple_names(account: Account) -> list[str]:
    """The names that have a simple A set."""
    return [
        each.name for each in account.live().sets if (each.type, each.set_identifier) == ("A", "")
    ]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The changes of every batch, in short."""
    batches: list[list[str]] = []
    write = Calls.write

    def watched(self: Calls, method: str, subject: str, **arguments: Any) -> dict[str, Any]:
        if "ChangeBatch" in arguments:
            batches.append(shown(arguments["ChangeBatch"]["Changes"]))
        return write(self, method, subject, **arguments)

    monkeypatch.setattr(Calls, "write", watched)
    return batches


def test_simple_sets(account: Account, sent: list[list[str]]) -> None:
    """Checks come first; a name's simple set goes in the request that its latency sets come in."""
    account.seed(OLD)
    before = {*account.live().sets}
    account.converge(WANTED)
    *checks, last = account.writes()
    assert checks == ["CreateHealthCheck", "ChangeTagsForResource"] * 4
    assert last == "ChangeResourceRecordSets"
    (batch,) = sent
    boxes = [f"carlos-steering/{each.box}" for each in FOUR]
    assert batch[:5] == [f"DELETE A {NAMES[0]}", *(f"CREATE A {NAMES[0]} {box}" for box in boxes)]
    assert account.answers().keys() == {*NAMES}
    assert simple_names(account) == [f"www.{APEX}"]
    gone = before - {*account.live().sets}
    assert {each.key for each in gone} == {(name, "A", "") for name in NAMES}
    settled(account, WANTED)


def test_set_with_fields_that_nothing_here_reads(account: Account) -> None:
    """The DELETE repeats the set as the API gave it."""
    old = LiveSet(NAMES[0], "A", ttl=300, values=(UK.address, IE.address), health_check_id="c1")
    account.seed(LiveZone(ZONE, APEX, (old,), ()))
    account.converge(WANTED)
    assert simple_names(account) == []


def test_set_that_somebody_keeps_changing(account: Account) -> None:
    """It is never overwritten: three tries, and the run ends."""
    account.seed(OLD)
    group = account.emulator.zones[ZONE].names[f"{NAMES[0]}."]

    def edited(count: int) -> None:
        group["A", ""].doc["TTL"] = 600 + count

    on_each(account, "ChangeResourceRecordSets", edited)
    with pytest.raises(PartlyApplied, match="do not match the current values"):
        account.converge(WANTED)
    assert group["A", ""].values == [IE.address]
    account.emulator.on_call = None
    account.converge(WANTED)
    settled(account, WANTED)


@dataclass
class Scene:
    """A zone of simple sets, to be adopted again and again."""

    account: Account
    state: str

    def restore(self) -> None:
        self.account.clear()
        self.account.emulator.seed(json.loads(self.state))

    def run(self, **options: Any) -> None:
        self.account.converge(WANTED, limits=LIMITS, **options)

    def whole(self) -> None:
        """No name is without an answer, and none has the one beside the other."""
        sets = [each for each in self.account.live().sets if each.type == "A"]
        for name in NAMES:
            found = sorted(each.set_identifier for each in sets if each.name == name)
            assert found in ([""], sorted(f"carlos-steering/{each.box}" for each in FOUR)), name

    def finish(self) -> None:
        """A run without faults converges, and none before did harm."""
        self.whole()
        self.account.heal()
        self.run()
        assert simple_names(self.account) == [f"www.{APEX}"]
        assert self.account.plan(WANTED).empty
        assert self.account.emulator.violations == []


@pytest.fixture
def scene(account: Account) -> Scene:
    account.seed(OLD)
    return Scene(account, json.dumps(account.emulator.state()))


def calls_of(scene: Scene) -> list[str]:
    scene.restore()
    scene.run()
    log = [call["op"] for call in scene.account.emulator.calls]
    assert log.count("ChangeResourceRecordSets") >= 2
    return log


@pytest.mark.parametrize("do", FAULTS)
def test_each_fault_at_each_call(scene: Scene, do: str) -> None:
    """This run or the next one converges, and every name answers in between."""
    log, struck = calls_of(scene), list[str]()
    for number, op in enumerate(log, 1):
        scene.restore()
        scene.account.fault("*", do, number)
        try:
            scene.run()
        except Route53Error as error:
            assert "run it again" in str(error), error  # noqa: PT017 - it may end well, too
        if scene.account.emulator.calls[number - 1]["fault"] == do:
            struck.append(op)
        scene.finish()
    assert struck == log


def test_engine_that_ends_before_each_write(scene: Scene) -> None:
    """Nothing is written after it, every name answers, and the next run converges."""
    calls_of(scene)
    for last in range(len(scene.account.writes())):
        scene.restore()
        with pytest.raises(EngineEnded):
            scene.run(before_write=ended_after(last))
        assert len(scene.account.writes()) == last
        scene.finish()


def test_any_deployment_on_any_zone(account: Account) -> None:
    """Apply, then the plan is empty; of others exactly the adopted sets are gone."""
    adopted = 0

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(adoptions())
    def converges(deployment: Deployment) -> None:
        nonlocal adopted
        desired, zone = deployment
        account.clear()
        account.seed(zone)
        work, before = plan(desired, account.live()), {*account.live().sets}
        account.converge(desired, limits=BatchLimits(values=16))
        assert account.plan(desired).empty
        foreign = {each for each in before if not each.managed(desired.prefix)}
        assert foreign - {*account.live().sets} == {*work.adopted}
        assert harm(account) == []
        adopted += len(work.adopted)

    converges()
    assert adopted
