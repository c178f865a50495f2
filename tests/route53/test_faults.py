"""Every fault at every call of a plan that has everything: then a run without, and all is well."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from folds.desired import CheckSettings
from local.zone.vocabulary import Doc
from route53.batches import BatchLimits
from route53.errors import Route53Error
from tests.route53.endings import FAULTS, EngineEnded, ended_after
from tests.support.zones import AU, FOUR, ZONE, Account, box, wanting

LIMITS = BatchLimits(values=16)
REPLACED = [
    AU,
    box("ie-9", "eu-west-1", "99.81.104.9"),
    box("uk-9", "eu-west-2", "18.130.0.9"),
    box("us-9", "us-east-1", "2600:1f18::9"),
]
BEFORE = wanting("abcdef", FOUR)
AFTER = wanting("abcdefg", REPLACED, CheckSettings(path="/up"))
FOREIGN = {"Name": "www.example.com", "Type": "A", "TTL": 17}


@dataclass
class Scene:
    """A converged zone from which three boxes move, to be set up again and again."""

    account: Account
    state: str
    foreign: str

    def restore(self) -> None:
        self.account.clear()
        self.account.emulator.seed(json.loads(self.state))

    def run(self) -> None:
        self.account.converge(AFTER, limits=LIMITS)

    def finish(self) -> None:
        """A run without faults converges, and no run before did harm."""
        self.account.heal()
        self.run()
        assert self.account.plan(AFTER).empty
        assert self.account.foreign() == self.foreign
        assert self.account.emulator.violations == []


@pytest.fixture
def scene(account: Account) -> Scene:
    record_set = {**FOREIGN, "ResourceRecords": [{"Value": "192.0.2.1"}]}
    zone = {"id": ZONE, "name": "example.com", "record_sets": [record_set]}
    account.emulator.seed({"zones": [zone]})
    account.converge(BEFORE)
    return Scene(account, json.dumps(account.emulator.state()), account.foreign())


def calls_without_faults(scene: Scene) -> list[str]:
    """The log of one run, which has each kind of call as often as it takes to tell them apart."""
    scene.restore()
    scene.run()
    log = [call["op"] for call in scene.account.emulator.calls]
    for op, least in {
        "ChangeResourceRecordSets": 3,
        "CreateHealthCheck": 3,
        "UpdateHealthCheck": 1,
        "DeleteHealthCheck": 3,
        "GetChange": 1,
    }.items():
        assert log.count(op) >= least, op
    scene.finish()
    return log


def struck(scene: Scene, number: int, do: str) -> Doc:
    """Run with one fault; return the log entry of the call that it struck."""
    scene.restore()
    scene.account.fault("*", do, number)
    try:
        scene.run()
    except Route53Error as error:
        assert "run it again" in str(error), error  # noqa: PT017 - it may end well, too
    entry: Doc = scene.account.emulator.calls[number - 1]
    return entry


@pytest.mark.parametrize("do", FAULTS)
def test_each_fault_at_each_call(scene: Scene, do: str) -> None:
    """This run or the next one converges; no set ever pointed at a missing check."""
    log, ran = calls_without_faults(scene), list[str]()
    for number, op in enumerate(log, 1):
        entry = struck(scene, number, do)
        scene.finish()
        if (entry["op"], entry["fault"]) == (op, do):
            ran.append(op)
    assert ran == log, "pairs of call and fault that did not occur"


def test_engine_that_ends_before_each_write(scene: Scene) -> None:
    """Nothing is written after it, and the next run converges."""
    scene.restore()
    scene.run()
    writes = len(scene.account.writes())
    for last in range(writes):
        scene.restore()
        with pytest.raises(EngineEnded):
            scene.account.converge(AFTER, limits=LIMITS, before_write=ended_after(last))
        assert len(scene.account.writes()) == last
        scene.finish()


@pytest.mark.parametrize("do", ["expired", "denied"])
def test_credentials_that_end_at_each_call(scene: Scene, do: str) -> None:
    """The run ends there, or goes on without a name tag; the next one converges."""
    for number, op in enumerate(calls_without_faults(scene), 1):
        scene.restore()
        scene.account.fault("*", do, number)
        if op == "ChangeTagsForResource":
            scene.run()
        else:
            with pytest.raises(Route53Error, match="renew the credentials"):
                scene.run()
            assert len(scene.account.emulator.calls) == number
        scene.finish()
