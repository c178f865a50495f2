"""docs/production.md and deploy/aws: what they name is there, and says the same everywhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from operate.heartbeat import DEFAULT
from tests.repo.sources import CHECKOUT
from tests.support.workflow import WORKFLOWS

PAGE = (CHECKOUT / "docs" / "production.md").read_text()
AWS = CHECKOUT / "deploy" / "aws"
FILES = sorted(AWS.glob("*.json"))


def policy(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((AWS / f"{name}.json").read_text())
    return read


def test_variables_of_the_repository() -> None:
    """The page sets each one that the workflows read, and no other."""
    text = "".join(file.read_text() for file in WORKFLOWS.glob("*.yml"))
    assert set(re.findall(r"vars\.(\w+)", text)) == set(re.findall(r"gh variable set (\w+)", PAGE))


def test_runtime_of_the_realizer_native() -> None:
    """Its requirements are a file, and the plugin is of the package's version."""
    found = re.search(r"RUNTIME=(\S+)`, and\nadd `.* install resource aws v(\S+)`", PAGE)
    assert found
    assert f"pulumi-aws=={found[2]}\n" in (CHECKOUT / found[1]).read_text()
    assert "RUNTIME ?= requirements.txt" in (CHECKOUT / "Makefile").read_text()


def test_files() -> None:
    """Each is used by a command, and each that a command uses is there."""
    used = set(re.findall(r"file://(deploy/aws/\S+?\.json)", PAGE))
    assert used == {f"deploy/aws/{file.name}" for file in FILES}


@pytest.mark.parametrize("name", [file.stem for file in FILES if file.stem != "lifecycle"])
def test_form_of_a_policy(name: str) -> None:
    """Named actions are allowed, and only of what the page speaks of."""
    document = policy(name)
    assert document["Version"] == "2012-10-17"
    for each in document["Statement"]:
        assert each["Effect"] == "Allow"
        assert "*" not in each["Action"]
        assert each.get("Resource") != "*"


@pytest.mark.parametrize(
    ("role", "subject"), [("preview", "pull_request"), ("converge", "ref:refs/heads/main")]
)
def test_who_may_take_a_role(role: str, subject: str) -> None:
    """Tokens for AWS, of this repository: of its pull requests, or of its main branch, exactly."""
    [statement] = policy(f"trust-{role}")["Statement"]
    assert set(statement["Condition"]) == {"StringEquals"}
    issuer = "token.actions.githubusercontent.com"
    assert statement["Principal"]["Federated"].endswith(f":oidc-provider/{issuer}")
    assert statement["Condition"]["StringEquals"] == {
        f"{issuer}:aud": "sts.amazonaws.com",
        f"{issuer}:sub": f"repo:team@1111111/fairlead@222222222:{subject}",
    }
    assert "`repo:team@1111111/fairlead@222222222:...`" in PAGE


def test_lifecycle() -> None:
    """No rule ever deletes a current object of the stacks, a lock, or what the backend is."""
    rules = policy("lifecycle")["Rules"]
    expiring = [each["Filter"]["Prefix"] for each in rules if "Expiration" in each]
    assert expiring == [".pulumi/history/", ".pulumi/backups/"]
    assert {each["Status"] for each in rules} == {"Enabled"}


def test_limit_of_the_heartbeat() -> None:
    """The page's is the command's own, and CI updates twice as often."""
    assert f"--max-age {DEFAULT}" in PAGE
    assert DEFAULT == "2h"
    assert "--max-age 1h" in (WORKFLOWS / "converge.yml").read_text()


def test_links() -> None:
    """Every file and every section that it links to is there."""
    for path, _, anchor in (
        each.partition("#") for each in re.findall(r"\]\((?!http)([^)]+)\)", PAGE)
    ):
        text = (CHECKOUT / "docs" / path).read_text()
        assert not anchor or anchor in anchors(text), (path, anchor)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}
