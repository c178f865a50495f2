"""The workflows' steps with the real CLI, from the first push to an acknowledged retirement."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from local.zone import ZoneEmulator
from operate.reports.markdown import marker
from tests.engine.deployment import fill
from tests.engine.repository import STACK, Repository, found
from tests.support.s3_bucket import S3Bucket
from tests.support.workflow import Ran

pytestmark = pytest.mark.engine


@pytest.fixture
def repository(tmp_path: Path, zone: ZoneEmulator, bucket: S3Bucket) -> Repository:
    made = found(tmp_path, zone, bucket)
    fill(made.deployment, boxes=range(4), hosts=1)
    return made


def converge(repository: Repository, step: str, word: str = "") -> Ran:
    return repository.step("converge", "converge", step, acknowledge=word)


def offered(text: str) -> str:
    word = re.search(r"FAIRLEAD_ACKNOWLEDGE=(\S+)", text)
    assert word, text
    return word[1]


def test_a_life_in_ci(repository: Repository) -> None:
    """Pushed, unchanged, changed, refused, acknowledged: each step of it ends as it has to."""
    deployment = repository.deployment
    assert converge(repository, "Look").outputs == {"due": "true"}
    done = converge(repository, "Apply what the preview showed")
    assert (done.code, deployment.boxes()) == (0, {"b0", "b1", "b2", "b3"})
    assert converge(repository, "Look").outputs == {"due": "false"}

    deployment.bucket.delete("control/edges/b3.json")
    assert converge(repository, "Look").outputs == {"due": "true"}
    assert converge(repository, "Converge").code == 0
    assert deployment.boxes() == {"b0", "b1", "b2"}

    for number in (1, 2):
        deployment.bucket.delete(f"control/edges/b{number}.json")
    refused = converge(repository, "Look")
    assert (refused.code, refused.outputs) == (1, {})
    assert "removes 4 of 6 managed sets, limit half (3)" in refused.said
    said = converge(repository, "Say what is refused")
    word = offered(said.summary)
    assert (said.code, word[:12]) == (1, offered(refused.said)[:12])
    assert converge(repository, "Look", word).outputs == {"due": "true"}
    assert converge(repository, "Converge", word).code == 0
    assert deployment.boxes() == {"b0"}


def test_a_plan_that_does_not_hold_any_more(repository: Repository) -> None:
    """What a push applies is what its preview showed, or nothing."""
    assert converge(repository, "Look").code == 0
    repository.deployment.edge(2, eip="192.0.2.9")
    done = converge(repository, "Apply what the preview showed")
    assert done.code != 0
    assert repository.deployment.sets() == []


def test_a_pull_request(repository: Repository) -> None:
    """The plan is the comment's text, of a refused preview too; nothing is changed."""
    assert repository.step("preview", "preview", "Preview").code == 0
    report = repository.step("preview", "preview", "Report the plan")
    comment = repository.runner.temp / "plan.md"
    assert report.code == 0
    assert comment.read_text().startswith(f"{marker(STACK)}\n### Plan of `{STACK}`\n")
    assert "\n+ h000.bab.apps.example.com A carlos-steering/b3 " in comment.read_text()

    repository.deployment.bucket.put("control/edges/b0.json", b"{")
    assert repository.step("preview", "preview", "Preview").code != 0
    assert repository.step("preview", "preview", "Report the plan").code == 2
    assert "**Unknown**" in comment.read_text()
    assert repository.deployment.writes == []
