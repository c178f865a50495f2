"""The workflows: linted, pinned, with no more rights than they need."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.repo.sources import CHECKOUT
from tests.support.workflow import WORKFLOWS, load
from tools.actions.built import OPTIONS, ensure
from tools.engine.errors import NoToolchainError
from tools.engine.recipe import read_recipe

FILES = sorted(WORKFLOWS.glob("*.yml"))
PREPARE = CHECKOUT / ".github" / "actions" / "prepare" / "action.yml"
PINNED = re.compile(r"^ +(?:- )?uses: (\./\S+|[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$")


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in FILES:
        for name, job in load(file)["jobs"].items():
            yield f"{file.stem}.{name}", job


def steps() -> Iterator[dict[str, Any]]:
    for _, job in jobs():
        yield from job["steps"]
    yield from load(PREPARE)["runs"]["steps"]


def named(job: dict[str, Any], word: str) -> list[dict[str, Any]]:
    return [each for each in job["steps"] if word in each.get("uses", "")]


@pytest.fixture(scope="module")
def actionlint() -> Path:
    try:
        return ensure(os.environ, print) / "actionlint"
    except NoToolchainError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_lint(actionlint: Path, file: Path) -> None:
    """There is nothing to find."""
    assert lint(actionlint, file) == (0, "")


def lint(actionlint: Path, file: Path) -> tuple[int, str]:
    words = [str(actionlint), *OPTIONS, str(file)]
    done = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_what_the_linter_passes_over(actionlint: Path, tmp_path: Path) -> None:
    """One key that it does not know yet, in one place; each other mistake beside it is found."""
    text = (WORKFLOWS / "converge.yml").read_text()
    wrong = text.replace("  queue: max\n", "  queue: max\n  queues: max\n", 1)
    (file := tmp_path / "converge.yml").write_text(wrong.replace("permissions: {}", "queue: max"))
    code, said = lint(actionlint, file)
    assert code == 1
    keys = re.findall(r'unexpected key "(\w+)" for "(\w+)" section', said)
    assert sorted(keys) == [("queue", "workflow"), ("queues", "concurrency")]


@pytest.mark.parametrize("file", [*FILES, PREPARE], ids=lambda file: file.stem)
def test_pins(file: Path) -> None:
    """Every action is named by its commit, with its version beside it."""
    lines = [line for line in file.read_text().splitlines() if "uses:" in line]
    assert lines
    assert [line for line in lines if not PINNED.match(line)] == []


def test_one_commit_for_an_action() -> None:
    """Where an action is used twice, it is the same."""
    text = "".join(file.read_text() for file in [*FILES, PREPARE])
    pairs = {tuple(each) for each in re.findall(r"uses: ([\w/-]+)@(\w+)", text)}
    assert len({action for action, _ in pairs}) == len(pairs)


def test_scripts_hold_no_expression() -> None:
    """What others write reaches a script as an environment variable, never as its text."""
    assert [each for each in steps() if "${{" in each.get("run", "")] == []


def test_the_acknowledgement() -> None:
    """It is an input, the environment of two steps, and nowhere else."""
    converge = load(WORKFLOWS / "converge.yml")
    own = converge["jobs"]["converge"]["steps"]
    given = [each["name"] for each in own if "FAIRLEAD_ACKNOWLEDGE" in each.get("env", {})]
    assert given == ["Look", "Converge"]
    assert "acknowledge" in converge["on"]["workflow_dispatch"]["inputs"]
    assert (WORKFLOWS / "converge.yml").read_text().count("inputs.acknowledge") == 2
    assert "acknowledge" not in (WORKFLOWS / "preview.yml").read_text().lower()


def test_rights() -> None:
    """None by default; a job that can write to GitHub checks nothing out and has no role."""
    assert all(load(file)["permissions"] == {} for file in FILES)
    rights = {name: job["permissions"] for name, job in jobs()}
    assert rights == {
        "preview.preview": {"contents": "read", "id-token": "write"},
        "preview.comment": {"pull-requests": "write"},
        "converge.converge": {"contents": "read", "id-token": "write"},
    }
    for name, job in jobs():
        if name == "preview.comment":
            assert not [*named(job, "checkout"), *named(job, "./"), *named(job, "aws-actions")]
        else:
            [checkout], [role] = named(job, "actions/checkout"), named(job, "aws-actions")
            assert checkout["with"]["persist-credentials"] is False
            assert set(role["with"]) == {"role-to-assume", "aws-region"}


def test_roles() -> None:
    """A pull request has the one that reads; each is named in a variable of the repository."""
    roles = {
        name: named(job, "aws-actions")[0]["with"]["role-to-assume"]
        for name, job in jobs()
        if named(job, "aws-actions")
    }
    assert roles == {
        "preview.preview": "${{ vars.FAIRLEAD_PREVIEW_ROLE }}",
        "converge.converge": "${{ vars.FAIRLEAD_CONVERGE_ROLE }}",
    }


def test_forks() -> None:
    """Their code never runs with anything of ours."""
    preview = load(WORKFLOWS / "preview.yml")
    assert set(preview["on"]) == {"pull_request"}
    own = "github.event.pull_request.head.repo.full_name == github.repository"
    assert own in preview["jobs"]["preview"]["if"]
    assert "!= 'skipped'" in preview["jobs"]["comment"]["if"]
    converge = load(WORKFLOWS / "converge.yml")
    assert set(converge["on"]) == {"push", "schedule", "workflow_dispatch"}
    assert "github.ref == 'refs/heads/main'" in converge["jobs"]["converge"]["if"]


def test_one_at_a_time() -> None:
    """An update is never cancelled for another, nor while it waits; a preview, which reads, is."""
    assert load(WORKFLOWS / "converge.yml")["concurrency"] == {
        "group": "converge-${{ github.ref }}",
        "cancel-in-progress": False,
        "queue": "max",
    }
    assert load(WORKFLOWS / "preview.yml")["concurrency"]["cancel-in-progress"] is True


def test_the_commit() -> None:
    """A run that waited, or is started again, takes main as it is by then."""
    [checkout] = named(load(WORKFLOWS / "converge.yml")["jobs"]["converge"], "actions/checkout")
    assert checkout["with"]["ref"] == "main"


def test_the_waivers() -> None:
    """A wrong one stops a pull request; one that expires turns a run red, and stops nothing."""
    preview, converge = (
        load(WORKFLOWS / f"{name}.yml")["jobs"] for name in ("preview", "converge")
    )
    names = [each.get("name") for each in preview["preview"]["steps"]]
    assert names.index("Check the waivers") < names.index("Preview")
    last = converge["converge"]["steps"][-1]
    assert (last["name"], last["if"]) == ("Check the waivers", "${{ !cancelled() }}")


def test_a_run_that_is_started_again() -> None:
    """Its plan takes the place of the first one's: GitHub takes no second file of a name."""
    [upload] = named(load(WORKFLOWS / "preview.yml")["jobs"]["preview"], "upload-artifact")
    assert upload["with"]["overwrite"] is True


