"""The policies over Route 53 records, for any program of the organisation.

They are resource policies: these stop a record before it is made, with ``--skip-preview`` too. The
engine shows them every record of a run, those that ``--target`` leaves out too, and one process of
the pack serves one preview or one update; so a record meets all that came before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyConfigSchema,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)
from pulumi_policy.proxy import UnknownValueError

from guards import (
    NATIVE,
    RECORD,
    UNKNOWN,
    Declared,
    NativePolicy,
    NativeRecord,
    SummaryUnreadableError,
    Unknown,
    bare_name,
    read_record,
    read_settings,
    shown,
)


class Neighbours:
    """The latency records of a run so far, by name, so that 2,000 of them stay quick."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_name: dict[str | Unknown, dict[str, NativeRecord]] = {}
        self._names: dict[str, str | Unknown] = {}

    def meet(self, urn: str, record: NativeRecord) -> tuple[tuple[str, NativeRecord], ...]:
        """Take a record in; return those before it whose name is its own or not known, by URN."""
        name = bare_name(record.name)
        with self._lock:
            self._by_name.get(self._names.pop(urn, ""), {}).pop(urn, None)
            if record.latency is False:
                return ()
            met = sorted(self._named(name), key=lambda each: each[0])
            self._by_name.setdefault(name, {})[urn] = record
            self._names[urn] = name
        return tuple(met)

    def _named(self, name: str | Unknown) -> Iterable[tuple[str, NativeRecord]]:
        names = self._by_name if isinstance(name, Unknown) else (name, UNKNOWN)
        return (each for key in names for each in self._by_name.get(key, {}).items())


def plain(value: object) -> Any:
    """Return what the SDK's proxies hold, each unknown value as ``UNKNOWN``."""
    if isinstance(value, Mapping):
        return {key: _held(value, key) for key in value}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_held(value, index) for index in range(len(value))]
    return value


def policy_of(native: NativePolicy, neighbours: Neighbours) -> ResourceValidationPolicy:
    """Return a rule over records as a policy of its own. It fails closed."""
    rule = native.rule

    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        if args.resource_type != RECORD:
            return
        for message in _messages(native, neighbours, args):
            report(message, None)

    return ResourceValidationPolicy(
        name=rule.name,
        description=rule.description,
        validate=validate,
        enforcement_level=EnforcementLevel[rule.level.upper()],
        severity=Severity[native.severity.upper()],
        config_schema=PolicyConfigSchema(native.schema),
        remediation_steps=native.remediation,
        url=f"docs/guards.md#{rule.name}",
    )


def native_policies() -> list[Policy]:
    """Return every policy over records, in the order of the rules."""
    neighbours = Neighbours()
    return [policy_of(native, neighbours) for native in NATIVE]


def _messages(
    native: NativePolicy, neighbours: Neighbours, args: ResourceValidationArgs
) -> Iterable[str]:
    try:
        record = read_record(plain(args.props))
        settings = read_settings(args.get_config())
    except SummaryUnreadableError as error:
        return [f"{native.rule.name}: {shown(args.urn)}: cannot be judged: {error}"]
    others = neighbours.meet(args.urn, record)
    found: Iterable[str] = native.messages(Declared(args.urn, record, others, settings))
    return found


def _held(container: Any, key: object) -> Any:
    try:
        return plain(container[key])
    except UnknownValueError:
        return UNKNOWN
