"""The emulator's settings: each is a keyword of ZoneEmulator and a flag of the command."""

from dataclasses import dataclass


@dataclass
class Settings:
    """Limits and judgements that can be set; they may be changed while the emulator runs."""

    rate: float = 0.0  # calls a second over all operations; 0: no limit
    burst: int = 5  # calls at once before the rate holds
    insync_after: float = 1.0  # seconds from a change to INSYNC
    prior_window: float = 0.0  # seconds of PriorRequestNotComplete after a change
    zone_quota: int = 10_000  # record sets a zone
    health_check_quota: int = 200  # health checks an account
    alias_units: int = 1  # what an alias counts against the 1,000 values of a batch
    default_page: int = 300  # record sets a page without MaxItems
    allow_multi_value_latency: bool = True
    allow_test_nets: bool = True  # health checks of documentation addresses
