from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.records import Instance, parse_instance
from folds.hosts import HostRule, Hosts, hosts_of, legal

_DOMAIN = "example.com"


def _key(name: str, app: str = "hello", account: str = "bab") -> str:
    return f"apps/{account}/{app}/instances/{name}.json"


def _record(
    host: str = "hello.bab.example.com",
    name: str = "",
    steering: str = "latency",
    pool: str = "",
    **key: str,
) -> Instance:
    body = json.dumps({"host": host, "steering": steering, "pool": pool}).encode()
    return parse_instance(body, _key(name or host, **key))


def _fold(*records: Instance, domain: str = _DOMAIN, rule: HostRule = "account") -> Hosts:
    return hosts_of(records, domain=domain, rule=rule)


def _reason(*records: Instance, domain: str = _DOMAIN, rule: HostRule = "account") -> str:
    (refusal,) = _fold(*records, domain=domain, rule=rule).refused
    return refusal.reason


@pytest.mark.behaviour(12)
def test_steered_record() -> None:
    """The bucket's records say which hosts are steered, and nothing else does."""
    found = _fold(_record())
    assert found == Hosts(("hello.bab.example.com",), (), (), ())


@pytest.mark.behaviour(13)
@pytest.mark.parametrize("home", [{}, {"region": "uk", "kind": "exec", "box": "uk-1"}])
def test_record_homed_on_another_box(home: dict[str, Any]) -> None:
    """Where an instance runs makes no difference to whether its host is steered."""
    fields = {"host": "hello.bab.example.com", "steering": "latency", **home}
    record = parse_instance(json.dumps(fields).encode(), _key("hello.bab.example.com"))
    assert _fold(record).steered == ("hello.bab.example.com",)


@pytest.mark.behaviour(15)
def test_record_that_asks_for_no_steering() -> None:
    """An empty steering value is no refusal; its host may be withdrawn."""
    found = _fold(_record(steering=""))
    assert found == Hosts((), (), (), ("hello.bab.example.com",))


@pytest.mark.behaviour(16)
@pytest.mark.parametrize("steering", ["Latency", " latency", "off", "geo"])
def test_unknown_steering_value(steering: str) -> None:
    """It reaches the fold as it is, is refused by name, and its host is held."""
    found = _fold(_record(steering=steering))
    assert found.steered == found.withdrawn == ()
    assert found.held == ("hello.bab.example.com",)
    assert found.refused[0].reason == f'unknown steering value "{steering}"'


@pytest.mark.behaviour(17)
def test_wildcard_host() -> None:
    """It is refused by name, not dropped; a live set of that very name would be held."""
    found = _fold(_record("*.bab.example.com"))
    assert found.held == ("*.bab.example.com",)
    assert found.refused[0].reason == "a wildcard host cannot be steered"


@pytest.mark.behaviour(18)
def test_pool_scoped_record() -> None:
    """It is refused by the name of its pool, and its host is held."""
    found = _fold(_record(pool="fleet/acme"))
    assert found.held == ("hello.bab.example.com",)
    assert 'pool-scoped ("fleet/acme")' in found.refused[0].reason


@pytest.mark.behaviour(20)
def test_refusals_come_in_the_order_of_their_keys() -> None:
    """The order of the records is that of their keys, whatever order they arrive in."""
    records = [_record(f"{label}.bab.example.com", pool="p") for label in "bac"]
    hosts = [refusal.host for refusal in _fold(*records).refused]
    assert hosts == [f"{label}.bab.example.com" for label in "abc"]


@pytest.mark.parametrize("host", ["Hello.BAB.example.com", "hello.bab.example.com."])
def test_host_is_lower_case_without_the_final_dot(host: str) -> None:
    """The host and the key's last segment are brought to the same form."""
    assert _fold(_record(host, "HELLO.bab.example.com.")).steered == ("hello.bab.example.com",)


@pytest.mark.parametrize(
    "host",
    [
        "",
        ".",
        "a..bab.example.com",
        "-a.bab.example.com",
        "a_b.bab.example.com",
        "a b.bab.example.com",
        "a\n.bab.example.com",
        "a\\052.bab.example.com",
        "bücher.bab.example.com",
        "İ.bab.example.com",
        f"{'a' * 64}.bab.example.com",
        f"{'a.' * 121}bab.example.com",
    ],
)
def test_illegal_name(host: str) -> None:
    """Labels are 1 to 63 letters, digits and inner hyphens; a name has at most 253 characters."""
    assert "not a legal host name" in _reason(_record(host, "x"))


def test_longest_legal_name() -> None:
    """253 characters, labels of 63."""
    label = "a" * 63
    assert legal(f"{label}.{label}.{label}.{'a' * 61}")
    assert not legal(f"{label}.{label}.{label}.{'a' * 62}")


@pytest.mark.parametrize("host", ["edge.example.com", "example.com"])
def test_reserved_name(host: str) -> None:
    """No tenant has edge.<apps domain> or the apex."""
    assert "a reserved name" in _reason(_record(host), rule="zone")


def test_edge_label_of_a_tenant() -> None:
    """An app may be called edge: its host lies under its account."""
    assert _fold(_record("edge.bab.example.com")).steered == ("edge.bab.example.com",)


def test_host_of_another_account() -> None:
    """A record speaks for hosts under its own account alone."""
    assert _reason(_record("shop.dob.example.com")) == "not under bab.example.com"
    assert _reason(_record("bab.example.com")) == "not under bab.example.com"
    assert _reason(_record("xbab.example.com")) == "not under bab.example.com"


