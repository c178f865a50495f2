"""Making claims for hosts from before there were any: create-only, and for this box alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from control.writes import WriteStore
from folds.claim_text import state
from folds.claims import serving
from folds.sidecar_desired import Box, Wanted
from folds.sidecar_questions import Question
from folds.sidecar_rows import Row
from folds.sidecar_text import shown, word
from providers.claim_adoption import BucketAdoption
from providers.claim_errors import ClaimError
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Adoption, ClaimsStore
from providers.sidecar_selection import selection_of


def adoption_of(box: Box, store: WriteStore, claims: ClaimsStore) -> Adoption:
    """Return the reference adoption of a box."""
    return BucketAdoption(store, claims, FileGuard(HostFiles(Path(box.data_dir))), box.box)


def adopted(
    missing: Iterable[Question],
    rows: Mapping[str, Row],
    box: Box,
    adoption: Adoption,
    named: Collection[str],
) -> Iterator[str]:
    """Make the claims that miss, one by one, and yield a line for each.

    A host is taken on if this box has its row, or if it was ``named``. One whose claim cannot be
    made stops no other.
    """
    for each in missing:
        name, row = word(each.host), rows.get(each.host)
        if not isinstance(each.asks, Wanted):
            yield f"not adopted: {name}: no record asks for it here; carlos remove {name}"
        elif row and row.hold:
            yield f"not adopted: {name}: its row is held by {shown(row.hold)}"
        elif row or each.host in named:
            yield _adopt(each.asks, box, adoption)


def _adopt(wanted: Wanted, box: Box, adoption: Adoption) -> str:
    try:
        claim = adoption.adopt(selection_of(wanted, box)).claim
    except ClaimError as error:
        return f"not adopted: {word(wanted.host)}: {error.phrase}"
    # Somebody else may have made one meanwhile.
    ours = claim is not None and serving(claim, box.box) is None
    return f"{'adopted' if ours else 'not adopted'}: {word(wanted.host)}: {state(claim)}"
