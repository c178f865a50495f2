"""The command that says what is wrong with files of waivers."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from tests.policy.records import urn
from tests.policy.waivers import MATCH, file_of

CHECKOUT = Path(__file__).parents[2]


def _run(*files: Path | str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "policy.waivers", *files]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


def _write(folder: Path, stack: str, until: date) -> Path:
    file = folder / f"exceptions.{stack}.json"
    match = {**MATCH, "targets": [urn("www", stack=stack)]}
    file.write_text(json.dumps(file_of(reason=f"CHG-7 until={until}", match=[match])))
    return file


def test_command(tmp_path: Path) -> None:
    """It looks into every file before it ends with 1, and takes the stack from a file's name."""
    today = datetime.now(timezone.utc).date()
    fine = _write(tmp_path, "eu.prod", today + timedelta(days=2))
    old = _write(tmp_path, "dev", today - timedelta(days=2))
    (misnamed := tmp_path / "exceptions.json").write_bytes(fine.read_bytes())
    done = _run(old, fine, misnamed)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [f"{fine}: nothing is wrong on {today}"],
    )
    expired, unnamed = done.stderr.splitlines()
    assert expired.startswith(f"{old}: exceptions.CHG-7.reason: expired: ")
    assert unnamed == f"{misnamed}: must be named exceptions.<stack>.json"


def test_command_on_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = _run(tmp_path / "exceptions.dev.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("exceptions.dev.json: cannot be read: No such file or directory\n")


def test_command_without_a_file() -> None:
    """It checks those of the checkout, and all is well with them."""
    done = _run()
    assert (done.returncode, done.stderr) == (0, "")
