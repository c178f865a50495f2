"""What the engine asks a native run before it makes, changes or deletes one of its resources.

The program cannot see its stack's state, and the engine does not see the zone. So every resource
has hooks, in a preview too: they refuse a deletion that this run's plan does not list or that comes
before its turn, and a creation of what exists, and note what the engine finds to do and has done.
Their names are stored in the state.
"""

from __future__ import annotations

from collections.abc import Container

from pulumi import ResourceHook, ResourceHookArgs, ResourceHookBinding, ResourceHookOptions

from control.text import printable
from folds.native import Key
from stacks.errors import Drifted, NotInState, Unfinished
from stacks.native_allowed import Allowed
from stacks.native_commands import CHECK, forgetting, new_key, old_key, taking_up

DELETE, CREATE, UPDATE = (
    f"fairlead-native-before-{each}" for each in ("delete", "create", "update")
)
CREATED, UPDATED = (f"fairlead-native-after-{each}" for each in ("create", "update"))


class Watch:
    """The hooks of one run, and the resources that the engine makes or changes in it.

    ``acted`` are those that it has begun with, ``done`` those that it has made or changed, ``gone``
    the sets (keys) and checks (ids) whose deletion has passed: where a set's fails, the engine
    leaves its check alone.
    """

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self.acted: set[str] = set()
        self.done: set[str] = set()
        self.gone: set[Key | str] = set()
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
            raise NotInState(
                f"{printable(args.name)} is no removal of this run's plan, so it stays live; if"
                f" --replace asked for it, run without; to forget it: {forgetting(args)}; to forget"
                " the whole stack, --all in place of the URN"
            )
        if left := self._beside(self.done):
            raise Unfinished(
                f"{printable(args.name)} stays live: nothing is taken away before the rest of this"
                f" run's plan is done, and {len(left)} changes are not, limit 0 (the first:"
                f' "{left[0]}"); mend what made them fail, and run again'
            )
        if args.type == CHECK:
            self._require_unused(args)
        self.gone.add(args.id if args.type == CHECK else old_key(args))

    def creating(self, args: ResourceHookArgs) -> None:
        """Note a creation.

        Raises:
            NotInState: if a set like that is live, or the one whose place it takes is in no state;
                with the command that takes it up.
        """
        zone = self.allowed.zone
        if args.name in self.allowed.existing:
            raise NotInState(
                f"{args.name} is live in zone {zone} and not in this stack's state:"
                " what exists cannot be created, nor replaced by --replace; if a run of this stack"
                f" was cut short, take it up: {taking_up(args.name, zone, new_key(args))}"
            )
        if taken := self.allowed.takes.get(args.name):
            raise NotInState(
                f"{args.name} comes for {taken.resource}, which is live in zone {zone} and not in"
                " this stack's state, so that they cannot be exchanged; take that up:"
                f" {taking_up(taken.resource, zone, taken.key)}"
            )
        self.acted.add(args.name)

    def updating(self, args: ResourceHookArgs) -> None:
        """Note an update.

        One that fails leaves the state as if it had been made, and the next run begins there.

        Raises:
            NotInState: if a set that comes for another one has a place of its own in the state:
                their exchange has failed. With the commands that put that right.
        """
        taken = self.allowed.takes.get(args.name)
        if taken and old_key(args) != taken.key:
            raise NotInState(
                f"{args.name} is in this stack's state and not live: {taken.resource} still answers"
                f" in its region, for a run could not exchange them; forget the one:"
                f" {forgetting(args)}; take up the other:"
                f" {taking_up(taken.resource, self.allowed.zone, taken.key)}"
            )
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
                " stack's state does not know, which pulumi up --refresh mends; or --target,"
                " --exclude or --run-program left them out"
            )

    def left(self) -> tuple[str, ...]:
        """Return the plan's lines of what the engine was never asked to delete, once it is over."""
        return tuple(line for each, line in self.allowed.going.items() if each not in self.gone)

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


def _deletes(allowed: Allowed, args: ResourceHookArgs) -> bool:
    if args.type == CHECK:
        return allowed.may_delete_check(args.id)
    zone = (args.old_outputs or args.old_inputs or {}).get("zoneId")
    return allowed.may_delete_set(str(zone), old_key(args))
