"""Fairlead's Pulumi program: settings -> observe -> fold -> guard -> declare."""

from __future__ import annotations

import os
from datetime import datetime, timezone

import pulumi
from pulumi.runtime.config import get_config_env

from control.errors import ControlError
from registry.errors import RegistryError
from route53.errors import Route53Error
from stacks import sidecars, snapshot, steering, strict_preview
from stacks.acknowledgement import VARIABLE
from stacks.box_settings import SidecarsSettings, SnapshotSettings
from stacks.errors import StackError
from stacks.settings import settings_of


def main() -> None:
    """Run the stack's duty; what it cannot do ends the program before anything is registered."""
    word, now = os.environ.get(VARIABLE, ""), datetime.now(timezone.utc)
    try:
        settings = settings_of(get_config_env())
        if isinstance(settings, SidecarsSettings):
            strict = bool(os.environ.get(strict_preview.VARIABLE))
            sidecars.run(settings, acknowledge=word, now=now, strict=strict)
        elif isinstance(settings, SnapshotSettings):
            snapshot.run(settings, acknowledge=word, now=now)
        else:
            steering.run(settings, acknowledge=word, now=now)
    except (ControlError, RegistryError, Route53Error, StackError) as error:
        raise pulumi.RunError(str(error)) from error


main()
