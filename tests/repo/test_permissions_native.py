"""docs/permissions.md: what pulumi-aws asks of Route 53 is what a native stack's policy allows.

The calls are those of the tests' own pulumi-aws, which follows the source of the real one.
"""

from __future__ import annotations

import fnmatch
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.aws_checks import HealthCheck
from tests.support.aws_records import Record
from tests.support.zones import APEX, PREFIX, ZONE, Account, emulated_account

PAGE = (Path(__file__).parents[2] / "docs" / "permissions.md").read_text()
PREVIEW, _, NATIVE, *_ = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
CHECK = {
    "referenceName": "fairlead-0123456789ab",
    "type": "HTTPS",
    "ipAddress": "192.0.2.1",
    "port": 443,
    "resourcePath": "/",
    "fqdn": f"edge.{APEX}",
    "requestInterval": 30,
    "failureThreshold": 3,
    "tags": {"Name": "edge 192.0.2.1"},
}
Changes = list[dict[str, Any]]


def _actions(policy: dict[str, Any]) -> set[str]:
    named = [each["Action"] for each in policy["Statement"]]
    return {action for each in named for action in ([each] if isinstance(each, str) else each)}


def _life(account: Account) -> Changes:
    """Make, change, exchange and remove a check and a record; return every change that is sent."""
    sent: Changes = []

    def collect(params: dict[str, Any], **_: object) -> None:
        sent.extend(params["ChangeBatch"]["Changes"])

    client, records, checks = account.client, Record(), HealthCheck()
    client.meta.events.register("provide-client-params.route53.ChangeResourceRecordSets", collect)
    check, known = checks.create(client, CHECK)
    known = checks.update(
        client, check, known, {**CHECK, "failureThreshold": 5, "tags": {"a": "b"}}
    )
    record = {
        "zoneId": ZONE,
        "name": f"a.{APEX}",
        "type": "A",
        "setIdentifier": f"{PREFIX}b0",
        "ttl": 60,
        "records": ["192.0.2.1"],
        "healthCheckId": check,
        "latencyRoutingPolicies": [{"region": "eu-west-1"}],
    }
    id_, state = records.create(client, record)
    state = records.update(client, id_, state, {**record, "ttl": 30})
    state = records.update(client, id_, state, {**record, "setIdentifier": f"{PREFIX}b1"})
    records.delete(client, id_, state)
    assert records.read(client, id_, state) is None
    checks.delete(client, check, known)
    assert checks.read(client, check, known) is None
    return sent


@pytest.fixture
def account() -> Any:
    with emulated_account() as made:
        yield made


def test_what_is_called(account: Account) -> None:
    """Over the life of a check and a record: what both policies allow, less the program's lists."""
    _life(account)
    lists = {"route53:ListHealthChecks"}
    allowed = {each for each in _actions(PREVIEW) | _actions(NATIVE) if each.startswith("route53:")}
    assert {f"route53:{operation}" for operation in account.made()} == allowed - lists


def test_what_the_conditions_allow(account: Account) -> None:
    """Every change that is sent meets them, and there is no action in them that is never sent."""
    sent = _life(account)
    [condition] = [each["Condition"] for each in NATIVE["Statement"] if "Condition" in each]
    keys = {key: value for test in condition.values() for key, value in test.items()}
    head = "route53:ChangeResourceRecordSets"
    assert {each["Action"] for each in sent} == set(keys[f"{head}Actions"])
    assert {each["ResourceRecordSet"]["Type"] for each in sent} <= set(keys[f"{head}RecordTypes"])
    pattern = keys[f"{head}NormalizedRecordNames"][0].replace("apps.example.com", APEX)
    names = [each["ResourceRecordSet"]["Name"].removesuffix(".") for each in sent]
    assert fnmatch.filter(names, pattern) == names
