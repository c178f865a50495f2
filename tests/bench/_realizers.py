"""The two realizers of a steering stack side by side, through the real engine, by number of sets.

Both make, find unchanged and replace the same zone on the emulator. The realizer native
runs against the tests' own pulumi-aws, which makes the real one's calls and leaves its waiting out:
after each change it asks for INSYNC after 15 s and every 15 s from then on, and the account allows
5 calls a second. So what is measured of it is the least that it can be.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from folds.native_plan import Realizer
from local.zone import ZoneEmulator
from tests.engine.cli import EngineRunner
from tests.engine.deployment import Deployment, deploy, fill
from tests.engine.native import deploy_native
from tests.support.aws_process import aws_process
from tests.support.s3_bucket import S3Bucket, serve_s3
from tools.engine.locate import find

SECONDS = 3600  # the longest that one run may take
_UP = ("up", "--yes", "--skip-preview", "--suppress-outputs", "--suppress-progress")


@dataclass(frozen=True)
class Step:
    """One run of a command: its seconds, its calls to Route 53, and whether it ended well."""

    seconds: float
    calls: int
    done: bool = True


@dataclass(frozen=True)
class Costs:
    """What a zone of so many sets costs: each run by its name, and the bytes of its first state."""

    realizer: Realizer
    sets: int
    steps: dict[str, Step]
    state: int


@dataclass(frozen=True)
class Ground:
    """What every measurement stands on: the engine, buckets, a folder, a provider process."""

    runner: EngineRunner
    make_bucket: Callable[[], S3Bucket]
    folder: Path
    attached: dict[str, str]


@contextmanager
def ground() -> Iterator[Ground | None]:
    """Provide it while the context lasts; none where there is no engine."""
    engine = find(os.environ)
    if engine is None:
        yield None
        return
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PULUMI_")}
    with tempfile.TemporaryDirectory() as folder, aws_process() as attached:
        served = serve_s3(Path(folder))
        yield Ground(EngineRunner(engine, environ), next(served), Path(folder), attached)
        served.close()


def measure(ground: Ground, realizer: Realizer, sets: int, *, boxes: int = 1) -> Costs:
    """Steer hosts to boxes, a set for each pair; find them unchanged; replace every address.

    Raises:
        RuntimeError: if the zone does not hold what it should in the end.
    """
    with ZoneEmulator(insync_after=0) as zone:
        made = _deploy(ground, realizer, sets, zone)
        made.configure(appsDomain="", hostRule="zone", zoneLimit=20_000)
        fill(made, boxes=range(boxes), hosts=sets // boxes)
        steps = {"create": _step(made)}
        state = sum(each.stat().st_size for each in made.stack.backend.rglob("*.json.gz"))
        steps["unchanged"] = _step(made)
        addresses = [f"192.0.2.{200 + number}" for number in range(boxes)]
        for number, address in enumerate(addresses):
            made.edge(number, eip=address)
        steps["replace"] = _step(made)
        answers = [each["ResourceRecords"][0]["Value"] for each in made.sets()]
    if sorted(answers) != sorted(addresses * (sets // boxes)):
        raise RuntimeError(f"{realizer} left {len(answers)} sets instead of {sets}")
    return Costs(realizer, sets, steps, state)


def _deploy(ground: Ground, realizer: Realizer, sets: int, zone: ZoneEmulator) -> Deployment:
    folder, bucket = ground.folder / f"{realizer}-{sets}", ground.make_bucket()
    if realizer == "batch":
        return deploy(ground.runner, folder, zone, bucket)
    return deploy_native(ground.runner, folder, zone, bucket, ground.attached)


def _step(made: Deployment) -> Step:
    made.zone.reset()
    begin = time.monotonic()
    made.stack.run(*_UP, env=made.env, seconds=SECONDS)
    return Step(time.monotonic() - begin, len(made.zone.calls))
