"""A plan's changes, made one by one under the claims of their hosts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from folds.sidecar_changes import Hold, Removal
from folds.sidecar_desired import Box, Wanted
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_rows import Row
from providers.claim_errors import ClaimChanged, ClaimError
from providers.claim_ports import Permit
from providers.claim_rows import write_under
from providers.claimed_box import ClaimedBox, asking
from providers.sidecar_registry import Change, operation_of
from providers.sidecar_removals import kept_now
from providers.sidecar_report import Applied
from providers.sidecar_selection import retirement_of, selection_of
from registry.errors import RegistryError, WritesStopped
from registry.operations import Result

AT_ONCE = 4
"""Hosts that are dealt with side by side: most of their time they wait for the bucket."""


class _Kept(Exception):
    """A removal no longer stands; carries the reason, printable."""


@dataclass
class _Write:
    """The write of one change, called with its permit, and what came of it."""

    path: Path
    change: Change
    before_write: Callable[[], None]
    result: Result | None = None

    def __call__(self, permit: Permit) -> None:
        """Make the change. Raises what the permit's ``confirm`` and the registry do."""
        if isinstance(self.change, Hold):
            raise ClaimChanged(self.change.host, "its claim does not say to hold it any more")
        self.before_write()
        confirmed = asking(permit, self.before_write)
        self.result = write_under(self.path, operation_of(self.change), confirmed)


@dataclass
class ClaimedChanges:
    """What the changes of a plan are made with: records and rows by host, and the adapters.

    ``before_write`` is called before each host, write and commit; what it raises ends all.
    """

    box: Box
    wanted: Mapping[str, Wanted]
    rows: Mapping[str, Row]
    registry: Path
    claimed: ClaimedBox
    before_write: Callable[[], None]
    _stop: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def of(
        cls,
        plan: SidecarPlan,
        registry: Path,
        claimed: ClaimedBox,
        before_write: Callable[[], None],
    ) -> ClaimedChanges:
        """Take records and rows from what a plan was worked out from."""
        desired, rows = plan.seen.desired, plan.seen.rows
        wanted = {each.host: each for each in desired.wanted}
        by_host = {row.host: row for row in rows.rows}
        return cls(desired.box, wanted, by_host, registry, claimed, before_write)

    def make(self, changes: Sequence[Change]) -> Applied:
        """Make the changes, a few at a time; one that fails stops no other (behaviour 126).

        Only a registry that fails as a whole ends the rest, and an engine that is gone.
        """
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="claimed") as pool:
            outcomes = [*zip(changes, pool.map(self._one, changes), strict=True)]
        results = tuple((change, each) for change, each in outcomes if isinstance(each, Result))
        declined = tuple((change, each) for change, each in outcomes if isinstance(each, str))
        kept = tuple((change, str(each)) for change, each in outcomes if isinstance(each, _Kept))
        broken = [each for _, each in outcomes if isinstance(each, RegistryError)]
        left = [change.host for change, each in outcomes if each is None or each in broken]
        stopped = str(WritesStopped(broken[0], [r for _, r in results], left)) if broken else ""
        return Applied(results, kept, stopped, declined)

    def _one(self, change: Change) -> Result | str | RegistryError | _Kept | None:
        """Return what came of a change: a reason where the claim declines it, None if not begun."""
        if self._stop.is_set():
            return None
        try:
            return self._made(change)
        except ClaimError as error:
            failed = Result(operation_of(change), "failed", error.reason)
            return failed if error.failed else error.phrase
        except _Kept as kept:
            return kept
        except RegistryError as error:
            self._stop.set()
            return error
        except BaseException:
            self._stop.set()
            raise

    def _made(self, change: Change) -> Result | str:
        write = _Write(self.registry, change, self.before_write)
        self.before_write()
        if isinstance(change, Removal):
            row, stands = self.rows[change.host], partial(self._stands, change)
            self.claimed.retire.retire(retirement_of(row), write, stands)
        else:
            self.claimed.install.install(selection_of(self.wanted[change.host], self.box), write)
        if write.result:
            return write.result
        if isinstance(change, Hold):
            return Result(operation_of(change), "done")
        return "its row is held instead, as its claim says meanwhile"

    def _stands(self, removal: Removal) -> None:
        """Look once more at what a removal rests on, since others may have taken a while."""
        (reason,) = kept_now([removal], self.box, self.claimed.claims.store)
        if reason:
            raise _Kept(reason)
