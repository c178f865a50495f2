"""deploy/: the services and timers of a box."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from local.engine_arguments import parse

_FOLDER = Path(__file__).parents[2] / "deploy"
_KINDS = ("sidecars", "snapshot")
_UNITS = {"s": 1, "min": 60}


def unit(name: str) -> RawConfigParser:
    """Read a unit; its keys are case-sensitive, and none stands there twice."""
    parser = RawConfigParser(strict=True, comment_prefixes=("#",), inline_comment_prefixes=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # configparser's own way
    parser.read_string((_FOLDER / name).read_text())
    return parser


def seconds(text: str) -> int:
    number, unit_ = re.fullmatch(r"(\d+)(\w+)", text).groups()  # type: ignore[union-attr]
    return int(number) * _UNITS[unit_]


def environment() -> dict[str, str]:
    """Read the environment file."""
    lines = (_FOLDER / "box.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


@pytest.mark.parametrize("kind", _KINDS)
def test_command_of_a_service(kind: str) -> None:
    """`up` of its own stack, which the environment file names, with the policy pack."""
    service = unit(f"fairlead-{kind}.service")["Service"]
    launcher, *words = service["ExecStart"].split()
    arguments = parse(words)
    assert launcher == f"{service['WorkingDirectory']}/local/pulumi"
    assert (arguments.command, arguments.packs) == ("up", ("policy",))
    assert {"--yes", "--skip-preview", "--non-interactive"} <= set(words)
    named = re.fullmatch(r"\$\{(\w+)\}", arguments.stack or "")
    assert named is not None
    assert environment()[named[1]].endswith(f"-{kind}")
    assert service["EnvironmentFile"] == "/etc/fairlead/box.env"


@pytest.mark.parametrize("kind", _KINDS)
def test_end_of_a_service(kind: str) -> None:
    """A run that hangs is interrupted as a person would do it, and killed in the end."""
    service = unit(f"fairlead-{kind}.service")["Service"]
    assert service["Type"] == "oneshot"
    assert 60 <= seconds(service["TimeoutStartSec"]) <= 1800
    assert (service["KillSignal"], service["KillMode"]) == ("SIGINT", "mixed")
    assert seconds(service["TimeoutStopSec"]) >= 60
    assert service["SendSIGKILL"] == "yes"


@pytest.mark.parametrize("kind", _KINDS)
def test_what_a_service_may(kind: str) -> None:
    """It writes its state and the registry's folder, as the platform's user, and no more."""
    service = unit(f"fairlead-{kind}.service")["Service"]
    assert service["User"] == "platform"
    assert (service["ProtectSystem"], service["NoNewPrivileges"]) == ("strict", "yes")
    assert service["ReadWritePaths"] == "/var/lib/platform"
    folders = {f"/var/lib/{each}" for each in service["StateDirectory"].split()}
    own = environment()
    assert {own["PULUMI_BACKEND_URL"].removeprefix("file://"), own["PULUMI_HOME"]} < folders
    assert "ProtectProc" not in service


@pytest.mark.parametrize("kind", _KINDS)
def test_timer(kind: str) -> None:
    """Jittered, after the end of the last run, and installed for each boot."""
    timer = unit(f"fairlead-{kind}.timer")
    assert seconds(timer["Timer"]["RandomizedDelaySec"]) >= 30
    assert {"OnBootSec", "OnUnitInactiveSec"} <= set(timer["Timer"])
    assert timer["Install"]["WantedBy"] == "timers.target"


def test_services_differ_in_their_stack_alone() -> None:
    """Neither orders, needs or stops the other."""
    texts = [(_FOLDER / f"fairlead-{kind}.service").read_text() for kind in _KINDS]
    assert "fairlead-snapshot" not in texts[0]
    assert "fairlead-sidecars" not in texts[1]
    hardening = [text.partition("KillSignal=")[2] for text in texts]
    assert hardening[0] == hardening[1]


def test_environment_file() -> None:
    """An acknowledgement is for one run, so it has no place in it."""
    assert "FAIRLEAD_ACKNOWLEDGE" not in environment()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_systemd_reads_them(tmp_path: Path) -> None:
    """No unknown key, no bad value; the program is another one here."""
    copies = [tmp_path / each.name for each in sorted(_FOLDER.glob("fairlead-*"))]
    for copy in copies:
        text = (_FOLDER / copy.name).read_text()
        copy.write_text(text.replace("/opt/fairlead/local/pulumi", "/bin/true"))
    command: list[str | Path] = ["systemd-analyze", "verify", "--man=no", *copies]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(copies) == 4
