"""Calls to Route 53: made, against the least that its limits allow."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from folds.desired import Desired, Edge
from route53.batches import Document
from tests.support.zones import FOUR, Account, box, emulated_account, host_names, wanting

_SIX = "2600:1f18:1234:5678:9abc:def1:2345:678{}"  # 39 characters, the longest there are
REPLACED = tuple(
    box(f"{each.box}-new", each.region, f"52.95.110.2{n}") for n, each in enumerate(FOUR)
)
IPV6 = tuple(box(f"{each.box}-six", each.region, _SIX.format(n)) for n, each in enumerate(FOUR))


@dataclass(frozen=True)
class Case:
    """A zone converged to something, and what is then wanted of it."""

    title: str
    before: Desired
    after: Desired


@dataclass(frozen=True)
class Cost:
    """Calls of one run, beside the least: Route 53's own count of what was sent decides."""

    title: str
    reads: int
    least_reads: int
    batches: int
    least_batches: int
    hosts: list[list[str]]


def _case(title: str, count: int, before: Iterable[Edge], after: Iterable[Edge]) -> Case:
    """Hosts from some edges to others; no edges before: a fresh zone."""
    names = host_names(count)
    return Case(title, wanting(names if before else (), before), wanting(names, after))


CASES = (
    _case("9,000 sets, nothing to do", 2250, FOUR, FOUR),
    _case("2,200 hosts created", 2200, (), FOUR),
    _case("700 hosts replaced", 700, FOUR, REPLACED),
    _case("2,200 hosts created, AAAA", 2200, (), IPV6),
    _case("1,000 hosts created, A and AAAA", 1000, (), (*FOUR, *IPV6)),
)


def measure(account: Account, case: Case) -> Cost:
    """Bring a zone to the first state, and count the calls of the run to the second."""
    account.clear()
    account.emulator.settings.zone_quota = 100_000
    account.converge(case.before)
    live = account.live()
    account.emulator.reset()
    with sent(account) as requests:
        account.converge(case.after)
    made, accepted = account.made(), account.batches()
    sums = [sum(each[part] for each in accepted) for part in ("units", "chars", "changes")]
    return Cost(
        case.title,
        made["ListResourceRecordSets"] + made["ListHealthChecks"],
        _pages(len(live.sets), 300) + _pages(len(live.checks), 100),
        len(accepted),
        max(-(-total // room) for total, room in zip(sums, (1000, 32_000, 1000), strict=True)),
        [sorted({each["ResourceRecordSet"]["Name"] for each in changes}) for changes in requests],
    )


def _pages(count: int, size: int) -> int:
    return max(1, -(-count // size))


@contextmanager
def sent(account: Account) -> Iterator[list[list[Document]]]:
    """Collect the changes of each batch that the client sends meanwhile."""
    requests: list[list[Document]] = []

    def collect(params: dict[str, Any], **_: object) -> None:
        requests.append(params["ChangeBatch"]["Changes"])

    event = "provide-client-params.route53.ChangeResourceRecordSets"
    account.client.meta.events.register(event, collect)
    yield requests
    account.client.meta.events.unregister(event, collect)


def run() -> None:
    """Print the calls of each case: reads and change batches, made and least."""
    with emulated_account() as account:
        costs = [measure(account, case) for case in CASES]
    lines = [f"{'calls to Route 53':34}{'reads':>6}{'least':>6}{'batches':>9}{'least':>6}"]
    lines += [
        f"  {each.title:32}{each.reads:6}{each.least_reads:6}{each.batches:9}{each.least_batches:6}"
        for each in costs
    ]
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    run()
