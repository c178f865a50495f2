"""Pulumi.yaml and the settings say the same, and every stack's file is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import yaml
from pydantic.fields import FieldInfo

from stacks.settings import NAMESPACE, HealthCheck, SteeringSettings, load

CHECKOUT = Path(__file__).parents[2]
STACKS = sorted((CHECKOUT / "stacks").glob("Pulumi.*.yaml"))
TYPES = {bool: "boolean", int: "integer", str: "string", HealthCheck: "object"}


def declared() -> dict[str, dict[str, Any]]:
    project: dict[str, Any] = yaml.safe_load((CHECKOUT / "Pulumi.yaml").read_text())
    config: dict[str, dict[str, Any]] = project["config"]
    return config


def type_of(field: FieldInfo) -> str:
    kind = field.annotation
    if get_origin(kind) is Literal:
        kind = type(get_args(kind)[0])
    assert isinstance(kind, type)
    return TYPES[kind]


def default_of(field: FieldInfo) -> object:
    return {} if isinstance(field.default, HealthCheck) else field.default


def test_every_setting_is_declared() -> None:
    """The CLI knows the same keys, types and defaults as the program."""
    model = {
        f"{NAMESPACE}{field.alias}": (type_of(field), default_of(field))
        for field in SteeringSettings.model_fields.values()
    }
    schema = {key: (each["type"], each["default"]) for key, each in declared().items()}
    assert schema == model


def test_every_declaration_has_a_default() -> None:
    """A declared key without a default is demanded of every stack."""
    assert all("default" in each for each in declared().values())


def test_every_declaration_is_described() -> None:
    """``pulumi config`` has nothing else to show."""
    assert all(each["description"].endswith(".") for each in declared().values())


def test_the_defaults_alone() -> None:
    """A stack that sets nothing is dormant, not wrong: the engine puts every default into it."""
    config = {key: str(each["default"]) for key, each in declared().items()}
    assert load(config) == SteeringSettings()


def test_there_are_stack_files() -> None:
    """The next test has something to test."""
    assert STACKS


@pytest.mark.parametrize("path", STACKS, ids=lambda path: path.name)
def test_a_stack_file(path: Path) -> None:
    """Every committed stack file is one that the program takes."""
    config = yaml.safe_load(path.read_text())["config"]
    assert load(config).zone