@pytest.mark.parametrize(("domain", "rule"), [("", "account"), (_DOMAIN, "zone")])
def test_host_anywhere_in_the_zone(domain: str, rule: HostRule) -> None:
    """Without an apps domain, and with the rule `zone`, the account does not matter."""
    record = _record("shop.dob.example.com")
    assert _fold(record, domain=domain, rule=rule).steered == ("shop.dob.example.com",)


def test_record_with_another_tenants_host() -> None:
    """It is refused alone: the host's own record is steered all the same."""
    own = _record("shop.dob.example.com", account="dob")
    thief = _record("shop.dob.example.com", "hello.bab.example.com")
    found = _fold(own, thief)
    assert found.steered == ("shop.dob.example.com",)
    assert found.held == ("hello.bab.example.com",)
    (refusal,) = found.refused
    assert refusal.key == thief.key
    assert refusal.reason == 'the key is for "hello.bab.example.com"; not under bab.example.com'


def test_record_with_another_tenants_host_cannot_keep_it() -> None:
    """The host's own record has withdrawn it, so a foreign one does not hold it."""
    own = _record("shop.dob.example.com", account="dob", steering="")
    thief = _record("shop.dob.example.com", "hello.bab.example.com")
    found = _fold(own, thief)
    assert (found.held, found.withdrawn) == (("hello.bab.example.com",), ("shop.dob.example.com",))


def test_record_that_does_not_fit_cannot_withdraw() -> None:
    """A host whose own record is absent has vanished: another's "off" does not explain it."""
    thief = _record("shop.dob.example.com", "hello.bab.example.com", steering="")
    assert _fold(thief) == Hosts((), (), (), ())


def test_two_records_of_one_host_that_both_fit() -> None:
    """None is more right than the other: both are refused and the host is held."""
    records = [_record(app=app) for app in ("one", "two")]
    found = _fold(*records)
    assert (found.steered, found.held) == ((), ("hello.bab.example.com",))
    assert {refusal.key for refusal in found.refused} == {record.key for record in records}
    assert "2 records ask for this host: apps/bab/one/" in found.refused[0].reason


def test_two_records_of_one_host_of_which_one_fits() -> None:
    """The one whose key fits wins."""
    fits, other = _record(), _record(name="old.bab.example.com", app="old")
    found = _fold(fits, other)
    assert found.steered == ("hello.bab.example.com",)
    assert found.held == ("old.bab.example.com",)


def test_two_fitting_records_of_which_one_is_off() -> None:
    """An empty value does not ask: the other decides, a typo in it does not withdraw."""
    off = _record(steering="", app="old")
    assert _fold(off, _record()).steered == ("hello.bab.example.com",)
    assert _fold(off, _record(steering="latncy")).held == ("hello.bab.example.com",)


def test_very_many_records_of_one_host() -> None:
    """A message stays short: it names three keys and counts the rest."""
    found = _fold(*(_record(app=f"a{index}") for index in range(500)))
    assert all("and 497 more" in refusal.reason for refusal in found.refused)
    assert max(len(refusal.reason) for refusal in found.refused) < 400


def test_text_of_a_hostile_record() -> None:
    """What a tenant wrote is shown escaped and cut."""
    (refusal,) = _fold(_record("\x1b[2J\n::error::" + "x" * 999, "y\r", steering="\u202e")).refused
    shown = refusal.host + refusal.key + refusal.reason
    assert shown.isascii()
    assert shown.isprintable()
    assert refusal.host.startswith(r"\x1b[2j\n::error::xxx")
    assert len(refusal.host) < 300


_NAMES = st.sampled_from(["a.bab.example.com", "b.bab.example.com", "a.dob.example.com", "*.x", ""])
_RECORDS = st.lists(
    st.builds(
        _record,
        host=_NAMES,
        name=_NAMES.map(lambda name: name or "nameless"),
        steering=st.sampled_from(["latency", "", "typo"]),
        pool=st.sampled_from(["", "", "p"]),
        app=st.sampled_from(["one", "two"]),
        account=st.sampled_from(["bab", "dob"]),
    ),
    max_size=8,
    unique_by=lambda record: record.key,
)


@given(_RECORDS, st.randoms())
def test_any_order_of_the_records(records: list[Instance], random: Any) -> None:
    """Shuffled records give the same hosts, refusals and order."""
    shuffled = [*records]
    random.shuffle(shuffled)
    assert _fold(*shuffled) == _fold(*records)


@given(_RECORDS)
def test_no_record_is_passed_over(records: list[Instance]) -> None:
    """A record that asks is steered or refused by its key; no name has two fates."""
    found = _fold(*records)
    refused = {refusal.key for refusal in found.refused}
    granted = [each for each in records if each.steering and each.key not in refused]
    assert sorted(record.host for record in granted) == [*found.steered]
    assert refused <= {record.key for record in records if record.steering}
    fates = [*found.steered, *found.held, *found.withdrawn]
    assert len(fates) == len(set(fates))


@given(_RECORDS)
def test_accounts_cannot_touch_each_other(records: list[Instance]) -> None:
    """What one account writes neither adds nor removes a steered host of another."""
    for account in ("bab", "dob"):
        own = [record for record in records if record.account == account]
        suffix = f".{account}.example.com"
        assert [name for name in _fold(*records).steered if name.endswith(suffix)] == [
            name for name in _fold(*own).steered if name.endswith(suffix)
        ]
