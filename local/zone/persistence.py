"""The emulator's files: the account's state and the log of its calls."""

import json
from collections.abc import Callable
from pathlib import Path

from local.zone.vocabulary import Doc


class StateFile:
    """An account's state as one JSON document, replaced atomically."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def load(self) -> Doc:
        """The state saved last; empty where there is none."""
        if self.path is None or not self.path.exists():
            return {}
        state: Doc = json.loads(self.path.read_text())
        return state

    def save(self, state: Callable[[], Doc]) -> None:
        """Replace the file, so that a reader finds the old state or the new one, each whole.

        state makes the document; it is not asked where there is no file to keep.
        """
        if self.path is None:
            return
        scratch = self.path.with_suffix(".new")
        scratch.write_text(json.dumps(state()))
        scratch.replace(self.path)


class CallLog:
    """A file of one JSON object a line, one for each call that was answered or dropped."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def append(self, call: Doc) -> None:
        """Add a line; it is whole on disk when this returns."""
        if self.path is None:
            return
        with self.path.open("a") as log:
            log.write(json.dumps(call) + "\n")
