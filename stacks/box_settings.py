"""The settings of a box's two stacks. Names and defaults are those of Pulumi.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from control.keys import is_label
from folds.desired import Value
from folds.sidecar_desired import Box
from folds.sidecar_standing import CLOSED
from stacks.configuration import from_json

PROJECT = Path(__file__).resolve().parents[1]
"""The folder that relative paths start at."""


def _given(value: str) -> str:
    if not value.strip():
        raise ValueError("needed")
    return value


def _box(value: str) -> str:
    if not is_label(value):
        raise ValueError("needed: a label of 1 to 63 of a-z, 0-9 and inner hyphens")
    return value


def _inbound(value: str) -> str:
    """Refuse what is nearly ``none``: read as anything else it would move sidecars away."""
    if value != CLOSED and value.strip().lower() == CLOSED:
        raise ValueError(f'write "{CLOSED}" where nothing can reach the box')
    return value


def _command(value: tuple[str, ...]) -> tuple[str, ...]:
    if value and not value[0]:
        raise ValueError("the first element is the program, and is empty")
    if any("\0" in each for each in value):
        raise ValueError("an argument holds a NUL")
    return value


def _not_yet(value: bool) -> bool:  # noqa: FBT001 - a validator gets the value alone
    if value:
        raise ValueError("claim-guarded installs are not there yet; leave it false")
    return value


Given = Annotated[str, AfterValidator(_given)]
Label = Annotated[str, AfterValidator(_box)]
Texts = Annotated[tuple[str, ...], BeforeValidator(from_json)]
NotYet = Annotated[bool, AfterValidator(_not_yet)]


class BoxSettings(Value):
    """What both stacks of a box are told: the bucket, the box's label, its registry's path."""

    bucket: Given = Field(default="", validate_default=True)
    box: Label = Field(default="", validate_default=True)
    registry: Given = Field(default="", validate_default=True)

    @property
    def registry_path(self) -> Path:
        """Where the registry is; a relative path starts at the project's folder."""
        return PROJECT / self.registry


class SidecarsSettings(BoxSettings):
    """All settings of a sidecars stack.

    ``region`` empty is the home region, ``pools`` empty the shared pool. ``inbound`` is ``none``
    where nothing can reach the box. ``region_code``, ``home_region`` and ``region_ha`` belong to
    ``claims``.
    """

    kind: Literal["sidecars"] = "sidecars"
    region: str = ""
    region_code: str = ""
    home_region: str = ""
    pools: Texts = ()
    inbound: Annotated[str, AfterValidator(_inbound)] = ""
    data_dir: Given = Field(default="", validate_default=True)
    config_gate: Annotated[Texts, AfterValidator(_command)] = ()
    drop_trashed: bool = False
    claims: NotYet = False
    region_ha: NotYet = False

    @property
    def place(self) -> Box:
        """The box as the fold knows it; a relative path starts at the project's folder."""
        return Box(
            box=self.box,
            bucket=self.bucket,
            region=self.region,
            pools=self.pools,
            inbound=self.inbound,
            data_dir=str(PROJECT / self.data_dir),
            drop_trashed=self.drop_trashed,
        )


class SnapshotSettings(BoxSettings):
    """All settings of a snapshot stack. A box of a fleet has no snapshot of its own."""

    kind: Literal["snapshot"] = "snapshot"
    fleet_box: bool = False
