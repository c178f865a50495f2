"""The stand-in language host, without an engine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from google.protobuf import empty_pb2
from pulumi.runtime.proto import analyzer_pb2, language_pb2, language_pb2_grpc

from tests.engine.cli import lives
from tests.tools.fakes import executable
from tools.engine.language_host import commands
from tools.engine.language_host.children import Children
from tools.engine.locate import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator

LAUNCHER = CHECKOUT / "tools" / "engine" / "pulumi-language-python"


def test_command_of_a_program() -> None:
    """The flags of the SDK's runner; an empty value is left out, as the official host does."""
    info = language_pb2.ProgramInfo(root_directory="/p", program_directory="/p", entry_point="main")
    folder = "/p"
    request = language_pb2.RunRequest(
        project="p", stack="s", pwd=folder, monitor_address="m", parallel=8, info=info, dryRun=True
    )
    words = commands.program_command(request, "e", Path("/x/runner"), "/v/bin/python")
    flags = "--monitor m --engine e --project p --root_directory /p --stack s --pwd /p"
    expected = f"/v/bin/python -u /x/runner {flags} --dry_run true --parallel 8 main"
    assert words == expected.split()


def test_environment_of_a_program() -> None:
    """Configuration and secret keys as JSON."""
    request = language_pb2.RunRequest(config={"p:a": "1"}, configSecretKeys=["p:b"])
    found = commands.program_environment(request, {"A": "b"})
    assert found == {
        "A": "b",
        "PULUMI_CONFIG": '{"p:a": "1"}',
        "PULUMI_CONFIG_SECRET_KEYS": '["p:b"]',
    }


def test_environment_of_a_pack() -> None:
    """The stack under analysis as the official host tells it; nothing without one."""
    stack = analyzer_pb2.AnalyzerStackConfigureRequest(
        organization="o", project="p", stack="s", dry_run=False, config={"p:a": "1"}
    )
    assert commands.pack_environment(stack, {"A": "b"}) == {
        "A": "b",
        "PULUMI_CONFIG": '{"p:a": "1"}',
        "PULUMI_ORGANIZATION": "o",
        "PULUMI_PROJECT": "p",
        "PULUMI_STACK": "s",
        "PULUMI_DRY_RUN": "false",
    }
    assert commands.pack_environment(None, {"A": "b"}) == {"A": "b"}


def _info(root: Path, virtualenv: str) -> language_pb2.ProgramInfo:
    info = language_pb2.ProgramInfo(root_directory=str(root))
    info.options.update({"virtualenv": virtualenv})
    return info


def test_virtual_environment_is_relative_to_the_root(tmp_path: Path) -> None:
    """Its Python runs, and its bin comes first on PATH."""
    python = executable(tmp_path / "venv" / "bin" / "python", "exit 0")
    found = commands.interpreter_of(_info(tmp_path, "venv"))
    assert (found.python, found.virtualenv) == (str(python), tmp_path / "venv")
    environ = found.environment({"PATH": "/usr/bin", "PYTHONHOME": "/x"})
    path = os.pathsep.join((str(tmp_path / "venv" / "bin"), "/usr/bin"))
    assert environ == {"PATH": path, "VIRTUAL_ENV": str(tmp_path / "venv")}


def test_missing_virtual_environment(tmp_path: Path) -> None:
    """The folder and the command that makes it."""
    with pytest.raises(commands.VirtualEnvironmentError, match=r"venv has no bin/python.*setup"):
        commands.interpreter_of(_info(tmp_path, "venv"))


def test_no_virtual_environment_named(tmp_path: Path) -> None:
    """The Python that runs the host, its environment as it is."""
    found = commands.interpreter_of(_info(tmp_path, ""))
    assert (found.python, found.environment({"A": "b"})) == (sys.executable, {"A": "b"})


@pytest.mark.parametrize("trap", ["", "trap '' TERM; "])
def test_child_is_stopped_with_its_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str
) -> None:
    """SIGTERM first; SIGKILL for one that does not listen."""
    monkeypatch.setattr("tools.engine.language_host.children.GRACE_SECONDS", 0.2)
    children = Children()
    code = f"{trap}sleep 60 & echo $!; wait"
    child = children.start(["sh", "-c", code], tmp_path, {"PATH": os.defpath}, piped=True)
    assert child.stdout is not None
    assert child.stderr is not None
    grandchild = int(child.stdout.readline())
    children.stop_all()
    assert child.returncode in {-signal.SIGTERM, -signal.SIGKILL}
    deadline = time.monotonic() + 10
    while lives(grandchild):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    child.stdout.close()
    child.stderr.close()


@pytest.fixture
def host() -> Iterator[subprocess.Popen[bytes]]:
    """The language host as the engine starts it, its port still to be read."""
    environ = {**os.environ, "FAIRLEAD_CHECKOUT": str(CHECKOUT)}
    with subprocess.Popen(
        [LAUNCHER, "127.0.0.1:1"],
        cwd="/",
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        yield process
        process.kill()


def _port(host: subprocess.Popen[bytes]) -> int:
    assert host.stdout is not None
    return int(host.stdout.readline())


def _rest(host: subprocess.Popen[bytes]) -> bytes:
    assert host.stdout is not None
    assert host.stderr is not None
    return host.stdout.read() + host.stderr.read()


def test_host_serves(host: subprocess.Popen[bytes]) -> None:
    """Its first line is its port; what it does not serve is UNIMPLEMENTED."""
    with grpc.insecure_channel(f"127.0.0.1:{_port(host)}") as channel:
        stub = language_pb2_grpc.LanguageRuntimeStub(channel)
        stub.Handshake(language_pb2.LanguageHandshakeRequest(engine_address="127.0.0.1:1"))
        assert stub.GetPluginInfo(empty_pb2.Empty()).version == ""
        with pytest.raises(grpc.RpcError) as caught:
            stub.About(language_pb2.AboutRequest())
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_host_ends_quietly_on_a_signal(
    host: subprocess.Popen[bytes], number: signal.Signals
) -> None:
    """No traceback, exit code 0."""
    _port(host)
    os.killpg(host.pid, number)
    assert host.wait(timeout=20) == 0
    assert _rest(host) == b""


def test_host_ends_with_its_engine(host: subprocess.Popen[bytes]) -> None:
    """The engine holds the other end of its standard input, dead or alive."""
    _port(host)
    assert host.stdin is not None
    host.stdin.close()
    assert host.wait(timeout=20) == 0
    assert _rest(host) == b""


def test_host_starts_without_the_sdk() -> None:
    """Of `pulumi` it imports the generated stubs alone: each run starts two or three hosts."""
    command = [sys.executable, "-X", "importtime", "-m", "tools.engine.language_host"]
    done = subprocess.run(
        [*command, "--program-runner", "x", "127.0.0.1:1"],
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    ours = {name for name in imported if name.partition(".")[0] == "pulumi"}
    assert "pulumi.runtime.proto.language_pb2" in ours
    assert [name for name in ours if not name.startswith("pulumi.runtime.proto")] == []


def test_launcher_without_a_checkout() -> None:
    """The cache serves every checkout, so the one at work must be told."""
    environ = {key: value for key, value in os.environ.items() if key != "FAIRLEAD_CHECKOUT"}
    done = subprocess.run([LAUNCHER, "x"], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "local/pulumi" in done.stderr
