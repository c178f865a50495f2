"""``ZoneRecords`` as the engine calls it, against an emulated account."""

from __future__ import annotations

from dataclasses import replace

import pytest

from folds.zone import LiveCheck
from policy.guards import adoption_digest
from providers.errors import ApplyFailed, GuardRefused, ZoneChanged
from providers.zone_records import ZoneRecordsProvider
from tests.providers.inputs import Props, decided, inputs, sent
from tests.support.engine_stub import EngineStub
from tests.support.steering import host_of
from tests.support.zones import PREFIX, ZONE, Account, check_document

ID = f"{ZONE}/{PREFIX}"


def converged(account: Account, provider: ZoneRecordsProvider, hosts: str = "ab") -> Props:
    """Converge the zone to four boxes; return the outputs as the state has them."""
    outputs = provider.create(inputs(account, 4, hosts)).outs
    account.heal()
    assert outputs is not None
    return {**outputs, "__provider": "gASV"}


def reasons(provider: ZoneRecordsProvider, olds: Props, news: Props) -> list[str]:
    result = provider.check(olds, news)
    assert result.inputs == news
    assert {failure.property for failure in result.failures} <= {""}
    return [failure.reason for failure in result.failures]


class TestCheck:
    """Validation and guards, without a network."""

    def test_inputs_that_are_fine(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """They come back as they are; numbers may be floats."""
        news = inputs(account)
        account.heal()
        assert reasons(provider, {}, news) == []
        assert isinstance(news["desired"]["ttl"], float)
        assert account.made() == {}

    def test_inputs_with_mistakes(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """Every mistake is a failure, by its place and without its value."""
        news = inputs(account)
        news["desired"] = {**news["desired"], "ttl": "a secret", "colour": 1.0}
        del news["plan"]
        assert [reason.split(":")[0] for reason in reasons(provider, {}, news)] == [
            "desired.ttl",
            "desired.colour",
            "plan",
        ]
        assert "a secret" not in str(reasons(provider, {}, news))

    @pytest.mark.parametrize("summary", [None, "none", {}])
    def test_a_summary_that_cannot_be_read(
        self, account: Account, provider: ZoneRecordsProvider, summary: object
    ) -> None:
        """A guard that cannot judge refuses."""
        [reason] = reasons(provider, {}, {**inputs(account), "summary": summary})
        assert reason.startswith("the summary cannot be read: ")

    def test_a_plan_that_shrinks(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """Every mandatory guard that refuses is a failure of its own."""
        state = converged(account, provider)
        [reason] = reasons(provider, state, inputs(account, 1))
        assert reason.startswith("steering-shrink: ")
        assert len(reasons(provider, state, inputs(account, 0))) == 3

    def test_an_advisory_guard(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """What only advises stops nothing."""
        decision = decided(account.live())
        slow = decision.summary.model_copy(update={"ttl": 300})
        assert reasons(provider, {}, sent(replace(decision, summary=slow))) == []

    def test_a_first_run_that_removes(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """Without old inputs, or with those of another deployment, removals are refused."""
        converged(account, provider)
        news = inputs(account, 3)
        others = {"desired": {**news["desired"], "prefix": "others/"}}
        for olds in ({}, others):
            [reason] = reasons(provider, olds, news)
            assert reason.startswith("steering-adoption: ")

    def test_a_later_run_that_removes(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """With old inputs of this deployment they pass."""
        converged(account, provider)
        news = inputs(account, 3)
        assert reasons(provider, {"desired": news["desired"]}, news) == []


class TestDiff:
    """Whether there is anything to do, without a network."""

    def test_an_empty_plan(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """No change, whatever else differs."""
        state = converged(account, provider)
        result = provider.diff(ID, state, inputs(account))
        assert (result.changes, result.replaces) == (False, None)
        assert account.writes() == []

    def test_a_plan(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """A change, in place."""
        state = converged(account, provider)
        result = provider.diff(ID, state, inputs(account, 3))
        assert (result.changes, result.replaces) == (True, None)

    @pytest.mark.parametrize("other", [{"prefix": "others/"}, {"zone": "Z2"}])
    def test_another_deployment(
        self, account: Account, provider: ZoneRecordsProvider, other: dict[str, str]
    ) -> None:
        """Made anew, so that the id is right and the old one is forgotten; plan or not."""
        state = {**converged(account, provider), **other}
        result = provider.diff(ID, state, inputs(account))
        assert (result.changes, result.replaces) == (True, ["desired"])


class TestCreateAndUpdate:
    """What is applied is worked out again from a fresh read."""

    def test_an_empty_zone(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """The id is the deployment, the outputs its checks by address; numbers came as floats."""
        result = provider.create(inputs(account, 2, ("a",)))
        checks = {each.address: each.id for each in account.live().checks}
        assert result.id == ID
        assert result.outs == {
            "zone": ZONE,
            "prefix": PREFIX,
            "healthChecks": [
                {"address": address, "id": checks[address]} for address in sorted(checks)
            ],
        }
        assert account.answers()[host_of("a")] == ["eu-west-1 192.0.2.1", "eu-west-2 192.0.2.2"]

    def test_an_edge_that_goes(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """The update removes its sets, then its check; the outputs follow."""
        state = converged(account, provider)
        outputs = provider.update(ID, state, inputs(account, 3)).outs
        assert account.writes() == ["ChangeResourceRecordSets", "DeleteHealthCheck"]
        assert outputs is not None
        assert [each["address"] for each in outputs["healthChecks"]] == [
            f"192.0.2.{number}" for number in (1, 2, 3)
        ]

    @pytest.mark.behaviour(30)
    def test_a_zone_that_filled_up_meanwhile(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """The guards judge the fresh read: refused in create, with no write call."""
        news = inputs(account, 1)
        converged(account, provider)
        with pytest.raises(GuardRefused, match=r"^steering: steering-shrink: .* digest [0-9a-f]+"):
            provider.create(news)
        assert account.writes() == []

    def test_a_first_run_that_would_remove(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """A create never removes sets that its stack does not know, without a digest for it."""
        news = inputs(account, 3)
        converged(account, provider)
        with pytest.raises(GuardRefused, match="steering-adoption"):
            provider.create(news)
        assert account.writes() == []

    def test_an_acknowledged_first_run(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """With it, it does: the verdict travels in the summary."""
        converged(account, provider)
        digest = adoption_digest(decided(account.live(), 3).summary)
        provider.create(sent(decided(account.live(), 3, acknowledged=digest)))
        assert account.answers()[host_of("a")][-1] == "us-east-1 192.0.2.3"

    @pytest.mark.behaviour(30)
    def test_an_update_that_shrinks(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """The guards hold in update too, without check and without a pack."""
        state = converged(account, provider)
        with pytest.raises(GuardRefused, match="removes 9 of 12 managed sets, limit half"):
            provider.update(ID, state, inputs(account, 1))
        assert account.writes() == []

    def test_a_removal_that_nobody_saw(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """A set that appeared after the program looked is not removed by this run."""
        state = converged(account, provider)
        news = inputs(account, 3)
        provider.update(ID, state, inputs(account, 4, "abc"))
        account.heal()
        with pytest.raises(ZoneChanged, match=r"4 removals are not in its plan.*c\.bab.*run it"):
            provider.update(ID, state, news)
        assert account.writes() == []

    def test_a_failure_half_way(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """One line says what was done, what was not, and what to do."""
        account.fault("ChangeResourceRecordSets", "denied")
        with pytest.raises(ApplyFailed, match=r"done: 4 health.*not done: 12.*run it again"):
            provider.create(inputs(account))

    def test_the_run_after_a_failure(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """It observes and goes on: no check is made twice."""
        account.fault("ChangeResourceRecordSets", "denied")
        with pytest.raises(ApplyFailed):
            provider.create(inputs(account))
        account.heal()
        provider.create(inputs(account))
        assert account.made()["CreateHealthCheck"] == 0
        assert decided(account.live()).plan.empty

    def test_progress(
        self, account: Account, provider: ZoneRecordsProvider, engine: EngineStub
    ) -> None:
        """A long apply tells how far it is, in lines that pass."""
        provider.create(inputs(account, 1))
        assert f"zone {ZONE}: sending change batch 1 of 1" in engine.passing
        assert engine.said == []


class TestReadAndDelete:
    """What a refresh and a forgotten zone do."""

    def test_a_refresh(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """The outputs are what is live; the inputs stay as they are."""
        state = converged(account, provider)
        result = provider.read(ID, state)
        assert result.id == ID
        assert {**(result.outs or {}), "__provider": "gASV"} == state
        assert result.inputs is None

    def test_a_check_removed_by_hand(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """It is out of the outputs; a check of somebody else never was in them."""
        state = converged(account, provider)
        account.emulator.health_checks.pop(state["healthChecks"][0]["id"])
        foreign = LiveCheck("foreign", "somebody/1", type="TCP", address="192.0.2.9", port=1)
        account.emulator.seed({"health_checks": [check_document(foreign)]})
        outputs = provider.read(ID, state).outs or {}
        assert outputs["healthChecks"] == state["healthChecks"][1:]

    def test_a_zone_that_is_gone(self, account: Account, provider: ZoneRecordsProvider) -> None:
        """The engine is told so in the one form that it takes."""
        account.emulator.zones.clear()
        result = provider.read(ID, {})
        assert (result.id, result.outs) == (None, {})

    def test_a_zone_that_cannot_be_read(
        self, account: Account, provider: ZoneRecordsProvider
    ) -> None:
        """It is not gone: the refresh fails."""
        account.fault("ListResourceRecordSets", "denied")
        with pytest.raises(ApplyFailed, match="AccessDenied"):
            provider.read(ID, {})

    def test_a_zone_that_is_forgotten(
        self, account: Account, provider: ZoneRecordsProvider, engine: EngineStub
    ) -> None:
        """Nothing is called; a line says what stays and what would take it away."""
        state = converged(account, provider)
        provider.delete(ID, state)
        assert account.made() == {}
        [line] = engine.said
        assert line.startswith(f"steering: zone {ZONE} ({PREFIX}) forgotten: its record sets")
        assert "python -m operate withdraw" in line
