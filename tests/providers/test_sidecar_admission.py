"""What a box has against a mint: a staged co-spawn, then the configuration gate."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from folds.sidecar_changes import Admission
from folds.sidecar_rows import Rows
from providers.errors import EngineGone
from providers.sidecar_admission import admissions, co_spawn_staged
from providers.sidecar_registry import rows_in
from tests.registry.samples import insert, sidecar
from tests.support.sidecar_box import SidecarBox, host_of, sidecar_box

_REFUSING = (sys.executable, "-c", "import sys; sys.exit('sealed')")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[SidecarBox]:
    with sidecar_box(tmp_path, "ab") as made:
        yield made


def _stage(box: SidecarBox, name: str) -> None:
    (box.folder / f"{host_of(name)}-sidecar.env").touch()


def _found(box: SidecarBox, gate: tuple[str, ...] = ()) -> tuple[Admission, ...]:
    return admissions(box.decided().seen.desired, rows_in(box.registry), gate)


@pytest.mark.behaviour(91)
def test_a_staged_file(box: SidecarBox) -> None:
    """The file is there, or it is not."""
    _stage(box, "a")
    assert co_spawn_staged(str(box.folder), host_of("a"))
    assert not co_spawn_staged(str(box.folder), host_of("b"))


@pytest.mark.behaviour(91)
def test_a_file_that_cannot_be_looked_for(tmp_path: Path) -> None:
    """In doubt it is there: a folder that is a file, a name that is too long."""
    (tmp_path / "file").touch()
    assert co_spawn_staged(str(tmp_path / "file"), "a")
    assert co_spawn_staged(str(tmp_path), "a" * 300)


def test_a_link_to_nothing(tmp_path: Path) -> None:
    """It is not there."""
    (tmp_path / "a-sidecar.env").symlink_to("nowhere")
    assert not co_spawn_staged(str(tmp_path), "a")


@pytest.mark.behaviour(115)
def test_a_staged_host(box: SidecarBox) -> None:
    """Its gate is not asked."""
    _stage(box, "a")
    staged, refused = _found(box, _REFUSING)
    assert staged == Admission(host_of("a"), staged=True)
    assert refused == Admission(host_of("b"), refusal="sealed")


def test_no_gate(box: SidecarBox) -> None:
    """Everything is admitted that is not staged."""
    assert _found(box) == (Admission(host_of("a")), Admission(host_of("b")))


@pytest.mark.behaviour(117)
def test_a_host_with_a_row(box: SidecarBox) -> None:
    """It is not asked about."""
    insert(box.registry, [sidecar("a")])
    assert _found(box, _REFUSING) == (Admission(host_of("b"), refusal="sealed"),)


def test_an_engine_that_ends_meanwhile(box: SidecarBox) -> None:
    """No further gate is started."""
    calls: list[None] = []

    def gone() -> None:
        calls.append(None)
        raise EngineGone

    with pytest.raises(EngineGone):
        admissions(box.decided().seen.desired, Rows(), ("/no/such/gate",), gone)
    assert len(calls) <= 2
