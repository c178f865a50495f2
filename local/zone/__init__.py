"""A strict emulator of the Amazon Route 53 REST/XML API."""

from local.zone.service import ZoneEmulator

__all__ = ["ZoneEmulator"]
