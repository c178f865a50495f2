"""README.md: its sessions run as written, and show what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from local import services
from stacks.settings import load
from tests.support.checkout import CHECKOUT, Checkout, copy_to
from tests.support.sessions import assert_shows, run_block

README = (CHECKOUT / "README.md").read_text()
SESSIONS = ("Try it", "Against the emulator by hand")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(section: str) -> list[tuple[str, str]]:
    """Return the fenced blocks of a section: language and text."""
    _, found, rest = README.partition(f"\n## {section}\n")
    assert found, f"README.md has no section {section}"
    return [(match[1], match[2]) for match in _BLOCK.finditer(rest.partition("\n## ")[0])]


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    made = copy_to(tmp_path / "checkout")
    yield made
    made.run("make down")


@pytest.mark.engine
def test_sessions_of_the_readme(checkout: Checkout) -> None:
    """Each command ends as the README says, each excerpt is in the output before it."""
    output = ""
    for language, text in (block for section in SESSIONS for block in blocks(section)):
        if language == "sh":
            output = run_block(checkout, text, output)
        else:
            assert_shows(output, text)
    assert "answers nothing" not in output
    assert services.remembered(checkout.folder / ".local") == {}


def test_stack_file_of_the_readme() -> None:
    """The stack file shown for AWS is a valid and armed one, below the local names."""
    (text,) = [text for language, text in blocks("On AWS") if language == "yaml"]
    settings = load(yaml.safe_load(text)["config"])
    assert settings.zone
    assert settings.bucket


def test_test_command_of_the_readme() -> None:
    """The README names the test command, and the Makefile has each target that it names."""
    targets = set(re.findall(r"`?make ([a-z]+)", README))
    assert {"test", "up", "down", "lint", "setup"} <= targets
    makefile = (CHECKOUT / "Makefile").read_text()
    assert [target for target in sorted(targets) if f"\n{target}:" not in makefile] == []


def test_links_of_the_readme() -> None:
    """Every file that it links to is there."""
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert [link for link in links if not (CHECKOUT / link).exists()] == []
