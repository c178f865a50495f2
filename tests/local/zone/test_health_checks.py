"""Health checks: created, updated, listed, removed."""

from local.zone.vocabulary import XMLNS
from tests.local.zone.support import Account, account_with, raw, refused

FILLED_IN = {
    "Port": 443,
    "RequestInterval": 30,
    "FailureThreshold": 3,
    "MeasureLatency": False,
    "Inverted": False,
    "Disabled": False,
    "EnableSNI": True,
}
FIXED = (
    "<Type>TCP</Type>",
    "<RequestInterval>10</RequestInterval>",
    "<MeasureLatency>true</MeasureLatency>",
)


def test_create_health_check_fills_in_defaults(account: Account) -> None:
    """Defaults are returned, IPv6 is written out."""
    config = {"Type": "HTTPS", "IPAddress": "2001:db8::4"}
    answer = account.client.create_health_check(CallerReference="one", HealthCheckConfig=config)
    check = answer["HealthCheck"]
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 201
    assert answer["Location"].endswith(check["Id"])
    assert check["CallerReference"] == "one"
    assert check["HealthCheckVersion"] == 1
    expanded = {"Type": "HTTPS", "IPAddress": "2001:db8:0:0:0:0:0:4"}
    assert check["HealthCheckConfig"] == {**expanded, **FILLED_IN}
    assert account.client.get_health_check(HealthCheckId=check["Id"])["HealthCheck"] == check
    plain = account.check("two", Type="HTTP")["HealthCheckConfig"]
    assert (plain["Port"], plain["EnableSNI"]) == (80, False)


def test_caller_references_are_remembered(account: Account) -> None:
    """The same reference gives the same check, or a refusal, for ever."""
    first = account.check("one", ResourcePath="/a")
    assert account.check("one", ResourcePath="/a") == first
    spelled_out = account.check("one", ResourcePath="/a", Port=80, FailureThreshold=3)
    assert spelled_out == first, "defaults compare equal"
    assert account.check("two", ResourcePath="/a")["Id"] != first["Id"], "another reference"
    message = refused(
        "HealthCheckAlreadyExists", "", account.check, reference="one", ResourcePath="/b"
    )
    assert message.endswith("already been created with the specified caller reference.")
    account.client.delete_health_check(HealthCheckId=first["Id"])
    for path in ("/a", "/b"):
        known = {"reference": "one", "ResourcePath": path}
        refused("HealthCheckAlreadyExists", "A different health check", account.check, **known)
    assert account.client.get_health_check_count()["HealthCheckCount"] == 1


def test_caller_reference_length(account: Account) -> None:
    """1 to 64 characters."""
    account.check("r" * 64)
    refused("InvalidInput", "CallerReference", account.check, reference="r" * 65)
    refused("InvalidInput", "CallerReference", account.check, reference="")


def test_health_check_quota() -> None:
    """The quota counts checks that exist; a repeated request is none."""
    with account_with() as account:
        checks = [account.check(str(number)) for number in range(200)]
        refused("TooManyHealthChecks", "limit", account.check, reference="200")
        assert account.check("7") == checks[7], "a repeated request is no new check"
        account.client.delete_health_check(HealthCheckId=checks[0]["Id"])
        account.check("200")
    with account_with(health_check_quota=1) as account:
        account.check("a")
        refused("TooManyHealthChecks", "limit", account.check, reference="b")


