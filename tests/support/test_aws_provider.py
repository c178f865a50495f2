"""The tests' own pulumi-aws, where the real one does what one would not expect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from pulumi.runtime.proto import provider_pb2, status_pb2

from tests.support.aws_checks import HealthCheck
from tests.support.aws_records import Record, parse_id
from tests.support.aws_resources import KINDS, same
from tests.support.aws_unfinished import Unfinished, status
from tests.support.zones import APEX, PREFIX, ZONE, Account, emulated_account

NAME = f"a.{APEX}"
RECORD = {
    "zoneId": ZONE,
    "name": NAME,
    "type": "A",
    "setIdentifier": f"{PREFIX}b0",
    "ttl": 60,
    "records": ["192.0.2.1"],
    "latencyRoutingPolicies": [{"region": "eu-west-1"}],
}
ID = f"{ZONE}_{NAME}_A_{PREFIX}b0"
CHECK = {
    "referenceName": "fairlead-0123456789ab",
    "type": "HTTPS",
    "ipAddress": "192.0.2.1",
    "port": 443,
    "requestInterval": 30,
    "failureThreshold": 3,
    "tags": {"Name": "edge 192.0.2.1"},
}
RECORDS, CHECKS = Record(), HealthCheck()


@pytest.fixture
def account() -> Iterator[Account]:
    with emulated_account() as made:
        yield made


def _deny(account: Account, operation: str) -> None:
    account.emulator.set_faults([{"op": operation, "do": "denied"}])


@pytest.mark.parametrize(
    ("id_", "parts"),
    [
        ("Z1_a.example.com_A_carlos-steering/eu_1", ("a.example.com", "A", "carlos-steering/eu_1")),
        ("Z1__x_a.example.com_AAAA_p/a_A_b", ("_x_a.example.com", "AAAA", "p/a_A_b")),
        ("Z1_a.example.com._A_b0", ("a.example.com", "A", "b0")),
        ("Z1_*.example.com_A", ("*.example.com", "A", "")),
    ],
)
def test_an_id(id_: str, parts: tuple[str, str, str]) -> None:
    """The first type parts name and set identifier, and both may hold what joins the parts."""
    assert parse_id(id_) == ("Z1", *parts)


@pytest.mark.parametrize(
    "id_", ["nonsense", "Z1_a.example.com", "Z1_a.example.com_a_b0", "Z1_A_b0"]
)
def test_an_id_that_is_none(account: Account, id_: str) -> None:
    """Nothing is found, and nothing is asked."""
    account.emulator.reset()
    assert RECORDS.read(account.client, id_, {}) is None
    assert account.made() == {}


def test_what_only_a_new_resource_can_have() -> None:
    """A record takes another set identifier and region, and a check another address."""
    forced = {token.rpartition(":")[2]: kind.forced for token, kind in KINDS.items()}
    assert forced == {
        "Record": {"zoneId", "name", "type"},
        "HealthCheck": {"type", "requestInterval", "referenceName", "measureLatency"},
    }


def test_another_set_identifier(account: Account) -> None:
    """Its id is another one too, which the engine gets to know at a refresh."""
    id_, state = RECORDS.create(account.client, RECORD)
    state = RECORDS.update(account.client, id_, state, {**RECORD, "setIdentifier": "p/b1"})
    assert state["id"] == f"{ZONE}_{NAME}_A_p/b1"
    found = RECORDS.read(account.client, id_, state)
    assert found
    assert found["id"] == state["id"]


def test_how_a_name_is_spelled(account: Account) -> None:
    """One that is declared is written small, one that is imported stays as it was typed."""
    _, state = RECORDS.create(account.client, {**RECORD, "name": f"A.{APEX}."})
    assert state["name"] == NAME
    assert same("name", state["name"], f"A.{APEX}.")
    typed = RECORDS.read(account.client, f"{ZONE}_A.{APEX}_A_{PREFIX}b0", {})
    assert typed
    assert typed["name"] == f"A.{APEX}"
    assert not same("name", typed["name"], NAME)


def test_a_creation_that_is_refused(account: Account) -> None:
    """Nothing is known of it."""
    RECORDS.create(account.client, RECORD)
    with pytest.raises(ClientError, match="already exists"):
        RECORDS.create(account.client, RECORD)


@pytest.mark.parametrize("operation", ["GetChange", "ListResourceRecordSets"])
def test_a_creation_that_fails_when_it_is_made(account: Account, operation: str) -> None:
    """The state gets to know it."""
    _deny(account, operation)
    with pytest.raises(Unfinished) as error:
        RECORDS.create(account.client, RECORD)
    assert error.value.id == ID
    assert error.value.outputs == {**RECORD, "id": ID}


@pytest.mark.parametrize("change", [{"ttl": 30}, {"setIdentifier": "p/b1"}])
def test_an_update_that_is_refused(account: Account, change: dict[str, Any]) -> None:
    """The state says that all is as it was to be, though nothing is."""
    id_, state = RECORDS.create(account.client, RECORD)
    _deny(account, "ChangeResourceRecordSets")
    with pytest.raises(Unfinished) as error:
        RECORDS.update(account.client, id_, state, {**RECORD, **change})
    assert error.value.outputs == {**RECORD, **change, "id": ID}


@pytest.mark.parametrize("operation", ["ChangeTagsForResource", "GetHealthCheck"])
def test_a_check_that_is_made_and_not_finished(account: Account, operation: str) -> None:
    """The state gets to know it."""
    _deny(account, operation)
    with pytest.raises(Unfinished) as error:
        CHECKS.create(account.client, CHECK)
    assert {error.value.id} == set(account.emulator.health_checks)


def test_how_the_engine_is_told() -> None:
    """The detail of the gRPC status has the id and what the state is to hold."""
    told = status(Unfinished("id-1", {"ttl": 30}, LookupError("gone")))
    ((key, data),) = told.trailing_metadata
    whole, failed = status_pb2.Status(), provider_pb2.ErrorResourceInitFailed()
    whole.ParseFromString(data)
    assert whole.details[0].Unpack(failed)
    assert (key, whole.message, failed.id) == ("grpc-status-details-bin", "gone", "id-1")
    assert (dict(failed.properties), [*failed.reasons]) == ({"ttl": 30}, ["gone"])


def test_a_deletion_of_a_set_that_changes_meanwhile(account: Account) -> None:
    """Route 53 refuses it, and that counts as done: the set stays live."""
    id_, state = RECORDS.create(account.client, RECORD)

    def change(call: dict[str, Any]) -> None:
        if call["op"] == "ChangeResourceRecordSets":
            account.emulator.on_call = None
            account.client.change_resource_record_sets(
                HostedZoneId=ZONE,
                ChangeBatch={"Changes": [{"Action": "UPSERT", "ResourceRecordSet": other}]},
            )

    listed = account.client.list_resource_record_sets(HostedZoneId=ZONE)["ResourceRecordSets"]
    other: Any = {**listed[-1], "TTL": 61}
    account.emulator.on_call = change
    RECORDS.delete(account.client, id_, state)
    found = RECORDS.read(account.client, id_, state)
    assert found
    assert found["ttl"] == 61


def test_a_zone_that_is_gone(account: Account) -> None:
    """So is the record."""
    assert RECORDS.read(account.client, ID, {**RECORD, "zoneId": "Z9"}) is None


def test_tags(account: Account) -> None:
    """What is no more is taken away, and what stays as it is is not sent."""
    id_, state = CHECKS.create(account.client, CHECK)
    state = CHECKS.update(account.client, id_, state, {**CHECK, "tags": {"a": "b"}})
    assert state["tags"] == {"a": "b"}
    account.emulator.reset()
    CHECKS.update(account.client, id_, state, {**CHECK, "tags": {"a": "b"}, "port": 8443})
    assert "ChangeTagsForResource" not in account.made()
