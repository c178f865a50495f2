"""The step that comments on a pull request, run as GitHub runs it, beside a stand-in for gh."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from operate.reports.markdown import markdown, marker
from operate.reports.value import Report
from tests.support.gh_stub import BOT
from tests.support.workflow_machine import Machine, machine_in, with_github
from tools.actions.built import ensure
from tools.engine.errors import NoToolchainError


@pytest.fixture
def github(tmp_path: Path) -> Machine:
    """A runner with a pull request that ``gh`` knows."""
    try:
        commands = ensure(os.environ, print)
    except NoToolchainError as error:
        pytest.skip(str(error))
    return with_github(machine_in(tmp_path), commands / "gojq")


def person(number: int, body: str, login: str = "somebody") -> dict[str, Any]:
    return {"id": number, "user": {"login": login}, "body": body}


def plan(machine: Machine, text: str = "a plan") -> str:
    """The file that the job before left; its text."""
    body = f"{marker('production')}\n{text}\n"
    (machine.folder / "temp" / "plan.md").write_text(body)
    return body


def test_the_first_comment(github: Machine) -> None:
    """It is written below those of others, which stay as they are."""
    others = [person(1, "hello"), person(2, f"{marker('staging')}\nx", BOT)]
    body = plan(github)
    assert github.comment([others]).code == 0
    [page] = github.comments()
    assert page[:2] == others
    assert (page[2]["id"], page[2]["body"]) == (1000, body)


def test_the_next_comment(github: Machine) -> None:
    """It takes the first one's place, wherever among the pages that is."""
    old = person(150, f"{marker('production')}\nold", BOT)
    pages = [[person(number, "hello") for number in range(100)], [old, person(151, "thanks")]]
    body = plan(github)
    assert github.comment(pages).code == 0
    assert github.comments()[0] == pages[0]
    assert [each["id"] for each in github.comments()[1]] == [150, 151]
    assert github.comments()[1][0]["body"] == body


@pytest.mark.parametrize("twice", [False, True])
def test_a_comment_that_only_looks_like_ours(github: Machine, *, twice: bool) -> None:
    """Somebody else's is never edited; of two of ours the first is."""
    forged = person(1, f"{marker('production')}\nforged")
    ours = [person(number, f"{marker('production')}\nold", BOT) for number in (5, 6)]
    body = plan(github)
    assert github.comment([[forged, *ours[: 2 if twice else 0]]]).code == 0
    [page] = github.comments()
    assert page[0] == forged
    assert page[1]["body"] == body
    assert len(page) == (3 if twice else 2)


def test_a_preview_that_failed(github: Machine) -> None:
    """The plan is told all the same, and that the job failed."""
    body = plan(github)
    assert github.comment([[]], result="failure").code == 0
    told = github.comments()[0][0]["body"]
    assert told.startswith(body)
    assert "[its log](https://github.test/team/fairlead/actions/runs/99) says why" in told


def test_a_preview_without_a_plan(github: Machine) -> None:
    """No plan of an earlier commit stays as if it were this one's."""
    old = person(1, f"{marker('production')}\nold", BOT)
    assert github.comment([[old]], result="failure").code == 0
    told = github.comments()[0][0]["body"]
    assert "old" not in told
    assert told.splitlines()[:2] == markdown(Report("production")).splitlines()[:2]
    assert "The job `preview` failed" in told


def test_a_github_that_fails(github: Machine) -> None:
    """The step fails, and no second comment is written."""
    (github.folder / "bin" / "gh").write_text("#!/bin/sh\necho nope >&2; exit 1\n")
    plan(github)
    pages = [[person(1, "hello")]]
    assert github.comment(pages).code == 1
    assert github.comments() == pages
