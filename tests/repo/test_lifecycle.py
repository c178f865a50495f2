"""docs/lifecycle.md: every number of its worked example, worked out again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from obstore.store import MemoryStore

from control.scan import SteeringDocuments, read_steering
from control.store import ObjectStore
from folds.changes import Plan
from folds.checks import owner
from folds.desired import Desired
from folds.report import headline
from folds.steering import plan
from folds.summary import summarize
from folds.zone import LiveCheck, LiveSet, LiveZone
from local import demo
from policy.guards import SteeringSummary, steering_violations
from route53.regions import latency_regions
from stacks.settings import load
from stacks.wanted import desired_of

CHECKOUT = Path(__file__).parents[2]
PAGE = " ".join((CHECKOUT / "docs" / "lifecycle.md").read_text().split())
FOREIGN = (
    *(LiveSet("example.com", kind, ttl=300) for kind in ("MX", "NS", "SOA")),
    LiveSet("www.example.com", "CNAME", ttl=300),
)
SETTINGS = load(
    yaml.safe_load((CHECKOUT / "stacks" / "Pulumi.local-steering.yaml").read_text())["config"]
)


@dataclass(frozen=True)
class Run:
    """The first four steps over the converged demo, some edges files deleted."""

    documents: SteeringDocuments
    desired: Desired
    live: LiveZone
    plan: Plan
    summary: SteeringSummary


def read(*without: str) -> SteeringDocuments:
    store = MemoryStore()
    for key, body in demo.objects().items():
        if key not in {f"control/edges/{box}.json" for box in without}:
            store.put(key, body)
    return read_steering(ObjectStore(store), regions=latency_regions(), allow_test_addresses=True)


def converged() -> LiveZone:
    """The zone after the first `make up`; a check's id is its address here."""
    empty = LiveZone(demo.ZONE, demo.DOMAIN, FOREIGN, ())
    first = plan(desired_of(SETTINGS, read(), empty), empty)
    wanted = [change.after for host in first.hosts for change in host.changes if change.after]
    sets = [
        LiveSet(w.name, w.type, w.set_identifier, w.region, w.ttl, (w.address,), w.address)
        for w in wanted
    ]
    check = first.creations[0].settings
    checks = [
        LiveCheck(
            each.address,
            f"{each.stem}1",
            type=check.type,
            address=each.address,
            port=check.port,
            path=check.path,
            domain_name=check.domain_name,
        )
        for each in first.creations
    ]
    return LiveZone(demo.ZONE, demo.DOMAIN, (*FOREIGN, *sets), tuple(checks))


def run(*without: str) -> Run:
    documents, live = read(*without), converged()
    desired = desired_of(SETTINGS, documents, live)
    made = plan(desired, live)
    return Run(documents, desired, live, made, summarize(desired, live, made))


@pytest.fixture(scope="module")
def example() -> Run:
    return run("au-1")


def said(text: str) -> bool:
    """Say whether the page has a text, wherever its lines break."""
    return text in PAGE


def test_demo_is_converged_at_first() -> None:
    """The example begins with nothing to do."""
    assert run().plan.empty


def test_what_is_observed(example: Run) -> None:
    """Edges files, records, sets and checks are counted as the page counts them."""
    edges, records = len(example.documents.edges), len(example.documents.records)
    assert said(f"{edges} edges files are left, and {records} instance records")
    managed = example.summary.managed
    foreign = len(example.live.sets) - managed
    checks = len(example.live.checks)
    assert said(f"Here {managed} managed sets, {foreign} foreign ones")
    assert said(f"and {checks} health checks: 2 calls")
    assert (
        owner(demo.ZONE, SETTINGS.set_identifier_prefix) in example.live.checks[0].caller_reference
    )


def test_what_is_folded(example: Run) -> None:
    """Hosts, refusals, boxes and sets."""
    desired, made = example.desired, example.plan
    assert said(
        f"{len(desired.hosts)} hosts are steered. {len(desired.refused)} records are refused"
    )
    assert said(f"{len(desired.edges)} boxes are armed. `ie-1` and `ie-2`")
    assert [each.box for each in made.standby] == ["ie-2"]
    assert said(f"So {len(made.serving)} boxes serve")
    assert said(f"{len(made.names)} names, the {len(desired.hosts)} hosts and `edge.example.com`")
    assert said(f"{example.summary.desired} sets are desired, {example.summary.managed} are live")


def test_lines_of_the_plan(example: Run) -> None:
    """The headline and the first lines are on the page; the last is the health check's."""
    lines = example.plan.lines
    assert said(headline(example.plan, example.summary.managed) + " " + " ".join(lines[:2]))
    assert lines[-1] == "- health check 192.0.2.4 192.0.2.4"


def test_what_the_guards_say(example: Run) -> None:
    """One box of four passes, three of four are refused, with the numbers of the page."""
    removed = len(example.plan.removals)
    managed = example.summary.managed
    assert said(
        f"counts {removed} of {managed} managed sets removed; the limit is half, {managed // 2}"
    )
    assert steering_violations(example.summary) == ()
    more = run("au-1", "uk-1", "us-1")
    (refused,) = steering_violations(more.summary)
    assert f"removes {len(more.plan.removals)} of {managed} managed sets" in refused.message
    assert said(f"it would have been {len(more.plan.removals)} of {managed}: refused")


def test_what_is_applied(example: Run) -> None:
    """Removals of one batch, and one check that is swept."""
    assert said(f"Here {len(example.plan.removals)} removals are 1 batch")
    assert said(f"no live set refers to. Here {len(example.plan.sweeps)}")
