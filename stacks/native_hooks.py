"""What the engine asks a native run before it makes, changes or deletes one of its resources.

The program cannot see its stack's state, and the engine does not see the zone. So every resource
has hooks, in a preview too: they refuse a deletion that this run's plan does not list or that comes
before its turn, and a creation of what exists, and note what the engine finds to do and has done.
Their names are stored in the state.
"""

from __future__ import annotations

import shlex
from collections.abc import Container

import pulumi
from pulumi import ResourceHook, ResourceHookArgs, ResourceHookBinding, ResourceHookOptions

from control.text import printable
from folds.native import Key
from route53.names import decode
from stacks.errors import Drifted, NotInState, Unfinished
from stacks.native_allowed import Allowed

COMPONENT = "fairlead:steering:Zone"
NAME = "steering"
"""The name of the component and of its plan, which are one each a stack."""
RECORD = "aws:route53/record:Record"
CHECK = "aws:route53/healthCheck:HealthCheck"
DELETE, CREATE, UPDATE = (
    f"fairlead-native-before-{each}" for each in ("delete", "create", "update")
)
CREATED, UPDATED = (f"fairlead-native-after-{each}" for each in ("create", "update"))


class Watch:
    """The hooks of one run, and the resources that the engine makes or changes in it.

    ``acted`` are those that it has begun with, ``done`` those that it has made or changed, ``gone``
    the sets whose deletion has passed: where one fails, the engine leaves its check alone.
    """

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self.acted: set[str] = set()
        self.done: set[str] = set()
        self.gone: set[Key] = set()
        dry = ResourceHookOptions(on_dry_run=True)
        self.binding = ResourceHookBinding(
            before_delete=[ResourceHook(DELETE, self.deleting, dry)],
            before_create=[ResourceHook(CREATE, self.creating, dry)],
            before_update=[ResourceHook(UPDATE, self.updating, dry)],
            after_create=[ResourceHook(CREATED, self.finished, dry)],
            after_update=[ResourceHook(UPDATED, self.finished, dry)],
        )

    def deleting(self, args: ResourceHookArgs) -> None:
        """Let a deletion pass that the plan lists, once all else is done.

        With --continue-on-error the engine deletes although what was to come first has failed.

        Raises:
            NotInState: for any other, with the commands that forget it; for a check of a set
                that goes by the plan and stays, since the state does not have it.
            Unfinished: if anything is not made or not changed.
        """
        if not _deletes(self.allowed, args):
            more = " --target-dependents" if args.type == CHECK else ""
            raise NotInState(
                f"{printable(args.name)} is no removal of this run's plan, so it stays live; if"
                " --replace asked for it, run without; to forget it: pulumi state delete"
                f" '{printable(args.urn)}'{more} --stack {pulumi.get_stack()}; to forget the whole"
                " stack, --all in place of the URN"
            )
        if left := self._beside(self.done):
            raise Unfinished(
                f"{printable(args.name)} stays live: nothing is taken away before the rest of this"
                f" run's plan is done, and {len(left)} changes are not, limit 0 (the first:"
                f' "{left[0]}"); mend what made them fail, and run again'
            )
        if args.type == CHECK:
            self._require_unused(args)
        else:
            self.gone.add(_key(args))

    def creating(self, args: ResourceHookArgs) -> None:
        """Note a creation.

        Raises:
            NotInState: if a set like that is live, with the command that takes it up.
        """
        if args.name in self.allowed.existing:
            raise NotInState(
                f"{args.name} is live in zone {self.allowed.zone} and not in this stack's state:"
                " what exists cannot be created, nor replaced by --replace; if a run of this stack"
                f" was cut short, take it up: {_import(args.name, self._id(args))}"
            )
        self.acted.add(args.name)

    def updating(self, args: ResourceHookArgs) -> None:
        """Note an update."""
        self.acted.add(args.name)

    def finished(self, args: ResourceHookArgs) -> None:
        """Note that a creation or an update is done."""
        self.done.add(args.name)

    def finish(self) -> None:
        """End a run whose registrations are all answered.

        Raises:
            Drifted: if the engine left out anything that differs.
        """
        if left := self._beside(self.acted):
            raise Drifted(
                f"steering: zone {self.allowed.zone}: the engine leaves {len(left)} differences as"
                f' they are, limit 0 (the first: "{left[0]}"): somebody changed the zone and the'
                " stack's state does not know, which pulumi up --refresh mends; or --target or"
                " --exclude left them out"
            )

    def _require_unused(self, args: ResourceHookArgs) -> None:
        """Refuse to delete a check that a live set refers to: records go before their checks."""
        if left := sorted(self.allowed.users.get(args.id, frozenset()) - self.gone):
            raise NotInState(
                f"{printable(args.name)} stays: {len(left)} live sets refer to it, limit 0 (the"
                f" first: {printable(' '.join(left[0]))}): they are to go, and this stack's state"
                " does not have them, or by an import that no run has followed; take them out of"
                " the zone by hand, and run again; or --target or --exclude left them out"
            )

    def _beside(self, names: Container[str]) -> list[str]:
        """Return the plan's lines of all that has to change but for these resources."""
        return [line for name, line in self.allowed.changes.items() if name not in names]

    def _id(self, args: ResourceHookArgs) -> str:
        """Return what pulumi-aws calls the set of a record."""
        new = args.new_inputs or {}
        return "_".join(str(new[key]) for key in ("zoneId", "name", "type", "setIdentifier"))


def _deletes(allowed: Allowed, args: ResourceHookArgs) -> bool:
    old = args.old_outputs or args.old_inputs or {}
    if args.type == CHECK:
        return allowed.may_delete_check(args.id)
    return allowed.may_delete_set(str(old.get("zoneId")), _key(args))


def _key(args: ResourceHookArgs) -> Key:
    old = args.old_outputs or args.old_inputs or {}
    # An import keeps the name as it was typed, and what is live must not seem gone.
    return (decode(str(old.get("name"))), str(old.get("type")), str(old.get("setIdentifier")))


def _import(name: str, identity: str) -> str:
    stack, project = pulumi.get_stack(), pulumi.get_project()
    component = f"urn:pulumi:{stack}::{project}::{COMPONENT}::{NAME}"
    return (
        f"pulumi import {RECORD} {shlex.quote(name)} {shlex.quote(identity)} --parent"
        f" 'zone={component}' --protect=false --generate-code=false --stack {stack}"
    )
