"""What one command writes down in `.local` for a later one."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from local.errors import NoteDamaged

T = TypeVar("T")


def write(path: Path, form: TypeAdapter[T], value: T) -> None:
    """Replace a file whole, so that whoever reads it meanwhile sees the old or the new one."""
    scratch = path.with_suffix(".new")
    scratch.write_bytes(form.dump_json(value, indent=2) + b"\n")
    scratch.replace(path)


def read(path: Path, form: TypeAdapter[T]) -> T:
    """Return what was written.

    Raises:
        FileNotFoundError: if nothing was.
        NoteDamaged: if the file is none of ours.
    """
    try:
        return form.validate_json(path.read_bytes())
    except ValidationError as error:
        raise NoteDamaged(
            f"{path}: {error.error_count()} of its values are not as this checkout writes them;"
            " stop the emulators that still run (`pgrep -af local.zone; pgrep -af ministack`),"
            " remove it, and run `make up`"
        ) from error
