"""What the engine asks a native run before it makes, changes or deletes one of its resources.

The program cannot see its stack's state, and the engine does not see the zone. So every resource
has hooks, in a preview too: they refuse a deletion that this run's plan does not list and a
creation of what exists, and note what the engine finds to do. Their names are stored in the state.
"""

from __future__ import annotations

import pulumi
from pulumi import ResourceHook, ResourceHookArgs, ResourceHookBinding, ResourceHookOptions

from control.text import printable
from stacks.errors import Drifted, NotInState
from stacks.native_allowed import Allowed

COMPONENT = "fairlead:steering:Zone"
NAME = "steering"
"""The name of the component and of its plan, which are one each a stack."""
RECORD = "aws:route53/record:Record"
CHECK = "aws:route53/healthCheck:HealthCheck"
DELETE, CREATE, UPDATE = (
    f"fairlead-native-before-{each}" for each in ("delete", "create", "update")
)


class Watch:
    """The hooks of one run, and the resources that the engine makes or changes in it."""

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self.acted: set[str] = set()
        dry = ResourceHookOptions(on_dry_run=True)
        self.binding = ResourceHookBinding(
            before_delete=[ResourceHook(DELETE, self.deleting, dry)],
            before_create=[ResourceHook(CREATE, self.creating, dry)],
            before_update=[ResourceHook(UPDATE, self.updating, dry)],
        )

    def deleting(self, args: ResourceHookArgs) -> None:
        """Let a deletion pass that the plan lists.

        Raises:
            NotInState: for any other, with the commands that forget it.
        """
        if not _deletes(self.allowed, args):
            more = " --target-dependents" if args.type == CHECK else ""
            raise NotInState(
                f"{printable(args.name)} is no removal of this run's plan, so it stays live; to"
                f" forget it: pulumi state delete '{printable(args.urn)}'{more} --stack"
                f" {pulumi.get_stack()}; to forget the whole stack, --all in place of the URN"
            )

    def creating(self, args: ResourceHookArgs) -> None:
        """Note a creation.

        Raises:
            NotInState: if a set like that is live, with the command that takes it up.
        """
        if args.name in self.allowed.existing:
            raise NotInState(
                f"{args.name} is live in zone {self.allowed.zone} and not in this stack's state:"
                " what exists cannot be created; if a run of this stack was cut short, take it up:"
                f" {_import(args.name, self._id(args))}"
            )
        self.acted.add(args.name)

    def updating(self, args: ResourceHookArgs) -> None:
        """Note an update."""
        self.acted.add(args.name)

    def finish(self) -> None:
        """End a run whose registrations are all answered.

        Raises:
            Drifted: if the engine left out anything that differs.
        """
        left = [line for name, line in self.allowed.changes.items() if name not in self.acted]
        if left:
            raise Drifted(
                f"steering: zone {self.allowed.zone}: the engine leaves {len(left)} differences as"
                f' they are, limit 0 (the first: "{left[0]}"): somebody changed the zone and the'
                " stack's state does not know, which pulumi up --refresh mends; or --target or"
                " --exclude left them out"
            )

    def _id(self, args: ResourceHookArgs) -> str:
        """Return what pulumi-aws calls the set of a record."""
        new = args.new_inputs or {}
        return "_".join(str(new[key]) for key in ("zoneId", "name", "type", "setIdentifier"))


def _deletes(allowed: Allowed, args: ResourceHookArgs) -> bool:
    old = args.old_outputs or args.old_inputs or {}
    if args.type == CHECK:
        return allowed.may_delete_check(args.id)
    key = (str(old.get("name")), str(old.get("type")), str(old.get("setIdentifier")))
    return allowed.may_delete_set(str(old.get("zoneId")), key)


def _import(name: str, identity: str) -> str:
    stack, project = pulumi.get_stack(), pulumi.get_project()
    component = f"urn:pulumi:{stack}::{project}::{COMPONENT}::{NAME}"
    return (
        f"pulumi import {RECORD} {name} {identity} --parent 'zone={component}' --protect=false"
        f" --generate-code=false --stack {stack}"
    )
