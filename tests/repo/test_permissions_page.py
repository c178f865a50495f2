"""docs/permissions.md allows what the code calls, and nothing else."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from control.keys import edge_box
from folds.zone import LiveZone
from providers.zone_records import ZoneRecordsProvider
from route53.client import Calls
from stacks.decision import decide
from stacks.observation import observe
from stacks.steering_settings import HealthCheck
from tests.folds.model import simple
from tests.providers.inputs import sent as on_the_wire
from tests.support.s3_bucket import S3Bucket, point_at, serve_s3
from tests.support.s3_faults import fault_proxy
from tests.support.steering import host_of, observed, settings
from tests.support.zones import APEX, ZONE, Account, emulated_account, environment

PAGE = (Path(__file__).parents[2] / "docs" / "permissions.md").read_text()
POLICIES = [json.loads(each) for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
PREVIEW, UP, _, BOX, *_ = POLICIES
CONDITION_KEY = "route53:ChangeResourceRecordSets"
Change = dict[str, Any]


def actions(*policies: dict[str, Any]) -> set[str]:
    named = [each["Action"] for policy in policies for each in policy["Statement"]]
    return {action for each in named for action in ([each] if isinstance(each, str) else each)}


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    with emulated_account() as made:
        for name, value in environment(made.emulator.url).items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[S3Bucket]:
    """A control bucket of one box and one host."""
    with contextmanager(serve_s3)(tmp_path) as make:
        made = make()
        edge = {"v": 1, "box": "b0", "aws_region": "eu-west-1", "eip": "99.81.1.1", "armed": True}
        made.put("control/edges/b0.json", edge)
        made.put(f"apps/bab/a/instances/{host_of('a')}.json", {"host": host_of("a")})
        yield made


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """Every change of every change batch."""
    changes: list[Change] = []
    write = Calls.write

    def watched(self: Calls, method: str, subject: str, **arguments: Any) -> dict[str, Any]:
        changes.extend(arguments.get("ChangeBatch", {}).get("Changes", ()))
        return write(self, method, subject, **arguments)

    monkeypatch.setattr(Calls, "write", watched)
    return changes


def life_of_a_zone(account: Account) -> None:
    """Make sets and checks, a simple set's among them, change the checks, and take a box out."""
    account.seed(LiveZone(ZONE, APEX, (simple(host_of("a"), "192.0.2.1"),), ()))
    adopting = settings(adopt=(host_of("a"),), wait_for_sync=True)
    seen = observed(3, ("a", "b"), account.live())
    digest = decide(adopting, seen).refused[0].digest
    ZoneRecordsProvider().create(on_the_wire(decide(adopting, seen, digest)))
    patient = settings(health_check=HealthCheck(failure_threshold=5))
    for made, boxes in ((patient, 3), (patient, 2)):
        decision = decide(made, observed(boxes, ("a", "b"), account.live()))
        ZoneRecordsProvider().update("", {}, on_the_wire(decision))


def test_what_a_run_calls_at_route_53(account: Account) -> None:
    """Over the life of a zone: exactly the actions of both policies."""
    life_of_a_zone(account)
    allowed = {each for each in actions(PREVIEW, UP) if each.startswith("route53:")}
    assert {f"route53:{operation}" for operation in account.made()} == allowed


def test_what_a_preview_calls(
    account: Account, bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly the actions of its policy, at both services."""
    with fault_proxy(bucket.url) as proxy:
        point_at(monkeypatch, proxy.url)
        observe(settings(bucket=bucket.name), print)
        asked = {"s3:ListBucket" if each.page else f"s3:{each.method}" for each in proxy.calls}
    called = {f"route53:{operation}" for operation in account.made()}
    assert called | {each.replace("s3:GET", "s3:GetObject") for each in asked} == actions(PREVIEW)


def test_what_a_preview_reads(
    account: Account, bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its policy allows every key that is read."""
    arns = [arn for each in PREVIEW["Statement"] for arn in each["Resource"] if "/*" in arn]
    patterns = [arn.partition("control-bucket/")[2] for arn in arns]
    with fault_proxy(bucket.url) as proxy:
        point_at(monkeypatch, proxy.url)
        observe(settings(bucket=bucket.name), print)
        read = [each.key for each in proxy.calls if not each.page]
    assert len(read) == 2
    assert all(any(fnmatch.fnmatchcase(key, each) for each in patterns) for key in read)
    assert "CreateHealthCheck" not in account.made()


def test_what_the_conditions_allow(account: Account, sent: list[Change]) -> None:
    """Every change that is sent meets them, and there is no action in them that is never sent."""
    life_of_a_zone(account)
    [condition] = [each["Condition"] for each in UP["Statement"] if "Condition" in each]
    keys = {
        key.removeprefix(CONDITION_KEY): value
        for test in condition.values()
        for key, value in test.items()
    }
    pattern = keys["NormalizedRecordNames"][0].replace("apps.example.com", APEX)
    names = [each["ResourceRecordSet"]["Name"].removesuffix(".") for each in sent]
    assert fnmatch.filter(names, pattern) == names
    assert {each["Action"] for each in sent} == set(keys["Actions"])
    assert {each["ResourceRecordSet"]["Type"] for each in sent} <= set(keys["RecordTypes"])


def test_what_a_box_may_write() -> None:
    """One object, its own edges file: where the reader looks for that box."""
    [statement] = BOX["Statement"]
    assert statement["Action"] == "s3:PutObject"
    assert edge_box(statement["Resource"].partition("control-bucket/")[2]) == "ie-1"


def test_the_table_of_calls() -> None:
    """It has every action once, with the identity that makes it."""
    rows = re.findall(r"^\| [^|]+ \| `(\w+:\w+)` \| (preview, )?up", PAGE, re.MULTILINE)
    assert {action for action, _ in rows} == actions(PREVIEW, UP)
    assert {action for action, preview in rows if preview} == actions(PREVIEW)
    assert len(rows) == len(actions(PREVIEW, UP))


@pytest.mark.parametrize("policy", POLICIES)
def test_the_form_of_a_policy(policy: dict[str, Any]) -> None:
    """Statements with distinct names, each allowing named actions: no wildcard among them."""
    names = [each["Sid"] for each in policy["Statement"]]
    assert policy["Version"] == "2012-10-17"
    assert len(set(names)) == len(names)
    assert {each["Effect"] for each in policy["Statement"]} == {"Allow"}
    assert "*" not in "".join(actions(policy))
