"""The emulators of a checkout: one pair, found again, stopped alone, with data that stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import pytest

from local import demo, demo_box, environment, seed, services
from local.errors import EmulatorNotStarted
from local.objects import Objects
from local.processes import Service

# They are meant to outlive whoever started them.
pytestmark = pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    services.stop(tmp_path)


@pytest.fixture
def light(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a second zone stand for the bucket, which takes seconds to start."""

    def start(checkout: Path) -> Service:
        (checkout / "bucket").mkdir(exist_ok=True)
        return services._start_zone(checkout / "bucket")

    monkeypatch.setattr(services, "_start_bucket", start)
    monkeypatch.setitem(services._ASKS, "bucket", services._ASKS["zone"])
    return folder


def objects_of(folder: Path, urls: dict[str, str]) -> Objects:
    emulators = environment.remember(urls["bucket"], urls["zone"], folder)
    return Objects(environment.emulated({}, emulators))


def test_second_start_finds_the_first(light: Path) -> None:
    """Both are started once; the next command uses them, and stop ends both for good."""
    urls, started = services.ensure(light)
    assert started == ("bucket", "zone")
    assert services.ensure(light) == (urls, ())
    assert sorted(services.stop(light)) == ["bucket", "zone"]
    assert services.stop(light) == ()
    for url in urls.values():
        with pytest.raises(ConnectionRefusedError):
            services.ask(url)


def test_data_stays_over_a_restart(folder: Path) -> None:
    """What the bucket and the zone hold is there after down and up; the demo is not put back."""
    urls, _ = services.ensure(folder)
    objects = objects_of(folder, urls)
    beginning = {**demo.objects(), **demo_box.objects()}
    assert seed.fill_bucket(objects) == len(beginning)
    assert seed.fill_zone(urls["zone"])
    objects.remove("control/edges/au-1.json")
    services.stop(folder)

    urls, _ = services.ensure(folder)
    objects = objects_of(folder, urls)
    assert seed.fill_bucket(objects) == 0
    assert not seed.fill_zone(urls["zone"])
    assert set(beginning) - set(objects.keys()) == {"control/edges/au-1.json"}
    assert objects.get("control/edges/ie-1.json") == beginning["control/edges/ie-1.json"]


def test_emulator_that_died_is_started_again(light: Path) -> None:
    """Only the one that is gone; the other keeps running."""
    services.ensure(light)
    before = services.remembered(light)
    os.kill(before["zone"].pid, signal.SIGKILL)
    os.waitid(os.P_PID, before["zone"].pid, os.WEXITED)
    _, started = services.ensure(light)
    assert started == ("zone",)
    assert services.remembered(light)["bucket"] == before["bucket"]


def test_emulator_that_does_not_answer_is_replaced(
    light: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process of ours that hangs is ended; another takes its place."""
    services.ensure(light)
    hanging = services.remembered(light)["zone"]
    os.kill(hanging.pid, signal.SIGSTOP)
    monkeypatch.setattr(services, "_ANSWERS_WITHIN", 0.2)
    monkeypatch.setattr("local.processes._ENDS_WITHIN", 0.2)
    _, started = services.ensure(light)
    assert started == ("zone",)
    with suppress(ChildProcessError):  # it may have been waited for meanwhile
        os.waitid(os.P_PID, hanging.pid, os.WEXITED)
    assert not hanging.alive


def test_checkouts_share_nothing(light: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two folders have two pairs on ports of their own; stopping one leaves the other."""
    other = tmp_path_factory.mktemp("other")
    here, _ = services.ensure(light)
    there, _ = services.ensure(other)
    assert set(here.values()).isdisjoint(there.values())
    services.stop(other)
    assert services.ensure(light) == (here, ())


def test_process_of_a_reused_number_is_not_stopped(folder: Path) -> None:
    """What is remembered may be long gone, and its number somebody else's."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        stale = Service(bystander.pid, "another boot 1", "http://127.0.0.1:1")
        (folder / "services.json").write_text(json.dumps({"zone": asdict(stale)}))
        assert services.stop(folder) == ()
        assert bystander.poll() is None


def test_zone_that_cannot_start(light: Path) -> None:
    """The error names the log, which says why."""
    (light / "zone.json").write_text("not JSON")
    with pytest.raises(EmulatorNotStarted, match=r"see .*zone\.log"):
        services.ensure(light)
    assert "JSONDecodeError" in (light / "zone.log").read_text()


def test_nothing_to_stop_in_a_fresh_checkout(tmp_path: Path) -> None:
    """No folder is made only to say so."""
    assert services.stop(tmp_path / ".local") == ()
    assert not (tmp_path / ".local").exists()
