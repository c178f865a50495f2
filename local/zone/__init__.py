"""A strict emulator of the Amazon Route 53 REST/XML API."""

from local.zone.emulator import ZoneEmulator
from local.zone.errors import ApiError, EmulatorError, UnknownFaultError
from local.zone.names import canonical_name, sort_key
from local.zone.settings import Settings

__all__ = [
    "ApiError",
    "EmulatorError",
    "Settings",
    "UnknownFaultError",
    "ZoneEmulator",
    "canonical_name",
    "sort_key",
]
