"""The state file: replaced after each change, atomically, and loaded at the start."""

import json
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ConnectionClosedError

from local.zone import ZoneEmulator
from tests.local.zone.support import ZONE, Account, create, hosts, refused, simple


def saved(path: Path) -> list[str]:
    """The names that the file holds in the first zone."""
    state = json.loads(path.read_text())
    return [each["Name"] for each in state["zones"][0]["record_sets"][2:]]


def test_each_change_is_saved(tmp_path: Path) -> None:
    """Before the answer is sent; nothing is left beside the file."""
    path = tmp_path / "state.json"
    with ZoneEmulator(state_path=path) as emulator:
        account = Account(emulator)
        assert saved(path) == [], "a seed is saved"
        account.change(create(simple("a.example.com")))
        assert saved(path) == ["a.example.com."]
    assert list(tmp_path.iterdir()) == [path]


def test_a_refused_change_is_not_saved(tmp_path: Path) -> None:
    """Nor is a call that only reads."""
    path = tmp_path / "state.json"
    with ZoneEmulator(state_path=path) as emulator:
        account = Account(emulator)
        path.unlink()
        account.sets()
        wrong = create(simple("example.org"))
        refused("InvalidChangeBatch", "not permitted", lambda: account.change(wrong))
        assert not path.exists()


def test_a_change_whose_answer_is_lost_is_saved(tmp_path: Path) -> None:
    """drop_after applies the call, in the file too."""
    path = tmp_path / "state.json"
    faults = [{"op": "ChangeResourceRecordSets", "do": "drop_after"}]
    with ZoneEmulator(state_path=path, faults=faults) as emulator:
        account = Account(emulator)
        with pytest.raises(ConnectionClosedError):
            account.change(create(simple("a.example.com")))
        assert saved(path) == ["a.example.com."]


def test_the_state_is_loaded(tmp_path: Path) -> None:
    """All of it: what one emulator held, the next one holds."""
    path = tmp_path / "state.json"
    with ZoneEmulator(state_path=path) as emulator:
        account = Account(emulator)
        account.change(*hosts(3))
        account.check()
        before: dict[str, Any] = json.loads(json.dumps(emulator.state()))
    with ZoneEmulator(state_path=str(path)) as emulator:
        assert emulator.state() == before
        assert len(emulator.zones[ZONE].record_sets()) == 5
