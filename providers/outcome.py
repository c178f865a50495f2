"""``Outcome``: the failure of a run that had nothing to do, as a last resource that cannot be made.

The path ``providers.outcome.OutcomeProvider`` may be stored in a stack's state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, Resource, ResourceProvider

from providers.engine import attend
from providers.errors import ApplyFailed, reported

attend()


class OutcomeProvider(ResourceProvider):
    """Stateless: it is stored by reference, so current code serves old state."""

    serialize_as_secret_always = False

    @reported()
    def create(self, props: dict[str, Any]) -> CreateResult:
        """Fail, with all that is to be said.

        Raises:
            ApplyFailed: always.
        """
        raise ApplyFailed("; ".join(props["failures"]))


class Outcome(Resource, module="fairlead", name="Outcome"):
    """What makes a run fail after everything else was done. Declare it only then.

    A resource with changes of its own raises such failures itself: this is for a run without any.
    """

    def __init__(self, failures: Sequence[str], opts: pulumi.ResourceOptions) -> None:
        """Declare it; ``failures`` are lines, printable ASCII, the first one naming the duty."""
        props = {"failures": list(failures)}
        super().__init__(OutcomeProvider(), "outcome", props, opts)
