"""Putting the demo deployment into an empty bucket and an empty zone, and only there.

The box's registry is made by `demo_box.make_registry`, on the same terms.
"""

from __future__ import annotations

import json

from local import demo, demo_box
from local.errors import EmulatorNotStarted
from local.objects import Objects
from local.services import ask


def fill_bucket(objects: Objects) -> int:
    """Write the demo's objects where the bucket holds none; return how many were written.

    What somebody changed by hand stays: the demo is a beginning, not a desired state.
    """
    objects.create()
    if objects.keys():
        return 0
    beginning = {**demo.objects(), **demo_box.objects()}
    for key, body in beginning.items():
        objects.put(key, body)
    return len(beginning)


def fill_zone(url: str) -> bool:
    """Create the demo's zone in the emulator at a URL, unless it is there; say whether it was not.

    Raises:
        EmulatorNotStarted: if the emulator does not answer.
    """
    try:
        known = json.loads(ask(f"{url}/_emulator/state"))
        if any(each["id"] == demo.ZONE for each in known["zones"]):
            return False
        ask(f"{url}/_emulator/seed", "POST", json.dumps(demo.zone()).encode())
    except OSError as error:
        raise EmulatorNotStarted(f"the zone emulator at {url} does not answer: {error}") from error
    return True
