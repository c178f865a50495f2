"""The program of a steering stack whose realizer is native, without an engine."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import datetime, timezone
from typing import Any

import pulumi
import pytest
from pulumi._types import input_type_py_to_pulumi_names
from pulumi.runtime.mocks import MockResourceArgs
from pulumi_aws.route53 import HealthCheckArgs, RecordArgs, RecordLatencyRoutingPolicyArgs

from folds.native_checks import reference_name
from folds.zone import LiveZone
from providers.inputs import parsed
from providers.plan_inputs import PlanInputs
from stacks import native, native_plugin, steering
from stacks.errors import NotInstalled, OutOfOrder, PlanRefused, RealizerSwitched
from stacks.native_commands import CHECK, COMPONENT, RECORD
from stacks.native_hooks import Watch
from stacks.observation import Observation
from stacks.settings import SteeringSettings
from tests.stacks.conftest import Program
from tests.support.native import native_live, native_settings, natively
from tests.support.steering import (
    APEX,
    PREFIX,
    ZONE,
    converged,
    documents,
    edge,
    host_of,
    observed,
    record,
    settings,
)

NOW = datetime(2026, 9, 7, 10, tzinfo=timezone.utc)
PLAN = "pulumi-python:dynamic/steering:Plan"
HOSTS = (host_of("a"), host_of("b"), f"edge.{APEX}")


def run(made: SteeringSettings, acknowledge: str = "") -> None:
    """Run the program, and wait for what it registers."""

    def whole() -> None:
        steering.run(made, acknowledge=acknowledge, now=NOW)

    pulumi.runtime.test(whole)()  # type: ignore[no-untyped-call] # the SDK gives it no types


@pytest.fixture(autouse=True)
def mocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mocks call no hooks, so nothing that differs is ever noted as done, or as gone."""
    monkeypatch.setattr(Watch, "finish", lambda _self: None)
    monkeypatch.setattr(native, "at_end", lambda _zone, _left: None)
    monkeypatch.setattr(native_plugin, "require", lambda _environ: None)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the program observes, under the key ``seen``."""
    given: dict[str, Any] = {"seen": observed()}
    monkeypatch.setattr(steering, "observe", lambda *_: given["seen"])
    return given


def _of(program: Program, kind: str) -> dict[str, MockResourceArgs]:
    return {each.name: each for each in program.resources if each.typ == kind}


@pytest.mark.usefixtures("seen")
def test_what_is_declared(program: Program) -> None:
    """The component, the plan first of all, a check for each address, a record for each set."""
    run(native_settings())
    assert [each.typ for each in program.resources[:2]] == [COMPONENT, PLAN]
    assert sorted(_of(program, CHECK)) == [f"192.0.2.{n}/HTTPS/30" for n in "1234"]
    assert sorted(_of(program, RECORD)) == sorted(f"{h}/A/b{n}" for h in HOSTS for n in range(4))
    assert len(program.resources) == 2 + 4 + 12


@pytest.mark.usefixtures("seen")
def test_the_plan(program: Program) -> None:
    """It carries the lines and the summary as known values, and how many managed sets are live."""
    run(native_settings())
    inputs = parsed(PlanInputs, _of(program, PLAN)["steering"].inputs)
    decision = natively()
    assert (inputs.plan, inputs.summary) == (decision.plan.lines, decision.summary)
    assert inputs.existing == 0


def test_the_plan_of_a_later_run(program: Program, seen: dict[str, Any]) -> None:
    """The managed sets of the zone are counted, those of others are not."""
    seen["seen"] = observed(live=native_live())
    run(native_settings())
    assert parsed(PlanInputs, _of(program, PLAN)["steering"].inputs).existing == 12


@pytest.mark.usefixtures("seen")
def test_a_record(program: Program) -> None:
    """A latency set with the check of its address; nothing says that it may overwrite another."""
    run(native_settings())
    assert _of(program, RECORD)[f"{HOSTS[0]}/A/b1"].inputs == {
        "zoneId": ZONE,
        "name": HOSTS[0],
        "type": "A",
        "setIdentifier": f"{PREFIX}b1",
        "latencyRoutingPolicies": [{"region": "eu-west-2"}],
        "ttl": 60,
        "records": ["192.0.2.2"],
        "healthCheckId": "192.0.2.2/HTTPS/30-id",
    }


@pytest.mark.usefixtures("seen")
def test_a_health_check(program: Program) -> None:
    """It probes the address under the platform's own edge name."""
    run(native_settings())
    assert _of(program, CHECK)["192.0.2.2/HTTPS/30"].inputs == {
        "referenceName": reference_name(ZONE, PREFIX),
        "type": "HTTPS",
        "ipAddress": "192.0.2.2",
        "port": 443,
        "resourcePath": "/",
        "fqdn": f"edge.{APEX}",
        "requestInterval": 30,
        "failureThreshold": 3,
        "tags": {"Name": "edge 192.0.2.2"},
    }


