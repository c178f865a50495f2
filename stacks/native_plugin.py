"""Whether the AWS provider is there: its Python package, and the plugin that does the work.

The engine looks for a plugin in this order: one that runs already (``PULUMI_DEBUG_PROVIDERS``), one
on PATH, one in the cache below ``PULUMI_HOME`` (https://www.pulumi.com/docs/iac/cli/environment-variables/).
"""

from __future__ import annotations

import importlib.util
import shlex
import shutil
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from stacks.errors import NotInstalled

PACKAGE, MODULE = "pulumi-aws", "pulumi_aws"
_PLUGIN = "pulumi-resource-aws"
_TRUE = frozenset({"1", "true"})


def require(environ: Mapping[str, str]) -> None:
    """Make sure that a native run can work. ``environ`` is the program's environment.

    Raises:
        NotInstalled: naming what is missing, and the command that installs it.
    """
    if importlib.util.find_spec(MODULE) is None:
        raise NotInstalled(
            f"steering: realizer native needs the Python package {PACKAGE}, which is not installed;"
            " install it: .venv/bin/python -m pip install -r requirements-native.txt"
        )
    wanted = version(PACKAGE)
    if not (_attached(environ) or _on_path(environ) or _cached(environ, wanted)):
        raise NotInstalled(
            f"steering: realizer native needs the provider plugin aws v{wanted}, which is neither"
            f" in {_plugins(environ)} nor on PATH; install it:"
            f" {_pulumi(environ)} plugin install resource aws v{wanted}"
        )


def _attached(environ: Mapping[str, str]) -> bool:
    named = environ.get("PULUMI_DEBUG_PROVIDERS", "").split(",")
    return any(each.partition(":")[0] == "aws" for each in named)


def _on_path(environ: Mapping[str, str]) -> bool:
    if environ.get("PULUMI_IGNORE_AMBIENT_PLUGINS", "").lower() in _TRUE:
        return False
    return shutil.which(_PLUGIN, path=environ.get("PATH")) is not None


def _cached(environ: Mapping[str, str], wanted: str) -> bool:
    """Look for the folder of this very version; ``.partial`` marks an unfinished download."""
    folder = _plugins(environ) / f"resource-aws-v{wanted}"
    unfinished = folder.with_name(f"{folder.name}.partial")
    return (folder / _PLUGIN).is_file() and not unfinished.exists()


def _pulumi(environ: Mapping[str, str]) -> str:
    """Return the CLI as it is typed to install into the cache that was looked into."""
    home = environ.get("PULUMI_HOME")
    return f"PULUMI_HOME={shlex.quote(home)} pulumi" if home else "pulumi"


def _plugins(environ: Mapping[str, str]) -> Path:
    home = environ.get("PULUMI_HOME") or Path(environ.get("HOME") or Path.home()) / ".pulumi"
    return Path(home) / "plugins"
