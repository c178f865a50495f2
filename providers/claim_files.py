"""A host's own files on this box: ``<data directory>/claims/<host>/<name>``.

A host becomes part of a path only after its name was found legal, and no link below the data
directory is followed: nothing outside it is ever opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from control.claims import claim_key
from control.errors import Malformed
from control.strict_json import MAX_BYTES
from providers.claim_errors import ClaimUnreadable, LocalStateUnreadable, LocalWriteFailed
from providers.local_files import folder, lockable, read_file, replace_file

FOLDER = "claims"
"""The one folder of the data directory that is this program's."""


@dataclass(frozen=True, slots=True)
class HostFiles:
    """The files of every host below one data directory. That directory itself may be a link."""

    data_dir: Path

    def path(self, host: str, name: str) -> str:
        """Name a file for people."""
        return f"{self.data_dir}/{FOLDER}/{host}/{name}"

    def read(self, host: str, name: str) -> bytes | None:
        """Return a file's bytes, or None where it, or its folder, is not there. Makes nothing.

        Raises:
            ClaimUnreadable: the host is no host's name; nothing was opened.
            LocalStateUnreadable: it is there and cannot be read, is a link, no file, or too large;
                or there is no data directory.
        """
        _check(host)
        try:
            with folder(self.data_dir, (FOLDER, host)) as parent:
                return read_file(name, parent, MAX_BYTES)
        except FileNotFoundError as error:
            if self._outside(error):
                raise self._unreadable(host, name, error) from error
            return None
        except OSError as error:
            raise self._unreadable(host, name, error) from error

    def replace(self, host: str, name: str, data: bytes) -> None:
        """Write a file whole or not at all. Whoever calls has the host's lock.

        Raises:
            ClaimUnreadable: the host is no host's name; nothing was opened.
            LocalWriteFailed: no room, no right, or a link in the way. What was there is there.
        """
        _check(host)
        with self._writing(host, name), folder(self.data_dir, (FOLDER, host), make=True) as parent:
            replace_file(name, parent, data)

    @contextmanager
    def lockable(self, host: str, name: str) -> Iterator[int]:
        """Open a file by a descriptor of one's own, making an empty one where there is none.

        Raises:
            ClaimUnreadable, LocalWriteFailed: as `replace`.
        """
        _check(host)
        with ExitStack() as opened:
            with self._writing(host, name):
                parent = opened.enter_context(folder(self.data_dir, (FOLDER, host), make=True))
                descriptor = opened.enter_context(lockable(name, parent))
            yield descriptor

    @contextmanager
    def _writing(self, host: str, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            way_out = "make room, or run as the owner of the data directory, without links in it"
            raise LocalWriteFailed(host, self._said(host, name, error, way_out)) from error

    def _unreadable(self, host: str, name: str, error: OSError) -> LocalStateUnreadable:
        way_out = "it must be a plain file of the data directory's owner, without links before it"
        return LocalStateUnreadable(host, self._said(host, name, error, way_out))

    def _said(self, host: str, name: str, error: OSError, way_out: str) -> str:
        cause = error.strerror
        if self._outside(error):
            return f"the data directory {self.data_dir}: {cause}; make it, or mend fairlead:dataDir"
        return f"{self.path(host, name)}: {cause}; {way_out}"

    def _outside(self, error: OSError) -> bool:
        """Say whether it is the data directory itself that could not be opened."""
        return str(error.filename) == str(self.data_dir)


def _check(host: str) -> None:
    try:
        claim_key(host)
    except Malformed as error:
        raise ClaimUnreadable(host, f"{error.reason}, so it has no files here") from error
