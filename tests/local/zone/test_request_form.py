"""The form of requests: XML, signatures, ranges."""

from typing import Any

import pytest

from local.zone import Settings
from local.zone.regions import REGIONS
from local.zone.vocabulary import RECORD_TYPES, XMLNS
from tests.local.zone.support import (
    ZONE,
    Account,
    alias,
    client_of,
    create,
    delete,
    latency,
    raw,
    simple,
    upsert,
    weighted,
)

RECORDS = (
    "<ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords>"
)
GOOD_SET = f"<Name>a.example.com</Name><Type>A</Type><TTL>60</TTL>{RECORDS}"
ROUTED_SET = f"{GOOD_SET}<SetIdentifier>i</SetIdentifier>"
ALIAS = "<Name>a.example.com</Name><Type>A</Type><AliasTarget>{}</AliasTarget>"


def batch_xml(
    record_set: str, action: str = "CREATE", namespace: str = XMLNS, extra: str = ""
) -> str:
    """The body of a batch of one change."""
    inner = f"<Action>{action}</Action><ResourceRecordSet>{record_set}</ResourceRecordSet>"
    changes = f"{extra}<Changes><Change>{inner}</Change></Changes>"
    request = "ChangeResourceRecordSetsRequest"
    return f'<{request} xmlns="{namespace}"><ChangeBatch>{changes}</ChangeBatch></{request}>'


def geo(place: str) -> str:
    """The body of a batch of one geolocation set."""
    return batch_xml(f"{ROUTED_SET}<GeoLocation>{place}</GeoLocation>")


def without(part: str, instead: str = "") -> str:
    """The body of a batch of the good set with a part missing or replaced."""
    assert part in GOOD_SET
    return batch_xml(GOOD_SET.replace(part, instead))


MALFORMED = [
    "",
    "not xml",
    "<a/>",
    batch_xml(GOOD_SET, namespace="http://other/"),
    batch_xml(GOOD_SET) + "x",
    batch_xml(GOOD_SET + "<Colour>red</Colour>"),
    batch_xml(GOOD_SET + "<TTL>60</TTL>"),
    without("<Type>A</Type>"),
    without("<Name>a.example.com</Name>"),
    batch_xml(GOOD_SET, action="REPLACE"),
    batch_xml(GOOD_SET, extra=f"<Comment>{'x' * 257}</Comment>"),
    without("60", "soon"),
    without("60", "-1"),
    without("60", "2147483648"),
    without("60", "<b/>"),
    without("192.0.2.1", "9" * 4001),
    without("<Value>192.0.2.1</Value>"),
    without("<ResourceRecord><Value>192.0.2.1</Value></ResourceRecord>"),
    without("ResourceRecord>", "Record>"),
    batch_xml(f"{GOOD_SET}<SetIdentifier></SetIdentifier><Region>us-east-1</Region>"),
    batch_xml(f"{GOOD_SET}<SetIdentifier>{'i' * 129}</SetIdentifier><Region>us-east-1</Region>"),
    batch_xml(f"{ROUTED_SET}<Region>us-east-9</Region>"),
    batch_xml(f"{ROUTED_SET}<Weight>256</Weight>"),
    batch_xml(f"{ROUTED_SET}<Failover>TERTIARY</Failover>"),
    batch_xml(f"{ROUTED_SET}<MultiValueAnswer>yes</MultiValueAnswer>"),
    batch_xml(ALIAS.format("<HostedZoneId>Z1</HostedZoneId><DNSName>b.com</DNSName>")),
    batch_xml(
        ALIAS.format(
            "<EvaluateTargetHealth>true</EvaluateTargetHealth>"
            f"<DNSName>b.com</DNSName><HostedZoneId>{'Z' * 33}</HostedZoneId>"
        )
    ),
    without("<Type>A</Type>", "<Type>ALIAS</Type>"),
    without("a.example.com", "a.example.com<b/>"),
    without("a.example.com", "a" * 1025),
    batch_xml(f"{GOOD_SET}<HealthCheckId>{'h' * 65}</HealthCheckId>"),
    geo("<CountryCode>DEU</CountryCode>"),
    geo("<ContinentCode>E</ContinentCode>"),
    geo("<CountryCode></CountryCode>"),
    geo("<CountryCode>US</CountryCode><SubdivisionCode>CALI</SubdivisionCode>"),
    f'<ChangeResourceRecordSetsRequest xmlns="{XMLNS}"><ChangeBatch><Changes/></ChangeBatch>'
    "</ChangeResourceRecordSetsRequest>",
]


def test_well_formed_xml_in_any_element_order_passes(account: Account) -> None:
    """Element order is free, and returned in the service's own."""
    url = f"{account.emulator.url}/2013-04-01/hostedzone/{ZONE}/rrset/"
    assert raw(url, batch_xml(GOOD_SET))[0] == 200
    shuffled = f"<TTL>60</TTL>{RECORDS}<Type>A</Type><Name>b.example.com</Name>"
    assert raw(url.rstrip("/"), batch_xml(shuffled, extra="<Comment>hi</Comment>"))[0] == 200
    assert [list(each) for each in account.sets()] == [
        ["Name", "Type", "TTL", "ResourceRecords"]
    ] * 2


