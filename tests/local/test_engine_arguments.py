"""Reading the command line of `pulumi` without changing it."""

from __future__ import annotations

import pytest

from local.engine_arguments import parse


@pytest.mark.parametrize(
    ("line", "command", "stack"),
    [
        ("up", "up", None),
        ("up -s dev", "up", "dev"),
        ("-s dev up", "up", "dev"),
        ("--stack dev up", "up", "dev"),
        ("--stack=dev up", "up", "dev"),
        ("up --stack=dev --yes", "up", "dev"),
        ("up -sdev", "up", "dev"),
        ("up -s=dev", "up", "dev"),
        ("up -yfs dev", "up", "dev"),
        ("up -s dev -s prod", "up", "prod"),
        ("-C some/folder up", "up", None),
        ("--color never -v 3 up", "up", None),
        ("--non-interactive -Q -e up", "up", None),
        ("-v=3 --logflow stack ls", "stack", None),
        ("up -m -s", "up", None),
        ("up -cs:key=1", "up", None),
        ("up -- -s dev", "up", None),
        ("--yes", None, None),
        ("", None, None),
    ],
)
def test_command_and_stack(line: str, command: str | None, stack: str | None) -> None:
    """Global flags may come first, and the last stack counts."""
    found = parse(line.split())
    assert (found.command, found.stack) == (command, stack)


def test_other_values() -> None:
    """The folder, the configuration file and every policy pack."""
    line = "-C one --cwd=two up --config-file f.yaml --policy-pack a --policy-pack=b"
    found = parse(line.split())
    assert (found.folder, found.config_file, found.packs) == ("two", "f.yaml", ("a", "b"))


@pytest.mark.parametrize(("line", "wanted"), [("up -h", True), ("--help up", True), ("up", False)])
def test_help(line: str, wanted: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """Help is asked for by a flag of its own."""
    assert parse(line.split()).help is wanted
