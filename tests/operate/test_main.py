"""The command line, the stack it means, and how a failure comes out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from local.environment import CHECKOUT
from local.errors import NotRunning
from operate.__main__ import main
from operate.errors import PulumiFailed
from operate.pulumi import Pulumi
from operate.stack import enter, find
from tests.operate.conftest import Desk


def run(*words: str) -> int:
    with patch.object(sys, "argv", ["operate", *words]):
        return main()


def test_no_stack_named(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The selected one is meant."""
    desk.answer("stack", "selected\n")
    assert run("status") == 1
    assert capsys.readouterr().out.startswith("stack selected: ")


def test_no_stack_at_all(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, with what the CLI said: 2."""
    desk.answer("stack", None)
    assert run("status") == 2
    assert (
        capsys.readouterr().err
        == "operate status: pulumi stack --show-name: stack: no such stack\n"
    )


@pytest.mark.parametrize(
    "words", [(), ("restart",), ("status", "--zone-id", "Z1"), ("digest", "x")]
)
def test_a_wrong_command_line(words: tuple[str, ...]) -> None:
    """The parser says what is wrong: 2."""
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2


def test_a_mistake_in_the_settings(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named as the program names it."""
    desk.configure(ttl="x")
    assert desk.run("digest") == 2
    assert capsys.readouterr().err.startswith("operate digest: settings: fairlead:ttl: ")


def test_a_configuration_elsewhere(desk: Desk) -> None:
    """The CLI is told where, and asked for what is encrypted too: the program sees it as well."""
    desk.run("digest", "--config-file", "elsewhere.yaml")
    [config] = [words for words in desk.asked() if words[0] == "config"]
    assert "--show-secrets" in config
    assert config[config.index("--config-file") + 1] == "elsewhere.yaml"


def test_an_interrupt(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line and the exit code that shells know."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("operate.__main__.status", interrupted)
    assert desk.run("status") == 130


def test_a_local_stack_that_does_not_run(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It never reaches for the user's own account: one line, and nobody is asked."""

    def not_running(*_: object) -> None:
        raise NotRunning("stack local-steering: start it with `make up`")

    monkeypatch.setattr("operate.stack.for_stack", not_running)
    assert run("digest", "--stack", "local-steering") == 2
    assert capsys.readouterr().err.endswith("start it with `make up`\n")
    assert not (desk.folder / "asked").exists()


def test_which_cli_is_asked(desk: Desk, tmp_path: Path) -> None:
    """The one that its user types; for a local stack, or where there is none, ours."""
    ours = str(CHECKOUT / "local" / "pulumi")
    assert Pulumi.of(os.environ, "prod").command == str(desk.folder / "pulumi")
    assert Pulumi.of(os.environ, "organization/fairlead/local-steering").command == ours
    bare = Pulumi.of({"PATH": str(tmp_path / "empty")}, "prod")
    assert (bare.command, bare.shown) == (ours, "local/pulumi")


def test_a_cli_that_cannot_be_run(tmp_path: Path) -> None:
    """The command fails, with what the operating system said."""
    with pytest.raises(PulumiFailed, match="No such file"):
        Pulumi(str(tmp_path / "none"), {}).text("stack")


def test_the_environment_of_a_stack(desk: Desk) -> None:
    """It becomes the process's own, and nothing else stays."""
    stack = find("prod", "", {"PATH": str(desk.folder), "AWS_REGION": "eu-west-1"})
    with patch.dict(os.environ, {"AWS_PROFILE": "other"}):
        enter(stack)
        assert dict(os.environ) == {"PATH": str(desk.folder), "AWS_REGION": "eu-west-1"}


@pytest.mark.usefixtures("desk")
def test_a_reader_that_has_enough() -> None:
    """``python -m operate status | head -1`` ends without frames: 2, it was not all told."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "operate", "status", "--stack", "prod"],
        cwd=CHECKOUT,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (2, "")


def test_the_help() -> None:
    """``python -m operate --help`` names every command and the exit codes."""
    done = subprocess.run(
        [sys.executable, "-m", "operate", "--help"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(name in done.stdout for name in ("digest", "status", "withdraw", "exit codes: 0"))
