"""What pulumi-aws makes of a record: the calls to Route 53, in the provider's own order and number.

Its waiting is left out: it asks for INSYNC 15 s after each change, and every 15 s from then on.
(https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/route53/record.go,
change_info.go beside it; names of properties: provider/resource_overrides.go of pulumi/pulumi-aws)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from route53.names import decode
from tests.support.aws_unfinished import unfinished

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

Props = dict[str, Any]
Key = tuple[str, str, str]
_TYPES = frozenset({"A", "AAAA"})


class Record:
    """``aws:route53/record:Record``, for latency sets alone, under names that end in the zone's."""

    forced = frozenset({"name", "type", "zoneId"})
    inputs = frozenset(
        {
            *("zoneId", "name", "type", "setIdentifier", "ttl", "records"),
            *("healthCheckId", "latencyRoutingPolicies"),
        }
    )

    def create(self, client: Route53Client, news: Props) -> tuple[str, Props]:
        """CREATE the set: one that exists is never overwritten."""
        client.get_hosted_zone(Id=news["zoneId"])
        change = self._change(client, news["zoneId"], ("CREATE", _set(news)))
        id_ = _record_id(news)
        with unfinished(id_, {**news, "id": id_}):
            _wait(client, change)
            return id_, self._known(client, id_, news)

    def read(self, client: Route53Client, id_: str, olds: Props) -> Props | None:
        """Look the set up by what the state says, or by the id where there is no state."""
        parts = (
            (olds["zoneId"], olds["name"], olds["type"], olds["setIdentifier"])
            if olds
            else parse_id(id_)
        )
        if parts is None:
            return None
        zone, name, kind, identifier = parts
        found = _find(client, zone, (name, kind, identifier))
        return found and {
            "id": olds.get("id", id_),
            "zoneId": zone,
            "name": name,
            "fqdn": bare(name),
            "type": kind,
            "setIdentifier": identifier,
            "ttl": found["TTL"],
            "records": [each["Value"] for each in found["ResourceRecords"]],
            "healthCheckId": found.get("HealthCheckId", ""),
            "latencyRoutingPolicies": [{"region": found["Region"]}],
        }

    def update(self, client: Route53Client, id_: str, olds: Props, news: Props) -> Props:
        """UPSERT it; another set identifier is a DELETE and a CREATE in one batch.

        The DELETE is of the set as the state has it. Whatever fails, the state has the new one.
        """
        with unfinished(id_, {**news, "id": id_}):
            client.get_hosted_zone(Id=news["zoneId"])
            changes = (
                [("UPSERT", _set(news))]
                if olds["setIdentifier"] == news["setIdentifier"]
                else [("DELETE", _set(olds)), ("CREATE", _set(news))]
            )
            _wait(client, self._change(client, news["zoneId"], *changes))
            return self._known(client, _record_id(news), news)

    def delete(self, client: Route53Client, id_: str, olds: Props) -> None:  # noqa: ARG002 - Kind
        """DELETE the set as it is live; a batch that Route 53 calls invalid counts as done."""
        found = _find(client, olds["zoneId"], (olds["name"], olds["type"], olds["setIdentifier"]))
        if not found:
            return
        try:
            change = self._change(client, olds["zoneId"], ("DELETE", found))
        except client.exceptions.InvalidChangeBatch:
            return
        _wait(client, change)

    def _known(self, client: Route53Client, id_: str, news: Props) -> Props:
        outputs = self.read(client, id_, {**news, "name": bare(news["name"]), "id": id_})
        if outputs is None:
            raise LookupError(f"reading Route 53 Record ({id_}): couldn't find resource")
        return outputs

    def _change(self, client: Route53Client, zone: str, *changes: tuple[str, Any]) -> str:
        answer = client.change_resource_record_sets(
            HostedZoneId=zone,
            ChangeBatch={
                "Changes": [
                    {"Action": action, "ResourceRecordSet": each}  # type: ignore[typeddict-item]
                    for action, each in changes
                ],
            },
        )
        return answer["ChangeInfo"]["Id"]


def parse_id(id_: str) -> tuple[str, str, str, str] | None:
    """Part an id into zone, name, type and set identifier. The first type in it parts the two."""
    zone, *rest = id_.split("_")
    at = next((number for number, each in enumerate(rest) if each in _TYPES), 0)
    return (
        (zone, "_".join(rest[:at]).removesuffix("."), rest[at], "_".join(rest[at + 1 :]))
        if at
        else None
    )


def _record_id(props: Props) -> str:
    parts = (props["zoneId"], props["name"].lower(), props["type"], props["setIdentifier"])
    return "_".join(parts)


def bare(name: str) -> str:
    """Return a name as the state has it of one that is declared."""
    return name.lower().removesuffix(".")


def _wait(client: Route53Client, change: str) -> None:
    while client.get_change(Id=change)["ChangeInfo"]["Status"] != "INSYNC":
        pass


def _find(client: Route53Client, zone: str, key: Key) -> Any:
    """Return the live set of a key, or none: the zone, then a page from the name on."""
    try:
        client.get_hosted_zone(Id=zone)
    except client.exceptions.NoSuchHostedZone:
        return None
    name, kind, identifier = key
    page = client.list_resource_record_sets(
        HostedZoneId=zone,
        StartRecordName=name,
        StartRecordType=kind,  # type: ignore[arg-type]
        MaxItems="100",
    )
    wanted = (bare(name), kind, identifier)
    for each in page["ResourceRecordSets"]:
        if (decode(each["Name"]), each["Type"], each.get("SetIdentifier", "")) == wanted:
            return each
    return None


def _set(props: Props) -> Any:
    made = {
        "Name": props["name"],
        "Type": props["type"],
        "SetIdentifier": props["setIdentifier"],
        "Region": props["latencyRoutingPolicies"][0]["region"],
        "TTL": int(props["ttl"]),
        "ResourceRecords": [{"Value": each} for each in props["records"]],
    }
    return made | ({"HealthCheckId": props["healthCheckId"]} if props.get("healthCheckId") else {})
