"""The settings: every key, every mistake at once by its key, and dormancy."""

from __future__ import annotations

import pytest

from stacks.settings import SteeringSettings, load
from stacks.steering_settings import HealthCheck, zone_of
from tests.stacks.settings import loaded, mistakes

WHOLE = {
    "kind": "steering",
    "realizer": "native",
    "bucket": "control/eu",
    "zoneId": "Z1",
    "appsDomain": "apps.example.com",
    "hostRule": "zone",
    "ttl": "30",
    "setIdentifierPrefix": "blue/",
    "healthCheck": '{"type":"HTTP","port":8080,"path":"/up","interval":10,"failureThreshold":2}',
    "healthCheckLimit": "400",
    "zoneLimit": "20000",
    "waitForSync": "false",
    "allowTestAddresses": "true",
    "ignoreLegacyKeys": "true",
}


def test_every_key_given() -> None:
    """Every key of the configuration has its place in the settings; all values come as text."""
    check = HealthCheck(type="HTTP", port=8080, path="/up", interval=10, failure_threshold=2)
    assert loaded(**WHOLE) == SteeringSettings(
        realizer="native",
        bucket="control/eu",
        zone_id="Z1",
        apps_domain="apps.example.com",
        host_rule="zone",
        ttl=30,
        set_identifier_prefix="blue/",
        health_check=check,
        health_check_limit=400,
        zone_limit=20_000,
        wait_for_sync=False,
        allow_test_addresses=True,
        ignore_legacy_keys=True,
    )
    assert {*WHOLE, "adopt", "formerPrefix"} == {
        each.alias for each in SteeringSettings.model_fields.values()
    }


def test_keys_of_other_namespaces() -> None:
    """Only the program's own namespace is read."""
    assert load({"aws:region": "eu-west-1", "pulumi:tags": "{}"}) == SteeringSettings()


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("kind", "sidecars", "Input should be 'steering'"),
        ("appsDomain", "no domain", "not a legal domain name"),
        ("hostRule", "region", "Input should be 'account' or 'zone'"),
        ("ttl", "0", "greater than or equal to 1"),
        ("ttl", "a minute", "valid integer"),
        ("healthCheckLimit", "-1", "greater than or equal to 1"),
        ("zoneLimit", "many", "valid integer"),
        ("waitForSync", "perhaps", "valid boolean"),
        ("allowTestAddresses", "", "valid boolean"),
        ("ignoreLegacyKeys", "[]", "valid boolean"),
        ("healthCheck", "[]", "not a JSON object"),
        ("healthCheck", "{", "not JSON"),
        ("formerPrefix", "carlos-steering", "the last one a /"),
        ("formerPrefix", "carlos-steering/", "is setIdentifierPrefix itself"),
        ("realizer", "terraform", "Input should be 'batch' or 'native'"),
        ("adopt", "a.example.com", "not JSON"),
        ("adopt", '"a.example.com"', "not a JSON array"),
        ("adopt", '["*.example.com"]', '"*.example.com" is a wildcard host, which cannot be'),
        ("adopt", '["a b.example.com"]', '"a b.example.com" is not a legal host name'),
        ("adopt", '[" "]', '"" is not a legal host name'),
        ("adopt", '["\u212a.example.com"]', "is not a legal host name"),
        ("zoneID", "Z1", "no such setting"),
        ("zone_id", "Z1", "no such setting"),
    ],
)
def test_one_mistake(key: str, value: str, says: str) -> None:
    """A mistake is named by the key that the configuration has."""
    assert mistakes(**{key: value}).startswith(f"settings: fairlead:{key}: ")
    assert says in mistakes(**{key: value})


def test_a_bucket_that_is_not_text() -> None:
    """A key of the wrong type names the key."""
    assert (
        mistakes(bucket=["control"]) == "settings: fairlead:bucket: Input should be a valid string"
    )


def test_many_mistakes() -> None:
    """Every mistake is told at once, each by its key, in the order of the keys."""
    said = mistakes(
        ttl="x", zoneId="Z1", zzz="1", healthCheck='{"port":0,"interval":20,"retries":1}'
    )
    keys = [part.split(": ")[0] for part in said.removeprefix("settings: ").split("; ")]
    assert [key.removeprefix("fairlead:") for key in keys if key.startswith("fairlead:")] == [
        "bucket",
        "healthCheck.interval",
        "healthCheck.port",
        "healthCheck.retries",
        "ttl",
        "zzz",
    ]


