"""The configuration gate: an argv, a row on standard input, an exit code and a reason."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from folds.sidecar_rows import Row
from providers.sidecar_gate import ask_gate

ROW = Row("a.eleven.bab.sidecar.internal", "a", "sidecar", "eleven", "bab", idle_seconds=300)


def ask(code: str, *arguments: str, limit_seconds: float = 10) -> str:
    return ask_gate((sys.executable, "-c", code, *arguments), ROW, limit_seconds=limit_seconds)


def test_a_gate_that_admits() -> None:
    """Exit code 0, whatever it writes."""
    assert ask("import sys; print('no'); print('no', file=sys.stderr)") == ""


@pytest.mark.behaviour(117)
def test_a_gate_that_refuses() -> None:
    """The reason is the last line of its standard error."""
    assert ask("import sys; sys.exit('first\\nno sealed configuration\\n\\n')") == (
        "no sealed configuration"
    )


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise SystemExit(3)", "exit code 3, without a reason"),
        ("import os; os.kill(os.getpid(), 9)", "ended by signal 9, without a reason"),
    ],
)
def test_a_gate_that_gives_no_reason(code: str, reason: str) -> None:
    """How it ended stands in for one."""
    assert ask(code) == reason


def test_a_reason_that_is_no_text() -> None:
    """It is told all the same."""
    code = r"import sys; sys.stderr.buffer.write(b'\xff\x1b[31m'); sys.exit(1)"
    assert ask(code) == "\\xff\x1b[31m"


def test_what_a_gate_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The row by its columns on standard input, PATH alone in its environment, no shell."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    seen = tmp_path / "seen"
    code = (
        "import json, os, sys; json.dump([json.load(sys.stdin), dict(os.environ), sys.argv[2:]],"
        " open(sys.argv[1], 'w'))"
    )
    assert ask(code, str(seen), "$(touch x); *") == ""
    row, environ, arguments = json.loads(seen.read_text())
    assert row == {name: getattr(ROW, name) for name in ROW.__slots__}
    assert environ.pop("LC_CTYPE", "C.UTF-8") == "C.UTF-8"  # Python's own
    assert environ == {"PATH": os.environ["PATH"]}
    assert arguments == ["$(touch x); *"]


def test_a_gate_that_hangs(tmp_path: Path) -> None:
    """It is refused when its time is over, and killed with what it started."""
    alive = tmp_path / "alive"
    child = f"import time; time.sleep(0.6); open({str(alive)!r}, 'w').close()"
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    begun = time.monotonic()
    assert ask(code, child, limit_seconds=0.3) == "no answer after 0.3 s, which is the limit"
    assert time.monotonic() - begun < 0.6
    time.sleep(0.7)
    assert not alive.exists()


def test_a_gate_that_reads_nothing() -> None:
    """It may answer without looking at the row."""
    assert ask("import os; os.close(0)") == ""


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("/no/such/gate", "/no/such/gate cannot be started: No such file or directory"),
        ("/", "/ cannot be started: Permission denied"),
    ],
)
def test_a_gate_that_cannot_be_started(program: str, reason: str) -> None:
    """A gate that is not there admits nothing."""
    assert ask_gate((program,), ROW) == reason
