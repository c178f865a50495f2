from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.guards import SteeringSummary, adoption_digest, steering_violations
from tests.policy.summaries import CASES, Fields, adopted, shrinking, summary

_LOSS: Fields = {"shrinking": [shrinking("a", 4, left=0), shrinking("b", 2)]}
_RULES = ["steering-shrink", "steering-host-emptied"]


def _code(found: SteeringSummary, *, first_run: bool = False) -> str:
    return next(each.digest for each in steering_violations(found, first_run=first_run))


def _refused(
    acknowledged: str, changes: Fields, *, first_run: bool = False, **more: Any
) -> list[str]:
    found = summary(changes, acknowledged=acknowledged, **more)
    return [each.rule for each in steering_violations(found, first_run=first_run)]


def _end(
    boxes: str = "ie-1 A eu-west-1",
    hosts: str = "0" * 64,
    adopted: str = "0" * 64,
    *,
    go: bool = False,
) -> Fields:
    return {"boxes": boxes.split("; "), "hosts": hosts, "hostsGo": go, "adopted": adopted}


def test_acknowledged_end() -> None:
    """The digest lets through every rule that it answers."""
    code = _code(summary(_LOSS))
    assert _refused("", _LOSS) == _RULES
    assert _refused(code, _LOSS) == []


@pytest.mark.parametrize("wrong", ["0" * 12, "", "x"])
def test_another_digest(wrong: str) -> None:
    """It answers nothing."""
    assert _refused(wrong, _LOSS) == _RULES


@pytest.mark.parametrize(
    "other",
    [
        {"zone": "Z2"},
        {"prefix": "other/"},
        {"end": _end("ie-1 A eu-west-1; uk-1 A eu-west-2")},
        {"end": _end("ie-1 A us-east-1")},
        {"end": _end("ie-1 AAAA eu-west-1")},
    ],
)
def test_another_end(other: Fields) -> None:
    """Zone, prefix and the boxes that stay, with type and region, are covered."""
    assert _refused(_code(summary(_LOSS)), {**_LOSS, **other}) == _RULES


def test_hosts_that_stay() -> None:
    """They are covered where hosts go."""
    going = {**_LOSS, "end": _end(go=True)}
    code = _code(summary(going))
    assert _refused(code, going) == []
    assert _refused(code, {**going, "end": _end(hosts="1" * 64, go=True)}) == _RULES


def test_host_that_goes_under_a_digest_for_boxes() -> None:
    """A digest made while no host was to go never lets one go."""
    code = _code(summary(_LOSS))
    assert _refused(code, {**_LOSS, "end": _end(hosts="1" * 64)}) == []
    assert _refused(code, {**_LOSS, "end": _end(go=True)}) == _RULES


def test_withdrawal_cut_short() -> None:
    """What is left breaks fewer rules and moves no more hosts: it goes on under its digest."""
    code = _code(summary({**_LOSS, "end": _end(go=True)}))
    left: Fields = {"managed": 4, "shrinking": [shrinking("b", 3)]}
    assert _refused(code, {**left, "end": _end(go=True)}) == []
    assert _refused(code, {**left, "end": _end(go=False)}) == []
    assert _refused(code, {**left, "end": _end(hosts="1" * 64)}) == ["steering-shrink"]


def test_rule_that_the_digest_does_not_answer() -> None:
    """A digest for one rule does not answer for two."""
    one: Fields = {"shrinking": [shrinking("b", 5)]}
    assert _refused(_code(summary(one)), _LOSS) == _RULES


@pytest.mark.parametrize(
    "rule", ["steering-limits", "steering-health-checks", "steering-split-address"]
)
def test_rule_that_no_digest_lets_through(rule: str) -> None:
    """A quota, a missing check and an impossible answer are not a matter of will."""
    broken = {**_LOSS, **CASES[rule][1]}
    assert _refused(_code(summary(broken)), broken) == [rule]


def test_first_run() -> None:
    """Its digest answers adoption too, in the pack as well, which knows nothing of the state."""
    code = adoption_digest(summary(_LOSS))
    assert code == _code(summary(_LOSS), first_run=True)
    assert _refused(code, _LOSS, first_run=True) == []
    assert _refused(code, _LOSS) == []
    assert "steering-adoption" in _refused(_code(summary(_LOSS)), _LOSS, first_run=True)


def test_removal_that_only_a_first_run_refuses() -> None:
    """Every plan that removes has a digest for a stack without state."""
    small = summary(shrinking=[shrinking("a", 1)])
    code = adoption_digest(small)
    assert _refused(code, {"shrinking": [shrinking("a", 1)]}, first_run=True) == []


