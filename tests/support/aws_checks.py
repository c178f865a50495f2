"""What pulumi-aws makes of a health check: the calls to Route 53, in the provider's own order.

(https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/route53/health_check.go)
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from tests.support.aws_unfinished import unfinished

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

Props = dict[str, Any]


class HealthCheck:
    """``aws:route53/healthCheck:HealthCheck``, for checks of an address alone."""

    forced = frozenset({"type", "requestInterval", "referenceName", "measureLatency"})
    inputs = frozenset(
        {
            *("type", "ipAddress", "port", "resourcePath", "fqdn", "requestInterval"),
            *("failureThreshold", "tags"),  # the reference name is not read back
        }
    )

    def create(self, client: Route53Client, news: Props) -> tuple[str, Props]:
        """Make the check under a caller reference that nobody has used before."""
        reference = f"{news['referenceName']}-terraform-{uuid.uuid4().hex[:26]}"
        answer = client.create_health_check(
            CallerReference=reference, HealthCheckConfig=_probe(news)
        )
        id_ = answer["HealthCheck"]["Id"]
        with unfinished(id_, {**news, "id": id_}):
            self._tag(client, id_, {}, news)
            return id_, self.read(client, id_, news) or {}

    def read(self, client: Route53Client, id_: str, olds: Props) -> Props | None:
        """Look the check up by its id."""
        try:
            config = client.get_health_check(HealthCheckId=id_)["HealthCheck"]["HealthCheckConfig"]
        except client.exceptions.NoSuchHealthCheck:
            return None
        tags = client.list_tags_for_resource(ResourceType="healthcheck", ResourceId=id_)
        listed = tags["ResourceTagSet"].get("Tags", [])
        return {
            "id": id_,
            **({"referenceName": olds["referenceName"]} if "referenceName" in olds else {}),
            "type": config["Type"],
            "ipAddress": config["IPAddress"],
            "port": config["Port"],
            "resourcePath": config.get("ResourcePath", ""),
            "fqdn": config.get("FullyQualifiedDomainName", ""),
            "requestInterval": config["RequestInterval"],
            "failureThreshold": config["FailureThreshold"],
            "tags": {each["Key"]: each["Value"] for each in listed},
        }

    def update(self, client: Route53Client, id_: str, olds: Props, news: Props) -> Props:
        """Send what is another than before, whatever the version; tags first."""
        with unfinished(id_, {**news, "id": id_}):
            self._tag(client, id_, olds, news)
            if sent := _changed(olds, news):
                client.update_health_check(HealthCheckId=id_, **sent)
            return self.read(client, id_, news) or {}

    def delete(self, client: Route53Client, id_: str, olds: Props) -> None:  # noqa: ARG002 - Kind
        """Take it away, whoever refers to it."""
        try:
            client.delete_health_check(HealthCheckId=id_)
        except client.exceptions.NoSuchHealthCheck:
            return

    def _tag(self, client: Route53Client, id_: str, olds: Props, news: Props) -> None:
        """Take away what is no more, and send what is another."""
        before, after = olds.get("tags") or {}, news.get("tags") or {}
        added = [
            {"Key": key, "Value": after[key]} for key in after if after[key] != before.get(key)
        ]
        removed = sorted(before.keys() - after.keys())
        lists = {"AddTags": added, "RemoveTagKeys": removed}
        sent: Any = {key: each for key, each in lists.items() if each}
        if sent:
            client.change_tags_for_resource(ResourceType="healthcheck", ResourceId=id_, **sent)


def _changed(olds: Props, news: Props) -> Any:
    """Return the settings to send: what goes is sent empty, and type and interval never are."""
    before, after = _probe(olds), _probe(news)
    changed = {key: each for key, each in after.items() if each != before.get(key)}
    emptied = dict.fromkeys(before.keys() - after.keys(), "")
    sent = {**changed, **emptied}
    return {key: each for key, each in sent.items() if key not in ("Type", "RequestInterval")}


def _probe(props: Props) -> Any:
    named = {
        "Type": props["type"],
        "IPAddress": props["ipAddress"],
        "Port": int(props["port"]),
        "ResourcePath": props.get("resourcePath"),
        "FullyQualifiedDomainName": props.get("fqdn"),
        "RequestInterval": int(props["requestInterval"]),
        "FailureThreshold": int(props["failureThreshold"]),
    }
    return {key: each for key, each in named.items() if each}
