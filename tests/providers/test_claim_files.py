"""A host's files: nothing outside the data directory is ever opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from providers.claim_errors import ClaimUnreadable, LocalStateUnreadable, LocalWriteFailed
from providers.claim_files import HostFiles
from tests.support.claim_samples import HOST
from tests.support.opened import Opened, opened_paths

LONGEST = ".".join(["a" * 61, "b" * 63, "c" * 63, "d" * 63])
NAMES = [HOST, "a", "1", LONGEST]
STRANGE = [
    "",
    ".",
    "..",
    "../x",
    "..%2fx",
    "../../../../etc/passwd",
    "/",
    "/etc",
    "a/b",
    "a/../b",
    "a//b",
    "a\\b",
    "a\0",
    "\0",
    "a\0/../b",
    f"{HOST}\0.json",
    "a" * 64,
    "a" * 300,
    f"{LONGEST}e",
    ".".join(["a" * 60] * 5),
    "A",
    "Bot.eleven.bab.sidecar.internal",
    HOST.upper(),
    f"{HOST}.",
    f".{HOST}",
    "a..b",
    "-a",
    "a-",
    "a_b",
    "a b",
    " a",
    "a\n",
    "\n",
    "*",
    "é.example",
    "e\u0301.example",
    "\uff41",
    "a\u2024b",
    "b\u2044c",
    "\u212a",
    "\ud800",
    "\u202ea",
]
USES: dict[str, Callable[[HostFiles, str], object]] = {
    "read": lambda files, host: files.read(host, "activation.json"),
    "replace": lambda files, host: files.replace(host, "activation.json", b"{}"),
    "lock": lambda files, host: files.lockable(host, "lock").__enter__(),
}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Every path that is opened, made or renamed from now on, as the system has it."""
    return opened_paths(monkeypatch)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("host", STRANGE, ids=ascii)
def test_host_that_is_no_name(files: HostFiles, host: str, use: str, opened: Opened) -> None:
    """It is refused by name before anything is opened or made."""
    with pytest.raises(ClaimUnreadable) as refused:
        USES[use](files, host)
    assert refused.value.host == host
    assert str(refused.value).isascii()
    assert opened.all == []
    assert [*files.data_dir.iterdir()] == []


@pytest.mark.parametrize("host", NAMES)
def test_host_that_is_a_name(files: HostFiles, host: str, opened: Opened) -> None:
    """Everything is below the data directory, in the one folder of the host."""
    files.replace(host, "activation.json", b"one")
    files.replace(host, "activation.json", b"two")
    with files.lockable(host, "lock"):
        assert files.read(host, "activation.json") == b"two"
    folder = files.data_dir / "claims" / host
    assert opened.real == {
        str(files.data_dir),
        str(folder.parent),
        str(folder),
        *(str(folder / name) for name in ("activation.json.new", "activation.json", "lock")),
    }
    assert sorted(each.name for each in folder.iterdir()) == ["activation.json", "lock"]


IN_THE_WAY = [
    *((use, linked) for use in USES for linked in ("claims", f"claims/{HOST}")),
    ("read", f"claims/{HOST}/activation.json"),
    ("replace", f"claims/{HOST}/activation.json.new"),
    ("lock", f"claims/{HOST}/lock"),
]


def _linked(files: HostFiles, outside: Path, name: str) -> None:
    """Put a link below the data directory that leads to a like-named folder or file outside."""
    for folder in (outside, outside / HOST):
        folder.mkdir()
        for each in ("activation.json", "activation.json.new", "lock"):
            (folder / each).write_text("theirs")
    link = files.data_dir / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside if name in ("claims", f"claims/{HOST}") else outside / link.name)


@pytest.mark.parametrize(("use", "linked"), IN_THE_WAY)
def test_link_below_the_data_directory(
    tmp_path: Path, files: HostFiles, linked: str, use: str, opened: Opened
) -> None:
    """A folder or a file that is a link is refused, not followed."""
    _linked(files, tmp_path / "outside", linked)
    before = _tree(tmp_path / "outside")
    with pytest.raises((LocalStateUnreadable, LocalWriteFailed), match="links"):
        USES[use](files, HOST)
    assert _tree(tmp_path / "outside") == before
    assert [path for path in opened.real if not path.startswith(str(files.data_dir))] == []


def test_link_that_is_replaced(tmp_path: Path, files: HostFiles) -> None:
    """The link goes, what it led to stays."""
    _linked(files, tmp_path / "outside", f"claims/{HOST}/activation.json")
    before = _tree(tmp_path / "outside")
    files.replace(HOST, "activation.json", b"ours")
    assert files.read(HOST, "activation.json") == b"ours"
    assert _tree(tmp_path / "outside") == before


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_data_directory_that_is_a_link(tmp_path: Path) -> None:
    """That one is the operator's own, and may be."""
    (tmp_path / "real").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "real")
    HostFiles(tmp_path / "data").replace(HOST, "x", b"1")
    assert (tmp_path / "real" / "claims" / HOST / "x").read_bytes() == b"1"


@pytest.mark.parametrize("use", USES)
def test_no_data_directory(tmp_path: Path, use: str) -> None:
    """It is an error that names it and its setting, for a read too, and is not made."""
    files = HostFiles(tmp_path / "data")
    with pytest.raises((LocalStateUnreadable, LocalWriteFailed)) as raised:
        USES[use](files, HOST)
    assert raised.value.reason == (
        f"the data directory {files.data_dir}: No such file or directory;"
        " make it, or mend fairlead:dataDir"
    )
    assert not files.data_dir.exists()


@pytest.mark.parametrize("use", USES)
def test_data_directory_that_is_a_file(tmp_path: Path, use: str) -> None:
    """So is one that is no folder, and the file stays what it is."""
    files = HostFiles(tmp_path / "data")
    files.data_dir.write_text("mine")
    said = f"^the data directory {files.data_dir}: Not a directory; make it, or mend"
    with pytest.raises((LocalStateUnreadable, LocalWriteFailed)) as raised:
        USES[use](files, HOST)
    assert re.match(said, raised.value.reason)
    assert files.data_dir.read_text() == "mine"
