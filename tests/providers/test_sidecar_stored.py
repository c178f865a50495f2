"""What is stored of a box's providers: a reference to a class, and nothing else."""

from __future__ import annotations

import base64

import pytest
from pulumi.dynamic import ResourceProvider
from pulumi.dynamic.dynamic import serialize_provider

from providers.outcome import OutcomeProvider
from providers.sidecar_routes import SidecarRoutesProvider
from tests.providers.test_pickle import in_a_bare_process

STORED: dict[str, ResourceProvider] = {
    "providers.sidecar_routes.SidecarRoutesProvider": SidecarRoutesProvider(),
    "providers.outcome.OutcomeProvider": OutcomeProvider(),
}


@pytest.mark.parametrize(("path", "provider"), STORED.items(), ids=STORED)
def test_the_stored_provider(path: str, provider: ResourceProvider) -> None:
    """By reference: current code serves old state. The path is an API, so this test names it."""
    stored = base64.b64decode(serialize_provider(provider))
    module, _, name = path.rpartition(".")
    assert len(stored) < 200
    assert module.encode() in stored
    assert name.encode() in stored


@pytest.mark.parametrize("path", STORED)
def test_a_bare_import(path: str) -> None:
    """The provider's process imports the module: it makes no resource and prints nothing."""
    done = in_a_bare_process(f"import {path.rpartition('.')[0]}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
