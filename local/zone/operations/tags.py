"""The operations on the tags of zones and health checks."""

from local.zone.account import Account
from local.zone.errors import refuse
from local.zone.request import Request
from local.zone.vocabulary import Doc

MAX_TAGS = 10


def tag_set(account: Account, kind: str, identifier: str) -> Doc:
    """The tags of a hostedzone or healthcheck; ApiError where there is no such resource."""
    known = kind in ("healthcheck", "hostedzone")
    refuse("InvalidInput", (not known, f"Invalid resource type: {kind}"))
    if kind == "hostedzone":
        account.zone(identifier)
    else:
        account.health_check(identifier)
    tags = account.tags.get(f"{kind}/{identifier}", {})
    listed = [{"Key": name, "Value": value} for name, value in tags.items()]
    return {"ResourceType": kind, "ResourceId": identifier, "Tags": listed}


def list_tags_for_resource(account: Account, request: Request) -> Doc:
    """The tags of one resource."""
    return {"ResourceTagSet": tag_set(account, *request.args)}


def list_tags_for_resources(account: Account, request: Request) -> Doc:
    """The tags of up to ten resources of one kind, in the order asked for."""
    ids = request.read()["ResourceIds"]
    return {"ResourceTagSets": [tag_set(account, request.args[0], each) for each in ids]}


def change_tags_for_resource(account: Account, request: Request) -> Doc:
    """Remove and add tags of one resource; at most ten stay."""
    wanted, current = request.read(), tag_set(account, *request.args)["Tags"]
    removed = wanted.get("RemoveTagKeys", ())
    tags = {tag["Key"]: tag["Value"] for tag in current if tag["Key"] not in removed}
    tags |= {tag["Key"]: tag.get("Value", "") for tag in wanted.get("AddTags", ())}
    neither = "Invalid parameter : AddTags or RemoveTagKeys is needed."
    too_many = f"Invalid parameter : a resource has at most {MAX_TAGS} tags."
    refuse("InvalidInput", (not wanted, neither), (len(tags) > MAX_TAGS, too_many))
    account.tags["/".join(request.args)] = tags
    return {}
