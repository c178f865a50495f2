"""README.md on the two realizers: what it says to type and to set is right."""

from __future__ import annotations

import re
from importlib.metadata import version

import yaml

from stacks.settings import load
from tests.repo.sources import CHECKOUT, project

README = (CHECKOUT / "README.md").read_text()
SECTION = README.partition("\n## Two realizers\n")[2].partition("\n## ")[0]


def test_what_to_install() -> None:
    """The file is there and pins the package; the plugin is of the same version."""
    [requirements] = re.findall(r"pip install -r (\S+)", SECTION)
    pinned = (CHECKOUT / requirements).read_text()
    assert f"pulumi-aws=={version('pulumi-aws')}" in pinned.splitlines()
    assert f"plugin install resource aws v{version('pulumi-aws')}\n" in SECTION


def test_the_lines_of_a_stack_file() -> None:
    """The setting is one that the program takes."""
    [text] = re.findall(r"```yaml\n(.*?)```", SECTION, re.DOTALL)
    assert load(yaml.safe_load(text)["config"]).realizer == "native"


def test_who_imports_the_package() -> None:
    """One module of the program: a batch stack runs without it."""
    found = {
        name
        for name, source in project().items()
        if not name.startswith("tests.") and any("pulumi_aws" in each for each in source.imports)
    }
    assert found == {"stacks.native_resources"}
