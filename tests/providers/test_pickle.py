"""What is stored of a provider: a reference to its class, and nothing else."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pulumi.dynamic.dynamic import serialize_provider

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


def test_the_stored_provider() -> None:
    """By reference: current code serves old state. The path is an API, so this test names it."""
    stored = base64.b64decode(serialize_provider(ZoneRecordsProvider()))
    assert len(stored) < 200
    assert b"providers.zone_records" in stored
    assert b"ZoneRecordsProvider" in stored


def test_another_process() -> None:
    """The same bytes, or every run would find a change."""
    elsewhere = in_a_bare_process(STORE).stdout.strip()
    assert elsewhere == serialize_provider(ZoneRecordsProvider())


def test_a_bare_import() -> None:
    """The provider's process imports the module: it makes no resource and prints nothing."""
    done = in_a_bare_process("import providers.zone_records")
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
