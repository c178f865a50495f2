"""The newest whole snapshot of a box: the current one, else what comes nearest to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from control.errors import Malformed, ObjectNotFound
from control.snapshot_keys import current_key, generation_prefix, generations, meta_key
from control.snapshot_records import SnapshotMeta
from control.text import printable
from control.writes import WriteStore
from folds.snapshot_seen import Prior
from operate.errors import NoSnapshot, NothingVerifies, WrongBox
from providers.snapshot_files import Fetched, described_by, fetch
from providers.snapshot_reading import find_prior, read_meta
from registry.errors import RegistryError

LISTINGS = 3
"""How often the generations are listed anew because one was gone when it was read."""


@dataclass(frozen=True, slots=True)
class Source:
    """A verified file and what describes it: the document in the bucket, or its own metadata.

    ``current`` is what a new snapshot would take the place of, as it was before this search: None
    where there is nothing. ``passed_over`` has a line for each object that should have been this
    file and was not whole.
    """

    fetched: Fetched
    meta: SnapshotMeta
    current: Prior | None
    passed_over: tuple[str, ...]

    @property
    def is_current(self) -> bool:
        """Whether it is the current snapshot, as it is described."""
        return not self.passed_over


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An object, and the document that describes it; None leaves it to its own metadata.

    ``needs_metadata``: a document says otherwise, so it has to say something for itself.
    """

    key: str
    told: SnapshotMeta | None = None
    needs_metadata: bool = False


@dataclass(slots=True)
class Search:
    """A search for the newest whole snapshot of one box; ``folder`` takes the files."""

    store: WriteStore
    bucket: str
    box: str
    folder: Path
    passed_over: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)

    def newest(self) -> Source:
        """Return the current snapshot if it is whole, else what comes nearest to it.

        That is: current as it describes itself, where the document beside it is older, broken or
        missing; the generation of the same content; the newest generation.

        Raises:
            NoSnapshot: there is nothing of this box.
            WrongBox: what is there says that it is another box's.
            NothingVerifies: nothing that is there is whole.
            ReadFailed, ListingFailed: something is there, or may be, and cannot be read. That is
                never "no snapshot".
        """
        for _ in range(LISTINGS):
            self.passed_over, self.gone = [], set()
            if source := self._look():
                return source
            if self.gone <= {current_key(self.box), meta_key(self.box)}:
                break
        raise self._nothing()

    def _look(self) -> Source | None:
        meta = self._described()
        found = generations(self.box, self.store.list(generation_prefix(self.box)))
        try:
            current = find_prior(self.store, self.box, meta, found)
        except ObjectNotFound as error:
            self._is_gone(error.key)
            return None
        for candidate in self._candidates(meta, current, found.keys):
            if fetched := self._fetched(candidate):
                told = candidate.told or fetched.meta or SnapshotMeta(box=self.box)
                return Source(fetched, told, current, tuple(self.passed_over))
        return None

    def _described(self) -> SnapshotMeta | None:
        try:
            meta, _ = read_meta(self.store, self.box)
        except Malformed as error:
            self._pass_over(str(error))
            return None
        if meta is None:
            self._is_gone(meta_key(self.box))
        elif meta.box != self.box:
            raise WrongBox(
                f'the snapshot of box {self.box} says that it is of box "{printable(meta.box)}";'
                " restore the box that died, or mend the document"
            )
        return meta

    def _candidates(
        self, meta: SnapshotMeta | None, current: Prior | None, keys: tuple[str, ...]
    ) -> Iterator[_Candidate]:
        key = current_key(self.box)
        if meta:
            yield _Candidate(key, meta)
        yield _Candidate(key, needs_metadata=meta is not None)
        for key in self._by_likeness(keys, meta or SnapshotMeta(), current or Prior("")):
            yield _Candidate(key)

    def _by_likeness(self, keys: tuple[str, ...], meta: SnapshotMeta, current: Prior) -> list[str]:
        """Order generations: of what is current, of what is said to be, of its line, by stamp."""
        own = {key: self._own(key) for key in keys}

        def rank(key: str) -> tuple[bool, bool, bool, str]:
            told = own[key]
            is_current = bool(told.fingerprint) and told.fingerprint == current.fingerprint
            is_told = bool(told.fingerprint) and told.fingerprint == meta.fingerprint
            return is_current, is_told, told.lineage == (current.lineage or meta.lineage), key

        return sorted(keys, key=rank, reverse=True)

    def _own(self, key: str) -> SnapshotMeta:
        try:
            return described_by(self.store.head(key)) or SnapshotMeta()
        except ObjectNotFound:
            return SnapshotMeta()

    def _fetched(self, candidate: _Candidate) -> Fetched | None:
        key = candidate.key
        target = self.folder / f"{len(list(self.folder.iterdir()))}.db"
        try:
            fetched = fetch(self.store, key, target, candidate.told)
        except ObjectNotFound:
            self._is_gone(key)
        except (Malformed, RegistryError) as error:
            self._pass_over(f"{printable(key)}: {printable(error.reason)}")
        else:
            return fetched if self._fits(candidate, fetched) else None
        return None

    def _fits(self, candidate: _Candidate, fetched: Fetched) -> bool:
        if fetched.meta is None:
            return not candidate.needs_metadata
        if fetched.meta.box != self.box:
            self._pass_over(f'{candidate.key}: says it is of box "{printable(fetched.meta.box)}"')
        return fetched.meta.box == self.box

    def _is_gone(self, key: str) -> None:
        self.gone.add(key)
        self._pass_over(f"{printable(key)}: no such object")

    def _pass_over(self, line: str) -> None:
        if line not in self.passed_over:
            self.passed_over.append(line)

    def _nothing(self) -> NoSnapshot | NothingVerifies:
        """Say that there is nothing only where nothing was named either: no document, no key."""
        both = {current_key(self.box), meta_key(self.box)}
        if self.gone == both and len(self.passed_over) == len(both):
            return NoSnapshot(
                f"bucket {self.bucket} holds no snapshot of box {self.box}: no current one and no"
                " generation; python -m operate snapshots lists the boxes that have one"
            )
        seen = "; ".join(self.passed_over)
        return NothingVerifies(
            f"bucket {self.bucket}: no snapshot of box {self.box} is whole: {seen}"
        )
