"""The engine, the language host and a dynamic provider, all of them real."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
import yaml

from local.engine_env import CHECKOUT
from tests.engine import scratch
from tests.engine.cli import lives, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.cli import EngineRunner, Stack

pytestmark = pytest.mark.engine


@pytest.fixture
def stack(engine: EngineRunner, tmp_path: Path) -> Stack:
    return engine.project(tmp_path, scratch.PROJECT)


@pytest.fixture
def stand_in(engine: EngineRunner) -> None:
    """What is said of our language host does not hold for the official one."""
    if engine.engine.folder is None:
        pytest.skip("the official language host is used")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    options = {"virtualenv": os.path.relpath(CHECKOUT / "policy" / "venv", folder)}
    runtime = {"name": "python", "options": options}
    description = {"name": "scratch", "version": "0.1.0", "runtime": runtime}
    (folder / "PulumiPolicy.yaml").write_text(yaml.safe_dump(description))
    (folder / "__main__.py").write_text(scratch.PACK)
    return folder


def test_dynamic_resource_through_its_life(stack: Stack) -> None:
    """Create, no change, update, refresh after a change by hand, and destroy."""
    live = stack.project / "one.txt"
    stack.run("up", "--yes")
    assert live.read_text() == "1"
    stack.run("up", "--yes", "--skip-preview", "--expect-no-changes")
    stack.configure({"scratch:number": 2})
    stack.run("up", "--yes", "--skip-preview")
    assert (live.read_text(), stack.outputs()) == ("2", {"number": 2})
    live.write_text("3")
    stack.run("refresh", "--yes", "--skip-preview")
    assert [it["outputs"]["number"] for it in stack.export()["resources"][-1:]] == [3]
    stack.run("destroy", "--yes", "--skip-preview")
    assert not live.exists()


def test_resource_gone_by_hand_is_made_again(stack: Stack) -> None:
    """What a refresh does not find, the next run makes again."""
    stack.run("up", "--yes", "--skip-preview")
    (stack.project / "one.txt").unlink()
    stack.run("up", "--yes", "--skip-preview", "--refresh")
    assert (stack.project / "one.txt").read_text() == "1"


def test_policy_pack_refuses_preview_and_update(stack: Stack, pack: Path) -> None:
    """A mandatory policy stops `preview`, and `up --skip-preview` before anything is made."""
    stack.configure({"scratch:number": 9})
    preview = stack.run("preview", "--policy-pack", str(pack), check=False)
    update = stack.run("up", "--yes", "--skip-preview", "--policy-pack", str(pack), check=False)
    assert (preview.returncode, update.returncode) == (1, 1)
    assert "9 is over 5 in the preview of dev" in preview.stdout
    assert "9 is over 5 in the update of dev" in update.stdout
    assert not (stack.project / "one.txt").exists()


def test_policy_pack_lets_pass(stack: Stack, pack: Path) -> None:
    """A pack that reports nothing changes nothing."""
    stack.run("up", "--yes", "--skip-preview", "--policy-pack", str(pack))
    assert (stack.project / "one.txt").read_text() == "1"


def test_pack_that_prints_first_fails_the_run(stack: Stack, pack: Path) -> None:
    """A pack whose first line is not its port fails the run and does not hang it."""
    main = pack / "__main__.py"
    main.write_text(f"print('hello')\n{main.read_text()}")
    done = stack.run("preview", "--policy-pack", str(pack), check=False)
    assert done.returncode == 1
    assert "hello" in done.stdout + done.stderr


@pytest.mark.usefixtures("stand_in")
def test_pack_without_its_environment_fails_the_run(stack: Stack, pack: Path) -> None:
    """A missing virtual environment of a pack is an error of the run, which does not hang."""
    description = pack / "PulumiPolicy.yaml"
    description.write_text(description.read_text().replace("policy/venv", "policy/none"))
    done = stack.run("preview", "--policy-pack", str(pack), check=False)
    assert done.returncode != 0
    assert "policy/none" in done.stdout + done.stderr


def test_program_that_raises_fails_the_run(engine: EngineRunner, tmp_path: Path) -> None:
    """A program's exception reaches the user and the exit code."""
    stack = engine.project(tmp_path, {"__main__.py": "raise ValueError('no such luck')"})
    done = stack.run("up", "--yes", "--skip-preview", check=False)
    assert done.returncode != 0
    assert "no such luck" in done.stdout


def test_interrupted_program_ends_quietly(engine: EngineRunner, tmp_path: Path) -> None:
    """SIGINT ends a program that still runs, without a traceback of anybody's."""
    main = "import pathlib, time\npathlib.Path('running').write_text('1')\ntime.sleep(60)\n"
    stack = engine.project(tmp_path, {"__main__.py": main})
    log = tmp_path / "log"
    child = stack.start("preview", log=log)
    wait_for(stack.project / "running")
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=20) != 0
    assert "Traceback" not in log.read_text()


@pytest.mark.usefixtures("stand_in")
def test_nothing_of_the_language_host_outlives_a_killed_cli(
    engine: EngineRunner, tmp_path: Path
) -> None:
    """The host, and the program it runs, end when the CLI is killed."""
    main = (
        "import os, pathlib, time\n"
        "pathlib.Path('running').write_text(f'{os.getpid()} {os.getppid()}')\n"
        "time.sleep(60)\n"
    )
    stack = engine.project(tmp_path, {"__main__.py": main})
    child = stack.start("preview", log=tmp_path / "log")
    wait_for(stack.project / "running")
    pids = [int(pid) for pid in (stack.project / "running").read_text().split()]
    child.kill()
    child.wait()
    deadline = time.monotonic() + 10
    while any(lives(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)
