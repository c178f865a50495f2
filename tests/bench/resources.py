"""One resource for a zone against one resource per record set, through the real engine.

Both sides hold the same record sets in a file backend of their own. The resource of a single record
does nothing at all, so that side is measured at its best; Fairlead reads its bucket and its zone
and makes every change over HTTP.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from local.zone import ZoneEmulator
from tests.engine.cli import Completed, EngineRunner, Stack
from tests.engine.deployment import PREFIX, Deployment, deploy, fill
from tests.support.s3_bucket import S3Bucket, serve_s3
from tools.engine.locate import find

SIZES = (500, 2000)
BOXES = 4

_PROVIDER = """
from pulumi import dynamic

class RecordProvider(dynamic.ResourceProvider):
    serialize_as_secret_always = False

    def create(self, props):
        return dynamic.CreateResult(props["name"] + props["identifier"], dict(props))

class Record(dynamic.Resource, module="bench", name="Record"):
    def __init__(self, name, props):
        super().__init__(RecordProvider(), name, props)
"""

_PROGRAM = f"""
import pulumi
from records import Record

for number in range(pulumi.Config().require_int("sets")):
    name, box = f"h{{number // {BOXES}:04}}.bab.apps.example.com", f"b{{number % {BOXES}}}"
    Record(f"{{name}}/{{box}}", {{
        "name": name, "type": "A", "identifier": "{PREFIX}" + box, "region": "eu-west-1",
        "ttl": 60, "value": "192.0.2.1", "check": "0" * 36,
    }})
"""


@dataclass(frozen=True)
class Measured:
    """One side at one size: seconds, lines of the first preview, bytes of the backend's folder."""

    preview: float
    lines: int
    create: float
    unchanged: float
    state: int
    growth: int


def run() -> None:
    """Print both sides at every size, and their ratios."""
    engine = find(os.environ)
    if engine is None:
        sys.stdout.write("there is no engine: run `make setup`\n")
        return
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PULUMI_")}
    runner = EngineRunner(engine, environ)
    with tempfile.TemporaryDirectory() as folder:
        served = serve_s3(Path(folder))
        make_bucket = next(served)
        for size in SIZES:
            ours = _zone(runner, Path(folder) / f"zone-{size}", make_bucket(), size)
            each = _records(runner, Path(folder) / f"records-{size}", size)
            _print(size, ours, each)
        served.close()


def _zone(runner: EngineRunner, folder: Path, bucket: S3Bucket, size: int) -> Measured:
    with ZoneEmulator(insync_after=0) as zone:
        made: Deployment = deploy(runner, folder, zone, bucket)
        made.configure(appsDomain="", hostRule="zone")
        fill(made, boxes=range(BOXES), hosts=size // BOXES)
        measured = _measure(made.stack, made.env)
        if len(made.sets()) != size:
            raise RuntimeError(f"{len(made.sets())} sets instead of {size}")
    return measured


def _records(runner: EngineRunner, folder: Path, size: int) -> Measured:
    files = {"__main__.py": _PROGRAM, "records.py": _PROVIDER}
    stack = runner.project(folder, files)
    stack.configure({"scratch:sets": size})
    return _measure(stack, {})


def _measure(stack: Stack, env: dict[str, str]) -> Measured:
    preview, shown = _timed(stack, env, "preview", "--suppress-outputs")
    create, _ = _timed(stack, env, "up", "--yes", "--skip-preview", "--suppress-outputs")
    created = _bytes(stack.backend)
    unchanged, _ = _timed(stack, env, "up", "--yes", "--skip-preview", "--suppress-outputs")
    settled = _bytes(stack.backend)  # without the plan of the first run
    _timed(stack, env, "up", "--yes", "--skip-preview", "--suppress-outputs")
    lines = len(shown.stdout.splitlines())
    return Measured(preview, lines, create, unchanged, created, _bytes(stack.backend) - settled)


def _timed(stack: Stack, env: dict[str, str], *words: str) -> tuple[float, Completed]:
    begin = time.monotonic()
    done = stack.run(*words, env=env, seconds=1800)
    return time.monotonic() - begin, done


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _print(size: int, ours: Measured, each: Measured) -> None:
    sys.stdout.write(f"{size} record sets          one resource   one per set   ratio\n")
    rows = (
        ("first preview, s", ours.preview, each.preview),
        ("its lines", ours.lines, each.lines),
        ("create, s", ours.create, each.create),
        ("unchanged up, s", ours.unchanged, each.unchanged),
        ("backend, KiB", ours.state / 1024, each.state / 1024),
        ("and per unchanged up, KiB", ours.growth / 1024, each.growth / 1024),
    )
    for label, one, many in rows:
        sys.stdout.write(f"  {label:26}{one:10.1f}{many:14.1f}{many / max(one, 1e-9):10.1f}\n")
    sys.stdout.flush()
