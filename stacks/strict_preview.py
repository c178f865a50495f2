"""``FAIRLEAD_STRICT_PREVIEW``: a preview fails where its run would fail at its end.

A program cannot tell a preview from the one that ``pulumi up`` begins with, and that one must not
fail: nothing would be done of what may be done. Whoever previews alone says so by the variable;
``local/pulumi preview`` does.
"""

from __future__ import annotations

from collections.abc import Iterable

from stacks.errors import PlanRefused

VARIABLE = "FAIRLEAD_STRICT_PREVIEW"
"""Holds where it is set and not empty."""


def stop(failures: Iterable[str], duty: str) -> None:
    """End the program.

    Raises:
        PlanRefused: with everything that the run is going to fail with, if there is anything.
    """
    if told := "; ".join(failures):
        raise PlanRefused(f"{duty}: the run is going to fail: {told}")
