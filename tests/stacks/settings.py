"""The settings of a steering stack, loaded as its program does."""

from __future__ import annotations

from typing import Any

import pytest

from stacks.errors import SettingsInvalid
from stacks.settings import SteeringSettings, load


def loaded(**config: Any) -> SteeringSettings:
    return load({f"fairlead:{key}": value for key, value in config.items()})


def mistakes(**config: Any) -> str:
    with pytest.raises(SettingsInvalid) as error:
        loaded(**config)
    return str(error.value)
