"""CNAMEs, the apex and aliases."""

from tests.local.zone.support import ZONE, Account, alias, create, delete, simple, upsert


def test_a_cname_stands_alone(account: Account) -> None:
    """No other record at the name of a CNAME."""
    account.change(
        create(simple("a.example.com")), create(simple("b.example.com", "c.org", kind="CNAME"))
    )
    account.refused(
        "InvalidChangeBatch",
        "RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts "
        "with other records with the same DNS name in zone example.com.",
        create(simple("a.example.com", "c.org", kind="CNAME")),
    )
    account.refused(
        "InvalidChangeBatch",
        "RRSet of type TXT with DNS name b.example.com. is not permitted because a conflicting "
        "RRSet of type  CNAME with the same DNS name already exists in zone example.com.",
        upsert(simple("b.example.com", '"x"', kind="TXT")),
    )
    account.change(
        delete(simple("b.example.com", "c.org", kind="CNAME")),
        create(simple("b.example.com", '"x"', kind="TXT")),
    )


def test_no_cname_at_the_apex(account: Account) -> None:
    """The apex takes an alias instead."""
    account.refused(
        "InvalidChangeBatch",
        "not permitted at apex in zone example.com.",
        create(simple("example.com", "c.org", kind="CNAME")),
    )
    account.change(
        create(simple("www.example.com", "c.org", kind="CNAME")),
        create(alias("example.com", "c.org")),
    )


def test_a_cname_has_one_value(account: Account) -> None:
    """A CNAME names one target."""
    account.refused(
        "InvalidChangeBatch",
        "exactly one value",
        create(simple("a.example.com", "b.org", "c.org", kind="CNAME")),
    )


def test_apex_ns_and_soa_cannot_be_deleted(account: Account) -> None:
    """They can be replaced; other NS sets can go."""
    listed = account.client.list_resource_record_sets(HostedZoneId=ZONE)["ResourceRecordSets"]
    ns, soa = listed
    account.refused("InvalidChangeBatch", "at least one NS record for the zone itself", delete(ns))
    account.refused("InvalidChangeBatch", "exactly one SOA record", delete(soa))
    account.change(delete(ns), create({**ns, "TTL": 60}), upsert({**soa, "TTL": 60}))
    account.change(create(simple("sub.example.com", "ns.example.org", kind="NS")))
    account.change(delete(simple("sub.example.com", "ns.example.org", kind="NS")))
    assert account.client.list_resource_record_sets(HostedZoneId=ZONE)["ResourceRecordSets"] == [
        {**ns, "TTL": 60},
        {**soa, "TTL": 60},
    ]


def test_an_alias_into_its_own_zone_needs_its_target(account: Account) -> None:
    """The target exists by then, with the alias's type."""
    wanted = alias("a.example.com", "target.example.com", ZONE)
    account.refused(
        "InvalidChangeBatch",
        f"Tried to create an alias that targets target.example.com., type A in zone {ZONE}, "
        "but that target was not found",
        create(wanted),
        create(simple("target.example.com")),
    )
    account.refused(
        "InvalidChangeBatch",
        "but the alias target name does not lie within the target zone",
        create(alias("a.example.com", "b.example.org", ZONE)),
    )
    account.refused(
        "InvalidChangeBatch",
        "target was not found",
        create(simple("t.example.com", "::1", kind="AAAA")),
        create(alias("a.example.com", "t.example.com", ZONE)),
    )
    account.change(create(simple("target.example.com")), create(wanted))
    account.change(
        create(alias("b.example.com", "target.example.com", ZONE)),
        create(alias("c.example.com", "any.elb.aws")),
    )
