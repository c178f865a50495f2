"""CREATE, DELETE and UPSERT."""

from typing import Any

import pytest

from tests.local.zone.support import (
    Account,
    alias,
    create,
    delete,
    latency,
    simple,
    upsert,
    weighted,
)


def test_create_then_create_again(account: Account) -> None:
    """CREATE of what exists is refused, under any spelling of the name."""
    account.change(
        create(simple("a.example.com")), create(latency("b.example.com", "i", "us-east-1"))
    )
    message = account.refused(
        "InvalidChangeBatch", "but it already exists", create(simple("A.example.com.", "192.0.2.9"))
    )
    this = "resource record set [name='a.example.com.', type='A']"
    assert message == f"[Tried to create {this} but it already exists]"
    account.refused(
        "InvalidChangeBatch",
        "set-identifier='i'] but it already exists",
        create(latency("b.example.com", "i", "eu-west-1")),
    )
    account.change(
        create(simple("a.example.com", "2001:db8::1", kind="AAAA")),
        create(latency("b.example.com", "I", "eu-west-1")),
    )
    assert len(account.sets()) == 4


def test_upsert_creates_and_replaces(account: Account) -> None:
    """UPSERT replaces whatever stands under the key."""
    account.change(upsert(latency("a.example.com", "i", "us-east-1", "192.0.2.1")))
    account.change(upsert(latency("a.example.com", "i", "eu-west-1", "192.0.2.2", ttl=30)))
    assert account.sets() == [latency("a.example.com.", "i", "eu-west-1", "192.0.2.2", ttl=30)]


def test_delete_of_what_does_not_exist(account: Account) -> None:
    """Name, type and identifier are the key."""
    account.change(create(latency("a.example.com", "i", "us-east-1")))
    for missing in (
        simple("a.example.com"),
        latency("a.example.com", "j", "us-east-1"),
        simple("b.example.com"),
        latency("a.example.com", "i", "us-east-1", "::1", kind="AAAA"),
    ):
        account.refused("InvalidChangeBatch", "but it was not found", delete(missing))
    account.change(delete(latency("a.example.com", "i", "us-east-1")))
    assert account.sets() == []


def test_delete_must_match_every_field(account: Account) -> None:
    """DELETE compares all fields, the values in any order."""
    check = account.check()["Id"]
    live = latency("a.example.com", "i", "us-east-1", "192.0.2.1", "192.0.2.2", HealthCheckId=check)
    account.change(create(live))
    without = {name: value for name, value in live.items() if name != "HealthCheckId"}
    for wrong in (
        {**live, "TTL": 61},
        {**live, "Region": "us-east-2"},
        without,
        {**live, "HealthCheckId": "other"},
        {**live, "ResourceRecords": live["ResourceRecords"][:1]},
        {**live, "ResourceRecords": [*live["ResourceRecords"], {"Value": "192.0.2.3"}]},
        {**live, "ResourceRecords": [{"Value": "192.0.2.1"}, {"Value": "192.0.2.3"}]},
        weighted("a.example.com", "i", "192.0.2.1", "192.0.2.2", HealthCheckId=check),
    ):
        account.refused(
            "InvalidChangeBatch",
            "but the values provided do not match the current values",
            delete(wrong),
        )
    account.change(delete({**live, "ResourceRecords": live["ResourceRecords"][::-1]}))
    assert account.sets() == []


def test_delete_of_an_alias_must_match_its_target(account: Account) -> None:
    """An alias is compared by all of its target, names canonically."""
    live = alias("a.example.com", "B.elb.amazonaws.com")
    account.change(create(live))
    assert account.sets()[0]["AliasTarget"]["DNSName"] == "b.elb.amazonaws.com."
    on = {**live, "AliasTarget": {**live["AliasTarget"], "EvaluateTargetHealth": True}}
    for wrong in (
        alias("a.example.com", "c.elb.amazonaws.com"),
        alias("a.example.com", "b.elb.amazonaws.com", "Z9"),
        on,
    ):
        account.refused("InvalidChangeBatch", "do not match the current values", delete(wrong))
    account.change(delete(alias("a.example.com", "b.elb.amazonaws.com.")))
    assert account.sets() == []


