"""What is stored of a provider: a reference to its class, and nothing else."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pulumi.dynamic import ResourceProvider
from pulumi.dynamic.dynamic import serialize_provider

from providers.steering_plan import SteeringPlanProvider
from providers.zone_records import ZoneRecordsProvider
from tests.providers.inputs import inputs
from tests.support.zones import Account

CHECKOUT = Path(__file__).parents[2]
STORE = """
from pulumi.dynamic.dynamic import serialize_provider
from providers.zone_records import ZoneRecordsProvider
print(serialize_provider(ZoneRecordsProvider()))
"""


def in_a_bare_process(code: str) -> subprocess.CompletedProcess[str]:
    """Run code as a provider process would import it: no engine, no AWS, no variables."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=CHECKOUT,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("provider", "path"),
    [
        (ZoneRecordsProvider(), b"providers.zone_records"),
        (SteeringPlanProvider(), b"providers.steering_plan"),
    ],
)
def test_the_stored_provider(provider: ResourceProvider, path: bytes) -> None:
    """By reference: current code serves old state. The path is an API, so this test names it."""
    stored = base64.b64decode(serialize_provider(provider))
    assert len(stored) < 200
    assert path in stored
    assert type(provider).__name__.encode() in stored
    assert provider.serialize_as_secret_always is False


def test_another_process() -> None:
    """The same bytes, or every run would find a change."""
    elsewhere = in_a_bare_process(STORE).stdout.strip()
    assert elsewhere == serialize_provider(ZoneRecordsProvider())


@pytest.mark.parametrize("module", ["zone_records", "steering_plan"])
def test_a_bare_import(module: str) -> None:
    """The provider's process imports the module: it makes no resource and prints nothing."""
    done = in_a_bare_process(f"import providers.{module}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_secret(
    account: Account, provider: ZoneRecordsProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing secret is stored, so nothing is encrypted."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
    props = inputs(account, 1, ("a",))
    made = provider.create(props)
    stored = json.dumps([props, made.id, made.outs, serialize_provider(provider)])
    assert "wJalrXUtnFEMI" not in stored
    assert provider.serialize_as_secret_always is False
