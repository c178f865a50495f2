"""The scripts of the workflows' steps, run as GitHub runs them, beside stand-ins."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.workflow import Ran
from tests.support.workflow_machine import Machine, machine_in


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return machine_in(tmp_path)


def look(machine: Machine) -> Ran:
    return machine.runner.run("converge", "converge", "Look")


@pytest.mark.parametrize(("status", "due"), [(0, "false"), (1, "true")])
def test_what_is_due(machine: Machine, status: int, due: str) -> None:
    """The step's output is what ``status`` says of preview and history together."""
    machine.put("local/pulumi", "echo seen")
    machine.put(".venv/bin/python", f"exit {status}")
    done = look(machine)
    assert (done.code, done.outputs) == (0, {"due": due})
    temp = machine.folder / "temp"
    assert machine.called == [
        "pulumi preview --stack production --policy-pack policy --non-interactive"
        f" --json --save-plan {temp}/plan.json",
        f"python -m operate status --stack production --max-age 1h --preview {temp}/preview.json",
    ]
    assert (temp / "preview.json").read_text() == "seen\n"


def test_a_status_that_does_not_answer(machine: Machine) -> None:
    """The step fails: nobody knows whether anything is due."""
    machine.put(".venv/bin/python", "exit 2")
    done = look(machine)
    assert (done.code, done.outputs) == (2, {})


@pytest.mark.parametrize("again", [0, 1])
def test_a_preview_that_fails(machine: Machine, again: int) -> None:
    """It is shown to people, and the step fails whatever the second one says."""
    body = f'case "$*" in *--json*) exit 255;; esac; echo "steering-shrink: ..."; exit {again}'
    machine.put("local/pulumi", body)
    done = look(machine)
    assert (done.code, done.outputs) == (1, {})
    assert "steering-shrink" in done.said
    assert [line.split()[0] for line in machine.called] == ["pulumi", "pulumi"]


HOSTILE = "$(touch /tmp/x); `id`'\"\nnew line"


@pytest.mark.parametrize("step", ["Look", "Converge"])
def test_the_acknowledgement(machine: Machine, step: str) -> None:
    """It reaches the CLI as it was typed, and no shell reads it."""
    runner = machine.with_values({"inputs.acknowledge": HOSTILE})
    runner.run("converge", "converge", step)
    assert "\n".join(machine.acknowledged).startswith(HOSTILE)


def test_an_update(machine: Machine) -> None:
    """With its own preview, and with the pack; its exit code is the step's."""
    machine.put("local/pulumi", "exit 7")
    assert machine.runner.run("converge", "converge", "Converge").code == 7
    assert machine.called == [
        "pulumi up --yes --stack production --policy-pack policy --non-interactive"
    ]


def test_an_update_of_a_push(machine: Machine) -> None:
    """Exactly what the preview of the same job showed."""
    machine.runner.run("converge", "converge", "Apply what the preview showed")
    plan = machine.folder / "temp" / "plan.json"
    assert machine.called == [
        f"pulumi up --yes --plan {plan} --stack production --policy-pack policy --non-interactive"
    ]


@pytest.mark.parametrize(
    ("workflow", "step"),
    [
        ("preview", "Preview"),
        ("converge", "Look"),
        ("converge", "Apply what the preview showed"),
        ("converge", "Converge"),
    ],
)
@pytest.mark.parametrize("stack", ["production", "team/fairlead/production"])
def test_settings_of_the_policies(machine: Machine, workflow: str, step: str, stack: str) -> None:
    """The stack's own file goes with every preview and update where there is one; no other's."""
    runner = machine.with_values({"vars.FAIRLEAD_STACK": stack})
    file = machine.folder / "checkout" / "policy" / "exceptions.production.json"
    machine.put("policy/exceptions.staging.json", "")
    runner.run(workflow, workflow, step)
    machine.put("policy/exceptions.production.json", "")
    runner.run(workflow, workflow, step)
    without, given = [line for line in machine.called if line.startswith("pulumi ")]
    assert "--policy-pack-config" not in without
    assert f" --policy-pack-config {file.relative_to(machine.folder / 'checkout')}" in given


_LISTENING = "trap 'echo ended well; exit 130' INT; echo started; while :; do sleep 0.05; done"


@pytest.mark.parametrize("step", ["Apply what the preview showed", "Converge"])
def test_an_update_over_its_limit(machine: Machine, step: str) -> None:
    """It is interrupted, as a person would do it, and the step fails."""
    machine.put("local/pulumi", _LISTENING)
    command, environ = machine.runner.prepare("converge", "converge", step)
    done = subprocess.run(
        command,
        cwd=machine.runner.checkout,
        env={**environ, "LIMIT": "5s"},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (124, "started\nended well\n")


@pytest.mark.parametrize("step", ["Apply what the preview showed", "Converge"])
def test_a_job_that_is_cancelled(machine: Machine, step: str) -> None:
    """GitHub interrupts the step's process, and that is the CLI's to answer."""
    machine.put("local/pulumi", _LISTENING)
    command, environ = machine.runner.prepare("converge", "converge", step)
    with subprocess.Popen(
        command,
        cwd=machine.runner.checkout,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "started\n"
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=30)[0] == "ended well\n"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130


def test_the_report(machine: Machine) -> None:
    """It is the file that the comment is made of, and its exit code is the step's."""
    machine.put(".venv/bin/python", "echo plan; exit 1")
    assert machine.runner.run("preview", "preview", "Report the plan").code == 1
    assert (machine.folder / "temp" / "plan.md").read_text() == "plan\n"


@pytest.mark.parametrize(("code", "hint"), [(0, False), (1, True), (2, False)])
def test_the_summary(machine: Machine, code: int, *, hint: bool) -> None:
    """What refuses a run is in its summary, and where an acknowledgement goes."""
    machine.put(".venv/bin/python", f"echo plan; exit {code}")
    done = machine.runner.run("converge", "converge", "Say what is refused")
    assert (done.code, done.summary.startswith("plan\n")) == (code, True)
    assert ("`acknowledge`: run it by hand" in done.summary) == hint