@pytest.mark.usefixtures("seen")
def test_a_tcp_check(program: Program) -> None:
    """It takes neither path nor name."""
    run(native_settings(health_check={"type": "TCP", "port": 5432}))
    inputs = _of(program, CHECK)["192.0.2.2/TCP/30"].inputs
    assert not inputs.keys() & {"resourcePath", "fqdn"}


@pytest.mark.parametrize(("arguments", "kind"), [(RecordArgs, RECORD), (HealthCheckArgs, CHECK)])
@pytest.mark.usefixtures("seen")
def test_the_names_of_arguments(program: Program, arguments: type, kind: str) -> None:
    """pulumi-aws has every name that is sent; it would send an unknown one of a dict as it is."""
    run(native_settings())
    known = {*input_type_py_to_pulumi_names(arguments).values()}
    sent = {name for each in _of(program, kind).values() for name in each.inputs}
    assert sent <= known
    assert "allowOverwrite" in input_type_py_to_pulumi_names(RecordArgs).values()
    assert "allowOverwrite" not in sent
    policy = input_type_py_to_pulumi_names(RecordLatencyRoutingPolicyArgs)
    assert [*policy.values()] == ["region"]


@pytest.mark.usefixtures("seen")
def test_the_outputs(program: Program) -> None:
    """The other realizer has the same: the fold's own, and the checks' ids by address."""
    run(settings())
    others = {**program.exports, "healthChecks": None}
    program.exports.clear()
    run(native_settings())
    checks = pulumi.runtime.sync_await._sync_await(program.exports["healthChecks"].future())
    assert checks == [
        {"address": f"192.0.2.{n}", "id": f"192.0.2.{n}/HTTPS/30-id"} for n in range(1, 5)
    ]
    assert {**program.exports, "healthChecks": None} == others


def test_a_bucket_file_that_is_renamed(program: Program, seen: dict[str, Any]) -> None:
    """The same resources under the same names: keys of the bucket are no part of them."""
    live = native_live(2)
    edges, body = [edge(0), edge(1)], record("a")
    moved = body.model_copy(update={"key": f"apps/bab/elsewhere/instances/{host_of('a')}.json"})
    names = []
    for each in (body, moved):
        program.resources.clear()
        seen["seen"] = Observation(documents(edges, [each]), live)
        run(native_settings())
        names.append([(found.typ, found.name, found.inputs) for found in program.resources])
    assert sorted(map(str, names[0][2:])) == sorted(map(str, names[1][2:]))


