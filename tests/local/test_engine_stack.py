"""Which stack a command line addresses, and where local/pulumi runs it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from local.engine_arguments import parse
from local.engine_env import CHECKOUT
from local.engine_errors import SelectionError
from local.engine_stack import addressed
from local.environment import FOLDER

ENDPOINTS = {"AWS_ENDPOINT_URL_S3": "http://a", "AWS_ENDPOINT_URL_ROUTE_53": "http://b"}
# Stands in for the engine, and shows the environment it was given.
ENGINE = "#!/bin/sh\nexec env\n"


@pytest.fixture
def local(tmp_path: Path) -> Path:
    workspaces = tmp_path / "pulumi" / "workspaces"
    workspaces.mkdir(parents=True)
    stacks = {(tmp_path / "state").as_uri(): "organization/fairlead/local-steering"}
    file = workspaces / "fairlead-1cc361eccc63-workspace.json"
    file.write_text(json.dumps({"stacks": stacks}))
    return tmp_path


def test_stack_of_the_command_line_comes_first(local: Path) -> None:
    """`-s` wins over the variable, the variable over the selection."""
    environ = {"PULUMI_STACK": "from-variable"}
    assert addressed(parse(["up", "-s", "given"]), environ, local) == "given"
    assert addressed(parse(["up"]), environ, local) == "from-variable"
    assert addressed(parse(["up"]), {}, local) == "organization/fairlead/local-steering"


@pytest.mark.parametrize("name", ["PULUMI_HOME", "PULUMI_BACKEND_URL"])
def test_selection_elsewhere_is_not_ours(local: Path, name: str) -> None:
    """With a home or a backend of the user's own, the selection here says nothing."""
    assert addressed(parse(["up"]), {name: "file:///elsewhere"}, local) == ""


def test_nothing_is_selected(tmp_path: Path) -> None:
    """A fresh checkout addresses no stack."""
    assert addressed(parse(["up"]), {}, tmp_path) == ""


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"stacks": [1]}', "\xff"])
def test_selection_that_cannot_be_read(local: Path, damaged: str) -> None:
    """It may be a local stack's, which must not reach AWS: one line, unless a stack is named."""
    [file] = (local / "pulumi" / "workspaces").iterdir()
    file.write_text(damaged, encoding="latin-1")
    with pytest.raises(SelectionError, match="does not say which stack is selected: remove it"):
        addressed(parse(["up"]), {}, local)
    assert addressed(parse(["up", "-s", "given"]), {}, local) == "given"


def launch(tmp_path: Path, stack: str, **more: str) -> subprocess.CompletedProcess[str]:
    for name in ("pulumi", "pulumi-language-python"):
        (tmp_path / name).write_text(ENGINE)
        (tmp_path / name).chmod(0o755)
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    return subprocess.run(
        [CHECKOUT / "local" / "pulumi", "preview", "-s", stack],
        env={"PATH": path, "AWS_PROFILE": "production", **more},
        capture_output=True,
        text=True,
        check=False,
    )


def test_real_stack_keeps_the_users_profile(tmp_path: Path) -> None:
    """For any other stack nothing of AWS is set, even while the emulators run."""
    lines = launch(tmp_path, "production").stdout.splitlines()
    assert [line for line in lines if line.startswith("AWS_")] == ["AWS_PROFILE=production"]


def test_local_stack_never_gets_the_users_profile(tmp_path: Path) -> None:
    """It runs on the emulators, or not at all; which of the two depends on `make up` alone."""
    done = launch(tmp_path, "local-steering")
    if (FOLDER / "environment.json").exists():
        assert "AWS_ACCESS_KEY_ID=local" in done.stdout.splitlines()
    else:
        assert (done.returncode, done.stdout) == (1, "")
        assert "do not run; start them with `make up`" in done.stderr
    assert "AWS_PROFILE" not in done.stdout


def test_local_stack_on_the_callers_endpoints(tmp_path: Path) -> None:
    """Who names bucket and zone keeps everything else too."""
    lines = launch(tmp_path, "local-steering", **ENDPOINTS).stdout.splitlines()
    assert "AWS_PROFILE=production" in lines
    assert "AWS_ENDPOINT_URL_S3=http://a" in lines