def test_limits() -> None:
    """Every job has one, and an update is interrupted well before its job is killed."""
    assert all(0 < job["timeout-minutes"] <= 40 for _, job in jobs())
    job = load(WORKFLOWS / "converge.yml")["jobs"]["converge"]
    assert int(job["env"]["LIMIT"].removesuffix("m")) + 10 < job["timeout-minutes"]


def test_the_schedule() -> None:
    """Every five minutes, which is as often as GitHub starts a run."""
    assert load(WORKFLOWS / "converge.yml")["on"]["schedule"] == [{"cron": "*/5 * * * *"}]


def test_the_cli() -> None:
    """It is the version that is built here; the action installs it, and runs nothing."""
    [install] = [each for each in steps() if "pulumi/actions" in each.get("uses", "")]
    assert install["with"] == {"pulumi-version": read_recipe().version}


def test_the_pack() -> None:
    """It goes with every preview and every update."""
    scripts = [each["run"] for each in steps() if "local/pulumi" in each.get("run", "")]
    assert len(scripts) == 4
    assert all("--policy-pack policy" in each for each in scripts)
    assert not [each for each in scripts if "--skip-preview" in each or "-f " in each]
    given = 'then words+=(--policy-pack-config "$settings"); fi'
    assert [each for each in scripts if given not in each] == []
