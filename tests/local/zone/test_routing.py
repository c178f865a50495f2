"""Routing policies: what stands beside what at one name."""

from typing import Any

import pytest

from tests.local.zone.support import (
    Account,
    account_with,
    alias,
    create,
    delete,
    latency,
    simple,
    upsert,
    weighted,
)


def test_one_latency_set_per_region(account: Account) -> None:
    """A region is used once per name and type."""
    account.change(
        create(latency("a.example.com", "i", "us-east-1")),
        create(latency("a.example.com", "j", "eu-west-1")),
        create(latency("b.example.com", "k", "us-east-1")),
        create(latency("a.example.com", "i", "us-east-1", "2001:db8::1", kind="AAAA")),
    )
    for action in (create, upsert):
        message = account.refused(
            "InvalidChangeBatch", "", action(latency("a.example.com", "k", "eu-west-1"))
        )
        assert message == (
            "[RRSet with DNS name a.example.com., type A, SetIdentifier k, "
            "and Region Name=eu-west-1 cannot be created "
            "because a latency RRSet with the same name, type and region already exists.]"
        )
    account.refused(
        "InvalidChangeBatch",
        "same name, type and region",
        upsert(latency("a.example.com", "i", "eu-west-1")),
    )


def test_no_simple_set_beside_a_routed_one(account: Account) -> None:
    """Simple and routed sets exclude each other, type by type."""
    account.change(
        create(latency("a.example.com", "i", "us-east-1")), create(simple("b.example.com"))
    )
    for action in (create, upsert):
        account.refused(
            "InvalidChangeBatch",
            "RRSet with DNS name a.example.com., type A cannot be created as other RRSets "
            "exist with the same name and type.",
            action(simple("a.example.com")),
        )
        account.refused(
            "InvalidChangeBatch",
            "SetIdentifier i cannot be created as a non-latency set exists with the same "
            "name and type.",
            action(latency("b.example.com", "i", "us-east-1")),
        )
    account.change(create(simple("a.example.com", "2001:db8::1", kind="AAAA")))


ROUTED: dict[str, Any] = {
    "Weight": 1,
    "Region": "us-east-1",
    "Failover": "PRIMARY",
    "GeoLocation": {"CountryCode": "DE"},
    "MultiValueAnswer": True,
}


@pytest.mark.parametrize("live", ROUTED)
@pytest.mark.parametrize("added", ROUTED)
def test_policies_do_not_mix(account: Account, live: str, added: str) -> None:
    """One policy per name and type."""
    account.change(create(simple("a.example.com", SetIdentifier="i", **{live: ROUTED[live]})))
    others: dict[str, Any] = {
        "Region": "eu-west-1",
        "Failover": "SECONDARY",
        "GeoLocation": {"CountryCode": "FR"},
    }
    other = others.get(added, ROUTED[added])
    second = simple("a.example.com", "192.0.2.2", SetIdentifier="j", **{added: other})
    if live == added:
        account.change(create(second))
        assert len(account.sets()) == 2
    else:
        word = (
            "non multivalue answer"
            if added == "MultiValueAnswer"
            else "cannot be created as a non-"
        )
        account.refused("InvalidChangeBatch", word, create(second))
        account.refused("InvalidChangeBatch", word, upsert(second))


def test_a_policy_can_be_changed_by_replacing_the_whole_group(account: Account) -> None:
    """Deleting all of the old policy makes room for the new."""
    old = [latency("a.example.com", "i", "us-east-1"), latency("a.example.com", "j", "eu-west-1")]
    account.change(*map(create, old))
    account.refused(
        "InvalidChangeBatch",
        "non-weighted set exists",
        delete(old[0]),
        create(weighted("a.example.com", "i")),
    )
    account.change(
        *map(delete, old),
        create(weighted("a.example.com", "i")),
        create(weighted("a.example.com", "j")),
    )