def test_prefix_that_is_given_up() -> None:
    """It is covered where its sets go, and the boxes are."""
    moving: Fields = {"former": "old/", "formerSets": 3}
    code = _code(summary(moving))
    assert _refused(code, {**moving, "formerSets": 2}) == []
    for other in ({"former": "older/"}, {"end": _end("ie-1 A us-east-1")}):
        assert _refused(code, {**moving, **other}) == ["steering-former-prefix"]


_TAKEN: Fields = {"adopted": [adopted("a"), adopted("b")]}


def test_names_that_are_adopted() -> None:
    """They are covered where simple sets go, and so are the boxes."""
    code = _code(summary(_TAKEN))
    assert _refused(code, _TAKEN) == []
    for other in (_end(adopted="1" * 64), _end("ie-1 A us-east-1")):
        assert _refused(code, {**_TAKEN, "end": other}) == ["steering-takeover"]


def test_adoption_cut_short() -> None:
    """The names are those of the end, so that what is left goes on under the digest."""
    code = _code(summary(_TAKEN))
    assert _refused(code, {"adopted": [adopted("b")]}) == []
    both = {**_TAKEN, **_LOSS}
    assert _refused(_code(summary(both)), _LOSS) == []


def test_names_to_adopt_where_nothing_is_adopted() -> None:
    """Digests of other rules do not depend on them."""
    code = _code(summary(_LOSS))
    assert _refused(code, {**_LOSS, "end": _end(adopted="1" * 64)}) == []


def test_adoption_beside_what_else_is_broken() -> None:
    """A digest for the one does not answer for the other."""
    both = {**_TAKEN, **_LOSS}
    rules = ["steering-shrink", "steering-host-emptied", "steering-takeover"]
    assert _refused(_code(summary(_TAKEN)), both) == rules
    assert _refused(_code(summary(_LOSS)), both) == rules


def test_adoption_on_a_first_run() -> None:
    """It has a rule of its own: the state knows no set of others, on no run."""
    assert _refused("", _TAKEN, first_run=True) == ["steering-takeover"]
    assert _refused(_code(summary(_TAKEN)), _TAKEN, first_run=True) == []


@pytest.mark.parametrize("boxes", [("a", "b"), ("b", "a")])
def test_order_of_the_boxes(boxes: tuple[str, str]) -> None:
    """The end is a set of boxes."""
    forward = summary(_LOSS, end=_end("a; b"))
    assert _code(summary(_LOSS, end=_end("; ".join(boxes)))) == _code(forward)


def test_boxes_whose_names_run_together() -> None:
    """Two ends never have one text."""
    assert _code(summary(_LOSS, end=_end("a; b"))) != _code(summary(_LOSS, end=_end("a b")))


_BRAKES = {"steering-empty-desired", *_RULES, "steering-host-vanished"}
_COUNTS = st.integers(0, 9)


@st.composite
def _plans(draw: st.DrawFn) -> dict[str, Any]:
    lost = st.builds(
        shrinking,
        st.sampled_from("abc"),
        st.integers(1, 9),
        _COUNTS,
        _COUNTS,
        asks=st.booleans(),
    )
    return {
        "shrinking": draw(st.lists(lost, max_size=3, unique_by=lambda each: each["name"])),
        "managed": draw(st.integers(0, 20)),
        "desired": draw(_COUNTS),
        "held": draw(st.integers(0, 2)),
        "vanished": [f"h{index}" for index in range(draw(st.integers(0, 6)))],
        "liveHosts": draw(st.integers(6, 60)),
    }


def _brakes(plan: Fields) -> set[str]:
    return _BRAKES & {each.rule for each in steering_violations(summary(plan))}


@given(_plans(), st.sampled_from("abcd"), st.booleans())
def test_one_removal_more(plan: dict[str, Any], name: str, asks: bool) -> None:  # noqa: FBT001 - drawn
    """It never turns a refusal into an allowance."""
    lost = {each["name"]: dict(each) for each in plan["shrinking"]}
    one = lost.setdefault(name, dict(shrinking(name, 0, asks=asks)))
    one |= {"removed": one["removed"] + 1, "left": max(0, one["left"] - 1)}
    assert _brakes(plan) <= _brakes({**plan, "shrinking": [*lost.values()]})


@given(_plans())
def test_one_vanished_host_more(plan: dict[str, Any]) -> None:
    """It never turns a refusal into an allowance."""
    assert _brakes(plan) <= _brakes({**plan, "vanished": [*plan["vanished"], "one more"]})


@given(_plans(), st.integers(1, 5))
def test_unremoved_host_turned_into_a_held_one(plan: dict[str, Any], sets: int) -> None:
    """Its sets are managed no more and it is desired no more; no refusal is lifted by that."""
    held = {**plan, "managed": max(0, plan["managed"] - sets), "held": plan["held"] + 1}
    before = _brakes({**plan, "desired": plan["desired"] + sets})
    assert before <= _brakes(held)
