"""What `make up` makes of the engine's answers."""

from __future__ import annotations

import pytest

from folds.desired import Edge
from local import up
from local.errors import EngineFailed
from local.table import Outcome

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
    assert up.outcome_of(OUTPUTS) == Outcome(
        prefix="carlos-steering/",
        serving=(Edge(box="ie-1", region="eu-west-1", address="192.0.2.1"),),
        standby=(Edge(box="ie-2", region="eu-west-1", address="192.0.2.5"),),
        refused=(),
        held=("h.example.com",),
    )


@pytest.mark.parametrize(("ended", "code"), [(1, 1), (255, 255), (-9, 137)])
def test_exit_code_of_the_engine(ended: int, code: int) -> None:
    """It becomes the command's; a signal's becomes a shell's number for it."""
    with pytest.raises(EngineFailed, match=f"up ended with exit code {code}") as caught:
        up._check("up", ended)
    assert caught.value.code == code


def test_success_says_nothing() -> None:
    """0 is no error."""
    up._check("up", 0)
