"""The control paths, and the state that seeds another emulator."""

import json
import time
from typing import Any

from local.zone import ZoneEmulator
from tests.local.zone.support import ZONE, Account, create, latency, raw, refused, simple

CHECK = {"Id": "hc", "HealthCheckConfig": {"Type": "HTTP", "IPAddress": "192.0.2.1"}}


def ask(account: Account, path: str) -> Any:
    """What a control path answers to an unsigned GET."""
    status, text = raw(f"{account.emulator.url}/_emulator/{path}", method="GET", signed=False)
    assert status == 200, text
    return json.loads(text)


def tell(account: Account, path: str, body: str) -> int:
    """The status of an unsigned POST to a control path."""
    return raw(f"{account.emulator.url}/_emulator/{path}", body, signed=False)[0]


def test_calls_are_the_log(account: Account) -> None:
    """Each call with its operation, arguments, outcome and size; control calls are none."""
    account.change(create(simple("a.example.com")))
    (call,) = ask(account, "calls")
    assert [call] == ask(account, "calls") == json.loads(json.dumps(account.emulator.calls))
    assert abs(call.pop("time") - time.time()) < 60
    assert call == {
        "op": "ChangeResourceRecordSets",
        "args": [ZONE],
        "index": 0,
        "status": 200,
        "error": None,
        "fault": None,
        "changes": 1,
        "units": 1,
        "chars": 9,
    }


def test_state_and_violations(account: Account) -> None:
    """The account as plain data, in listing order."""
    account.change(create(simple("a.example.com")))
    listed = ask(account, "state")["zones"][0]["record_sets"]
    assert [each["Name"] for each in listed] == ["example.com.", "example.com.", "a.example.com."]
    assert ask(account, "violations") == []


def test_reset_empties_the_log(account: Account) -> None:
    """The next call is the first in the log, and has the next index."""
    account.sets()
    assert tell(account, "reset", "") == 200
    assert account.emulator.calls == []
    account.sets()
    assert [call["index"] for call in account.emulator.calls] == [1]


def test_seed_adds_zones_and_health_checks(account: Account) -> None:
    """Names are normalised, defaults filled in; a check's reference is its id."""
    zone = {"id": "ZS", "name": "Seed.org", "record_sets": [simple("*.seed.org")]}
    assert tell(account, "seed", json.dumps({"zones": [zone], "health_checks": [CHECK]})) == 200
    sets = account.client.list_resource_record_sets(HostedZoneId="ZS")["ResourceRecordSets"]
    assert [each["Name"] for each in sets] == ["seed.org.", "seed.org.", "\\052.seed.org."]
    check = account.client.get_health_check(HealthCheckId="hc")["HealthCheck"]
    assert check["HealthCheckConfig"]["Port"] == 80
    refused("HealthCheckAlreadyExists", "", account.check, reference="hc", ResourcePath="/other")


def test_faults_replace_the_rules(account: Account) -> None:
    """They hold from the next call on."""
    faults = [{"op": "GetHostedZone", "nth": 1, "do": "503"}]
    assert tell(account, "faults", json.dumps(faults)) == 200
    refused("ServiceUnavailable", "", account.client.get_hosted_zone, Id=ZONE)


def test_what_makes_no_sense_is_400(account: Account) -> None:
    """Unknown paths, text that is no JSON, unknown faults."""
    assert raw(f"{account.emulator.url}/_emulator/nothing", method="GET")[0] == 400
    assert tell(account, "seed", "{") == 400
    assert tell(account, "faults", json.dumps([{"do": "explode"}])) == 400


def test_the_state_of_one_emulator_seeds_another(account: Account) -> None:
    """What state() gives is what seed() takes."""
    check = account.check("one")
    account.change(create(latency("a.example.com", "i", "us-east-1", HealthCheckId=check["Id"])))
    with ZoneEmulator() as copy:
        copy.seed(json.loads(json.dumps(account.emulator.state())))
        assert copy.state() == account.emulator.state()
