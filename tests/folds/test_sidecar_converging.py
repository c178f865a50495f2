from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from folds.sidecar_changes import ColumnsChange
from folds.sidecar_rows import Row, Rows
from folds.sidecar_standing import desired_of
from folds.sidecars import plan
from tests.folds.sidecar_model import (
    BOX,
    applied,
    bucket,
    host,
    minted,
    planned,
    record,
    verdict,
)

_ACME = record("acme")


def _changes(row: Row, **fields: Any) -> tuple[ColumnsChange, ...]:
    converges = planned(bucket(record("acme", **fields)), row).converges
    return converges[0].changes if converges else ()


@pytest.mark.behaviour(148)
def test_converged_row() -> None:
    """Nothing to write, nothing to say."""
    done = planned(bucket(_ACME), minted(_ACME))

    assert done.empty
    assert (done.lines, done.failures, done.notices) == ((), (), ())
    assert (verdict(done, "acme").action, verdict(done, "acme").loud) == ("keep", False)


@pytest.mark.behaviour(141)
def test_channel() -> None:
    """It follows the record."""
    assert _changes(minted(_ACME, channel="old")) == (
        ColumnsChange(("channel",), ("old",), ("edge",)),
    )


@pytest.mark.behaviour(141)
def test_empty_channel() -> None:
    """Were one wanted all the same, a row's channel would stay."""
    desired = desired_of(bucket(_ACME), BOX)
    without = replace(desired.wanted[0], channel="")
    desired = desired.model_copy(update={"wanted": (without,)})

    assert plan(desired, Rows((minted(_ACME, channel="old"),))).empty
    (converge,) = plan(desired, Rows((minted(_ACME, args="", channel="old"),))).converges
    assert [each.columns for each in converge.changes] == [("args",)]


@pytest.mark.behaviour(142)
def test_environment() -> None:
    """It follows the record, to the default as well."""
    assert _changes(minted(_ACME), environment="blue") == (
        ColumnsChange(("environment",), ("",), ("blue",)),
    )
    assert _changes(minted(_ACME, environment="blue")) == (
        ColumnsChange(("environment",), ("blue",), ("",)),
    )


@pytest.mark.behaviour(143)
@pytest.mark.behaviour(145)
def test_hibernation_and_arguments() -> None:
    """Each converges in an update of its own."""
    assert _changes(minted(_ACME, hibernate=0, args="")) == (
        ColumnsChange(("hibernate",), (0,), (1,)),
        ColumnsChange(("args",), ("",), ('["bot","run"]',)),
    )


@pytest.mark.behaviour(144)
@pytest.mark.parametrize("columns", [{"idle_seconds": 1}, {"max_run_seconds": 1}])
def test_ceilings(columns: dict[str, Any]) -> None:
    """Both are written together when either differs."""
    row = minted(_ACME, **columns)

    assert _changes(row) == (
        ColumnsChange(
            ("idle_seconds", "max_run_seconds"),
            (row.idle_seconds, row.max_run_seconds),
            (300, 3600),
        ),
    )


def test_line_of_a_converging_row() -> None:
    """One line with every column, old and new."""
    done = planned(bucket(_ACME), minted(_ACME, channel="o\nld", idle_seconds=1))

    assert done.lines == (
        "~ acme.eleven.bab.sidecar.internal"
        ' channel "o\\nld" -> "edge"; idle_seconds/max_run_seconds 1/3600 -> 300/3600',
    )


@pytest.mark.behaviour(147)
@pytest.mark.parametrize(
    ("column", "value", "should"),
    [
        ("db_path", "/old/acme.db", f"/data/{host('acme')}.db"),
        ("socket", "/run/carlos/acme.sock", ""),
        ("addr", "127.0.0.1:8080", ""),
    ],
)
def test_column_that_is_never_rewritten(column: str, value: str, should: str) -> None:
    """It is told, beside what converges, and stays."""
    columns: dict[str, Any] = {"channel": "old", column: value}
    row = minted(_ACME, **columns)

    done = planned(bucket(_ACME), row)

    assert [each.columns for each in done.converges[0].changes] == [("channel",)]
    found = verdict(done, "acme")
    assert (found.action, found.loud) == ("converge", True)
    assert found.reason == f'not converged in place: {column} is "{value}", not "{should}"'
    assert verdict(planned(bucket(_ACME), replace(row, channel="edge")), "acme").action == "keep"


def test_owned_row_of_another_region() -> None:
    """Its record is run here now: it converges, keeps its region, and says so."""
    row = minted(record("acme", region="uk"), channel="old")

    done = planned(bucket(_ACME), row)

    assert [each.columns for each in done.converges[0].changes] == [("channel",)]
    assert verdict(done, "acme").reason == 'not converged in place: region is "uk", not ""'
    assert done.rows == (host("acme"),)


def test_second_pass() -> None:
    """What was applied is converged."""
    found = bucket(_ACME, record("beta", environment="blue"))
    rows = Rows((minted(_ACME, channel="old", idle_seconds=1),))

    after = applied(rows, planned(found, *rows.rows))

    assert planned(found, *after.rows).empty
