"""As much of the AWS CLI as a page of commands needs: any operation that botocore knows.

``aws SERVICE OPERATION --parameter VALUE``: a value is text, JSON, ``file://``, or the CLI's
shorthand without nesting, ``Name=a,Values=b``. What the operation does not take is a mistake. Where
requests go is the environment's to say.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import boto3
import jmespath  # type: ignore[import-untyped]
from botocore import xform_name
from botocore.exceptions import BotoCoreError, ClientError

_SERVICES = {"s3api": "s3"}


def main() -> int:
    """Run one command; 254 where AWS refuses it, as the CLI ends."""
    parser = argparse.ArgumentParser(prog="aws")
    parser.add_argument("service")
    parser.add_argument("operation")
    parser.add_argument("--query", default="@")
    parser.add_argument("--output", default="json", choices=["json", "text"])
    parser.add_argument("--region")
    known, rest = parser.parse_known_args()
    service = _SERVICES.get(known.service, known.service)
    client: Any = boto3.client(service, region_name=known.region)
    model = client.meta.service_model
    [name] = [each for each in model.operation_names if _cli(each) == known.operation]
    shape = model.operation_model(name).input_shape
    try:
        answer = getattr(client, xform_name(name))(**_arguments(rest, shape))
    except (BotoCoreError, ClientError) as error:
        sys.stderr.write(f"{error}\n")
        return 254
    answer.pop("ResponseMetadata", None)
    _show(jmespath.search(known.query, answer), known.output)
    return 0


def _cli(name: str) -> str:
    return xform_name(name).replace("_", "-")


def _arguments(words: list[str], shape: Any) -> dict[str, Any]:
    members = {f"--{_cli(name)}": (name, member) for name, member in shape.members.items()}
    found: dict[str, Any] = {}
    rest = [*words]
    while rest:
        name, member = members[rest.pop(0)]
        flag = member.type_name == "boolean"
        found[name] = True if flag else _value(_until_option(rest, member), member)
    return found


def _until_option(rest: list[str], shape: Any) -> list[str]:
    """Take the words of one option: a list may have several."""
    taken = [rest.pop(0)]
    while shape.type_name == "list" and rest and not rest[0].startswith("--"):
        taken.append(rest.pop(0))
    return taken


def _value(words: list[str], shape: Any) -> Any:
    text = words[0]
    if text.startswith("file://"):
        text = Path(text.removeprefix("file://")).read_text()
    if text.lstrip()[:1] in ("{", "[") and shape.type_name in ("list", "structure", "map"):
        return json.loads(text)
    if shape.type_name == "list":
        return [_value([word], shape.member) for word in words]
    if shape.type_name == "structure":
        pairs = (pair.split("=", 1) for pair in text.split(","))
        return {name: _value([value], shape.members[name]) for name, value in pairs}
    return _scalar(text, shape.type_name)


def _scalar(text: str, kind: str) -> Any:
    match kind:
        case "integer" | "long":
            return int(text)
        case "float" | "double":
            return float(text)
        case "boolean":
            return {"true": True, "false": False}[text.lower()]
        case _:
            return text


def _show(found: Any, form: str) -> None:
    if form == "text":
        sys.stdout.write("\t".join(map(str, found if isinstance(found, list) else [found])) + "\n")
    elif found:
        sys.stdout.write(json.dumps(found, indent=4, default=datetime.isoformat) + "\n")


if __name__ == "__main__":
    sys.exit(main())
