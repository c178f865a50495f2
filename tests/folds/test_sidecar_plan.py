from __future__ import annotations

from typing import Any

import pytest

from folds.sidecar_changes import Admission
from folds.sidecar_desired import Box
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row, Rows, StrangeRow
from folds.sidecar_standing import desired_of
from folds.sidecars import candidates, plan
from tests.folds.sidecar_model import (
    BOX,
    ELEVEN,
    HELLO,
    UNREAD,
    bucket,
    host,
    minted,
    minted_hosts,
    planned,
    record,
    verdict,
)

_ACME = record("acme")


def _admitting(*admissions: Admission) -> SidecarPlan:
    return plan(desired_of(bucket(_ACME), BOX), Rows(), admissions)


@pytest.mark.behaviour(86)
@pytest.mark.behaviour(90)
def test_minted_row() -> None:
    """Every column of the row, and no socket or address."""
    done = planned(bucket(record("acme", environment="blue")))

    assert [mint.row for mint in done.mints] == [
        Row(
            host="acme.eleven.bab.sidecar.internal",
            slug="acme",
            kind="sidecar",
            app="eleven",
            account="bab",
            pool="",
            region="",
            channel="edge",
            environment="blue",
            db_path="/data/acme.eleven.bab.sidecar.internal.db",
            socket="",
            addr="",
            hibernate=1,
            args='["bot","run"]',
            idle_seconds=300,
            max_run_seconds=3600,
            provisioned=1,
            status="ready",
        )
    ]
    assert verdict(done, "acme").action == "mint"
    assert done.lines == (
        '+ acme.eleven.bab.sidecar.internal bab/eleven channel "edge" args ["bot","run"]',
    )


@pytest.mark.behaviour(90)
@pytest.mark.parametrize(
    ("data_dir", "folder"),
    [("/data", "/data/"), ("/data/", "/data/"), ("/a/../b//", "/b/"), ("/", "/"), ("", "")],
)
def test_database_path(data_dir: str, folder: str) -> None:
    """It lies in the data folder, and is never empty."""
    assert Box(box="b", bucket="c", data_dir=data_dir).db_path("h") == f"{folder}h.db"


@pytest.mark.behaviour(115)
def test_staged_co_spawn() -> None:
    """The file came first, so it keeps the host: loudly, with the file and what to do."""
    done = _admitting(Admission(host("acme"), staged=True))

    assert done.empty
    found = verdict(done, "acme")
    assert (found.action, found.loud) == ("decline", True)
    assert found.reason.startswith(f"{host('acme')}-sidecar.env is staged on this box: ")
    assert "remove the file" in found.reason


@pytest.mark.behaviour(117)
def test_refusal_of_the_configuration_gate() -> None:
    """Nothing is minted, and what the gate said is a warning: nobody else shows it."""
    done = _admitting(Admission(host("acme"), refusal="no sealed config\n"))

    assert done.empty
    found = verdict(done, "acme")
    assert (found.action, found.loud) == ("decline", True)
    assert found.reason == "refused by the configuration gate: no sealed config\\n"


def test_host_that_nobody_asked_about() -> None:
    """It is not minted: a later run can, but a row cannot be unminted."""
    done = _admitting()

    assert done.empty
    assert verdict(done, "acme").action == "decline"


@pytest.mark.behaviour(116)
@pytest.mark.behaviour(117)
def test_questions_before_a_mint() -> None:
    """They are asked for rows to be minted only: an existing row cannot be frozen by them."""
    desired = desired_of(bucket(_ACME, record("beta"), record("away", region="uk")), BOX)
    rows = Rows((minted(_ACME, channel="old"),))

    assert [each.host for each in candidates(desired, rows)] == [host("beta")]
    done = plan(desired, rows, [Admission(host("acme"), staged=True, refusal="no")])
    assert [each.host for each in done.converges] == [host("acme")]


_FOREIGN = [
    {"kind": "exec"},
    {"kind": ""},
    {"provisioned": 0},
    {"provisioned": 2},
    {"app": "twelve"},
    {"account": "jam"},
]


@pytest.mark.behaviour(119)
@pytest.mark.behaviour(120)
@pytest.mark.behaviour(121)
@pytest.mark.parametrize("columns", _FOREIGN)
def test_row_of_somebody_else(columns: dict[str, Any]) -> None:
    """It is left alone, whatever it looks like, and named with what it is."""
    done = planned(bucket(_ACME), minted(_ACME, channel="theirs", **columns))

    assert done.empty
    found = verdict(done, "acme")
    assert (found.action, found.loud) == ("foreign", True)
    assert "is not one of this pass (kind " in found.reason


@pytest.mark.behaviour(121)
def test_strange_row() -> None:
    """A row that cannot be understood has its host all the same."""
    done = plan(
        desired_of(bucket(_ACME), BOX),
        Rows(strange=(StrangeRow(host("acme"), "kind is a blob\x07"),)),
        [Admission(host("acme"))],
    )

    assert done.empty
    assert verdict(done, "acme").reason == "the host's row is strange: kind is a blob\\x07"


@pytest.mark.behaviour(96)
@pytest.mark.behaviour(98)
@pytest.mark.parametrize("manifest", [None, UNREAD])
def test_app_without_a_manifest(manifest: None) -> None:
    """Nothing is minted, converged or removed; one notice."""
    found = bucket(_ACME, record("beta"), manifests={ELEVEN: manifest})

    done = planned(found, minted(_ACME, channel="old", args=""))

    assert done.empty
    assert [each.action for each in done.verdicts] == ["decline", "decline"]
    assert len(done.notices) == 1


@pytest.mark.behaviour(113)
@pytest.mark.parametrize("trash_failure", ["", "list control/trash/: denied"])
def test_trashed_app(trash_failure: str) -> None:
    """Nothing is minted, converged or removed, quietly; a trash that was not read fails the run."""
    trashed = frozenset() if trash_failure else frozenset({ELEVEN})
    found = bucket(_ACME, record("beta"), trashed=trashed, trash_failure=trash_failure)

    done = planned(found, minted(_ACME, channel="old"))

    assert done.empty
    assert [(each.action, each.loud) for each in done.verdicts] == [("decline", False)] * 2
    assert [trash_failure in failure for failure in done.failures] == [True] * bool(trash_failure)


@pytest.mark.behaviour(140)
def test_row_minted_in_this_pass() -> None:
    """It is of the rows at the end, and no candidate for removal before."""
    done = planned(bucket(_ACME), minted(record("beta")), minted(record("gone", HELLO)))

    assert minted_hosts(done) == [host("acme")]
    assert host("acme") in done.rows
    assert host("acme") not in {each.host for each in (*done.removals, *done.held_back)}
