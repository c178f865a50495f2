"""Safety guards: pure functions from a plan's summary to violations.

The same functions run in the policy pack, in a resource's ``check`` and on the fresh read before
its ``create`` or ``update``. Only the standard library and pydantic, relative imports only: to the
project this is ``policy.guards``, to a pack published on its own it is ``guards``.
"""

from .native import NATIVE, NativePolicy
from .native_findings import Declared, NativeSettings, read_settings
from .native_records import RECORD, UNKNOWN, NativeRecord, Unknown, bare_name, read_record, shown
from .rule import Rule, Violation
from .rules import ADOPTION, STEERING
from .sidecars import (
    SIDECARS,
    SidecarSummary,
    read_sidecars,
    sidecar_digest,
    sidecar_violations,
)
from .snapshots import (
    SNAPSHOTS,
    SnapshotSummary,
    read_snapshot,
    snapshot_digest,
    snapshot_violations,
)
from .summary import SteeringSummary, SummaryUnreadableError, read_steering
from .verdict import adoption_digest, steering_violations
from .waivers import waiver_mistakes

__all__ = [
    "ADOPTION",
    "NATIVE",
    "RECORD",
    "SIDECARS",
    "SNAPSHOTS",
    "STEERING",
    "UNKNOWN",
    "Declared",
    "NativePolicy",
    "NativeRecord",
    "NativeSettings",
    "Rule",
    "SidecarSummary",
    "SnapshotSummary",
    "SteeringSummary",
    "SummaryUnreadableError",
    "Unknown",
    "Violation",
    "adoption_digest",
    "bare_name",
    "read_record",
    "read_settings",
    "read_sidecars",
    "read_snapshot",
    "read_steering",
    "shown",
    "sidecar_digest",
    "sidecar_violations",
    "snapshot_digest",
    "snapshot_violations",
    "steering_violations",
    "waiver_mistakes",
]
