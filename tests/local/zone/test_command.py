"""The emulator as a command."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.local.zone.support import client_of, create, latency, raw, refused


@contextmanager
def running(*arguments: str, end: int = signal.SIGTERM) -> Iterator[Any]:
    """A client of the emulator as a process, which ends quietly on a signal."""
    command = [sys.executable, "-m", "local.zone", "--port", "0", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, text=True, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("listening on http://127.0.0.1:"), first
        try:
            yield client_of(first.split()[-1])
        finally:
            process.send_signal(end)
            rest, errors = process.communicate(timeout=5)
    assert (rest, errors, process.returncode) == ("", "", 0)


def endpoint(address: str) -> dict[str, str]:
    """The settings of a health check."""
    return {"Type": "HTTP", "IPAddress": address}


def test_the_state_outlives_the_process(tmp_path: Path) -> None:
    """--state: zones, sets, checks and the references of deleted checks are kept."""
    state = tmp_path / "state.json"
    with running("--state", str(state)) as client:
        made = client.create_hosted_zone(Name="example.com", CallerReference="one")
        zone = made["HostedZone"]["Id"]
        assert [each["name"] for each in json.loads(state.read_text())["zones"]] == ["example.com."]
        check, gone = (
            client.create_health_check(CallerReference=each, HealthCheckConfig=endpoint("8.8.8.8"))
            for each in ("one", "gone")
        )
        wanted = latency(
            "a.example.com", "i", "us-east-1", HealthCheckId=check["HealthCheck"]["Id"]
        )
        client.change_resource_record_sets(
            HostedZoneId=zone, ChangeBatch={"Changes": [create(wanted)]}
        )
        client.delete_health_check(HealthCheckId=gone["HealthCheck"]["Id"])
    with running("--state", str(state)) as client:
        sets = client.list_resource_record_sets(HostedZoneId=zone)["ResourceRecordSets"]
        assert [each["Name"] for each in sets] == ["example.com.", "example.com.", "a.example.com."]
        assert client.get_health_check_count()["HealthCheckCount"] == 1
        for reference in ("gone", "one"):
            asked = {"CallerReference": reference, "HealthCheckConfig": endpoint("9.9.9.9")}
            refused("HealthCheckAlreadyExists", "", client.create_health_check, **asked)


def test_a_seed_outlives_the_process(tmp_path: Path) -> None:
    """--state: what is seeded over the control path is kept too."""
    state = tmp_path / "state.json"
    with running("--state", str(state)) as client:
        seed = {"zones": [{"id": "ZS", "name": "example.com"}]}
        assert raw(f"{client.meta.endpoint_url}/_emulator/seed", json.dumps(seed))[0] == 200
    with running("--state", str(state)) as client:
        assert client.get_hosted_zone(Id="ZS")["HostedZone"]["Name"] == "example.com."


def test_settings_are_flags() -> None:
    """Numbers, and flags that can be switched off."""
    with running("--health-check-quota", "1", "--no-allow-test-nets") as client:
        ask = client.create_health_check
        tested = {"CallerReference": "one", "HealthCheckConfig": endpoint("192.0.2.1")}
        refused("InvalidInput", "non-routable", ask, **tested)
        ask(CallerReference="one", HealthCheckConfig=endpoint("8.8.8.8"))
        other = {"CallerReference": "two", "HealthCheckConfig": endpoint("8.8.4.4")}
        refused("TooManyHealthChecks", "limit", ask, **other)


def test_every_call_is_a_line_of_the_log(tmp_path: Path) -> None:
    """--log, --fault, --rate: one JSON object a call, with what became of it."""
    log, spec = tmp_path / "calls.jsonl", tmp_path / "faults.json"
    spec.write_text(json.dumps([{"op": "ListHostedZones", "nth": 2, "do": "500"}]))
    limits = ("--rate", "0.01", "--burst", "3")
    with running("--log", str(log), "--fault", str(spec), *limits) as client:
        zone = client.create_hosted_zone(Name="example.com", CallerReference="one")["HostedZone"]
        client.list_hosted_zones()
        refused(
            "InternalFailure",
            "",
            client.list_hosted_zones,
        )
        batch = {"Changes": [create(latency("a.example.com", "i", "us-east-1"))]}
        client.change_resource_record_sets(HostedZoneId=zone["Id"], ChangeBatch=batch)
        refused("Throttling", "Rate exceeded", client.list_hosted_zones)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["op"], line["status"], line["error"], line["units"]) for line in lines] == [
        ("CreateHostedZone", 201, None, 0),
        ("ListHostedZones", 200, None, 0),
        ("ListHostedZones", 500, "InternalFailure", 0),
        ("ChangeResourceRecordSets", 200, None, 1),
        ("ListHostedZones", 400, "Throttling", 0),
    ]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(end: int) -> None:
    """Exit code 0, nothing on either stream, with a client still connected."""
    with running(end=end) as client:
        client.list_hosted_zones()
