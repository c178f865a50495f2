"""What a native stack calls its things, and the commands that take a record up or forget it.

All names here are stored in the state.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi import ResourceHookArgs

from control.text import printable
from folds.native import Key
from route53.names import decode

COMPONENT = "fairlead:steering:Zone"
NAME = "steering"
"""The name of the component and of its plan, which are one each a stack."""
RECORD = "aws:route53/record:Record"
CHECK = "aws:route53/healthCheck:HealthCheck"


def new_key(args: ResourceHookArgs) -> Key:
    """Return the key of a record's set, as it is declared."""
    return _key(args.new_inputs or {})


def old_key(args: ResourceHookArgs) -> Key:
    """Return the key of a record's set, as the state has it.

    An import keeps the name as it was typed, and what is live must not seem gone.
    """
    name, kind, identifier = _key(args.old_outputs or args.old_inputs or {})
    return (decode(name), kind, identifier)


def taking_up(resource: str, zone: str, key: Key) -> str:
    """Return the command that takes a live set into the state.

    pulumi-aws joins what identifies it by ``_``, and parts it at the type: it may hold the same.
    """
    stack, project = pulumi.get_stack(), pulumi.get_project()
    component = f"urn:pulumi:{stack}::{project}::{COMPONENT}::{NAME}"
    identity = "_".join((zone, *key))
    return (
        f"pulumi import {RECORD} {shlex.quote(resource)} {shlex.quote(identity)} --parent"
        f" 'zone={component}' --protect=false --generate-code=false --stack {stack}"
    )


def forgetting(args: ResourceHookArgs) -> str:
    """Return the command that takes a resource out of the state; a check goes with its records."""
    more = " --target-dependents" if args.type == CHECK else ""
    return f"pulumi state delete '{printable(args.urn)}'{more} --stack {pulumi.get_stack()}"


def _key(props: Mapping[str, Any]) -> Key:
    name, kind, identifier = (str(props.get(each)) for each in ("name", "type", "setIdentifier"))
    return (name, kind, identifier)
