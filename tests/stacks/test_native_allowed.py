"""What a native run may do to its resources, and what it has to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from folds.native import declared
from folds.native_order import order
from folds.zone import LiveCheck, LiveSet, LiveZone
from stacks.native_allowed import Allowed, Taken, allowed
from tests.support.native import EMPTY, native_live, natively
from tests.support.steering import APEX, PREFIX, ZONE, host_of

HOSTS = (host_of("a"), host_of("b"), f"edge.{APEX}")


def _allowed(boxes: int = 4, live: LiveZone | None = None, **changes: Any) -> Allowed:
    decision = natively(boxes, live=live, **changes)
    found = declared(decision.desired, decision.live, decision.plan)
    return allowed(decision, found, order(decision.plan, decision.live.sets).takes)


def _key(host: str, box: str) -> tuple[str, str, str]:
    return (host, "A", PREFIX + box)


def _check_of(live: LiveZone, address: str) -> LiveCheck:
    [found] = [each for each in live.checks if each.address == address]
    return found


def test_a_box_that_retires() -> None:
    """Its records and its check may go, and no other."""
    live = native_live()
    found = _allowed(3, live)
    assert [found.may_delete_set(ZONE, _key(host, "b3")) for host in HOSTS] == [True] * 3
    assert [found.may_delete_set(ZONE, _key(host, "b2")) for host in HOSTS] == [False] * 3
    assert found.may_delete_check(_check_of(live, "192.0.2.4").id)
    assert not found.may_delete_check(_check_of(live, "192.0.2.3").id)
    assert found.changes == {}


def test_the_sets_that_go_before_a_check() -> None:
    """All that refer to it, but for those that go in the batch in which another one comes."""
    live, keys = native_live(), {_key(host, "b3") for host in HOSTS}
    check = _check_of(live, "192.0.2.4").id
    assert _allowed(3, live).users == {check: keys}
    decision = natively(3, live=live)
    found = declared(decision.desired, decision.live, decision.plan)
    taken = _key(HOSTS[0], "b3")
    assert allowed(decision, found, {_key(host_of("x"), "b9"): taken}).users == {
        check: keys - {taken}
    }
    assert _allowed(4, live).users == {}


def test_what_is_gone_already() -> None:
    """The state alone has it, and may lose it."""
    found = _allowed(4, native_live())
    assert found.may_delete_set(ZONE, _key(host_of("gone"), "b0"))
    assert found.may_delete_check("gone")


def test_another_zone() -> None:
    """What this run has seen says nothing of it."""
    found = _allowed(3, native_live())
    assert not found.may_delete_set("Z2", _key(HOSTS[0], "b3"))
    assert not found.may_delete_set("Z2", _key(host_of("gone"), "b0"))


def test_a_run_that_has_read_nothing() -> None:
    """A dormant stack deletes nothing, whatever is live."""
    assert not Allowed().may_delete_set("", _key(HOSTS[0], "b3"))
    assert not Allowed().may_delete_set(ZONE, _key(HOSTS[0], "b3"))
    assert not Allowed().may_delete_check("any")


def test_a_spare_check() -> None:
    """Which of two with one identity is in the state nobody can say, so either may go with it."""
    live = native_live()
    check = _check_of(live, "192.0.2.4")
    spare = replace(check, id="spare", caller_reference=check.caller_reference[:-1])
    found = _allowed(3, replace(live, checks=(*live.checks, spare)))
    assert found.may_delete_check("spare")
    assert found.may_delete_check(check.id)
    assert {each for each in found.going if isinstance(each, str)} == {"spare", check.id}


def test_an_empty_zone() -> None:
    """Everything has to be made, and nothing exists."""
    found = _allowed(1, EMPTY)
    assert sorted(found.changes) == sorted(
        [*(f"{host}/A/b0" for host in HOSTS), "192.0.2.1/HTTPS/30"]
    )
    assert found.changes[f"{HOSTS[0]}/A/b0"].startswith(f"+ {HOSTS[0]} A {PREFIX}b0 ")
    assert found.changes["192.0.2.1/HTTPS/30"] == "health check of 192.0.2.1"
    assert found.existing == frozenset()


def test_what_exists() -> None:
    """A set that is live is not created, as it should be or not."""
    live = native_live(2)
    names = {f"{host}/A/b{number}" for host in HOSTS for number in range(2)}
    assert _allowed(3, live).existing == names
    changed = tuple(replace(each, ttl=61) for each in live.sets)
    assert _allowed(2, replace(live, sets=changed)).existing == names


@pytest.mark.parametrize(
    ("changes", "resources"),
    [
        ({"ttl": 30}, {f"{host}/A/b0" for host in HOSTS}),
        ({"health_check": {"path": "/up"}}, {"192.0.2.1/HTTPS/30"}),
        (
            {"health_check": {"type": "HTTP"}},
            {*(f"{host}/A/b0" for host in HOSTS), "192.0.2.1/HTTP/30"},
        ),
    ],
)
def test_what_changes(changes: dict[str, Any], resources: set[str]) -> None:
    """By the resources that the engine has to touch for it."""
    assert set(_allowed(1, native_live(1), **changes).changes) == resources


def test_a_foreign_set() -> None:
    """It is live, so its record, if the state ever had one, is not deleted."""
    foreign = LiveSet(host_of("x"), "A", "others/b0", "eu-west-1", 60, ("192.0.2.9",))
    live = native_live()
    found = _allowed(4, replace(live, sets=(*live.sets, foreign)))
    assert not found.may_delete_set(ZONE, foreign.key)


def test_a_box_that_comes_for_another_one() -> None:
    """Each of its sets takes the place of the set that has its region."""
    decision = natively(1, live=native_live(2))
    found = declared(decision.desired, decision.live, decision.plan)
    new, old = _key(HOSTS[0], "b9"), _key(HOSTS[0], "b1")
    taken = allowed(decision, found, {new: old}).takes
    assert taken == {f"{HOSTS[0]}/A/b9": Taken(old, f"{HOSTS[0]}/A/b1")}
    assert _allowed(3, native_live()).takes == {}
