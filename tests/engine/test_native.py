"""What the realizer native makes of a zone, through the real engine and its provider protocol."""

from __future__ import annotations

import json

import pytest

from tests.engine.deployment import DOMAIN, PACK, PREFIX, ZONE
from tests.engine.native import CHECK, COMPONENT, PLAN, RECORD, NativeDeployment

pytestmark = pytest.mark.engine

NAMES = [f"edge.{DOMAIN}", *(f"h00{number}.bab.{DOMAIN}" for number in range(3))]
SETTLED = ("--skip-preview", "--expect-no-changes")


def _changes(deployment: NativeDeployment) -> list[int]:
    """The change batches so far, by the number of changes in each."""
    calls = (call for call in deployment.writes if call["op"] == "ChangeResourceRecordSets")
    return [call["changes"] for call in calls]


def test_a_first_run(empty: NativeDeployment) -> None:
    """Preview makes nothing; up makes a check for each box and a record for each set, once."""
    for number in range(2):
        empty.edge(number)
    empty.host("h000")
    preview = empty.run("preview", *PACK)
    assert "+ 9 to create" in preview.stdout
    assert "+4 ~0 -0 of 0 record sets, 2 hosts; +2 ~0 -0 health checks" in preview.stdout
    assert not empty.writes
    empty.up(*PACK)
    assert {name: len(empty.resources(name)) for name in (COMPONENT, PLAN, CHECK, RECORD)} == {
        COMPONENT: 1,
        PLAN: 1,
        CHECK: 2,
        RECORD: 4,
    }
    assert len(empty.sets()) == 4
    assert empty.outputs_of_checks() == ["192.0.2.1", "192.0.2.2"]
    assert not empty.zone.violations
    assert "9 unchanged" in empty.up(*SETTLED, *PACK).stdout


def test_what_the_state_calls_them(native: NativeDeployment) -> None:
    """All below the component, by what they are and not by the files of the bucket."""
    head = f"urn:pulumi:test::fairlead::{COMPONENT}$"
    assert native.urns() == {
        *(f"{head}{CHECK}::192.0.2.{number}/HTTPS/30" for number in range(1, 5)),
        *(f"{head}{RECORD}::{name}/A/b{number}" for name in NAMES for number in range(4)),
    }
    [plan] = native.resources(PLAN).values()
    assert plan["urn"] == f"{head}{PLAN}::steering"
    records = native.resources(RECORD).values()
    assert all(plan["urn"] in each["dependencies"] for each in records)
    assert all("allowOverwrite" not in each["inputs"] for each in records)


def test_nothing_to_do(native: NativeDeployment) -> None:
    """All is unchanged, and nothing is written."""
    assert "23 unchanged" in native.up(*SETTLED).stdout
    assert not native.writes


def test_a_box_that_is_added(native: NativeDeployment) -> None:
    """Its check and its records are made, each with the check, and nothing else is touched."""
    native.edge(4, aws_region="eu-north-1")
    native.up(*PACK)
    assert native.boxes() == {"b0", "b1", "b2", "b3", "b4"}
    assert "192.0.2.5" in native.checked_addresses()
    assert _changes(native) == [1] * 4
    assert not native.zone.violations
    native.up(*SETTLED)


def test_a_box_that_retires(native: NativeDeployment) -> None:
    """Preview lists exactly its removals; up makes them, and takes its check away last."""
    native.bucket.delete("control/edges/b2.json")
    preview = native.run("preview", *PACK)
    for name in NAMES:
        assert f"- {name} A {PREFIX}b2 us-east-1 192.0.2.3 ttl=60" in preview.stdout
    assert "- 5 to delete" in preview.stdout
    native.up("--skip-preview", *PACK)
    assert native.boxes() == {"b0", "b1", "b3"}
    assert "192.0.2.3" not in native.checked_addresses()
    assert not native.zone.violations
    native.up(*SETTLED)


def test_an_address_that_changes(native: NativeDeployment) -> None:
    """The records change in place, to the new address's check; the old check goes last."""
    native.edge(1, eip="192.0.2.77")
    native.up(*PACK)
    assert native.checked_addresses() == ["192.0.2.1", "192.0.2.3", "192.0.2.4", "192.0.2.77"]
    assert _changes(native) == [1] * 4
    assert not native.zone.violations
    native.up(*SETTLED)


def test_a_host_that_is_removed(native: NativeDeployment) -> None:
    """Its records go; its boxes' checks stay."""
    host = f"h001.bab.{DOMAIN}"
    native.bucket.delete(f"apps/bab/h001/instances/{host}.json")
    native.up("--skip-preview", *PACK)
    assert f"{host}." not in {each["Name"] for each in native.sets()}
    assert len(native.checked_addresses()) == 4
    native.up(*SETTLED)


def test_files_of_the_bucket_that_are_renamed(native: NativeDeployment) -> None:
    """The app's name is part of a record's key alone: no resource has it, and nothing changes."""
    before, host = native.urns(), f"h001.bab.{DOMAIN}"
    native.bucket.delete(f"apps/bab/h001/instances/{host}.json")
    body = {"v": 1, "host": host, "steering": "latency", "pool": ""}
    native.bucket.put(f"apps/bab/another-app/instances/{host}.json", body)
    native.up(*SETTLED)
    assert native.urns() == before
    assert not native.writes