def test_update_changes_what_is_given(account: Account) -> None:
    """The other settings stay; resettable elements can go; each update is a version."""
    check = account.check(ResourcePath="/a", FullyQualifiedDomainName="a.org")
    update, identifier = account.client.update_health_check, check["Id"]
    wanted = {"Port": 8080, "IPAddress": "192.0.2.2"}
    updated = update(HealthCheckId=identifier, HealthCheckVersion=1, **wanted)["HealthCheck"]
    assert updated["HealthCheckVersion"] == 2
    assert updated["HealthCheckConfig"] == {**check["HealthCheckConfig"], **wanted}
    update(HealthCheckId=identifier, ResetElements=["ResourcePath", "FullyQualifiedDomainName"])
    final = account.client.get_health_check(HealthCheckId=identifier)["HealthCheck"]
    assert final["HealthCheckVersion"] == 3
    assert "ResourcePath" not in final["HealthCheckConfig"]
    first = {"ResourcePath": "/a", "FullyQualifiedDomainName": "a.org"}
    refused("HealthCheckAlreadyExists", "", account.check, **first)


def test_update_health_check_refusals(account: Account) -> None:
    """Other versions, addresses out of reach, elements that cannot be reset, unknown checks."""
    check = account.check(ResourcePath="/a")
    update, known = account.client.update_health_check, {"HealthCheckId": check["Id"]}
    update(Port=8080, **known)
    for version in (1, 3):
        wanted = {"HealthCheckVersion": version, "Port": 81}
        refused("HealthCheckVersionMismatch", "", update, **known, **wanted)
    refused("InvalidInput", "non-routable", update, **known, IPAddress="10.0.0.1")
    refused("InvalidInput", "ResettableElementName", update, **known, ResetElements=["Port"])
    refused("NoSuchHealthCheck", "none", update, HealthCheckId="none", Port=81)
    stored = account.client.get_health_check(**known)["HealthCheck"]
    config = {**check["HealthCheckConfig"], "Port": 8080}
    assert stored == {**check, "HealthCheckVersion": 2, "HealthCheckConfig": config}


def test_update_cannot_add_an_address_or_change_fixed_settings(account: Account) -> None:
    """Type, interval and the kind of endpoint are fixed."""
    check = account.check(IPAddress=None, FullyQualifiedDomainName="a.org")
    update, known = account.client.update_health_check, {"HealthCheckId": check["Id"]}
    refused("InvalidInput", "neither added nor removed", update, **known, IPAddress="192.0.2.1")
    reset = ["FullyQualifiedDomainName"]
    refused("InvalidInput", "is required", update, **known, ResetElements=reset)
    url = f"{account.emulator.url}/2013-04-01/healthcheck/{check['Id']}"
    for fixed in FIXED:
        body = f'<UpdateHealthCheckRequest xmlns="{XMLNS}">{fixed}</UpdateHealthCheckRequest>'
        assert raw(url, body)[0] == 400
    assert account.emulator.health_checks[check["Id"]]["HealthCheckVersion"] == 1


def test_delete_health_check(account: Account) -> None:
    """What is deleted is gone."""
    check = account.check()
    account.client.delete_health_check(HealthCheckId=check["Id"])
    assert account.emulator.violations == []
    for call in (account.client.delete_health_check, account.client.get_health_check):
        refused("NoSuchHealthCheck", check["Id"], call, HealthCheckId=check["Id"])


def test_list_health_checks_pages() -> None:
    """At most 100 a page, whatever MaxItems says."""
    with account_with(health_check_quota=1000) as account:
        ids = {account.check(str(number))["Id"] for number in range(250)}
        listing = account.client.list_health_checks
        assert account.client.get_health_check_count()["HealthCheckCount"] == 250
        first = listing(MaxItems="1000")
        assert (len(first["HealthChecks"]), first["MaxItems"]) == (100, "100")
        assert first["IsTruncated"]
        second = listing(Marker=first["NextMarker"])
        assert second["HealthChecks"][0]["Id"] == first["NextMarker"] == second["Marker"]
        pages = list(account.client.get_paginator("list_health_checks").paginate())
        listed = [check["Id"] for page in pages for check in page["HealthChecks"]]
        assert (len(pages), len(listed), set(listed)) == (3, 250, ids)
        assert len(listing(MaxItems="7")["HealthChecks"]) == 7
        refused("InvalidInput", "maxitems", listing, MaxItems="-1")
