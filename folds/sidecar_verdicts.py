"""What becomes of every record and of every sidecar row, with a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from folds.sidecar_authority import Authorities, Permitted, told
from folds.sidecar_changes import Action, Admission, Removal, Verdict
from folds.sidecar_columns import disagreement
from folds.sidecar_desired import Box, SidecarDesired, Standing, State, Wanted
from folds.sidecar_fuse import Fused
from folds.sidecar_rows import KIND, Row, Rows, in_scope, minted_key, owned_for
from folds.sidecar_text import quoted, shown

_ACTIONS: Mapping[State, Action] = {
    "trashed": "decline",
    "unconfigured": "decline",
    "duplicate": "decline",
    "unread": "decline",
    "protected": "protect",
    "elsewhere": "elsewhere",
    "unplaceable": "elsewhere",
}
_LOUD: frozenset[State] = frozenset({"duplicate", "protected", "unplaceable"})


@dataclass(frozen=True, slots=True)
class Seen:
    """All that the verdicts rest on."""

    desired: SidecarDesired
    rows: Rows
    refused: Mapping[str, str]
    fuse: Fused
    allowed: Permitted
    authorities: Authorities | None


@dataclass(frozen=True, slots=True)
class _ByHost:
    box: Box
    rows: Mapping[str, Row]
    strange: Mapping[str, str]
    refused: Mapping[str, str]
    converging: Collection[str]
    holding: Collection[str]
    removals: Mapping[str, Removal]
    held_back: Collection[str]
    held_reason: str
    withheld: Mapping[str, str]
    authorities: Authorities | None


def refusals(candidates: Iterable[Wanted], admissions: Iterable[Admission]) -> dict[str, str]:
    """Return the hosts that are not minted, and why (behaviours 115, 117)."""
    answers = {each.host: each for each in admissions}
    asked = {each.host: answers.get(each.host) for each in candidates}
    refused = {host: _refused(host, answer) for host, answer in asked.items()}
    return {host: why for host, why in refused.items() if why}


def verdicts(seen: Seen) -> tuple[Verdict, ...]:
    """Return a verdict for each record, and one for each sidecar row that no record is about."""
    desired, by_host = seen.desired, _by_host(seen)
    told = {*(each.host for each in desired.wanted), *(each.host for each in desired.standings)}
    alone = (row for row in seen.rows.rows if row.kind == KIND and row.host not in told)
    found = [_of_wanted(each, by_host) for each in desired.wanted]
    found += [_of_standing(each, by_host) for each in desired.standings]
    found += [_of_row(row, by_host) for row in alone]
    return tuple(sorted(found, key=lambda each: (each.host, each.key)))


def _by_host(seen: Seen) -> _ByHost:
    return _ByHost(
        box=seen.desired.box,
        rows={row.host: row for row in seen.rows.rows},
        strange={row.host: shown(row.reason) for row in seen.rows.strange},
        refused=seen.refused,
        converging={each.host for each in seen.allowed.converges},
        holding={each.host for each in seen.allowed.holds},
        removals={each.host: each for each in (*seen.fuse.applied, *seen.fuse.held)},
        held_back={each.host for each in seen.fuse.held},
        held_reason=seen.fuse.reason,
        withheld=seen.allowed.withheld,
        authorities=seen.authorities,
    )


def _refused(host: str, answer: Admission | None) -> str:
    if answer is None:
        return "it was not found out whether it may be minted"
    if answer.staged:
        return (
            f"{shown(host)}-sidecar.env is staged on this box: a co-spawn and a sidecar row are two"
            " mechanisms for one host; remove the file to move the host to its record"
        )
    if answer.refusal:
        return f"refused by the configuration gate: {shown(answer.refusal)}"
    return ""


def _of_wanted(wanted: Wanted, seen: _ByHost) -> Verdict:
    host, key, row = wanted.host, wanted.key, seen.rows.get(wanted.host)
    if why := seen.refused.get(host):
        return Verdict(host, key, "decline", why, loud=True)
    if host in seen.strange:
        return Verdict(
            host, key, "foreign", f"the host's row is strange: {seen.strange[host]}", loud=True
        )
    if row is None:
        why_not = seen.withheld.get(host)
        return _declined(host, key, "minted", why_not) if why_not else Verdict(host, key, "mint")
    if not owned_for(row, wanted):
        return Verdict(host, key, "foreign", _foreign(row), loud=True)
    return _of_owned(row, wanted, seen)


def _of_owned(row: Row, wanted: Wanted, seen: _ByHost) -> Verdict:
    host, key = wanted.host, wanted.key
    if row.hold:
        return Verdict(host, key, "keep", told(row, seen.authorities))
    if host in seen.holding:
        return Verdict(host, key, "hold")
    if why_not := seen.withheld.get(host):
        return _declined(host, key, "converged", why_not)
    different = disagreement(row, wanted, seen.box)
    action: Action = "converge" if host in seen.converging else "keep"
    said = seen.authorities.get(host) if seen.authorities else None
    elsewhere = said.reason if said and said.answer == "no" else ""
    return Verdict(host, key, action, different or elsewhere, loud=bool(different))


def _declined(host: str, key: str, what: str, why: str) -> Verdict:
    return Verdict(host, key, "decline", f"not {what}: {why}", loud=True)


def _of_standing(standing: Standing, seen: _ByHost) -> Verdict:
    host, key, row = standing.host, standing.key, seen.rows.get(standing.host)
    if removal := _removal(host, key, seen):
        return removal
    action, reason, loud = _ACTIONS[standing.state], standing.reason, standing.state in _LOUD
    if row is None or row.kind != KIND:
        return Verdict(host, key, action, reason, loud)
    if standing.state in {"elsewhere", "unplaceable", "unread"}:
        action = "keep" if minted_key(row) else "foreign"
    return Verdict(host, key, action, f"{reason}; {_kept(row, seen)}", loud)


def _of_row(row: Row, seen: _ByHost) -> Verdict:
    action: Action = "keep" if minted_key(row) else "foreign"
    return _removal(row.host, "", seen) or Verdict(row.host, "", action, _kept(row, seen))


def _removal(host: str, key: str, seen: _ByHost) -> Verdict | None:
    if host not in seen.removals:
        return None
    reason = seen.removals[host].reason
    if host in seen.held_back:
        return Verdict(host, key, "held back", f"{reason}; {seen.held_reason}", loud=True)
    if why_not := seen.withheld.get(host):
        return _declined(host, key, "removed", f"{why_not} ({reason})")
    return Verdict(host, key, "remove", reason)


def _kept(row: Row, seen: _ByHost) -> str:
    if not minted_key(row):
        return _foreign(row)
    if not in_scope(row, seen.box):
        return (
            f"its row is of region {quoted(row.region)} and pool {quoted(row.pool)}, not this box's"
        )
    return told(row, seen.authorities) if row.hold else "its row is kept"


def _foreign(row: Row) -> str:
    return (
        f"its row is not one of this pass (kind {quoted(row.kind)}, provisioned {row.provisioned},"
        f" app {quoted(row.app)}, account {quoted(row.account)}): left alone"
    )
