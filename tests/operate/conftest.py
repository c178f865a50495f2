"""Operators' commands in this process: a CLI that answers from a file, and an emulated account."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from obstore.store import MemoryStore

from control.store import ObjectStore
from operate.__main__ import main
from operate.answers import HISTORY, Update
from stacks import observation
from tests.support.snapshots import Machine, machine, quick_folder
from tests.support.steering import REGIONS, converged, host_of
from tests.support.zones import APEX, PREFIX, ZONE, Account, emulated_account, environment

CLI = f"""#!{sys.executable}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
words = sys.argv[1:-3]
with (here / "asked").open("a") as log:
    log.write(json.dumps(words) + "\\n")
answers = json.loads((here / "answers.json").read_text())
question = " ".join(word for word in words[:2] if word[0] != "-")
if question not in answers:
    sys.exit(f"error: {{question}}: no such stack")
answer = answers[question]
print(answer if isinstance(answer, str) else json.dumps(answer))
"""
HOSTS = ("a", "b")


def updates(entries: list[dict[str, Any]]) -> tuple[Update, ...]:
    """Read entries of a history as the command does."""
    return HISTORY.validate_python(entries)


KNOWN = {
    "resources": [
        {"type": "pulumi:pulumi:Stack", "urn": "urn"},
        {
            "type": "pulumi-python:dynamic/steering:ZoneRecords",
            "outputs": {"zone": ZONE, "prefix": PREFIX},
        },
    ]
}


@dataclass
class Desk:
    """An operator's desk: a stack that the CLI knows, its bucket and its zone."""

    folder: Path
    account: Account
    bucket: MemoryStore
    answers: dict[str, Any] = field(default_factory=dict)

    def configure(self, **changes: str) -> None:
        """Set the stack's configuration: the test's own on top of an armed one."""
        base = {"zoneId": ZONE, "bucket": "control", "appsDomain": APEX, "waitForSync": "false"}
        own = {**base, "allowTestAddresses": "true", **changes}
        config = {f"fairlead:{key}": {"value": value} for key, value in own.items()}
        self.answer("config", config)

    def answer(self, question: str, answer: Any) -> None:
        """Let the CLI answer a question; None: with an error."""
        self.answers[question] = answer
        kept = {key: each for key, each in self.answers.items() if each is not None}
        (self.folder / "answers.json").write_text(json.dumps(kept))

    def asked(self) -> list[list[str]]:
        """What the CLI was asked, word by word."""
        return [json.loads(line) for line in (self.folder / "asked").read_text().splitlines()]

    def edge(self, number: int, region: str = "") -> None:
        """Arm box ``b<number>``, in the region of its number or another one."""
        region, address = region or REGIONS[number % len(REGIONS)], f"192.0.2.{number + 1}"
        body = {"v": 1, "box": f"b{number}", "aws_region": region, "eip": address, "armed": True}
        self.bucket.put(f"control/edges/b{number}.json", json.dumps(body).encode())

    def host(self, name: str, **changes: str) -> None:
        """Write the record of a steered host."""
        body = {"host": host_of(name), "steering": "latency", **changes}
        key = f"apps/bab/{name}/instances/{host_of(name)}.json"
        self.bucket.put(key, json.dumps(body).encode())

    def run(self, *words: str, word: str = "") -> int:
        """Run a command on the stack, under an acknowledgement."""
        acknowledgement = {"FAIRLEAD_ACKNOWLEDGE": word} if word else {}
        argv = ["operate", *words, "--stack", "prod"]
        with patch.dict(os.environ, acknowledgement), patch.object(sys, "argv", argv):
            return main()


@pytest.fixture(scope="session")
def emulated() -> Iterator[Account]:
    with emulated_account() as account:
        yield account


@pytest.fixture
def account(emulated: Account) -> Account:
    emulated.clear()
    return emulated


@pytest.fixture
def desk(account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """An armed stack that was never updated, an empty bucket and an empty zone."""
    command = tmp_path / "pulumi"
    command.write_text(CLI)
    command.chmod(0o700)
    made = Desk(tmp_path, account, MemoryStore())
    monkeypatch.setattr(observation, "open_bucket", lambda _name: ObjectStore(made.bucket))
    made.configure()
    made.answer("stack history", [])
    made.answer("stack output", {})
    made.answer("stack export", {"deployment": None})
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    with patch.dict(os.environ, {**environment(account.emulator.url), "PATH": path}):
        yield made


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made


@pytest.fixture
def dead(folder: Path) -> Machine:
    """A box with two snapshots, the second with a row more; then it died."""
    made = machine(folder, "a")
    made.pass_()
    made.mint("b")
    made.pass_()
    made.store.calls.clear()
    return made


@pytest.fixture
def target(folder: Path) -> Path:
    (folder / "new").mkdir()
    return folder / "new" / "registry.db"


@pytest.fixture
def full(desk: Desk) -> Desk:
    """A converged deployment of four boxes and two hosts, which the state knows."""
    for number in range(4):
        desk.edge(number)
    for name in HOSTS:
        desk.host(name)
    desk.account.seed(converged(4, HOSTS))
    desk.answer("stack export", {"deployment": KNOWN})
    return desk