def test_a_box_replaced_under_a_new_label(native: NativeDeployment) -> None:
    """Its region is never without a set: the old one goes in the batch that the new comes in."""
    native.bucket.delete("control/edges/b1.json")
    native.edge(9, aws_region="eu-west-2", eip="192.0.2.99")
    native.up(*PACK)
    assert native.boxes() == {"b0", "b2", "b3", "b9"}
    assert _changes(native) == [2] * 4
    assert not native.zone.violations
    native.up(*SETTLED)
    native.run("refresh", "--yes", "--skip-preview")
    native.up(*SETTLED)
    assert not {each for each in native.urns() if each.endswith("/b1")}


def test_boxes_that_swap_regions(native: NativeDeployment) -> None:
    """It is refused before anything is registered; one after the other it works."""
    native.edge(0, aws_region="eu-west-2")
    native.edge(1, aws_region="eu-west-1")
    refused = native.up("--skip-preview", check=False)
    assert refused.returncode != 0
    assert "8 sets move into a region while another still answers there" in refused.stdout
    assert not native.writes
    native.edge(0, armed=False)
    native.edge(1)
    native.up("--skip-preview")
    native.edge(1, aws_region="eu-west-1")
    native.up("--skip-preview")
    native.edge(0, aws_region="eu-west-2")
    native.up("--skip-preview")
    assert not native.zone.violations
    native.up(*SETTLED)


def test_another_type_of_check(native: NativeDeployment) -> None:
    """New checks are made, the records move to them, and the old ones go: no record is without."""
    native.configure(healthCheck={"type": "HTTP", "port": 80})
    native.up(*PACK)
    configs = [each["HealthCheckConfig"] for each in native.zone.health_checks.values()]
    assert [each["Type"] for each in configs] == ["HTTP"] * 4
    assert not native.zone.violations
    native.up(*SETTLED)


def test_a_host_whose_record_is_refused(native: NativeDeployment) -> None:
    """It is held: its records stay as they are, other hosts change."""
    native.host("h001", steering="nearest")
    native.configure(ttl=30)
    done = native.up(*PACK)
    assert f"held: h001.bab.{DOMAIN}" in done.stdout
    ttls = {each["Name"]: each["TTL"] for each in native.sets()}
    assert (ttls[f"h001.bab.{DOMAIN}."], ttls[f"h000.bab.{DOMAIN}."]) == (60, 30)
    native.up(*SETTLED)


def test_a_plan_that_was_saved(native: NativeDeployment) -> None:
    """Exactly what a reviewer saw is applied; what changed since is refused."""
    native.bucket.delete("control/edges/b2.json")
    saved = str(native.stack.home / "plan.json")
    native.run("preview", "--save-plan", saved)
    native.edge(1, eip="192.0.2.77")
    refused = native.up("--skip-preview", "--plan", saved, check=False)
    assert refused.returncode != 0
    native.edge(1)
    native.up("--skip-preview", "--plan", saved)
    assert native.boxes() == {"b0", "b1", "b3"}


def test_the_zone_of_another_realizer(native: NativeDeployment) -> None:
    """A live zone cannot be switched: neither is anything registered nor written."""
    native.configure(realizer="batch")
    refused = native.up("--skip-preview", check=False)
    assert refused.returncode != 0
    assert f"zone {ZONE} ({PREFIX}): 16 managed sets are kept by the realizer native" in (
        refused.stdout
    )
    assert not native.writes
    native.configure(realizer="native")
    native.up(*SETTLED)


def test_a_change_by_hand(native: NativeDeployment) -> None:
    """The engine does not see it, so preview and up fail and say so; a refresh mends it."""
    state = native.zone.state()
    for each in state["zones"][0]["record_sets"]:
        if each.get("SetIdentifier") == f"{PREFIX}b1":
            each["TTL"] = 61
    native.zone.seed(json.loads(json.dumps(state)))
    for words in (("preview",), ("up", "--yes", "--skip-preview")):
        failed = native.run(*words, check=False)
        assert failed.returncode != 0
        assert "the engine leaves 4 differences as they are" in failed.stdout
        assert "Traceback" not in failed.stdout
    assert not native.writes
    native.up("--skip-preview", "--refresh")
    assert {each["TTL"] for each in native.sets()} == {60}
    native.up(*SETTLED)


def test_a_refresh(native: NativeDeployment) -> None:
    """It finds what is live, and so nothing to do."""
    native.run("refresh", "--yes", "--skip-preview")
    assert "23 unchanged" in native.up(*SETTLED).stdout
    assert not native.writes


@pytest.mark.parametrize("number", [2, 4], ids=["a box goes", "a box comes"])
def test_a_refresh_that_runs_the_program(native: NativeDeployment, number: int) -> None:
    """It changes nothing, so it fails where anything is to do, and says what left it out."""
    native.edge(number, armed=number == 4, aws_region="eu-north-1")
    ended = native.run("refresh", "--yes", "--skip-preview", "--run-program", check=False)
    assert ended.returncode != 0
    assert "or --target, --exclude or --run-program left them out" in ended.stdout
    assert not native.writes
    native.up("--skip-preview")
    native.run("refresh", "--yes", "--skip-preview", "--run-program")
    native.up(*SETTLED)
