"""Pulumi.yaml and the settings of every kind say the same, and every stack's file is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import yaml
from pydantic.fields import FieldInfo

from stacks.configuration import NAMESPACE, declared
from stacks.settings import KINDS, SteeringSettings, settings_of
from stacks.steering_settings import HealthCheck

CHECKOUT = Path(__file__).parents[2]
STACKS = sorted((CHECKOUT / "stacks").glob("Pulumi.*.yaml"))
TYPES = {bool: "boolean", int: "integer", str: "string", HealthCheck: "object"}


def schema() -> dict[str, dict[str, Any]]:
    project: dict[str, Any] = yaml.safe_load((CHECKOUT / "Pulumi.yaml").read_text())
    config: dict[str, dict[str, Any]] = project["config"]
    return config


def type_of(field: FieldInfo) -> str:
    kind = field.annotation
    if get_origin(kind) is tuple:
        assert get_args(kind) == (str, ...)
        return "array"
    if get_origin(kind) is Literal:
        kind = type(get_args(kind)[0])
    assert isinstance(kind, type)
    return TYPES[kind]


def test_every_setting_is_declared() -> None:
    """The CLI knows the same keys, types and defaults as the program, whatever the kind."""
    model = {
        f"{NAMESPACE}{field.alias}": (type_of(field), declared(kind)[field.alias or ""])
        for kind in reversed([*KINDS.values()])
        for field in kind.model_fields.values()
    }
    assert {key: (each["type"], each["default"]) for key, each in schema().items()} == model


def test_settings_that_kinds_share() -> None:
    """A key means the same in each of them; only ``kind`` has a default for each."""
    defaults = [
        (key, str(value)) for kind in KINDS.values() for key, value in declared(kind).items()
    ]
    shared = {key for key, _ in defaults if len({value for k, value in defaults if k == key}) > 1}
    assert shared == {"kind"}


def test_every_declaration_has_a_default() -> None:
    """A declared key without a default is demanded of every stack."""
    assert all("default" in each for each in schema().values())


def test_every_declaration_is_described() -> None:
    """``pulumi config`` has nothing else to show; it says which kind a key is of."""
    assert all(each["description"].endswith(".") for each in schema().values())
    common = {f"{NAMESPACE}kind", f"{NAMESPACE}bucket"}
    heads = {
        each["description"].split(".")[0] for key, each in schema().items() if key not in common
    }
    assert heads == {"Steering", "Sidecars and snapshot", "Sidecars", "Snapshot"}


def test_arrays_of_texts() -> None:
    """The CLI checks an array's items only if it is told what they are."""
    arrays = [each for each in schema().values() if each["type"] == "array"]
    assert [each["items"] for each in arrays] == [{"type": "string"}] * 3


def engine_defaults() -> dict[str, str]:
    """What the engine puts into a stack that sets nothing: text as it is, all else as JSON."""
    defaults = {key: each["default"] for key, each in schema().items()}
    return {
        key: each if isinstance(each, str) else json.dumps(each) for key, each in defaults.items()
    }


def test_the_defaults_alone() -> None:
    """A stack that sets nothing is dormant, not wrong: the engine puts every default into it."""
    assert settings_of(engine_defaults()) == SteeringSettings()


def test_there_are_stack_files() -> None:
    """One for each kind, and the next test has something to test."""
    kinds = [yaml.safe_load(path.read_text())["config"]["fairlead:kind"] for path in STACKS]
    assert sorted(kinds) == sorted(KINDS)


@pytest.mark.parametrize("path", STACKS, ids=lambda path: path.name)
def test_a_stack_file(path: Path) -> None:
    """Every committed stack file is one that the program takes, beside the engine's defaults."""
    config = yaml.safe_load(path.read_text())["config"]
    settings = settings_of({**engine_defaults(), **config})
    assert not isinstance(settings, SteeringSettings) or settings.zone
