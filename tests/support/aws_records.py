"""What pulumi-aws makes of a record: the calls to Route 53, in the provider's own order and number.

Its waiting times are left out.
(hashicorp/terraform-provider-aws, internal/service/route53/record.go)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from route53.names import decode

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

Props = dict[str, Any]


class Record:
    """``aws:route53/record:Record``, for latency sets alone."""

    forced = frozenset({"name", "zoneId"})
    inputs = frozenset(
        {
            *("zoneId", "name", "type", "setIdentifier", "ttl", "records"),
            *("healthCheckId", "latencyRoutingPolicies"),
        }
    )

    def create(self, client: Route53Client, news: Props) -> tuple[str, Props]:
        """CREATE the set: one that exists is never overwritten."""
        client.get_hosted_zone(Id=news["zoneId"])
        self._change(client, news["zoneId"], ("CREATE", _set(news)))
        return _record_id(news), self._known(client, _record_id(news), news)

    def read(self, client: Route53Client, id_: str, olds: Props) -> Props | None:
        """Look the set up by what the state says, or by the id where there is no state."""
        zone, name, kind, identifier = (
            (olds["zoneId"], olds["name"], olds["type"], olds["setIdentifier"])
            if olds
            else id_.split("_", 3)
        )
        found = _find(client, zone, (name, kind, identifier))
        return found and {
            "id": id_,
            "zoneId": zone,
            "name": name,
            "fqdn": name,
            "type": kind,
            "setIdentifier": identifier,
            "ttl": found["TTL"],
            "records": [each["Value"] for each in found["ResourceRecords"]],
            "healthCheckId": found.get("HealthCheckId", ""),
            "latencyRoutingPolicies": [{"region": found["Region"]}],
        }

    def update(self, client: Route53Client, id_: str, olds: Props, news: Props) -> Props:
        """UPSERT it; another type or set identifier is a DELETE and a CREATE in one batch."""
        client.get_hosted_zone(Id=news["zoneId"])
        if all(olds[key] == news[key] for key in ("type", "setIdentifier")):
            self._change(client, news["zoneId"], ("UPSERT", _set(news)))
        else:
            self._change(client, news["zoneId"], ("DELETE", _set(olds)), ("CREATE", _set(news)))
        return self._known(client, id_, news)

    def delete(self, client: Route53Client, id_: str, olds: Props) -> None:  # noqa: ARG002 - Kind
        """DELETE the set as it is live."""
        key = (olds["name"], olds["type"], olds["setIdentifier"])
        if found := _find(client, olds["zoneId"], key):
            self._change(client, olds["zoneId"], ("DELETE", found))

    def _known(self, client: Route53Client, id_: str, news: Props) -> Props:
        outputs = self.read(client, id_, news)
        if outputs is None:
            raise LookupError(f"reading Route 53 Record ({id_}): couldn't find resource")
        return outputs

    def _change(self, client: Route53Client, zone: str, *changes: tuple[str, Any]) -> None:
        answer = client.change_resource_record_sets(
            HostedZoneId=zone,
            ChangeBatch={
                "Comment": "Managed by Terraform",
                "Changes": [
                    {"Action": action, "ResourceRecordSet": each}  # type: ignore[typeddict-item]
                    for action, each in changes
                ],
            },
        )
        while client.get_change(Id=answer["ChangeInfo"]["Id"])["ChangeInfo"]["Status"] != "INSYNC":
            pass


def _record_id(props: Props) -> str:
    parts = (props["zoneId"], props["name"].lower(), props["type"], props["setIdentifier"])
    return "_".join(parts)


def _find(client: Route53Client, zone: str, key: tuple[str, str, str]) -> Any:
    """Return the live set of a key, or none: the zone, then a page from the name on."""
    client.get_hosted_zone(Id=zone)
    name, kind, _ = key
    page = client.list_resource_record_sets(
        HostedZoneId=zone,
        StartRecordName=name,
        StartRecordType=kind,  # type: ignore[arg-type]
        MaxItems="100",
    )
    for each in page["ResourceRecordSets"]:
        if (decode(each["Name"]), each["Type"], each.get("SetIdentifier", "")) == key:
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
