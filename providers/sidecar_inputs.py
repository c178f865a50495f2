"""The inputs of a ``SidecarRoutes``, validated, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folds.desired import Value
from folds.sidecar_desired import SidecarDesired
from folds.sidecar_report import removed_hosts
from folds.sidecar_text import unword
from policy.guards import SidecarSummary, read_sidecars, sidecar_violations
from providers.inputs import mandatory, parsed, reasons


class SidecarWork(Value):
    """What the bucket asks of a box, and how its rows are made.

    ``registry`` is the path of its registry, ``config_gate`` the command that admits new rows, or
    empty.
    """

    asked: SidecarDesired
    registry: str
    config_gate: tuple[str, ...] = ()


class SidecarInputs(Value):
    """What the box is to run, the change lines, and what the guards read of them."""

    desired: SidecarWork
    plan: tuple[str, ...]
    summary: SidecarSummary

    @property
    def removals(self) -> frozenset[str]:
        """The hosts whose rows this run may remove."""
        return removed_hosts(self.plan)

    @property
    def changed(self) -> frozenset[str]:
        """The hosts whose rows this run's plan changes in any way."""
        return frozenset(unword(line.split(" ", 2)[1]) for line in self.plan)

    @property
    def mints(self) -> frozenset[str]:
        """The hosts that this run's plan gives a row."""
        lines = (line.split(" ", 2) for line in self.plan)
        return frozenset(unword(words[1]) for words in lines if words[0] == "+")


def parse(props: Mapping[str, Any]) -> SidecarInputs:
    """Parse the inputs: see `inputs.parsed`."""
    return parsed(SidecarInputs, props)


def failures(props: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every reason not to go on: see `inputs.reasons`."""
    return reasons(props, SidecarInputs, lambda raw: sidecar_violations(read_sidecars(raw)))


def refusals(summary: SidecarSummary) -> tuple[str, ...]:
    """Return the message of each mandatory guard that refuses."""
    return mandatory(sidecar_violations(summary))


def same_box(olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Say whether the state knows this box, bucket and registry, by old inputs or old outputs."""
    return _identity(olds) == _identity(news)


def _identity(props: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    desired = props.get("desired")
    if not isinstance(desired, Mapping):
        return props.get("bucket"), props.get("box"), props.get("registry")
    box = desired["asked"]["box"]
    return box["bucket"], box["box"], desired["registry"]
