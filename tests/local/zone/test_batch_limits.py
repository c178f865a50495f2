"""What one batch and one zone can hold."""

from typing import Any

from tests.local.zone.support import (
    ZONE,
    Account,
    account_with,
    addresses,
    alias,
    create,
    delete,
    hosts,
    simple,
    upsert,
)


def test_1000_units_and_upsert_counts_twice(account: Account) -> None:
    """ResourceRecord elements are counted, UPSERT's twice."""
    limit = "[Number of records limit of 1000 exceeded.]"
    account.refused(
        "InvalidChangeBatch",
        limit,
        *hosts(998),
        create(simple("x.example.com", "1.2.3.4", "1.2.3.5", "1.2.3.6")),
    )
    account.change(*hosts(1000))
    assert (
        account.emulator.calls[-1] | {"changes": 1000, "units": 1000, "chars": 9000}
        == account.emulator.calls[-1]
    )
    account.refused("InvalidChangeBatch", limit, *hosts(501, upsert))
    account.change(*hosts(500, upsert))
    assert account.emulator.calls[-1]["units"] == 1000
    account.refused(
        "InvalidChangeBatch",
        limit,
        *hosts(500, delete),
        *hosts(499, create, "x"),
        upsert(simple("y.example.com")),
    )
    account.change(*hosts(500, delete), *hosts(498, create, "x"), upsert(simple("y.example.com")))


def test_aliases_count_as_records() -> None:
    """An alias counts as one record, by the setting alias_units."""

    def aliases(count: int) -> list[dict[str, Any]]:
        return [
            create(alias(f"a{number}.example.com", "x.elb.amazonaws.com"))
            for number in range(count)
        ]

    with account_with() as account:
        account.refused(
            "InvalidChangeBatch",
            "limit of 1000 exceeded",
            *aliases(999),
            create(simple("b.example.com", "1.2.3.4", "1.2.3.5")),
        )
        account.refused(
            "InvalidChangeBatch",
            "limit of 1000 exceeded",
            *aliases(999),
            upsert(alias("b.example.com", "x.elb.aws")),
        )
        account.change(*aliases(1000))
    with account_with(alias_units=0) as account:
        account.change(*aliases(999), create(simple("b.example.com", *addresses(2))))


def test_1000_changes() -> None:
    """1,000 Change elements are the most."""
    with account_with(alias_units=0) as account:
        changes = [
            create(alias(f"a{number}.example.com", "x.elb.amazonaws.com")) for number in range(1001)
        ]
        account.refused("InvalidChangeBatch", "Cannot have more than 1000 changes", *changes)
        account.change(*changes[:1000])


def test_32000_characters_and_upsert_counts_twice(account: Account) -> None:
    """Characters of values are counted, UPSERT's twice."""
    text = '"' + "x" * 198 + '"'

    def texts(count: int, action: Any) -> list[dict[str, Any]]:
        return [
            action(simple(f"t{number}.example.com", text, kind="TXT")) for number in range(count)
        ]

    limit = "[RDATA character limit of 32000 exceeded.]"
    one_more = create(simple("x.example.com", '"' + "x" * 199 + '"', kind="TXT"))
    account.refused("InvalidChangeBatch", limit, *texts(159, create), one_more)
    account.change(*texts(160, create))
    assert account.emulator.calls[-1]["chars"] == 32000
    account.refused(
        "InvalidChangeBatch", limit, *texts(80, upsert), delete(simple("x.example.com"))
    )
    account.change(*texts(80, upsert))
    assert account.emulator.calls[-1]["chars"] == 32000
    account.refused(
        "InvalidChangeBatch", limit, *texts(160, delete), create(simple("x.example.com"))
    )
    account.change(*texts(160, delete))


def test_zone_quota() -> None:
    """Only growth beyond the quota is refused."""
    with account_with(zone_quota=10) as account:
        account.refused(
            "InvalidChangeBatch", f"Exceeded limit MAX_RRSETS_BY_ZONE for zone: {ZONE}", *hosts(9)
        )
        account.change(*hosts(8))
        account.refused("InvalidChangeBatch", "MAX_RRSETS_BY_ZONE", create(simple("x.example.com")))
        account.change(upsert(simple("h0.example.com", "192.0.2.2")))
        account.change(delete(simple("h1.example.com")), create(simple("x.example.com")))
        account.emulator.settings.zone_quota = 5
        account.change(upsert(simple("h0.example.com", "192.0.2.3")))
        account.change(delete(simple("x.example.com")))
        account.refused("InvalidChangeBatch", "MAX_RRSETS_BY_ZONE", create(simple("x.example.com")))