def test_a_refused_plan(
    program: Program, seen: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """The plan is registered, for its check and the pack to refuse, and nothing else is."""
    seen["seen"] = observed(1, live=native_live())
    with pytest.raises(PlanRefused, match=r"^steering: steering-shrink: .* acknowledge digest "):
        run(native_settings())
    assert [each.typ for each in program.resources] == [COMPONENT, PLAN]
    assert "healthChecks" not in program.exports
    assert capsys.readouterr().err.count("FAIRLEAD_ACKNOWLEDGE") == 1


def test_an_acknowledged_plan(program: Program, seen: dict[str, Any]) -> None:
    """What is left is declared, and so the rest goes."""
    seen["seen"] = observed(1, live=native_live())
    digest = natively(1, live=native_live()).refused[0].digest
    run(native_settings(), f"{digest}.20260908T100000Z")
    assert sorted(_of(program, RECORD)) == sorted(f"{host}/A/b0" for host in HOSTS)
    assert sorted(_of(program, CHECK)) == ["192.0.2.1/HTTPS/30"]


def test_boxes_that_swap_regions(program: Program, seen: dict[str, Any]) -> None:
    """Nothing is registered: no order of resources would do."""
    swapped = [edge(0, aws_region="eu-west-2"), edge(1, aws_region="eu-west-1")]
    seen["seen"] = Observation(documents(swapped, [record("a")]), native_live(2, ("a",)))
    with pytest.raises(OutOfOrder, match=rf"4 sets move .* A {PREFIX}b0 to eu-west-2, where"):
        run(native_settings())
    assert program.resources == []


@pytest.mark.usefixtures("program")
def test_boxes_that_swap_regions_in_a_refused_plan(seen: dict[str, Any]) -> None:
    """What the guards say comes first."""
    swapped = [edge(0, aws_region="eu-west-2"), edge(1, aws_region="eu-west-1")]
    seen["seen"] = Observation(documents(swapped, [record("a")]), native_live(2, "abcde"))
    with pytest.raises(PlanRefused):
        run(native_settings())


@pytest.mark.parametrize(("realizer", "live"), [("batch", native_live()), ("native", converged())])
def test_the_other_realizers_zone(
    program: Program, seen: dict[str, Any], realizer: str, live: LiveZone
) -> None:
    """It ends the program before anything is registered."""
    seen["seen"] = observed(live=live)
    with pytest.raises(RealizerSwitched):
        run(settings(realizer=realizer))
    assert program.resources == []


def test_without_the_plugin(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends the program before anything is read."""

    def missing(_environ: object) -> None:
        raise NotInstalled("no plugin")

    def touched(*_: object) -> None:
        raise AssertionError("something was read")

    monkeypatch.setattr(native, "at_end", lambda _zone, _left: None)
    monkeypatch.setattr(native_plugin, "require", missing)
    monkeypatch.setattr(steering, "observe", touched)
    with pytest.raises(NotInstalled):
        run(native_settings())
    assert program.resources == []


@pytest.mark.parametrize("realizer", ["batch", "native"])
def test_without_the_package(
    program: Program, seen: dict[str, Any], monkeypatch: pytest.MonkeyPatch, realizer: str
) -> None:
    """The realizer batch runs all the same."""
    for name in [each for each in sys.modules if each.split(".")[0] == "pulumi_aws"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("stacks.native", "stacks.native_resources"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delattr(sys.modules["stacks"], "native", raising=False)
    monkeypatch.setitem(sys.modules, "pulumi_aws", None)
    with nullcontext() if realizer == "batch" else pytest.raises(ImportError):
        run(settings(realizer=realizer))
    assert bool(program.resources) is (realizer == "batch")
    assert seen


@pytest.mark.parametrize("zone_id", ["", "no zone"])
@pytest.mark.parametrize(("realizer", "hooks"), [("batch", 0), ("native", 1)])
def test_a_stack_without_a_zone(
    program: Program, monkeypatch: pytest.MonkeyPatch, realizer: str, hooks: int, zone_id: str
) -> None:
    """It is dormant, and where it may have records in its state, refuses to delete them."""
    made: list[Any] = []
    monkeypatch.setattr(steering, "Watch", made.append)
    run(settings(realizer=realizer, zone_id=zone_id))
    assert (program.exports["state"], program.resources) == ("dormant", [])
    assert [each.zone for each in made] == [""] * hooks


def test_nothing_to_do(program: Program) -> None:
    """The plan is not told, and all is declared all the same."""
    native.declare(native_settings(), natively(live=native_live()))
    assert program.said == []
