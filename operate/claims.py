"""``claims``: what each host's claim says of a box, and claims for rows from before there were any.

It reads the box's registry, so it runs on the box.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from control.bucket import open_bucket, open_writable
from control.store import ReadStore
from folds.sidecar_authority import Authority
from folds.sidecar_questions import Question, census
from folds.sidecar_rows import Row
from folds.sidecar_text import shown, word
from operate.claims_adopted import adopted, adoption_of
from operate.errors import ClaimsOff
from operate.stack import Stack
from providers.claim_errors import ClaimError
from providers.claim_ports import Observed
from providers.claimed_box import ClaimedBox, claimed_box
from providers.sidecar_authorities import judged
from stacks.box_settings import SidecarsSettings
from stacks.sidecar_decision import asked_and_had

COMMANDS = {"claims": "list what the claims of a box's hosts say of it, and make missing ones"}
_ANSWERS = {"write": "may be written", "hold": "is to be held for", "no": "is left alone"}


@dataclass(frozen=True, slots=True)
class Hosts:
    """A box's hosts with their rows, and what was found out about the claim of each.

    ``strangers`` were asked for by name, and are none of them.
    """

    asked: tuple[Question, ...]
    rows: Mapping[str, Row]
    found: Mapping[str, Observed | ClaimError]
    said: Mapping[str, Authority]
    strangers: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[Question, ...]:
        """The hosts that have no claim, and that is known for certain."""
        read = ((each, self.found[each.host]) for each in self.asked)
        return tuple(a for a, found in read if isinstance(found, Observed) and not found.claim)

    @property
    def code(self) -> int:
        """2 if a claim could not be read or used, 1 if a row has none, else 0."""
        if any(each.failed for each in self.said.values()):
            return 2
        return int(bool(self.strangers) or any(each.host in self.rows for each in self.missing))


def declare(command: argparse.ArgumentParser) -> None:
    """Describe the command's own words."""
    adopt = "create the missing claims of hosts with a row here, this box serving them"
    command.add_argument("--adopt", action="store_true", help=adopt)
    only = "this host alone, then adopted without a row, too; may be given several times"
    command.add_argument("--host", action="append", default=[], metavar="HOST", help=only)


def claims(stack: Stack, *, adopt: bool = False, only: Collection[str] = ()) -> int:
    """List the hosts of the stack's box, and before that, if asked, make the claims that miss.

    Returns:
        0 if each row has a claim, 1 if one has none or a host is not the box's, 2 if a claim could
        not be read or used.

    Raises:
        ClaimsOff: the stack is not one of a box with claims on.
        ControlError, RegistryError: the records or the rows could not be read.
    """
    settings = stack.settings()
    if not isinstance(settings, SidecarsSettings) or not settings.claims:
        way_out = "name a sidecars stack with fairlead:claims set to true"
        raise ClaimsOff(f"stack {stack.name} works without claims; {way_out}")
    store = open_bucket(settings.bucket)
    claimed = claimed_box(settings.place, settings.registry_path, store)
    hosts = _hosts(settings, store, claimed, only)
    if adopt and hosts.missing:
        adoption = adoption_of(settings.place, open_writable(settings.bucket), claimed.claims)
        _print(adopted(hosts.missing, hosts.rows, settings.place, adoption, only))
        hosts = _hosts(settings, store, claimed, only)
    _print(_listing(hosts, settings))
    return hosts.code


def _hosts(
    settings: SidecarsSettings, store: ReadStore, claimed: ClaimedBox, only: Collection[str]
) -> Hosts:
    desired, rows = asked_and_had(settings, store, lambda _: None)
    asked = tuple(each for each in census(desired, rows) if not only or each.host in only)
    found = claimed.claims.read_each([each.host for each in asked])
    said = judged(asked, found, desired.box, claimed)
    strangers = tuple(sorted(set(only) - said.keys()))
    return Hosts(asked, {row.host: row for row in rows.rows}, found, said, strangers)


def _listing(hosts: Hosts, settings: SidecarsSettings) -> Iterator[str]:
    counts = f"{len(hosts.missing)} of {len(hosts.asked)} hosts without a claim"
    yield f"box {settings.box} (bucket {settings.bucket}): {counts}"
    for each in hosts.asked:
        row, said = hosts.rows.get(each.host), hosts.said[each.host]
        held = f" held by {shown(row.hold)}" if row and row.hold else ""
        has = f"has {'a' if row else 'no'} row{held}"
        hold = f" {shown(said.hold_op)}" if said.hold_op else ""
        yield f"  {word(each.host)}: {has}, {_ANSWERS[said.answer]}{hold}: {said.reason}"
    for host in hosts.strangers:
        yield f"  {word(host)}: is none of this box's hosts"


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)
