"""What the launcher makes of the answers of the engine, before a command that locks the stack."""

from __future__ import annotations

import json

import pytest

from tests.local.conftest import Fake


@pytest.mark.parametrize("words", [["up", "--help"], ["preview"], ["stack", "ls"], ["cancel"]])
def test_nothing_is_healed_for_other_commands(fake: Fake, words: list[str]) -> None:
    """Only commands that lock the stack are looked into first."""
    fake.run(*words)
    assert [call["argv"] for call in fake.calls()] == [words]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no stack",
        "warning: x\n{}",
        "[1]",
        "null",
        '{"deployment": [1]}',
        '{"deployment": {"pending_operations": ["creating"]}}',
        '{"deployment": {"pending_operations": [{"type": "creating"}]}}',
    ],
)
def test_answer_that_is_no_stack(fake: Fake, answer: str) -> None:
    """Nobody knows what is pending: one line, and the CLI does not run."""
    fake.environ["PULUMI_BACKEND_URL"] = "s3://shared"
    fake.answer(answer)
    done = fake.run("up", "-s", "x")
    assert done.returncode == 1
    assert done.stderr.startswith("local/pulumi: the answer of `pulumi stack export` is ")
    assert done.stderr.count("\n") == 1
    assert [call["argv"][0] for call in fake.calls()] == ["stack"]  # type: ignore[index]


def test_shared_backend_is_told_and_not_touched(fake: Fake) -> None:
    """A pending create of a shared backend may be another run's: the message names the command."""
    fake.environ["PULUMI_BACKEND_URL"] = "s3://shared"
    operation = {"type": "creating", "resource": {"urn": "urn:pulumi:x::y::z::one"}}
    fake.answer(json.dumps({"deployment": {"pending_operations": [operation]}}))
    done = fake.run("up", "-s", "x")
    assert "pulumi refresh --clear-pending-creates --stack x" in done.stderr
    assert [call["argv"][0] for call in fake.calls()] == ["stack", "up"]  # type: ignore[index]