def test_duplicate_places_and_roles_are_refused(account: Account) -> None:
    """One geolocation set per place, one failover set per role."""

    def geo(identifier: str, **place: str) -> dict[str, Any]:
        return simple("g.example.com", SetIdentifier=identifier, GeoLocation=place)

    def failover(identifier: str, role: str) -> dict[str, Any]:
        return simple("f.example.com", SetIdentifier=identifier, Failover=role)

    account.change(
        create(geo("i", CountryCode="*")),
        create(geo("j", ContinentCode="EU")),
        create(failover("i", "PRIMARY")),
        create(failover("j", "SECONDARY")),
    )
    account.refused(
        "InvalidChangeBatch", "GeoLocation already exists", create(geo("k", ContinentCode="EU"))
    )
    account.refused(
        "InvalidChangeBatch", "Failover already exists", create(failover("k", "PRIMARY"))
    )


def test_weighted_sets_share_a_ttl(account: Account) -> None:
    """Judged on the final state, so all can change in one batch."""
    account.change(
        *(create(weighted("a.example.com", str(number), ttl=300)) for number in range(3))
    )
    account.refused(
        "InvalidChangeBatch",
        "weighted sets must contain the same TTL",
        upsert(weighted("a.example.com", "0", ttl=60)),
    )
    account.change(*(upsert(weighted("a.example.com", str(number), ttl=60)) for number in range(3)))
    account.change(
        create(latency("b.example.com", "i", "us-east-1", ttl=60)),
        create(latency("b.example.com", "j", "eu-west-1", ttl=300)),
    )


def test_a_hundred_routed_sets_per_name_and_type(account: Account) -> None:
    """The 101st is refused; a replacement is not."""
    account.change(*(create(weighted("a.example.com", f"i{number}")) for number in range(100)))
    account.refused(
        "InvalidChangeBatch", "more than 100 sets", create(weighted("a.example.com", "one-more"))
    )
    account.change(
        upsert(weighted("a.example.com", "i0", "192.0.2.2")),
        create(weighted("b.example.com", "one-more")),
    )


@pytest.mark.parametrize(
    ("record_set", "text"),
    [
        (
            latency("a.example.com", "i", "us-east-1", "ns.example.org", kind="NS"),
            "does not support routing",
        ),
        (
            latency("a.example.com", "i", "us-east-1", "1 8 2 AB", kind="DS"),
            "does not support routing",
        ),
        (
            simple(
                "a.example.com", "b.org", kind="CNAME", SetIdentifier="i", MultiValueAnswer=True
            ),
            "multivalue answer",
        ),
        (
            alias("a.example.com", "b.org", SetIdentifier="i", MultiValueAnswer=True),
            "multivalue answer",
        ),
        (alias("a.example.com", "b.org", kind="NS"), "cannot be an alias"),
        (simple("*.example.com", "ns.example.org", kind="NS"), "NS takes no wildcard"),
        (simple("a.example.com", "a. b. 1 2 3 4 5", kind="SOA"), "only at apex"),
    ],
)
def test_types_that_do_not_fit(account: Account, record_set: dict[str, Any], text: str) -> None:
    """Some types take no policy, no alias, no wildcard, or only the apex."""
    account.refused("InvalidChangeBatch", text, create(record_set))


def test_types_that_do_fit(account: Account) -> None:
    """Latency CNAMEs, aliases beside records and delegations are admitted."""
    account.change(
        create(latency("a.example.com", "i", "us-east-1", "b.org", kind="CNAME")),
        create(latency("a.example.com", "j", "eu-west-1", "c.org", kind="CNAME")),
        create(simple("b.example.com", "ns.example.org", kind="NS")),
        create(alias("c.example.com", "b.org", SetIdentifier="i", Region="us-east-1")),
        create(latency("c.example.com", "j", "eu-west-1")),
    )
    assert len([each for each in account.sets() if each["Type"] != "NS"]) == 4


def test_several_values_in_a_latency_set_are_a_setting() -> None:
    """The documents disagree, so a setting decides."""
    several = latency("a.example.com", "i", "us-east-1", "192.0.2.1", "192.0.2.2")
    with account_with() as account:
        account.change(create(several))
    with account_with(allow_multi_value_latency=False) as account:
        account.refused("InvalidChangeBatch", "exactly one value", create(several))
        account.change(
            create(latency("a.example.com", "i", "us-east-1")),
            create(simple("b.example.com", "1.2.3.4", "1.2.3.5")),
        )
