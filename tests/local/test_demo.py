"""The demo deployment shows what it is there to show, by the real reading and folding."""

from __future__ import annotations

from pathlib import Path

import yaml
from obstore.store import MemoryStore

from control.scan import SteeringDocuments, read_steering
from control.store import ObjectStore
from folds.desired import Edge
from folds.hosts import Hosts, hosts_of
from folds.placement import armed, placed
from local import demo
from route53.regions import latency_regions
from stacks.settings import load

STACK_FILE = Path(__file__).parents[2] / "stacks" / "Pulumi.local-steering.yaml"


def documents() -> SteeringDocuments:
    store = MemoryStore()
    for key, body in demo.objects().items():
        store.put(key, body)
    return read_steering(ObjectStore(store), regions=latency_regions(), allow_test_addresses=True)


def hosts() -> Hosts:
    return hosts_of(documents().records, domain=demo.DOMAIN, rule="account")


def test_four_regions_and_a_standby() -> None:
    """Four boxes answer in four regions; a fifth stands by in one of them."""
    serving, standby = placed(armed(documents().edges), [], ["carlos-steering/"])
    assert [each.box for each in serving] == ["au-1", "ie-1", "uk-1", "us-1"]
    assert len({each.region for each in serving}) == 4
    assert standby == (Edge(box="ie-2", region="eu-west-1", address="192.0.2.5"),)


def test_twelve_hosts_are_steered() -> None:
    """Twelve hosts of two accounts."""
    assert len(hosts().steered) == 12
    assert {host.split(".")[-3] for host in hosts().steered} == {"bab", "bdf"}


def test_one_record_of_each_kind_is_refused() -> None:
    """A wildcard, a pool-scoped record and an unknown steering value."""
    reasons = {each.host.split(".")[0]: each.reason for each in hosts().refused}
    assert sorted(reasons) == ["*", "batch", "games"]
    assert "wildcard" in reasons["*"]
    assert "pool-scoped" in reasons["batch"]
    assert "unknown steering value" in reasons["games"]


def test_stack_file_names_the_demo() -> None:
    """The committed stack file configures bucket, zone and domain of the demo, and nothing bad."""
    config = yaml.safe_load(STACK_FILE.read_text())["config"]
    settings = load(config)
    found = (settings.bucket, settings.zone, settings.apps_domain)
    assert found == (demo.BUCKET, demo.ZONE, demo.DOMAIN)
    assert settings.allow_test_addresses


def test_zone_holds_records_that_are_not_ours() -> None:
    """Two foreign sets, which must survive every run."""
    (seeded,) = demo.zone()["zones"]
    assert [each["Type"] for each in seeded["record_sets"]] == ["MX", "CNAME"]
