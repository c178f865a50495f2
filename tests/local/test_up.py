"""What `make up` makes of the engine's answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from folds.desired import Edge
from local import up
from local.errors import EngineFailed, StacksFailed
from local.table import Outcome
from operate.outputs import Zone
from registry.errors import RegistryMissing

OUTPUTS = {
    "state": "armed",
    "zone": "Z1",
    "recordSets": [
        {
            "setIdentifier": "carlos-steering/ie-1",
            "type": "A",
            "region": "eu-west-1",
            "address": "192.0.2.1",
            "ttl": 60,
        }
    ],
    "standby": [{"box": "ie-2", "region": "eu-west-1", "address": "192.0.2.5"}],
    "refused": [],
    "held": ["h.example.com"],
}


def test_outputs_of_the_stack() -> None:
    """The outputs are read back into what the table takes."""
    assert up.outcome_of(Zone.model_validate(OUTPUTS)) == Outcome(
        prefix="carlos-steering/",
        serving=(Edge(box="ie-1", region="eu-west-1", address="192.0.2.1"),),
        standby=(Edge(box="ie-2", region="eu-west-1", address="192.0.2.5"),),
        refused=(),
        held=("h.example.com",),
    )


def test_stack_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    """The others run and show theirs; the exit code is that of the first failure."""

    def failing(error: Exception) -> Callable[[], str]:
        def duty() -> str:
            raise error

        return duty

    duties = {
        "a": failing(RegistryMissing(Path("r.db"))),
        "b": lambda: "table of b",
        "c": failing(EngineFailed("local/pulumi up", 255)),
        "d": lambda: "table of d",
    }
    with pytest.raises(StacksFailed, match=r"^a: registry r\.db: .*; c: local/pulumi") as first:
        up.converge(duties)
    assert capsys.readouterr().out == "\ntable of b\n\ntable of d\n"
    assert first.value.code == 1
    del duties["a"]
    with pytest.raises(StacksFailed) as second:
        up.converge(duties)
    assert second.value.code == 255


def test_failure_that_nobody_foresaw() -> None:
    """It is no stack's failure: it ends the command at once."""
    with pytest.raises(ZeroDivisionError):
        up.converge({"a": lambda: str(1 // 0)})
