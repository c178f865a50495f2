"""Executables that stand in for Go, and folders that look built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.engine.recipe import EXECUTABLES

if TYPE_CHECKING:
    from pathlib import Path

# `go build … -o FILE …` makes the file, `go list …` tells the SDK's folder; calls are counted.
_GO = """
echo "$1" >> "{log}"
if [ "$1" = list ]; then echo "{sdk}"; exit 0; fi
echo compiled; echo something >&2
{build}
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\n' > "$2"; chmod +x "$2"
"""


def executable(path: Path, body: str) -> Path:
    """A shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def whole_folder(folder: Path) -> Path:
    """A folder with every executable of a toolchain."""
    for name in EXECUTABLES:
        executable(folder / name, "exit 0")
    return folder


def go_that_builds(folder: Path, build: str = "") -> Path:
    """A `go` that makes the CLI, running the shell line `build` first; it logs into `go.log`."""
    sdk = folder / "sdk"
    for name in ("cmd/pulumi-language-python-exec", "dist/pulumi-resource-pulumi-python"):
        (sdk / "python" / name).parent.mkdir(parents=True, exist_ok=True)
        (sdk / "python" / name).write_text("#!/bin/sh\n")
        (sdk / "python" / name).chmod(0o444)
    body = _GO.format(log=folder / "go.log", sdk=sdk, build=build)
    return executable(folder / "go-bin" / "go", body)
