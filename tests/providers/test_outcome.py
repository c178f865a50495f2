"""``Outcome``: a resource that fails, and only that."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from providers.errors import ApplyFailed
from providers.outcome import OutcomeProvider


@pytest.fixture
def provider() -> Iterator[OutcomeProvider]:
    yield OutcomeProvider()
    vars(sys).pop("tracebacklimit", None)


def test_what_is_to_be_said(provider: OutcomeProvider) -> None:
    """All of it, in one line."""
    with pytest.raises(ApplyFailed, match=r"^sidecars: one; sidecars: two$"):
        provider.create({"failures": ["sidecars: one", "sidecars: two"], "__provider": "gASV"})


def test_no_secret() -> None:
    """Nothing secret is stored, so nothing is encrypted."""
    assert OutcomeProvider.serialize_as_secret_always is False
