"""Looks whether a policy pack's virtual environment is there before the engine starts.

A missing one hangs the official language host.
"""

from pathlib import Path
from typing import Any

import yaml

from local.engine_errors import PackError


def check_pack(folder: Path) -> None:
    """Check the pack in the folder; the CLI itself reports one that is no pack.

    Raises:
        PackError: PulumiPolicy.yaml names a virtual environment that has no Python.
    """
    named = _virtualenv(folder / "PulumiPolicy.yaml")
    if named is None or (folder / named / "bin" / "python").is_file():
        return
    raise PackError(
        f"local/pulumi: the policy pack {folder} has no virtual environment {folder / named}: "
        "make it with `make setup` (the pack of this checkout) or `pulumi policy install`"
    )


def _virtualenv(file: Path) -> str | None:
    """The option `virtualenv` of the pack's runtime, if there is one to read."""
    try:
        content: Any = yaml.safe_load(file.read_text())
    except (OSError, ValueError, yaml.YAMLError):
        return None
    for key in ("runtime", "options", "virtualenv"):
        content = content.get(key) if isinstance(content, dict) else None
    return content if isinstance(content, str) else None
