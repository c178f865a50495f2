"""local/pulumi with a stand-in for the engine: arguments, environment, folders, signals."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from local.engine_env import CHECKOUT, STRICT_PREVIEW
from stacks.strict_preview import VARIABLE
from tests.local.conftest import Fake


def test_arguments_pass_untouched(fake: Fake) -> None:
    """Global flags, empty words and blanks reach the CLI as they were given."""
    words = ["--color", "never", "-C", ".", "preview", "-s", "x", "", "a b", "*", "--", "-x"]
    fake.run(*words)
    assert fake.calls()[-1]["argv"] == words


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_exit_code_passes(fake: Fake, code: int) -> None:
    """The CLI's exit code is the command's."""
    fake.environ["FAKE_EXIT"] = str(code)
    assert fake.run("version").returncode == code


def test_signal_reaches_the_cli_once(fake: Fake) -> None:
    """The CLI takes the launcher's place: a signal to it is a signal to the CLI."""
    fake.environ["FAKE_WAIT"] = "1"
    child = subprocess.Popen([CHECKOUT / "local" / "pulumi", "version"], env=fake.environ)
    while not fake.calls():
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=20) == 42
    assert (fake.folder / "calls.signals").read_text() == f"{signal.SIGINT:d}\n"


def test_signal_while_it_looks_what_to_heal(fake: Fake, tmp_path: Path) -> None:
    """An interrupt before the CLI starts ends it, without a traceback."""
    fake.environ.update(FAKE_WAIT="1", PULUMI_BACKEND_URL=tmp_path.as_uri())
    launcher = CHECKOUT / "local" / "pulumi"
    command: list[str | Path] = [launcher, "up", "-s", "x"]
    with subprocess.Popen(command, env=fake.environ, stderr=subprocess.PIPE) as child:
        while not fake.calls():
            assert child.poll() is None
        time.sleep(0.5)  # the launcher, too, has to know that its child has started
        child.send_signal(signal.SIGINT)
        _output, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (130, b"")
    assert [call["argv"] for call in fake.calls()] == [
        ["stack", "export", "--stack", "x", "--non-interactive", "--color", "never"]
    ]


def test_defaults_where_nothing_is_set(fake: Fake) -> None:
    """State and home lie in the checkout; the passphrase is empty."""
    fake.run("version")
    environ = fake.environment()
    assert environ["PULUMI_BACKEND_URL"] == (CHECKOUT / ".local" / "state").as_uri()
    assert environ["PULUMI_HOME"] == str(CHECKOUT / ".local" / "pulumi")
    assert environ["PULUMI_CONFIG_PASSPHRASE"] == ""
    assert environ["PULUMI_DIY_BACKEND_GZIP"] == "true"
    assert environ["PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS"] == "true"
    assert environ["PULUMI_SKIP_UPDATE_CHECK"] == "true"
    assert (CHECKOUT / ".local" / "state").is_dir()


def test_what_is_set_stays(fake: Fake) -> None:
    """A variable that is set keeps its value, an empty one too."""
    mine = {
        "PULUMI_BACKEND_URL": "s3://mine",
        "PULUMI_HOME": "/home/mine",
        "PULUMI_CONFIG_PASSPHRASE": "secret",
        "PULUMI_DIY_BACKEND_GZIP": "",
        "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "false",
        "PULUMI_SKIP_UPDATE_CHECK": "0",
    }
    fake.environ.update(mine)
    fake.run("version")
    assert {key: fake.environment()[key] for key in mine} == mine


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["preview"], "1"), (["-C", ".", "pre"], "1"), (["up"], None), (["refresh"], None)],
)
def test_preview_alone(fake: Fake, words: list[str], expected: str | None) -> None:
    """It fails where its run would fail; the one that ``up`` begins with does not."""
    fake.run(*words)
    assert fake.environment().get("FAIRLEAD_STRICT_PREVIEW") == expected
    assert STRICT_PREVIEW == VARIABLE


def test_preview_that_may_end_well(fake: Fake) -> None:
    """Whoever sets it to nothing gets the warning alone."""
    fake.environ["FAIRLEAD_STRICT_PREVIEW"] = ""
    fake.run("preview")
    assert fake.environment()["FAIRLEAD_STRICT_PREVIEW"] == ""


def test_passphrase_file_is_enough(fake: Fake, tmp_path: Path) -> None:
    """An empty passphrase would win over the file."""
    fake.environ["PULUMI_CONFIG_PASSPHRASE_FILE"] = str(tmp_path / "file")
    fake.run("version")
    assert "PULUMI_CONFIG_PASSPHRASE" not in fake.environment()


def test_python_of_the_checkout_comes_first(fake: Fake) -> None:
    """The program and its providers run on .venv; the official engine stays where it is."""
    fake.run("version")
    path = fake.environment()["PATH"].split(os.pathsep)
    assert path[:2] == [str(CHECKOUT / ".venv" / "bin"), str(fake.folder)]


@pytest.mark.parametrize(
    ("cwd", "words", "expected"),
    [
        (Path("/"), ["version"], CHECKOUT),
        (CHECKOUT / "local", ["version"], CHECKOUT / "local"),
        (Path("/"), ["-C", "tmp", "version"], Path("/")),
    ],
)
def test_folder_it_runs_in(fake: Fake, cwd: Path, words: list[str], expected: Path) -> None:
    """From elsewhere it runs in its checkout; inside, or with -C, where it was called."""
    fake.run(*words, cwd=cwd)
    assert fake.calls()[-1]["cwd"] == str(expected)


def test_copy_in_another_folder(fake: Fake, tmp_path: Path) -> None:
    """A copy uses its own state and folder, and is found through a symbolic link."""
    copy = tmp_path / "a copy #2"
    for name in ("local", "tools"):
        shutil.copytree(CHECKOUT / name, copy / name)
    (copy / ".venv").symlink_to(CHECKOUT / ".venv")
    (tmp_path / "link").symlink_to(copy / "local" / "pulumi")
    done = fake.run("stack", "ls", cwd=Path("/"), launcher=tmp_path / "link")
    assert (done.returncode, done.stderr) == (0, "")
    assert fake.calls()[-1]["cwd"] == str(copy)
    assert fake.environment()["PULUMI_BACKEND_URL"] == (copy / ".local" / "state").as_uri()
    assert (copy / ".local" / "state").is_dir()


def test_without_setup(fake: Fake, tmp_path: Path) -> None:
    """No .venv: one line that says what to do."""
    shutil.copytree(CHECKOUT / "local", tmp_path / "copy" / "local")
    done = fake.run("version", launcher=tmp_path / "copy" / "local" / "pulumi")
    assert done.returncode == 1
    assert "make setup" in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_engine(fake: Fake, tmp_path: Path) -> None:
    """No engine: one line that says what to do."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("dirname", "readlink", "sh"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    fake.environ.update(PATH=str(tools), XDG_CACHE_HOME=str(tmp_path / "cache"))
    done = fake.run("version")
    assert done.returncode == 1
    assert "make setup" in done.stderr
    assert done.stderr.count("\n") == 1
