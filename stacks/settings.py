"""The settings of a stack as one frozen value, of whatever kind it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from stacks.box_settings import SidecarsSettings, SnapshotSettings
from stacks.configuration import NAMESPACE, own, parsed
from stacks.errors import SettingsInvalid
from stacks.steering_settings import SteeringSettings

__all__ = ["KINDS", "Settings", "SteeringSettings", "load", "settings_of"]

Settings: TypeAlias = SteeringSettings | SidecarsSettings | SnapshotSettings
KINDS: Mapping[str, type[Settings]] = {
    "steering": SteeringSettings,
    "sidecars": SidecarsSettings,
    "snapshot": SnapshotSettings,
}


def settings_of(config: Mapping[str, Any]) -> Settings:
    """Read the settings of whatever kind a stack is, ``namespace:key`` to value.

    Raises:
        SettingsInvalid: naming every bad key, unknown ones of our namespace included.
    """
    kind = own(config).get("kind", "steering")
    if not isinstance(kind, str) or kind not in KINDS:
        raise SettingsInvalid(f"settings: {NAMESPACE}kind: must be one of {', '.join(KINDS)}")
    return parsed(config, KINDS[kind], KINDS.values())


def load(config: Mapping[str, Any]) -> SteeringSettings:
    """Read the settings of a steering stack: for what is about steering alone.

    Raises:
        SettingsInvalid: naming every bad key, ``kind`` where the stack is of another one.
    """
    return parsed(config, SteeringSettings, KINDS.values())
