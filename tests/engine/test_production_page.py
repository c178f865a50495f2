"""docs/production.md: its commands, typed as they stand there, and what they leave."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.engine.production import BOXES, EDGE, HOST, PERMISSIONS, STAGING, ZONE, Desk, desk_in
from tests.support.checkout import CHECKOUT
from tests.support.s3_faults import Call, fault_proxy
from tools.actions.built import ensure
from tools.engine.errors import NoToolchainError

pytestmark = pytest.mark.engine
_S3 = {
    "GET": "s3:GetObject",
    "HEAD": "s3:GetObject",
    "PUT": "s3:PutObject",
    "DELETE": "s3:DeleteObject",
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    try:
        gojq = ensure(os.environ, print) / "gojq"
    except NoToolchainError as error:
        pytest.skip(str(error))
    with desk_in(tmp_path, gojq) as made:
        yield made


@pytest.fixture
def armed(desk: Desk) -> Desk:
    """A stack that steers the zone: what the agent made is replaced."""
    desk.sh("local/pulumi stack init production")
    settings = {"bucket": "control-bucket", "appsDomain": "apps.example.com", "zoneId": ZONE}
    lines = [f"  fairlead:{key}: {value}" for key, value in settings.items()]
    file = desk.checkout.folder / "stacks" / "Pulumi.production.yaml"
    file.write_text("\n".join(["config:", *lines, ""]))
    desk.sh("local/pulumi up --yes --skip-preview --stack production")
    return desk


def boxes(prefix: str = "carlos-steering/") -> dict[str, list[str]]:
    identifiers = [f"{prefix}{box}" for box in BOXES]
    return dict.fromkeys((HOST, EDGE), identifiers)


def test_first_day(desk: Desk) -> None:
    """State, roles, checkers, a dormant run, the take-over, and the way back."""
    desk.type("Where the state lies")
    policies = re.findall(r"```json\n(.*?)```", PERMISSIONS, re.DOTALL)
    for name, policy in zip(("preview", "up"), policies, strict=False):
        (desk.checkout.folder / f"{name}.json").write_text(policy)
    desk.type("What CI may do")
    group = desk.client("ec2").describe_security_groups()["SecurityGroups"][0]["GroupId"]
    desk.type("Let the health checkers in", sg_0123456789abcdef0=group)
    assert desk.output.strip() == "15.177.0.0/18"

    desk.zone.calls.clear()
    desk.type("Begin dormant")
    assert desk.zone.calls == []

    checks = set(desk.zone.health_checks)
    desk.type("Take over from the platform's agent")
    assert desk.sets() == boxes()
    assert desk.zone.violations == []
    assert checks < set(desk.zone.health_checks)
    assert json.loads(desk.sh("local/pulumi stack output --json --stack production"))["zone"] == ""


def actions(calls: Iterable[Call]) -> set[str]:
    """What IAM asks for, of requests to the state's bucket and to KMS."""
    found = set()
    for call in calls:
        if call.target:
            found.add(call.target.replace("TrentService.", "kms:"))
        elif call.key.startswith(".pulumi/"):
            found.add("s3:ListBucket" if call.page else _S3[call.method])
    return found


def allowed(*names: str) -> set[str]:
    policies = [
        json.loads((CHECKOUT / "deploy" / "aws" / f"{each}.json").read_text()) for each in names
    ]
    return {each["Action"] for policy in policies for each in policy["Statement"]}


def test_rights_on_the_state(desk: Desk) -> None:
    """A pull request's commands need what its policy allows, an update both; locks alone go."""
    desk.type("Where the state lies")
    with fault_proxy(desk.aws) as proxy:
        desk.environ |= {"AWS_ENDPOINT_URL_S3": proxy.url, "AWS_ENDPOINT_URL_KMS": proxy.url}
        proxy.calls.clear()
        desk.sh("local/pulumi preview --stack production --policy-pack policy")
        desk.sh("python -m operate report --stack production")
        assert actions(proxy.calls) == allowed("state-read")
        proxy.calls.clear()
        desk.sh("local/pulumi up --yes --stack production --policy-pack policy")
        desk.sh("python -m operate status --stack production --max-age")
        assert actions(proxy.calls) == allowed("state-read", "state-write")
        deleted = {call.key for call in proxy.calls if call.method == "DELETE"}
        written = {call.key for call in proxy.calls if call.method == "PUT"}
    assert all(key.startswith(".pulumi/locks/") for key in deleted)
    rules = json.loads((CHECKOUT / "deploy" / "aws" / "lifecycle.json").read_text())["Rules"]
    expiring = tuple(each["Filter"]["Prefix"] for each in rules if "Expiration" in each)
    lasting = {key for key in written - deleted if not key.startswith(expiring)}
    assert {key.partition(".json")[0] for key in lasting} == {".pulumi/stacks/fairlead/production"}


def test_staging(armed: Desk) -> None:
    """A second zone from the same checkout: nothing of the first one changes."""
    before = armed.zone.state()["zones"][0]
    key = armed.client("kms").create_key()["KeyMetadata"]["KeyId"]
    armed.client("kms").create_alias(AliasName="alias/fairlead", TargetKeyId=key)
    armed.type("A staging zone")
    domain = "apps.staging.example.net"
    assert set(armed.sets(STAGING)) == {f"api.bab.{domain}", f"edge.{domain}"}
    assert armed.zone.state()["zones"][0] == before


def test_prefix(armed: Desk) -> None:
    """Every set changes hands in its host's batch: no region of a name is ever without one."""
    armed.zone.calls.clear()
    armed.type("Change the prefix")
    assert armed.sets() == boxes("ingress/")
    assert armed.zone.violations == []
    changes = [call for call in armed.zone.calls if call["op"] == "ChangeResourceRecordSets"]
    assert len(changes) == 1


def test_leaving(armed: Desk) -> None:
    """No record, no check of ours and no stack is left."""
    armed.type("Leave")
    assert armed.sets() == {}
    assert {key.partition("-")[0] for key in armed.zone.health_checks} == {"agent"}
    assert json.loads(armed.sh("local/pulumi stack ls --json")) == []


def test_heartbeat(armed: Desk) -> None:
    """The question of the monitoring, and an alarm."""
    armed.type("Heartbeat and alarms")
    (alarm,) = armed.client("cloudwatch", "us-east-1").describe_alarms()["MetricAlarms"]
    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/Route53", "HealthCheckStatus")
