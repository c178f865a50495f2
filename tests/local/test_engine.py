"""Running the engine for `make up`."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from local import engine
from local.errors import AnswerUnreadable, EngineFailed


@pytest.mark.parametrize(("ended", "code"), [(1, 1), (255, 255), (-9, 137)])
def test_exit_code_of_the_engine(ended: int, code: int) -> None:
    """It becomes the command's; a signal's becomes a shell's number for it."""
    with pytest.raises(EngineFailed, match=f"up ended with exit code {code}") as caught:
        engine.check("up", ended)
    assert caught.value.code == code


def test_success_says_nothing() -> None:
    """0 is no error."""
    engine.check("up", 0)


@pytest.mark.parametrize("answer", ["", "no JSON", "{}", '["local-steering"]', "warning: x\n[]"])
def test_answer_that_is_no_list_of_stacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Nobody knows which stacks there are, and none is made: one line, with the question."""
    script = tmp_path / "pulumi"
    script.write_text(f"#!/bin/sh\necho \"$*\" >>{tmp_path}/asked\nprintf '%s' '{answer}'\n")
    script.chmod(0o755)
    monkeypatch.setattr(engine, "_ENGINE", script)
    with pytest.raises(AnswerUnreadable, match=r"^local/pulumi stack ls --json: its answer is "):
        engine.create(("local-steering",))
    assert (tmp_path / "asked").read_text() == "stack ls --json\n"


def test_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine answers it first; then no further stack is begun."""
    script = tmp_path / "pulumi"
    script.write_text(f"#!/bin/sh\nkill -INT {os.getpid()}\nsleep 0.2\ntouch {tmp_path}/ended\n")
    script.chmod(0o755)
    monkeypatch.setattr(engine, "_ENGINE", script)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        engine.converge("local-steering")
    assert (tmp_path / "ended").exists()
    assert signal.getsignal(signal.SIGINT) is before
