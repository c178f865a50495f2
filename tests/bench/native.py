"""The two realizers of a steering stack side by side, through the real engine, by number of sets.

Both make, find unchanged, change and preview the same zone on the emulator. The realizer native
runs against the tests' own pulumi-aws, which makes the real one's calls and leaves its waiting out:
to each change it waits some ten seconds or more until Route 53 says INSYNC, and the account allows
5 calls a second. So what is measured of it is the least that it can be.
"""

from __future__ import annotations

import os
import sys
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

SIZES = (100, 500)
SECONDS = 3600  # the longest that one run may take
_QUIET = ("--suppress-outputs", "--suppress-progress")
_UP = ("up", "--yes", "--skip-preview", *_QUIET)
_REALIZERS: tuple[Realizer, ...] = ("batch", "native")


@dataclass(frozen=True)
class Step:
    """One run of the CLI: its seconds, and its calls to Route 53."""

    seconds: float
    calls: int


@dataclass(frozen=True)
class Costs:
    """What a zone of so many sets costs: four runs, and the bytes of its state after the first."""

    realizer: Realizer
    sets: int
    preview: Step
    create: Step
    unchanged: Step
    replace: Step
    state: int

    @property
    def steps(self) -> dict[str, Step]:
        """The runs by what they do."""
        return {
            "first preview": self.preview,
            "create": self.create,
            "unchanged": self.unchanged,
            "replace": self.replace,
        }


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


def measure(ground: Ground, realizer: Realizer, sets: int) -> Costs:
    """Steer so many hosts to one box: one set each. Then replace its address in all of them.

    Raises:
        RuntimeError: if the zone does not hold them in the end.
    """
    with ZoneEmulator(insync_after=0) as zone:
        made = _deploy(ground, realizer, sets, zone)
        made.configure(appsDomain="", hostRule="zone", zoneLimit=20_000)
        fill(made, boxes=[0], hosts=sets)
        preview = _step(made, "preview", *_QUIET)
        create = _step(made, *_UP)
        state = sum(each.stat().st_size for each in made.stack.backend.rglob("*.json.gz"))
        unchanged = _step(made, *_UP)
        made.edge(0, eip="192.0.2.200")
        replace = _step(made, *_UP)
        answers = [each["ResourceRecords"][0]["Value"] for each in made.sets()]
    if answers != ["192.0.2.200"] * sets:
        raise RuntimeError(f"{realizer} left {len(answers)} sets instead of {sets}")
    return Costs(realizer, sets, preview, create, unchanged, replace, state)


def _deploy(ground: Ground, realizer: Realizer, sets: int, zone: ZoneEmulator) -> Deployment:
    folder, bucket = ground.folder / f"{realizer}-{sets}", ground.make_bucket()
    if realizer == "batch":
        return deploy(ground.runner, folder, zone, bucket)
    return deploy_native(ground.runner, folder, zone, bucket, ground.attached)


def _step(made: Deployment, *words: str) -> Step:
    made.zone.reset()
    begin = time.monotonic()
    made.stack.run(*words, env=made.env, seconds=SECONDS)
    return Step(time.monotonic() - begin, len(made.zone.calls))


def run() -> None:
    """Print both realizers at every size, and how many times as much native costs."""
    with ground() as made:
        if made is None:
            sys.stdout.write("there is no engine: run `make setup`\n")
            return
        for sets in SIZES:
            _print(sets, *(measure(made, realizer, sets) for realizer in _REALIZERS))


def _print(sets: int, batch: Costs, native: Costs) -> None:
    head = f"{sets} sets, one box"
    lines = [f"{head:26}{'batch':>16}{'native':>18}{'s':>10}{'calls':>8}"]
    for name, one in batch.steps.items():
        many = native.steps[name]
        lines.append(
            f"  {name:18}{one.seconds:9.1f} s{one.calls:5} calls"
            f"{many.seconds:9.1f} s{many.calls:6} calls"
            f"{many.seconds / one.seconds:7.1f} x{many.calls / max(one.calls, 1):7.0f} x"
        )
    each = 1000 * (native.create.seconds - batch.create.seconds) / sets
    lines.append(f"  native costs {each:.0f} ms more for each set that is made")
    lines.append(f"  state {batch.state / 1024:.1f} KiB against {native.state / 1024:.1f} KiB")
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()


if __name__ == "__main__":
    run()
