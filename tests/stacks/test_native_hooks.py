"""What the engine is answered before it makes, changes or deletes a native resource."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import pytest
from pulumi import ResourceHookArgs

from folds.native import Key
from stacks.errors import Drifted, NotInState, Unfinished
from stacks.native_allowed import Allowed, Taken
from stacks.native_commands import CHECK, RECORD
from stacks.native_hooks import CREATE, CREATED, DELETE, UPDATE, UPDATED, Watch
from tests.stacks.conftest import Program

KEY = ("a.example.com", "A", "carlos-steering/b0")
NAME = "a.example.com/A/b0"
PROPS = {"zoneId": "Z1", "name": KEY[0], "type": KEY[1], "setIdentifier": KEY[2]}
URN = f"urn:pulumi:test::fairlead::fairlead:steering:Zone${RECORD}::{NAME}"
IMPORT = [
    *("pulumi", "import", RECORD, NAME, "Z1_a.example.com_A_carlos-steering/b0"),
    *("--parent", "zone=urn:pulumi:test::fairlead::fairlead:steering:Zone::steering"),
    *("--protect=false", "--generate-code=false", "--stack", "test"),
]
COMES = "a.example.com/A/b9"
NEW = {**PROPS, "setIdentifier": "carlos-steering/b9"}
NOTHING = Allowed("Z1", live_sets=frozenset([KEY]), live_checks=frozenset(["id-1"]))


def _args(kind: str = RECORD, name: str = NAME, **more: Any) -> ResourceHookArgs:
    return ResourceHookArgs(URN, "id-1", name, kind, **more)


def _command(error: pytest.ExceptionInfo[NotInState], after: str) -> list[str]:
    return shlex.split(str(error.value).partition(after)[2])


pytestmark = pytest.mark.usefixtures("program")


@pytest.fixture
def watch(program: Program) -> Watch:  # noqa: ARG001 - hooks are registered with the engine
    """The hooks of a run that may do nothing, under the SDK's mocks."""
    return Watch(NOTHING)


@pytest.fixture
def coming(program: Program) -> Watch:  # noqa: ARG001 - hooks are registered with the engine
    """The hooks of a run in which b9 comes for b0."""
    return Watch(replace(NOTHING, takes={COMES: Taken(KEY, NAME)}))


def test_the_hooks(watch: Watch) -> None:
    """Their names are stored in every native stack's state; they run in a preview too."""
    hooks = [
        *(watch.binding.before_create or ()),
        *(watch.binding.before_update or ()),
        *(watch.binding.before_delete or ()),
        *(watch.binding.after_create or ()),
        *(watch.binding.after_update or ()),
    ]
    named = [each.name for each in hooks]
    assert named == [CREATE, UPDATE, DELETE, CREATED, UPDATED]
    assert named == [
        "fairlead-native-before-create",
        "fairlead-native-before-update",
        "fairlead-native-before-delete",
        "fairlead-native-after-create",
        "fairlead-native-after-update",
    ]
    assert all(each.opts and each.opts.on_dry_run and not each.opts.ignore_errors for each in hooks)


def test_a_deletion_that_the_plan_lists() -> None:
    """It passes: by what the state says, whatever the resource is called."""
    watch = Watch(replace(NOTHING, sets=frozenset([KEY]), checks=frozenset(["id-1"])))
    watch.deleting(_args(name="renamed", old_outputs=PROPS))
    watch.deleting(_args(old_inputs=PROPS))
    watch.deleting(_args(CHECK))


def test_a_deletion_before_all_else_is_done() -> None:
    """It is refused, of a set and of a check: what has failed may be what is to come for it."""
    allowed = replace(NOTHING, sets=frozenset([KEY]), checks=frozenset(["id-1"]))
    watch = Watch(replace(allowed, changes={"one": "+ one", "two": "~ two"}))
    watch.creating(_args(name="one"))
    watch.finished(_args(name="one"))
    watch.updating(_args(name="two"))
    said = rf'^{NAME} stays live: .* and 1 changes are not, limit 0 \(the first: "~ two"\); mend'
    for args in (_args(old_outputs=PROPS), _args(CHECK)):
        with pytest.raises(Unfinished, match=said):
            watch.deleting(args)
    watch.finished(_args(name="two"))
    watch.deleting(_args(old_outputs=PROPS))


def test_a_check_that_a_set_refers_to() -> None:
    """It waits for the sets that go, and stays where the state has one of them not."""
    other = ("b.example.com", *KEY[1:])
    going = replace(NOTHING, sets=frozenset([KEY, other]), checks=frozenset(["id-1"]))
    watch = Watch(replace(going, users={"id-1": frozenset([KEY, other])}))
    watch.deleting(_args(old_outputs=PROPS))
    said = (
        r"^192.0.2.1/HTTPS/30 stays: 1 live sets refer to it, .* b.example.com A carlos-steering/b0"
    )
    with pytest.raises(NotInState, match=said):
        watch.deleting(_args(CHECK, "192.0.2.1/HTTPS/30"))
    watch.deleting(_args(old_outputs={**PROPS, "name": other[0]}))
    watch.deleting(_args(CHECK, "192.0.2.1/HTTPS/30"))


