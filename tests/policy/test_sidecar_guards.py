from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.guards.sidecars import (
    SIDECARS,
    SidecarSummary,
    read_sidecars,
    sidecar_digest,
    sidecar_violations,
)
from policy.guards.summary import SummaryUnreadableError

_QUIET: dict[str, Any] = {
    "box": "ie-1",
    "bucket": "carlos/eu",
    "owned": 10,
    "removed": 0,
    "absent": 0,
    "unknown": 0,
    "unclean": (),
    "reachable": (),
    "end": "e" * 64,
    "acknowledged": "",
}


def _summary(**fields: object) -> SidecarSummary:
    return SidecarSummary(**{**_QUIET, **fields})


def _broken(**fields: object) -> list[str]:
    return [each.rule for each in sidecar_violations(_summary(**fields))]


def test_quiet_plan() -> None:
    """A plan that removes little after a whole read breaks nothing."""
    assert _broken() == _broken(removed=5, absent=5) == []


def test_rules() -> None:
    """All of them stop a run, and a digest answers one of them."""
    assert {each.level for each in SIDECARS} == {"mandatory"}
    assert [each.name for each in SIDECARS if each.acknowledgeable] == ["sidecar-mass-retire"]
    assert len({each.description for each in SIDECARS}) == 3


@pytest.mark.behaviour(86)
def test_row_that_could_be_reached() -> None:
    """A sidecar binds nothing; a row to be minted with a socket or an address is refused."""
    (found,) = sidecar_violations(_summary(reachable=("bot.eleven.bab.sidecar.internal",)))

    assert found.message == (
        "sidecar-reachability: box ie-1 (bucket carlos/eu): mints 1 row with a socket or an"
        " address (bot.eleven.bab.sidecar.internal), limit 0; mint sidecar rows without"
    )
    assert found.digest == ""


@pytest.mark.parametrize(
    ("owned", "absent", "unknown", "broken"),
    [
        (10, 5, 0, False),
        (10, 6, 0, True),
        (2, 1, 1, False),
        (2, 2, 0, True),
        (1, 1, 0, False),
        (1, 1, 1, True),
        (0, 0, 0, False),
    ],
)
def test_mass_retire(owned: int, absent: int, unknown: int, broken: bool) -> None:  # noqa: FBT001 (a table's)
    """More than half, or the only row together with its account."""
    found = _broken(owned=owned, absent=absent, removed=absent, unknown=unknown)

    assert found == (["sidecar-mass-retire"] if broken else [])


def test_way_out_of_mass_retire() -> None:
    """Its digest, and nothing else, lets it through."""
    summary = _summary(removed=8, absent=8)
    (found,) = sidecar_violations(summary)

    assert re.fullmatch("[0-9a-f]{12}", found.digest)
    assert found.message.endswith(f"; or, if it is meant, acknowledge digest {found.digest}")
    assert _broken(removed=8, absent=8, acknowledged=found.digest) == []
    assert _broken(removed=8, absent=8, acknowledged="0" * 12) == ["sidecar-mass-retire"]
    assert _broken(removed=8, absent=8, acknowledged=found.digest, end="f" * 64) != []


def test_unclean_read() -> None:
    """No row goes on the word of a bucket that was not read whole; no digest helps."""
    unclean = tuple(f"read x{number}: denied" for number in range(7))
    summary = _summary(removed=1, unclean=unclean)
    (found,) = sidecar_violations(summary)

    assert "removes 1 row while 7 reads of the bucket failed (read x0: denied, " in found.message
    assert "and 2 more), limit 0" in found.message
    assert _broken(removed=1, unclean=unclean, acknowledged=sidecar_digest(summary)) != []
    assert _broken(removed=0, unclean=unclean) == []


def test_many_rules_at_once() -> None:
    """All are told, in their order."""
    assert _broken(removed=9, absent=9, unclean=("x",), reachable=("y",)) == [
        "sidecar-reachability",
        "sidecar-mass-retire",
        "sidecar-unclean-read",
    ]


def test_summary_on_the_wire() -> None:
    """It comes back from the engine with floats and lists."""
    summary = _summary(removed=1, unclean=("x",))
    wire = summary.model_dump(mode="json", by_alias=True)

    assert read_sidecars({**wire, "owned": 10.0}) == summary


@pytest.mark.parametrize("raw", [None, [], "x", {}, {**_QUIET, "more": 1}, {**_QUIET, "owned": -1}])
def test_summary_that_is_none(raw: object) -> None:
    """It is refused, whatever is missing or too much."""
    with pytest.raises(SummaryUnreadableError):
        read_sidecars(raw)


@pytest.mark.parametrize("name", sorted(_QUIET))
def test_summary_without_a_key(name: str) -> None:
    """Every key is required: a guard does not guess."""
    with pytest.raises(SummaryUnreadableError, match=name):
        read_sidecars({key: value for key, value in _QUIET.items() if key != name})


_COUNTS = st.integers(0, 12)


@given(
    st.fixed_dictionaries(
        {
            "owned": _COUNTS,
            "removed": _COUNTS,
            "absent": _COUNTS,
            "unknown": _COUNTS,
            "unclean": st.lists(st.just("x"), max_size=2).map(tuple),
            "reachable": st.lists(st.just("y"), max_size=2).map(tuple),
        }
    ),
    st.sampled_from(["removed", "absent", "unknown", "unclean", "reachable"]),
)
def test_guards_are_monotone(fields: dict[str, Any], worse: str) -> None:
    """What is worse in one way breaks every rule that was broken before."""
    more = fields[worse] + (("z",) if isinstance(fields[worse], tuple) else 1)

    assert set(_broken(**fields)) <= set(_broken(**{**fields, worse: more}))


@given(_COUNTS, _COUNTS, st.integers(1, 5))
def test_a_box_with_more_rows(owned: int, absent: int, more: int) -> None:
    """Of two rows or more, what passes for few passes for more."""
    few, many = (
        _broken(owned=count, absent=absent, removed=absent)
        for count in (owned + 2, owned + 2 + more)
    )

    assert set(many) <= set(few)
