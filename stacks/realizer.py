"""That a live zone stays with the realizer that made it: there is no way from one to the other."""

from __future__ import annotations

from folds.native_plan import Realizer, kept_by
from folds.zone import LiveZone
from stacks.errors import RealizerSwitched
from stacks.settings import SteeringSettings

_OTHER: dict[Realizer, Realizer] = {"batch": "native", "native": "batch"}


def stay(settings: SteeringSettings, live: LiveZone) -> None:
    """Refuse a zone of which the other realizer keeps any managed set.

    Raises:
        RealizerSwitched: naming the other one.
    """
    own, prefix = settings.realizer, settings.set_identifier_prefix
    theirs = kept_by(_OTHER[own], settings.zone, prefix, live)
    if theirs:
        raise RealizerSwitched(
            f"steering: zone {settings.zone} ({prefix}): {len(theirs)} managed sets are kept by the"
            f" realizer {_OTHER[own]}, limit 0 for {own} (the first {' '.join(theirs[0].key)});"
            f" a live zone cannot be switched: set fairlead:realizer to {_OTHER[own]} again, or"
            " steer another zone or setIdentifierPrefix"
        )
