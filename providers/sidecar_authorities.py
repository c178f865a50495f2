"""What the claims of hosts allow: read together, judged one by one, and nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from folds.claim_check import overtaken
from folds.claim_text import state
from folds.claims import serving
from folds.sidecar_authority import Authority
from folds.sidecar_desired import Box
from folds.sidecar_questions import Question
from folds.sidecar_rows import Row
from providers.claim_errors import ClaimError
from providers.claim_ports import Observed
from providers.claimed_box import ClaimedBox
from providers.claimed_check import Judged
from providers.sidecar_selection import retirement_of, selection_of

AT_ONCE = 16
"""Hosts that are judged side by side: each may read its record once more."""


def authorities(
    questions: Sequence[Question], box: Box, claimed: ClaimedBox
) -> Mapping[str, Authority]:
    """Find out of each host in question what its claim allows, by host in their order.

    Nothing is locked or written, and no claim is made. What cannot be found out of one host is its
    answer, and stops no other.
    """
    found = claimed.claims.read_each([each.host for each in questions])
    return judged(questions, found, box, claimed)


def judged(
    questions: Sequence[Question],
    found: Mapping[str, Observed | ClaimError],
    box: Box,
    claimed: ClaimedBox,
) -> Mapping[str, Authority]:
    """Judge the claims that were read of the hosts in question; else as `authorities`."""
    judge = partial(_authority, box=box, claimed=claimed)
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="claim") as pool:
        answers = pool.map(judge, questions, [found[each.host] for each in questions])
        return {each.host: each for each in answers}


def _authority(
    question: Question, found: Observed | ClaimError, *, box: Box, claimed: ClaimedBox
) -> Authority:
    host = question.host
    try:
        if isinstance(found, ClaimError):
            raise found
        judged = _judged(question, found, box, claimed)
    except ClaimError as error:
        return Authority(host, "no", error.phrase, failed=error.failed)
    if judged is None:
        served = found.claim is not None and serving(found.claim, box.box) is None
        return Authority(host, "write" if served else "no", state(found.claim))
    reason = judged.reason if judged.answer != "no" else _with_state(judged.reason, found)
    return Authority(host, judged.answer, reason, judged.hold_op, judged.failed)


def _judged(question: Question, observed: Observed, box: Box, claimed: ClaimedBox) -> Judged | None:
    """Judge a host; None where its row is neither to be changed nor held."""
    if isinstance(question.asks, Row):
        return claimed.retire.judge(observed, retirement_of(question.asks, dry_run=True))
    selection = selection_of(question.asks, box, dry_run=True)
    if not question.planned and claimed.install.choose(observed, selection) is None:
        return None
    answer = claimed.install.judge(observed, selection)
    holder = observed.claim.holder if observed.claim else None
    if answer.answer != "no" and holder and (behind := overtaken(question.row, holder)):
        return Judged(question.host, "no", behind.reason)
    return answer


def _with_state(reason: str, observed: Observed) -> str:
    """Name the claim's state beside what speaks against a change, where it is not named."""
    said = state(observed.claim)
    return reason if said in reason else f"{said}: {reason}"