def test_a_key_with_a_terminal_escape() -> None:
    """What somebody wrote into the configuration is shown escaped."""
    assert "fairlead:\\x1b[31m\\n" in mistakes(**{"\x1b[31m\n": "1"})


@pytest.mark.parametrize("blank", ["", "  "])
def test_an_armed_stack_without_a_bucket(blank: str) -> None:
    """A bucket is needed where a zone is set, and only there."""
    assert mistakes(zoneId="Z1", bucket=blank).startswith("settings: fairlead:bucket: needed")
    assert not loaded(bucket=blank).bucket.strip()


@pytest.mark.parametrize("text", ["Z1", " Z1\n", "/hostedzone/Z1", " /hostedzone/Z1 "])
def test_a_zone_id(text: str) -> None:
    """Trimmed, with or without /hostedzone/."""
    assert loaded(zoneId=text, bucket="control").zone == "Z1"
    assert not loaded(zoneId=text, bucket="control").zone_malformed


@pytest.mark.parametrize("text", ["", "   "])
@pytest.mark.behaviour(33)
def test_a_blank_zone_id(text: str) -> None:
    """A blank zone id makes the stack dormant, and is no mistake."""
    assert (loaded(zoneId=text).zone, loaded(zoneId=text).zone_malformed) == ("", False)


@pytest.mark.parametrize(
    "text", ["z1", "Z", "Z-1", "Z1 Z2", "/zone/Z1", "/hostedzone/", "Z" + "1" * 32, "Z\u0661"]
)
@pytest.mark.behaviour(33)
def test_a_malformed_zone_id(text: str) -> None:
    """Anything but Z and 1 to 31 of A-Z and 0-9 makes the stack dormant, and is told."""
    assert (loaded(zoneId=text).zone, loaded(zoneId=text).zone_malformed) == ("", True)


def test_the_longest_zone_id() -> None:
    """Z and 31 more."""
    assert zone_of("Z" + "1" * 31) == "Z" + "1" * 31


@pytest.mark.parametrize(
    ("text", "domain"),
    [("", ""), ("  ", ""), (" Apps.Example.com. ", "apps.example.com")],
)
@pytest.mark.behaviour(35)
def test_an_apps_domain(text: str, domain: str) -> None:
    """Trimmed, lower case, without the final dot; it may be empty."""
    assert loaded(appsDomain=text).apps_domain == domain


@pytest.mark.parametrize("prefix", ["a/", "carlos-steering/", "a" * 63 + "/"])
def test_a_prefix(prefix: str) -> None:
    """2 to 64 of a-z, 0-9 and -, ending in /."""
    assert loaded(setIdentifierPrefix=prefix).set_identifier_prefix == prefix


@pytest.mark.parametrize("prefix", ["", "/", "a", "A/", "a/b/", "a/\n", "a b/", "a" * 64 + "/"])
def test_a_prefix_that_is_none(prefix: str) -> None:
    """Nothing else marks a set as ours."""
    assert "fairlead:setIdentifierPrefix: must be 2 to 64" in mistakes(setIdentifierPrefix=prefix)


def test_names_to_adopt() -> None:
    """Trimmed, lower case, without the final dot, sorted, each once."""
    names = '[" B.Example.com. ", "a.example.com", "b.example.com"]'
    assert loaded(adopt=names).adopt == ("a.example.com", "b.example.com")


def test_a_prefix_of_before() -> None:
    """It is kept beside the one of now."""
    assert loaded(formerPrefix="green/").prefixes == ("carlos-steering/", "green/")


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("adopt", '["a.example.com"]', "only the realizer batch adopts: "),
        ("formerPrefix", "green/", "only the realizer batch changes a prefix of "),
    ],
)
def test_what_no_native_stack_can_do(key: str, value: str, says: str) -> None:
    """Only a change batch takes the old sets out and the new ones in at once."""
    said = mistakes(**{"realizer": "native", key: value})
    assert said.startswith(f"settings: fairlead:{key}: {says}")


def test_names_that_no_host_can_have() -> None:
    """All of them are told, escaped."""
    said = mistakes(adopt='["*.a.example.com", "b.example.com", "\\u001b.example.com"]')
    assert said == (
        'settings: fairlead:adopt: "*.a.example.com" is a wildcard host, which cannot be steered'
        ' and so not adopted, "\\x1b.example.com" is not a legal host name'
    )
