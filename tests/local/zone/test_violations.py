"""What is observed and never refused."""

from tests.local.zone.support import ZONE, Account, create, delete, latency, simple


def test_emptied_hosts_are_recorded(account: Account) -> None:
    """A routed name left with nothing but TXT is host_emptied."""
    live = [latency("a.example.com", "i", "us-east-1"), latency("a.example.com", "j", "eu-west-1")]
    account.change(
        *map(create, live),
        create(simple("a.example.com", '"owner"', kind="TXT")),
        create(simple("b.example.com")),
    )
    account.change(delete(live[0]), delete(simple("b.example.com")))
    assert account.emulator.violations == [], (
        "one member remains, and a simple set is no routed host"
    )
    account.change(delete(live[1]), create(latency("a.example.com", "k", "us-east-1")))
    account.change(
        delete(latency("a.example.com", "k", "us-east-1")), create(simple("a.example.com"))
    )
    assert account.emulator.violations == [], "another set took over in the same batch"
    account.change(delete(simple("a.example.com")), create(live[0]))
    account.change(delete(live[0]))
    assert account.emulator.violations == [
        {
            "kind": "host_emptied",
            "call": account.emulator.calls[-1]["index"],
            "op": "ChangeResourceRecordSets",
            "zone": ZONE,
            "name": "a.example.com.",
        }
    ]


def test_deleting_a_check_in_use_is_allowed_and_recorded(account: Account) -> None:
    """So is each later change beside a set without its check."""
    used, free = account.check("used")["Id"], account.check("free")["Id"]
    account.change(create(latency("a.example.com", "i", "us-east-1", HealthCheckId=used)))
    account.client.delete_health_check(HealthCheckId=free)
    assert account.emulator.violations == []
    account.client.delete_health_check(HealthCheckId=used)
    assert account.emulator.violations == [
        {
            "kind": "deleted_health_check_in_use",
            "call": account.emulator.calls[-1]["index"],
            "op": "DeleteHealthCheck",
            "health_check": used,
            "sets": [[ZONE, "a.example.com.", "A", "i"]],
        }
    ]
    account.change(create(latency("a.example.com", "j", "eu-west-1")))
    assert [each["kind"] for each in account.emulator.violations] == [
        "deleted_health_check_in_use",
        "missing_health_check",
    ]
    assert account.emulator.violations[1]["set"] == ["A", "i"]
    assert account.emulator.violations[1]["health_check"] == used


def test_mixed_policies_in_a_seed_are_recorded(account: Account) -> None:
    """A seed is not judged, a change beside it is observed."""
    account.emulator.seed(
        {
            "zones": [
                {
                    "id": "ZMIX",
                    "name": "mix.org",
                    "record_sets": [latency("a.mix.org", "i", "us-east-1"), simple("a.mix.org")],
                }
            ]
        }
    )
    account.change(create(simple("a.mix.org", "::1", kind="AAAA")), zone="ZMIX")
    assert [each["kind"] for each in account.emulator.violations] == ["mixed_policies"]
