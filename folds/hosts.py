"""From instance records to steered hosts, and what is refused of them, record by record."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from control.records import Instance
from control.text import printable
from folds.desired import Refusal

HostRule = Literal["account", "zone"]
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_LONGEST_NAME = 253  # 255 octets on the wire less the length byte and the root
_UNESCAPED = re.compile(r"[a-z0-9_*.-]+")  # what Route 53 shows as it is, legal or not
_KEYS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Hosts:
    """What the records ask for. Every list is sorted and without duplicates.

    ``steered`` are the hosts to mint, ``refused`` the records left out, ``held`` the names that a
    refused record may stand for, ``withdrawn`` the names whose own record asks for no steering.
    """

    steered: tuple[str, ...]
    refused: tuple[Refusal, ...]
    held: tuple[str, ...]
    withdrawn: tuple[str, ...]


def hosts_of(records: Iterable[Instance], *, domain: str, rule: HostRule) -> Hosts:
    """Fold all instance records of the bucket (behaviours 12-20).

    ``domain`` is the apps domain, lower case, or empty; ``rule`` the setting ``hostRule``. A
    refusal concerns its record alone: a host that another record asks for in due form is steered.
    A record whose key does not fit its host neither withdraws a name nor keeps one from going that
    the name's own record withdraws.
    """
    ordered = sorted(records, key=lambda record: record.key)
    asking = [record for record in ordered if record.steering]
    reasons = {record.key: _reasons(record, domain, rule) for record in asking}
    reasons |= _doubles([record for record in asking if not reasons[record.key]])
    fitting = {record.key for record in ordered if not _place(record, domain, rule)}
    steered = {_name(record.host) for record in asking if not reasons[record.key]}
    refused = [record for record in asking if reasons[record.key]]
    off = {_name(each.host) for each in ordered if not each.steering and each.key in fitting}
    own = _names(record for record in refused if record.key in fitting)
    others = _names(record for record in refused if record.key not in fitting)
    held = (own | (others - off)) - steered
    return Hosts(
        steered=tuple(sorted(steered)),
        refused=tuple(_refusal(record, reasons[record.key]) for record in refused),
        held=tuple(sorted(held)),
        withdrawn=tuple(sorted(off - steered - held)),
    )


def legal(name: str) -> bool:
    """Say whether a name is a legal host name: labels of letters, digits and inner hyphens."""
    labels = name.split(".")
    return len(name) <= _LONGEST_NAME and all(_LABEL.fullmatch(label) for label in labels)


def under(name: str, domain: str) -> bool:
    """Say whether a name lies below a domain, which is not below itself."""
    return name.endswith(f".{domain}")


def _name(host: str) -> str:
    """Lower case and without the final dot. ASCII only: 'İ'.lower() would grow a character."""
    bare = host.removesuffix(".")
    return bare.lower() if bare.isascii() else bare


def _names(records: Iterable[Instance]) -> set[str]:
    """Return the names records may stand for: what the body says, and what the key says."""
    said = {_name(text) for record in records for text in (record.host, record.name)}
    return {name for name in said if _UNESCAPED.fullmatch(name)}


def _reasons(record: Instance, domain: str, rule: HostRule) -> tuple[str, ...]:
    host = _name(record.host)
    checks = (
        (record.steering != "latency", f"unknown steering value {_quoted(record.steering)}"),
        (
            bool(record.pool),
            f"pool-scoped ({_quoted(record.pool)}); steering needs the shared pool",
        ),
        ("*" in host, "a wildcard host cannot be steered"),
        ("*" not in host and not legal(host), "not a legal host name"),
        (bool(domain) and host in (domain, f"edge.{domain}"), "a reserved name"),
    )
    return tuple(reason for failed, reason in checks if failed) + _place(record, domain, rule)


def _place(record: Instance, domain: str, rule: HostRule) -> tuple[str, ...]:
    """Say where a record's key does not fit its host: a record speaks for its own host alone."""
    host, account = _name(record.host), f"{record.account}.{domain}"
    checks = (
        (host != _name(record.name), f"the key is for {_quoted(record.name)}"),
        (bool(domain) and rule == "account" and not under(host, account), f"not under {account}"),
    )
    return tuple(reason for failed, reason in checks if failed)


def _doubles(fitting: list[Instance]) -> dict[str, tuple[str, ...]]:
    """Refuse records of one host that all fit: none of them is more right than another."""
    claims: dict[str, list[str]] = defaultdict(list)
    for record in fitting:
        claims[_name(record.host)].append(record.key)
    return {
        key: (f"{len(keys)} records ask for this host: {_some(keys)}",)
        for keys in claims.values()
        if len(keys) > 1
        for key in keys
    }


def _refusal(record: Instance, reasons: tuple[str, ...]) -> Refusal:
    return Refusal(
        host=_cut(printable(_name(record.host))),
        key=_cut(printable(record.key)),
        reason="; ".join(reasons),
    )


def _some(keys: Sequence[str]) -> str:
    shown = ", ".join(_cut(printable(key)) for key in keys[:_KEYS_SHOWN])
    return shown if len(keys) <= _KEYS_SHOWN else f"{shown} and {len(keys) - _KEYS_SHOWN} more"


def _quoted(text: str) -> str:
    return f'"{_cut(printable(text))}"'


def _cut(text: str, most: int = _LONGEST_NAME) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