def test_what_the_engine_never_deletes() -> None:
    """What is to go and was never asked for is left, a set and a check."""
    going: dict[Key | str, str] = {KEY: "- one", "id-1": "- health check"}
    allowed = Allowed("Z1", sets=frozenset([KEY]), checks=frozenset(["id-1"]), going=going)
    watch = Watch(allowed)
    assert watch.left() == ("- one", "- health check")
    watch.deleting(_args(old_outputs=PROPS))
    assert watch.left() == ("- health check",)
    watch.deleting(_args(CHECK))
    assert watch.left() == ()


def test_any_other_deletion(watch: Watch) -> None:
    """It is refused, with the commands that forget."""
    with pytest.raises(NotInState) as error:
        watch.deleting(_args(old_outputs=PROPS))
    assert str(error.value) == (
        f"{NAME} is no removal of this run's plan, so it stays live; if --replace asked for it, run"
        f" without; to forget it: pulumi state delete '{URN}' --stack test; to forget the whole"
        " stack, --all in place of the URN"
    )


def test_any_other_deletion_of_a_check(watch: Watch) -> None:
    """The records that refer to it would be left without: they are forgotten with it."""
    with pytest.raises(NotInState, match=r"' --target-dependents --stack test; "):
        watch.deleting(_args(CHECK))


@pytest.mark.parametrize("old", [None, {}, {**PROPS, "zoneId": "Z2"}])
def test_a_deletion_of_what_cannot_be_told(watch: Watch, old: dict[str, Any] | None) -> None:
    """It is refused."""
    with pytest.raises(NotInState):
        watch.deleting(_args(old_outputs=old))


@pytest.mark.parametrize("spelling", ["a.example.com.", "A.Example.com"])
def test_a_name_that_the_state_spells_otherwise(watch: Watch, spelling: str) -> None:
    """It is the same set, which is live, and not one that is gone already."""
    with pytest.raises(NotInState):
        watch.deleting(_args(old_outputs={**PROPS, "name": spelling}))


def test_a_creation(watch: Watch) -> None:
    """It passes, and is noted."""
    watch.creating(_args(new_inputs=PROPS))
    assert watch.acted == {NAME}


def test_a_creation_of_what_exists() -> None:
    """It is refused, with the command that takes it up, as a shell reads it."""
    watch = Watch(Allowed("Z1", existing=frozenset([NAME])))
    with pytest.raises(NotInState, match=rf"^{NAME} is live in zone Z1 and not in this") as error:
        watch.creating(_args(new_inputs=PROPS))
    assert _command(error, "take it up: ") == IMPORT
    assert watch.acted == set()


def test_a_creation_of_what_a_shell_reads_otherwise() -> None:
    """A held name may have a wildcard, and an identifier that somebody gave may have a space."""
    odd = {**PROPS, "name": "*.example.com", "setIdentifier": "carlos-steering/it's b0"}
    name = "*.example.com/A/it's b0"
    watch = Watch(Allowed("Z1", existing=frozenset([name])))
    with pytest.raises(NotInState) as error:
        watch.creating(_args(name=name, new_inputs=odd))
    assert "take it up: pulumi import aws:route53/record:Record '*.example.com/A/it" in str(
        error.value
    )
    assert _command(error, "take it up: ")[3:5] == [
        name,
        "Z1_*.example.com_A_carlos-steering/it's b0",
    ]


def test_a_set_that_takes_another_ones_place(coming: Watch) -> None:
    """The old set is in the state: it passes, and is noted."""
    coming.updating(_args(name=COMES, old_outputs=PROPS, new_inputs=NEW))
    assert coming.acted == {COMES}


def test_a_set_whose_place_the_state_does_not_have(coming: Watch) -> None:
    """Route 53 would refuse it, for the other one has its region: that is taken up first."""
    with pytest.raises(NotInState, match=rf"^{COMES} comes for {NAME}, which is live") as error:
        coming.creating(_args(name=COMES, new_inputs=NEW))
    assert _command(error, "take that up: ") == IMPORT
    assert coming.acted == set()


def test_a_set_that_failed_to_take_another_ones_place(coming: Watch) -> None:
    """The state has it for the other one, which is live: it is forgotten, and that taken up."""
    with pytest.raises(NotInState, match=rf"^{COMES} is in this stack's state and not") as error:
        coming.updating(_args(name=COMES, old_outputs=NEW, new_inputs=NEW))
    forget, _, _ = str(error.value).partition("forget the one: ")[2].partition(";")
    assert forget == f"pulumi state delete '{URN}' --stack test"
    assert _command(error, "take up the other: ") == IMPORT
    assert coming.acted == set()


def test_all_that_differs_is_done() -> None:
    """The run ends well: what is made and what is changed both count."""
    watch = Watch(Allowed("Z1", changes={"one": "+ one", "two": "~ two"}))
    watch.creating(_args(name="one"))
    watch.updating(_args(name="two"))
    watch.finish()


def test_a_difference_that_the_engine_leaves() -> None:
    """The run fails, with the first of them and what mends it."""
    watch = Watch(Allowed("Z1", changes={"one": "+ one", "two": "~ two", "three": "~ three"}))
    watch.updating(_args(name="one"))
    said = r'^steering: zone Z1: the engine leaves 2 .* \(the first: "~ two"\).*pulumi up --refresh'
    with pytest.raises(Drifted, match=said):
        watch.finish()
