"""Claimed work in processes of its own, on a real bucket, real files and a real registry.

Run as a program, this module imports everything once and then forks a process for each job, so that
hundreds of jobs cost little. A job can be killed or stopped at any step that reaches a file, a
lock, the bucket or the registry. `tests.support.claims_jobs` is the tests' side.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias

import boto3

from control.bucket import open_bucket, open_hasty, open_writable
from control.errors import ControlError
from control.sidecar_keys import SidecarKey, host_key
from control.sidecar_records import parse_record
from control.store import ObjectStore
from control.writer import ObjectWriter
from providers import claim_lock, local_files
from providers.claim_adoption import BucketAdoption
from providers.claim_census import FileInventory, HeldCensus, LocalCensus
from providers.claim_errors import ClaimError
from providers.claim_fence import FileFence
from providers.claim_files import HostFiles
from providers.claim_guard import FileGuard
from providers.claim_ports import Permit, Retirement, Selection
from providers.claim_rows import RegistryHolds, write_under
from providers.claim_store import BucketClaims, BucketRecords
from providers.claim_work import FileSelector
from providers.claimed_install import ClaimedInstall
from providers.claimed_retire import ClaimedRetire
from registry import connection
from registry.connection import reading
from registry.errors import RegistryError
from registry.operations import Change, Converge, Mint, Operation, Remove
from registry.route import Route
from registry.rows import read_route
from tests.registry.samples import sidecar

Job: TypeAlias = dict[str, Any]
_FILE_STEPS = {"open", "mkdir", "fdopen", "fsync", "rename"}


@dataclass
class Steps:
    """The steps so far; at number ``at`` the process gets a signal, before the step is done."""

    at: int
    how: int
    names: list[str] = field(default_factory=list)

    def take(self, name: str) -> None:
        self.names.append(name)
        if len(self.names) - 1 == self.at:
            os.kill(os.getpid(), self.how)


@dataclass
class _Stepping:
    """A module of which some functions are steps."""

    module: Any
    functions: set[str]
    steps: Steps

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.module, name)
        if name not in self.functions:
            return value

        def step(*given: Any, **more: Any) -> Any:
            self.steps.take(f"{name} {given[0]}" if isinstance(given[0], str) else name)
            return value(*given, **more)

        return step


def watch(steps: Steps) -> None:
    """Make a step of everything that reaches outside this process."""
    local_files.os = _Stepping(os, _FILE_STEPS, steps)  # type: ignore[assignment, attr-defined]
    flock = _Stepping(claim_lock.fcntl, {"flock"}, steps)  # type: ignore[attr-defined]
    claim_lock.fcntl = flock  # type: ignore[assignment, attr-defined]
    for kind, name in ((ObjectStore, "get"), (ObjectWriter, "put"), (ObjectWriter, "head")):
        setattr(kind, name, _stepping(getattr(kind, name), name, steps))
    connect = connection._connect

    def connected(path: Path, mode: str, budget_seconds: float) -> sqlite3.Connection:
        steps.take("connect")
        opened = connect(path, mode, budget_seconds)
        opened.set_trace_callback(lambda said: steps.take(said.split(" WHERE ")[0][:40]))
        return opened

    connection._connect = connected


def _stepping(function: Callable[..., Any], name: str, steps: Steps) -> Callable[..., Any]:
    def step(store: Any, key: Any, *more: Any) -> Any:
        steps.take(f"{name} {getattr(key, 'key', key)}")
        return function(store, key, *more)

    return step


@dataclass(frozen=True)
class Worker:
    """What one job works with: a host, a box by its label and folder, and a bucket.

    ``clock`` is how many seconds the box's clock is fast, ``limit`` how many a lock is waited for.
    """

    host: str
    box: str
    folder: str
    bucket: str
    channel: str = "edge"
    clock: float = 0
    limit: float = 5

    @property
    def registry(self) -> Path:
        return Path(self.folder, "registry.db")

    @property
    def guard(self) -> FileGuard:
        return FileGuard(HostFiles(Path(self.folder)), limit_seconds=self.limit)

    @property
    def key(self) -> SidecarKey:
        key = host_key(self.host)
        assert key
        return key

    @cached_property
    def session(self) -> boto3.Session:
        return boto3.Session()

    @cached_property
    def store(self) -> ObjectStore:
        return open_bucket(self.bucket, session=self.session)

    @property
    def claims(self) -> BucketClaims:
        return BucketClaims(self.store)

    @property
    def last_look(self) -> BucketClaims:
        return BucketClaims(open_hasty(self.bucket, session=self.session))

    @property
    def row(self) -> Route | None:
        with reading(self.registry) as opened:
            return read_route(opened, self.host)

    def install(self) -> str:
        """Do what a run does for a record: mint, converge or hold, as the claim says."""
        body, row = self.store.get(self.key.record), self.row
        if row and row.channel == self.channel and not self._to_hold(row):
            return "nothing to do"
        record = parse_record(body.data, self.key)
        selection = Selection(self.host, self.key.record, body.etag, record.incarnation, "sidecar")
        wanted = sidecar(self.key.name, channel=self.channel)
        operation: Operation = Mint(wanted)
        if row:
            change = Change(("channel",), (row.channel,), (self.channel,))
            operation = Converge(self.host, row.app, row.account, (change,))
        return self._written(partial(self.installer().install, selection), operation)

    def _to_hold(self, row: Route) -> bool:
        claim = self.claims.read(self.host).claim
        return claim is not None and claim.op.kind != "serving" and row.hold != claim.op.id

    def retire(self) -> str:
        """Do what a run does for a row without a record."""
        row = self.row
        if row is None:
            return "nothing to do"
        gone = Retirement(
            host=self.host,
            key=self.key.record,
            family="sidecar",
            incarnation=row.claim_incarnation,
            stamp=row.claim_stamp,
            hold=row.hold,
        )
        retirer = ClaimedRetire(
            box=self.box, claims=self.claims, guard=self.guard, last_look=self.last_look
        )
        operation = Remove(self.host, row.app, row.account)
        return self._written(partial(retirer.retire, gone), operation)

    def _written(
        self, work: Callable[[Callable[[Permit], None]], None], operation: Operation
    ) -> str:
        outcomes: list[str] = []

        def write(permit: Permit) -> None:
            result = write_under(self.registry, operation, permit)
            outcomes.append(f"{result.outcome} {result.reason}".strip())

        work(write)
        return outcomes[0] if outcomes else "held"

    def installer(self) -> ClaimedInstall:
        claims, guard, holds = self.claims, self.guard, RegistryHolds(self.registry)
        writer = open_writable(self.bucket, session=self.session)
        return ClaimedInstall(
            box=self.box,
            region="ie",
            home_region="ie",
            now=lambda: datetime.now(timezone.utc) + timedelta(seconds=self.clock),
            claims=claims,
            last_look=self.last_look,
            record=BucketRecords(self.store),
            local=LocalCensus(guard, self.box),
            held=HeldCensus(guard, self.box, holds.has_row),
            fence=FileFence(guard.files),
            holds=holds,
            enabled=True,
            guard=guard,
            selector=FileSelector(guard),
            inventory=FileInventory(guard, claims),
            adoption=BucketAdoption(writer, claims, guard, self.box),
        )


def perform(job: Job, report: int) -> None:
    """Do a job in this process, report what came of it and the steps, and end."""
    steps = Steps(job["at"], job["how"])
    worker = Worker(**job["worker"])
    watch(steps)
    try:
        outcome = {"install": worker.install, "retire": worker.retire}[job["work"]]()
        steps.take("end")
    except (ClaimError, ControlError, RegistryError) as error:
        outcome = f"{type(error).__name__}: {error}"
    except BaseException:  # the test must see it
        outcome = traceback.format_exc()
        os.write(report, json.dumps({"outcome": outcome, "steps": steps.names}).encode())
        raise
    os.write(report, json.dumps({"outcome": outcome, "steps": steps.names}).encode())


def main() -> None:
    """Take jobs, one a line, from standard input: ``start``, ``wait`` and ``continue``."""
    reports: dict[int, int] = {}
    for line in sys.stdin:
        job: Job = json.loads(line)
        if job["do"] == "start":
            pid = _forked(job, reports)
            answer: Job = {"pid": pid}
        else:
            pid = job["pid"]
            if job["do"] == "continue":
                os.kill(pid, signal.SIGCONT)
            answer = _waited(pid, reports)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _forked(job: Job, reports: dict[int, int]) -> int:
    reading_end, writing_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading_end)
        code = 1
        try:
            perform(job, writing_end)
            code = 0
        finally:
            os._exit(code)
    os.close(writing_end)
    reports[pid] = reading_end
    return pid


def _waited(pid: int, reports: dict[int, int]) -> Job:
    _, status = os.waitpid(pid, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        return {"pid": pid, "stopped": True}
    with os.fdopen(reports.pop(pid), "rb") as file:
        said = file.read()
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    report = json.loads(said) if said else {"outcome": "", "steps": []}
    return {"pid": pid, "stopped": False, "killed": killed, **report}


if __name__ == "__main__":
    main()
