"""The settings of a box's two stacks. Names and defaults are those of Pulumi.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from control.keys import is_label
from folds.desired import Value
from folds.sidecar_desired import Box
from folds.sidecar_placement import CLOSED
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


def _region_ha(value: bool, told: ValidationInfo) -> bool:  # noqa: FBT001 - a validator's form
    if value and told.data.get("claims") is False:
        raise ValueError("rows are held under claims: set fairlead:claims to true as well")
    return value


def _region_code(value: str, told: ValidationInfo) -> str:
    """Ask for the code where claims are on: without it no quiet window of the region is seen."""
    if not told.data.get("claims"):
        return value
    if not is_label(value):
        raise ValueError("needed with fairlead:claims: the box's placement code, such as ie")
    if (region := told.data.get("region", "")) not in ("", value):
        raise ValueError(f'another region than fairlead:region, which is "{region}"')
    return value


def _home_region(value: str, told: ValidationInfo) -> str:
    code = told.data.get("region_code", "")
    if told.data.get("claims") and told.data.get("region") == "" and value not in ("", code):
        raise ValueError("fairlead:region is empty, so this box is at home: its own code, or none")
    return value


Given = Annotated[str, AfterValidator(_given)]
Label = Annotated[str, AfterValidator(_box)]
Texts = Annotated[tuple[str, ...], BeforeValidator(from_json)]
RegionHa = Annotated[bool, AfterValidator(_region_ha)]
RegionCode = Annotated[str, AfterValidator(_region_code)]
HomeRegion = Annotated[str, AfterValidator(_home_region)]


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
    where nothing can reach the box. With ``claims`` rows are written under the claims of their
    hosts: ``region_code`` is then the box's placement code, and ``home_region`` the home region's,
    empty where it is the box's own or does not matter; with ``region_ha`` a row is held while its
    host moves.
    """

    kind: Literal["sidecars"] = "sidecars"
    region: str = ""
    pools: Texts = ()
    inbound: Annotated[str, AfterValidator(_inbound)] = ""
    data_dir: Given = Field(default="", validate_default=True)
    config_gate: Annotated[Texts, AfterValidator(_command)] = ()
    drop_trashed: bool = False
    claims: bool = False
    region_ha: RegionHa = False
    region_code: RegionCode = Field(default="", validate_default=True)
    home_region: HomeRegion = ""

    @property
    def place(self) -> Box:
        """The box as the fold knows it; a relative path starts at the project's folder."""
        box = Box(
            box=self.box,
            bucket=self.bucket,
            region=self.region,
            pools=self.pools,
            inbound=self.inbound,
            data_dir=str(PROJECT / self.data_dir),
            drop_trashed=self.drop_trashed,
        )
        return box.model_copy(update=self._claiming) if self.claims else box

    @property
    def _claiming(self) -> dict[str, object]:
        at_home = self.region_code if not self.region else ""
        return {
            "claims": True,
            "region_code": self.region_code,
            "home_region": self.home_region or at_home,
            "region_ha": self.region_ha,
        }


class SnapshotSettings(BoxSettings):
    """All settings of a snapshot stack. A box of a fleet has no snapshot of its own."""

    kind: Literal["snapshot"] = "snapshot"
    fleet_box: bool = False
