"""How an error reaches the engine: the SDK sends ``traceback.format_exc()`` of whatever it is."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest

from providers.errors import ApplyFailed, GuardRefused, reported
from providers.zone_records import ZoneRecordsProvider
from route53.errors import AccessRefused, Route53Error

HEADER = "Traceback (most recent call last):\n"


def sent_by_the_sdk(call: Callable[[], object]) -> str:
    """What the SDK's servicer makes of an error (``_abort_with_traceback``)."""
    try:
        call()
    except Exception:  # noqa: BLE001 - as the SDK does it
        return traceback.format_exc()
    raise AssertionError("no error")


def told(call: Callable[[], object]) -> str:
    """The same without the first line, which some versions of Python write above no frames too."""
    return sent_by_the_sdk(call).removeprefix(HEADER)


@reported(Route53Error)
def refused() -> None:
    raise GuardRefused("steering: no")


@reported(Route53Error)
def failed() -> None:
    raise AccessRefused("zone Z1", "denied", "sign in")


@reported(Route53Error)
def broken() -> None:
    raise KeyError("unforeseen")


def unrelated() -> None:
    raise KeyError("unforeseen")


@pytest.mark.usefixtures("provider")
def test_a_foreseen_error() -> None:
    """One line, without frames: they say nothing."""
    assert told(refused) == "providers.errors.GuardRefused: steering: no\n"


@pytest.mark.usefixtures("provider")
def test_an_expected_error() -> None:
    """One line too, without the chain of causes."""
    assert told(failed) == "providers.errors.ApplyFailed: zone Z1: denied; sign in\n"


@pytest.mark.usefixtures("provider")
@pytest.mark.parametrize("before", [refused, failed])
def test_an_error_that_nobody_foresaw(before: Callable[[], None]) -> None:
    """It keeps its frames, also in a process that has hidden some before."""
    sent_by_the_sdk(before)
    shown = sent_by_the_sdk(broken)
    assert 'raise KeyError("unforeseen")' in shown


def test_a_call_without_an_error(provider: ZoneRecordsProvider) -> None:
    """It gives the frames back to what comes after it."""
    sent_by_the_sdk(refused)
    provider.diff("", {"zone": "Z1", "prefix": "a/"}, {"zone": "Z1", "prefix": "a/", "plan": []})
    assert "in sent_by_the_sdk" in sent_by_the_sdk(unrelated)


@pytest.mark.parametrize("name", ["check", "diff", "create", "update", "read", "delete"])
def test_every_call_of_the_provider(provider: ZoneRecordsProvider, name: str) -> None:
    """None of them leaves the frames away for an error that nobody foresaw."""
    sent_by_the_sdk(refused)
    arguments = (None,) if name == "create" else (None, None)
    if name in ("diff", "update"):
        arguments = (None, None, None)  # type: ignore[assignment]
    method = getattr(provider, name)
    assert "zone_records.py" in sent_by_the_sdk(lambda: method(*arguments))


def test_what_a_failed_apply_is() -> None:
    """It is what the provider raises for every error of the zone."""
    with pytest.raises(ApplyFailed):
        failed()