def test_values_compare_as_text(account: Account) -> None:
    """In a value "a.b" is not "a.b."."""
    account.change(create(simple("a.example.com", "b.example.org", kind="CNAME")))
    account.refused(
        "InvalidChangeBatch",
        "do not match",
        delete(simple("a.example.com", "b.example.org.", kind="CNAME")),
    )


def test_a_batch_is_applied_whole_or_not_at_all(account: Account) -> None:
    """One failing change refuses all, and each failing change is named."""
    account.change(create(simple("a.example.com")))
    message = account.refused(
        "InvalidChangeBatch",
        "not found",
        create(simple("b.example.com")),
        delete(simple("a.example.com")),
        delete(simple("c.example.com")),
        create(simple("example.org")),
        create(simple("d.example.com")),
    )
    assert message == (
        "[Tried to delete resource record set [name='c.example.com.', type='A'] "
        "but it was not found, "
        "RRSet with DNS name example.org. is not permitted in zone example.com.]"
    )


def test_changes_are_judged_in_order(account: Account) -> None:
    """A CREATE before the DELETE that makes room fails."""
    account.change(create(simple("a.example.com")))
    first, second = (
        latency("a.example.com", "i", "us-east-1"),
        latency("a.example.com", "j", "eu-west-1"),
    )
    account.refused(
        "InvalidChangeBatch",
        "non-latency set exists",
        create(first),
        delete(simple("a.example.com")),
    )
    account.change(delete(simple("a.example.com")), create(first), create(second))
    swapped = [
        latency("a.example.com", "i", "eu-west-1"),
        latency("a.example.com", "j", "us-east-1"),
    ]
    account.refused(
        "InvalidChangeBatch", "same name, type and region", upsert(swapped[0]), upsert(swapped[1])
    )
    account.change(delete(first), delete(second), create(swapped[0]), create(swapped[1]))
    assert account.sets() == [{**each, "Name": "a.example.com."} for each in swapped]


def test_a_failing_change_leaves_the_working_copy_alone(account: Account) -> None:
    """Later changes are judged as if it were not there."""
    message = account.refused(
        "InvalidChangeBatch",
        "",
        create(simple("a.example.com", "nonsense")),
        create(latency("a.example.com", "i", "us-east-1")),
    )
    assert "non-latency" not in message


@pytest.mark.parametrize(
    "twice",
    [
        (create, create),
        (upsert, upsert),
        (create, upsert),
        (create, delete),
        (delete, delete),
        (upsert, delete),
        (delete, upsert),
        (upsert, create),
    ],
)
def test_a_set_named_twice_is_refused(account: Account, twice: tuple[Any, Any]) -> None:
    """Only DELETE then CREATE may name a set twice."""
    if twice[0] is delete:
        account.change(create(simple("a.example.com")))
    message = account.refused(
        "InvalidChangeBatch", "", *(action(simple("a.example.com")) for action in twice)
    )
    assert message == (
        "[The request contains an invalid set of changes for a resource record set "
        "'A a.example.com.']"
    )


def test_delete_then_create_is_a_compare_and_swap(account: Account) -> None:
    """The pair fails where the live set has changed."""
    account.change(create(simple("a.example.com", "192.0.2.1")))
    swap = (
        delete(simple("a.example.com", "192.0.2.1")),
        create(simple("a.example.com", "192.0.2.2")),
    )
    account.change(*swap)
    assert account.sets() == [simple("a.example.com.", "192.0.2.2")]
    account.refused("InvalidChangeBatch", "do not match the current values", *swap)
    account.refused(
        "InvalidChangeBatch", "an invalid set of changes", *swap, create(simple("a.example.com"))
    )


def test_records_must_point_at_existing_health_checks(account: Account) -> None:
    """NoSuchHealthCheck, but not for DELETE."""
    check = account.check()["Id"]
    account.change(create(latency("a.example.com", "i", "us-east-1", HealthCheckId=check)))
    assert account.sets()[0]["HealthCheckId"] == check
    for action in (create, upsert):
        account.refused(
            "NoSuchHealthCheck",
            "missing",
            action(latency("b.example.com", "i", "us-east-1", HealthCheckId="missing")),
        )
    account.client.delete_health_check(HealthCheckId=check)
    account.refused(
        "NoSuchHealthCheck",
        check,
        upsert(latency("a.example.com", "i", "us-east-1", ttl=61, HealthCheckId=check)),
    )
    account.change(delete(latency("a.example.com", "i", "us-east-1", HealthCheckId=check)))
