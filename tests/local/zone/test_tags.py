"""Tags of zones and health checks."""

from typing import Any

import pytest

from local.zone.vocabulary import XMLNS
from tests.local.zone.support import ZONE, Account, raw, refused

ELEVEN = [str(each) for each in range(11)]


def tag(account: Account, kind: str, identifier: str, **change: Any) -> None:
    """Change the tags of a resource."""
    resource = {"ResourceType": kind, "ResourceId": identifier}
    account.client.change_tags_for_resource(**resource, **change)


def tag_set(account: Account, kind: str, identifier: str) -> dict[str, Any]:
    """The tags of a resource, as the service lists them."""
    resource = {"ResourceType": kind, "ResourceId": identifier}
    return dict(account.client.list_tags_for_resource(**resource)["ResourceTagSet"])


def test_tags(account: Account) -> None:
    """Added, replaced, removed; at most ten stay."""
    check, added = (
        account.check()["Id"],
        [{"Key": f"k{each}", "Value": "<&>"} for each in range(10)],
    )
    tag(account, "healthcheck", check, AddTags=added)
    eleventh = {"AddTags": [{"Key": "k10", "Value": ""}]}
    refused(
        "InvalidInput", "at most 10 tags", lambda: tag(account, "healthcheck", check, **eleventh)
    )
    replaced = [{"Key": "k0", "Value": "new"}, {"Key": "k10", "Value": "v" * 256}]
    tag(account, "healthcheck", check, RemoveTagKeys=["k1", "unknown"], AddTags=replaced)
    tags = tag_set(account, "healthcheck", check)
    assert tags["ResourceId"] == check
    assert tags["ResourceType"] == "healthcheck"
    assert {each["Key"]: each["Value"] for each in tags["Tags"]} == {
        "k0": "new",
        **{f"k{number}": "<&>" for number in range(2, 10)},
        "k10": "v" * 256,
    }


def test_zones_have_tags_too(account: Account) -> None:
    """The type hostedzone takes a zone's id."""
    tag(account, "hostedzone", ZONE, AddTags=[{"Key": "Name", "Value": "zone"}])
    assert tag_set(account, "hostedzone", ZONE)["Tags"] == [{"Key": "Name", "Value": "zone"}]


def test_tags_of_several_resources(account: Account) -> None:
    """Up to ten resources, in the order asked for."""
    listing, kind = account.client.list_tags_for_resources, {"ResourceType": "healthcheck"}
    checks = [account.check(each)["Id"] for each in ELEVEN]
    tag(account, "healthcheck", checks[3], AddTags=[{"Key": "a", "Value": "b"}])
    listed = listing(**kind, ResourceIds=checks[:10])["ResourceTagSets"]
    assert [each["ResourceId"] for each in listed] == checks[:10]
    tagged = [[{"Key": "a", "Value": "b"}] if each == 3 else [] for each in range(10)]
    assert [each["Tags"] for each in listed] == tagged
    refused("InvalidInput", "ResourceIds", listing, **kind, ResourceIds=checks)


@pytest.mark.parametrize(
    ("kind", "identifier", "change", "code"),
    [
        ("healthcheck", "none", {"AddTags": [{"Key": "a"}]}, "NoSuchHealthCheck"),
        ("hostedzone", "none", {"AddTags": [{"Key": "a"}]}, "NoSuchHostedZone"),
        ("bucket", ZONE, {"AddTags": [{"Key": "a"}]}, "InvalidInput"),
        ("hostedzone", ZONE, {}, "InvalidInput"),
        ("hostedzone", ZONE, {"AddTags": [{"Key": ""}]}, "InvalidInput"),
        ("hostedzone", ZONE, {"AddTags": [{"Key": "k" * 129}]}, "InvalidInput"),
        ("hostedzone", ZONE, {"AddTags": [{"Key": "k", "Value": "v" * 257}]}, "InvalidInput"),
        ("hostedzone", ZONE, {"AddTags": [{"Key": each} for each in ELEVEN]}, "InvalidInput"),
        ("hostedzone", ZONE, {"RemoveTagKeys": ELEVEN}, "InvalidInput"),
    ],
)
def test_bad_tag_changes(
    account: Account, kind: str, identifier: str, change: dict[str, Any], code: str
) -> None:
    """Unknown resources, empty changes and overlong tags are refused."""
    refused(code, "", lambda: tag(account, kind, identifier, **change))
    if code != "InvalidInput":
        refused(code, "", lambda: tag_set(account, kind, identifier))


def test_a_tag_change_changes_something(account: Account) -> None:
    """A change that names nothing is refused."""
    url = f"{account.emulator.url}/2013-04-01/tags/hostedzone/{ZONE}"
    request = "ChangeTagsForResourceRequest"
    removed = "<RemoveTagKeys><Key>a</Key></RemoveTagKeys>"
    assert raw(url, f'<{request} xmlns="{XMLNS}">{removed}</{request}>')[0] == 200
    status, answer = raw(url, f'<{request} xmlns="{XMLNS}"/>')
    assert status == 400
    assert "AddTags or RemoveTagKeys" in answer


def test_tags_go_with_their_health_check(account: Account) -> None:
    """Deleting a check deletes its tags."""
    check = account.check()["Id"]
    tag(account, "healthcheck", check, AddTags=[{"Key": "a", "Value": "b"}])
    account.client.delete_health_check(HealthCheckId=check)
    assert account.emulator.tags == {}
