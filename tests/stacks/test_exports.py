"""The outputs: what is in the one resource, for people and other stacks."""

from __future__ import annotations

from folds.zone import LiveSet, LiveZone
from stacks.decision import decide
from stacks.exports import dormant_outputs, outputs
from stacks.observation import Observation
from tests.support.steering import (
    APEX,
    ZONE,
    documents,
    edge,
    host_of,
    observed,
    record,
    settings,
)

NAMES = {"state", "bucket", "zone", "hosts", "recordSets", "standby", "refused", "held"}


def test_an_armed_stack() -> None:
    """Hosts and the sets each of them has; nothing else to tell."""
    made = outputs(settings(), decide(settings(), observed(1, ("a",))).plan)
    assert made == {
        "state": "armed",
        "bucket": "control",
        "zone": ZONE,
        "hosts": [host_of("a"), f"edge.{APEX}"],
        "recordSets": [
            {
                "setIdentifier": "carlos-steering/b0",
                "type": "A",
                "region": "eu-west-1",
                "address": "192.0.2.1",
                "ttl": 60,
            }
        ],
        "standby": [],
        "refused": [],
        "held": [],
    }


def test_what_is_not_steered() -> None:
    """Standby boxes, refused records and held names are named."""
    held = LiveSet(host_of("b"), "A", "carlos-steering/b0", "eu-west-1", 60, ("192.0.2.1",))
    edges = [edge(0), edge(4, address="192.0.2.9")]
    bad = record("b", steering="nearest")
    seen = Observation(documents(edges, [record("a"), bad]), LiveZone(ZONE, APEX, (held,), ()))
    made = outputs(settings(), decide(settings(), seen).plan)
    assert made["standby"] == [{"box": "b4", "region": "eu-west-1", "address": "192.0.2.9"}]
    assert [each["host"] for each in made["refused"]] == [host_of("b")]
    assert made["held"] == [host_of("b")]


def test_a_dormant_stack() -> None:
    """It has the same outputs, with nothing in them, and the checks that a resource would have."""
    made = dormant_outputs()
    assert made.keys() == NAMES | {"healthChecks"}
    assert made.pop("state") == "dormant"
    assert not any(made.values())