@pytest.mark.parametrize("body", MALFORMED)
def test_malformed_xml_is_invalid_input(account: Account, body: str) -> None:
    """Whatever breaks the schema is refused before the zone is looked at."""
    status, answer = raw(f"{account.emulator.url}/2013-04-01/hostedzone/{ZONE}/rrset/", body)
    assert status == 400
    assert "<Code>InvalidInput</Code>" in answer
    assert "Invalid XML" in answer
    assert account.sets() == []


def test_an_empty_batch_is_refused(account: Account) -> None:
    """A batch has at least one change."""
    account.refused("InvalidInput", "Changes")


def test_unsigned_calls_and_unknown_operations_are_refused(account: Account) -> None:
    """403 without a signature, 404 for what is no operation."""
    url = f"{account.emulator.url}/2013-04-01/hostedzone/{ZONE}"
    assert raw(url, method="GET")[0] == 200
    assert raw(url, method="GET", signed=False)[0] == 403
    assert raw(f"{account.emulator.url}/2013-04-01/trafficpolicy", method="GET")[0] == 404
    assert raw(f"{account.emulator.url}/2012-12-12/hostedzone/{ZONE}", method="GET")[0] == 404
    assert [call["op"] for call in account.emulator.calls] == [
        "GetHostedZone",
        "GetHostedZone",
        "Unknown",
        "Unknown",
    ]


def test_extremes_of_the_ranges_pass(account: Account) -> None:
    """The ends of every range are inside it."""
    places = (
        {"ContinentCode": "EU"},
        {"CountryCode": "*"},
        {"CountryCode": "US", "SubdivisionCode": "CA"},
    )
    account.change(
        create(simple("a.example.com", ttl=0)),
        create(simple("b.example.com", ttl=2147483647)),
        create(latency("c.example.com", "i" * 128, "eusc-de-east-1")),
        create(latency("c.example.com", "j", "mx-central-1")),
        create(weighted("d.example.com", "i", weight=0)),
        create(weighted("d.example.com", "j", weight=255)),
        *(
            create(simple("e.example.com", SetIdentifier=str(place), GeoLocation=place))
            for place in places
        ),
        create(simple("f.example.com", "v" * 4000, kind="CAA")),
        Comment="c" * 256,
    )
    account.change(create(alias("g.example.com", "x.elb.amazonaws.com", zone="Z" * 32)))
    assert len(account.sets()) == 11
    account.refused(
        "NoSuchHealthCheck", "h" * 64, create(simple("h.example.com", HealthCheckId="h" * 64))
    )
    account.refused("InvalidChangeBatch", "DomainLabelTooLong", create(simple("a" * 1024)))


def test_defaults() -> None:
    """The defaults are the documented limits, the enumerations botocore's."""
    assert Settings() == Settings(
        rate=0,
        burst=5,
        insync_after=1.0,
        prior_window=0,
        zone_quota=10_000,
        health_check_quota=200,
        alias_units=1,
        default_page=300,
        allow_multi_value_latency=True,
        allow_test_nets=True,
    )
    model = client_of("http://127.0.0.1:1").meta.service_model
    assert set(REGIONS) == set(model.shape_for("ResourceRecordSetRegion").enum)
    assert set(RECORD_TYPES) == set(model.shape_for("RRType").enum)


NO_IDENTIFIER = "Missing field 'SetIdentifier'"
NO_POLICY = "MultiValueAnswer], but found none"
TWO_POLICIES = "MultiValueAnswer], but found more than one"
NO_FORM = "TrafficPolicyInstanceId], but found none"
TWO_FORMS = "TrafficPolicyInstanceId], but found more than one"
WRONG_FORMS = [
    (simple("a.example.com", Region="us-east-1"), NO_IDENTIFIER),
    (simple("a.example.com", Weight=0), NO_IDENTIFIER),
    (simple("a.example.com", Failover="PRIMARY"), NO_IDENTIFIER),
    (simple("a.example.com", GeoLocation={"CountryCode": "*"}), NO_IDENTIFIER),
    (simple("a.example.com", MultiValueAnswer=False), NO_IDENTIFIER),
    (simple("a.example.com", Region="us-east-1", Weight=0), NO_IDENTIFIER),
    (simple("a.example.com", SetIdentifier="i"), NO_POLICY),
    (latency("a.example.com", "i", "us-east-1", Weight=1), TWO_POLICIES),
    ({"Name": "a.example.com", "Type": "A"}, NO_FORM),
    ({"Name": "a.example.com", "Type": "A", "TTL": 60}, NO_FORM),
    ({"Name": "a.example.com", "Type": "A", "ResourceRecords": [{"Value": "192.0.2.1"}]}, NO_FORM),
    (alias("a.example.com", "b.elb.amazonaws.com", TTL=60), TWO_FORMS),
    (alias("a.example.com", "b.elb.amazonaws.com", **simple("a.example.com")), TWO_FORMS),
]


@pytest.mark.parametrize("action", [create, upsert, delete])
@pytest.mark.parametrize(("record_set", "text"), WRONG_FORMS)
def test_sets_of_the_wrong_form_are_invalid_input(
    account: Account, action: Any, record_set: dict[str, Any], text: str
) -> None:
    """Policy, identifier and form are judged first, for DELETE too."""
    message = account.refused("InvalidInput", text, action(record_set))
    assert "in Change with [Action=" in message
    assert "Name=a.example.com, Type=A" in message
