"""Fairlead's Pulumi program: settings -> observe -> fold -> guard -> declare."""

from __future__ import annotations

import os
from datetime import datetime, timezone

import pulumi
from pulumi.runtime.config import get_config_env

from control.errors import ControlError
from route53.errors import Route53Error
from stacks import steering
from stacks.acknowledgement import VARIABLE
from stacks.errors import StackError
from stacks.settings import load


def main() -> None:
    """Run the stack's duty; what it cannot do ends the program before anything is registered."""
    try:
        steering.run(
            load(get_config_env()),
            acknowledge=os.environ.get(VARIABLE, ""),
            now=datetime.now(timezone.utc),
        )
    except (ControlError, Route53Error, StackError) as error:
        raise pulumi.RunError(str(error)) from error


main()
