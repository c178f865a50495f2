"""What local/pulumi does about the traces of killed runs, with the real engine."""

from __future__ import annotations

import json
import os
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.engine import scratch
from tests.engine.cli import lives, wait_for

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from tests.engine.cli import EngineRunner, Stack

pytestmark = pytest.mark.engine


@dataclass(frozen=True)
class HeldRun:
    """A run that is inside the resource's create, and the provider that holds it there."""

    stack: Stack
    cli: subprocess.Popen[bytes]
    provider: int


@pytest.fixture
def stack(engine: EngineRunner, tmp_path: Path) -> Stack:
    return engine.project(tmp_path, scratch.PROJECT)


@pytest.fixture
def held(stack: Stack) -> Iterator[HeldRun]:
    stack.configure({"scratch:hold": True})
    cli = stack.start("up", "--yes", "--skip-preview", log=stack.home / "log")
    wait_for(stack.project / "creating")
    provider = json.loads((stack.project / "creating").read_text())["pid"]
    yield HeldRun(stack, cli, provider)
    cli.kill()
    cli.wait()
    # The provider of a killed run waits for calls for ever.
    with suppress(ProcessLookupError):
        os.kill(provider, signal.SIGKILL)


def _locks(stack: Stack) -> list[Path]:
    return sorted((stack.backend / ".pulumi" / "locks").rglob("*.json"))


def test_killed_in_a_create(held: HeldRun) -> None:
    """The next run removes the dead lock, clears the pending create and makes the resource."""
    stack = held.stack
    held.cli.kill()
    held.cli.wait()
    assert [it["type"] for it in stack.export()["pending_operations"]] == ["creating"]
    (stack.project / "go on").write_text("now")
    done = stack.launch("up", "--yes", "--skip-preview")
    assert f"process {held.cli.pid}" in done.stderr
    assert "cleared the create of urn:pulumi:dev::scratch::" in done.stderr
    assert "pending operations" not in done.stdout
    assert "pending_operations" not in stack.export()
    assert _locks(stack) == []
    assert stack.launch("up", "--yes", "--skip-preview", "--expect-no-changes").stderr == ""


def test_killed_while_it_wrote_its_state(held: HeldRun) -> None:
    """The empty attributes beside the state are removed, and the run after it goes on."""
    stack = held.stack
    held.cli.kill()
    held.cli.wait()
    [attributes] = (stack.backend / ".pulumi" / "stacks").rglob("dev.json.gz.attrs")
    attributes.write_text("")
    assert "EOF" in stack.run("stack", "export", check=False).stderr
    (stack.project / "go on").write_text("now")
    done = stack.launch("up", "--yes", "--skip-preview")
    assert f"removed {attributes}, which a killed run left empty" in done.stderr
    assert "pending_operations" not in stack.export()
    assert (stack.project / "one.txt").read_text() == "1"


def test_lock_of_a_run_at_work(held: HeldRun) -> None:
    """A live lock stays, and so does the create it is in; the engine names the command."""
    stack, locks = held.stack, _locks(held.stack)
    done = stack.launch("up", "--yes", "--skip-preview", check=False)
    assert lives(held.cli.pid)
    assert (done.returncode != 0, _locks(stack)) == (True, locks)
    assert "pulumi cancel" in done.stderr
    assert "local/pulumi" not in done.stderr
    (stack.project / "go on").write_text("now")
    assert held.cli.wait(timeout=60) == 0
    assert (stack.project / "one.txt").read_text() == "1"


def test_lock_of_another_host(stack: Stack) -> None:
    """What another host locked stays locked, whatever its process number is here."""
    body = {
        "pid": 2**22 + 1,
        "username": "me",
        "hostname": f"not-{socket.gethostname()}",
        "timestamp": "2026-01-02T03:04:05Z",
    }
    lock = stack.backend / ".pulumi" / "locks" / "organization" / "scratch" / "dev" / "a.json"
    lock.parent.mkdir(parents=True)
    lock.write_text(json.dumps(body))
    done = stack.launch("up", "--yes", "--skip-preview", check=False)
    assert done.returncode != 0
    assert "pulumi cancel" in done.stderr
    lock.write_text(json.dumps({**body, "hostname": socket.gethostname()}))
    assert "removed the lock" in stack.launch("up", "--yes", "--skip-preview").stderr


def test_selected_stack_is_healed(stack: Stack) -> None:
    """Without --stack the selected one is meant."""
    stack.run("stack", "select")
    lock = stack.backend / ".pulumi" / "locks" / "organization" / "scratch" / "dev" / "a.json"
    lock.parent.mkdir(parents=True)
    body = {"pid": 2**22 + 1, "hostname": socket.gethostname(), "timestamp": "2026-01-02T03:04:05Z"}
    lock.write_text(json.dumps(body))
    done = stack.launch_plain("refresh", "--yes", "--skip-preview")
    assert (done.returncode, lock.exists()) == (0, False)
