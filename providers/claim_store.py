"""The reference claims store and record check, on the control bucket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from control.claims import claim_key, parse_claim
from control.errors import Malformed, ObjectNotFound, ObjectTooLarge, ReadFailed
from control.store import Body, ReadStore
from providers.claim_errors import ClaimChanged, ClaimError, ClaimReadFailed, ClaimUnreadable
from providers.claim_ports import Observed, Selection


@dataclass(frozen=True, slots=True)
class BucketClaims:
    """A `providers.claim_ports.ClaimsStore` over the control bucket.

    `control.bucket.open_hasty` opens one for the read between a write and its commit.
    """

    store: ReadStore

    def read(self, host: str) -> Observed:
        """Read a host's claim. 404 alone is "not found".

        Raises:
            ClaimUnreadable: it is there and means nothing; or the host is none: nothing was read.
            ClaimReadFailed: the bucket refused, failed or did not answer.
        """
        key = _key(host)
        try:
            return _observed(host, self.store.get(key))
        except ReadFailed as failure:
            return _observed(host, failure)

    def read_each(self, hosts: Sequence[str]) -> dict[str, Observed | ClaimError]:
        """Read many claims at a time; one result for each host, in their order."""
        keys, results = dict[str, str](), dict[str, Observed | ClaimError]()
        for host in hosts:
            try:
                keys[host] = _key(host)
            except ClaimError as refusal:
                results[host] = refusal
        read = self.store.get_each([*keys.values()])
        results |= {host: _result(host, read[key]) for host, key in keys.items()}
        return {host: results[host] for host in hosts}


@dataclass(frozen=True, slots=True)
class BucketRecords:
    """A `providers.claim_ports.RecordCheck` over the control bucket."""

    store: ReadStore

    def check(self, selection: Selection) -> None:
        """Make sure that the record is as it was selected.

        Raises:
            ClaimChanged: it is another one by now, or gone.
            ClaimReadFailed: the bucket refused, failed or did not answer.
        """
        try:
            etag = self.store.get(selection.key).etag
        except ObjectNotFound as error:
            raise ClaimChanged(selection.host, f"its record {selection.key} is gone") from error
        except ReadFailed as error:
            raise _read_failed(selection.host, error) from error
        if not etag or etag != selection.etag:
            said = f"its record {selection.key} was written meanwhile"
            raise ClaimChanged(selection.host, said)


def _key(host: str) -> str:
    try:
        return claim_key(host)
    except Malformed as error:
        raise ClaimUnreadable(host, f"{error.key} {error.reason}") from error


def _result(host: str, answer: Body | ReadFailed) -> Observed | ClaimError:
    try:
        return _observed(host, answer)
    except ClaimError as error:
        return error


def _observed(host: str, answer: Body | ReadFailed) -> Observed:
    if isinstance(answer, ObjectNotFound):
        return Observed(host, None)
    if isinstance(answer, ObjectTooLarge):
        raise ClaimUnreadable(host, f"{answer.key} {answer.reason}") from answer
    if isinstance(answer, ReadFailed):
        raise _read_failed(host, answer) from answer
    try:
        return Observed(host, parse_claim(answer.data, host), answer.etag)
    except Malformed as error:
        raise ClaimUnreadable(host, f"{error.key} {error.reason}") from error


def _read_failed(host: str, error: ReadFailed) -> ClaimReadFailed:
    return ClaimReadFailed(host, f"cannot read {error.key}: {error.reason}; run again")
