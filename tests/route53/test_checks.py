"""Health checks: creating, naming, updating and removing them."""

from __future__ import annotations

from typing import Any

import pytest

from folds.changes import CheckCreation, CheckUpdate
from folds.desired import CheckSettings
from folds.zone import LiveCheck
from route53.checks import create_check, remove_check, tag_check, update_check
from route53.errors import Conflict, LostAnswer, Rejected
from tests.support.zones import Account

STEM = "fairlead/0123456789ab/0123456789abcdef0123/"
HTTPS = CheckSettings(path="/up", domain_name="edge.example.com")
TCP = CheckSettings(type="TCP", path="", port=8443)


def create(account: Account, check: CheckSettings = HTTPS, address: str = "192.0.2.1") -> str:
    return create_check(account.calls(), CheckCreation(address, STEM, 1, check))


def live(account: Account, identifier: str) -> LiveCheck:
    return next(each for each in account.live().checks if each.id == identifier)


def config_of(account: Account, identifier: str) -> dict[str, Any]:
    config: dict[str, Any] = account.emulator.health_checks[identifier]["HealthCheckConfig"]
    return config


def test_created_check(account: Account) -> None:
    """It has the settings, the reference, and what AWS fills in: the name by SNI."""
    identifier = create(account)
    found = live(account, identifier)
    assert found.caller_reference == f"{STEM}1"
    assert (found.type, found.address, found.port) == ("HTTPS", "192.0.2.1", 443)
    assert (found.path, found.domain_name) == ("/up", "edge.example.com")
    assert (found.interval, found.failure_threshold) == (30, 3)
    assert config_of(account, identifier)["EnableSNI"] is True


def test_check_of_a_port_alone(account: Account) -> None:
    """TCP takes neither path nor domain name."""
    config = config_of(account, create(account, TCP))
    assert (config["Type"], config["Port"]) == ("TCP", 8443)
    assert not config.keys() & {"ResourcePath", "FullyQualifiedDomainName"}


def test_reference_remembered_from_deleted_checks(account: Account) -> None:
    """The next generation that is free is taken, a call for each."""
    for _ in range(3):
        remove_check(account.calls(), live(account, create(account)))
    account.emulator.reset()
    assert live(account, create(account)).caller_reference == f"{STEM}4"
    assert account.writes() == ["CreateHealthCheck"] * 4


def test_reference_remembered_too_often(account: Account) -> None:
    """The search for a free one ends."""
    references = {f"healthcheck/{STEM}{number}": "gone" for number in range(1, 60)}
    account.emulator.seed({"references": references})
    with pytest.raises(Rejected, match=r"remembers 50 deleted checks .*, limit 50; wait some days"):
        create(account)
    assert account.writes() == ["CreateHealthCheck"] * 50


def test_answer_lost_after_the_check_was_made(account: Account) -> None:
    """Asked again, by a later round, Route 53 answers with the same check."""
    account.fault("CreateHealthCheck", "drop_after")
    with pytest.raises(LostAnswer, match=r"health check of 192\.0\.2\.1"):
        create(account)
    (made,) = account.live().checks
    assert create(account) == made.id


def test_name_for_people(account: Account) -> None:
    """It is a tag, which nothing reads back."""
    identifier = create(account)
    assert tag_check(account.calls(), identifier, "edge ie-1 192.0.2.1") == ""
    assert account.emulator.tags[f"healthcheck/{identifier}"] == {"Name": "edge ie-1 192.0.2.1"}


@pytest.mark.parametrize("do", ["denied", "500", "drop_after"])
def test_name_that_cannot_be_given(account: Account, do: str) -> None:
    """The check is there and serves: a warning says which has no name, and why."""
    identifier = create(account)
    account.fault("ChangeTagsForResource", do)
    warning = tag_check(account.calls(), identifier, "edge ie-1 192.0.2.1")
    assert warning.startswith(
        f"it has no Name tag (edge ie-1 192.0.2.1), which nothing depends on: health check"
        f" {identifier}: "
    )


def test_settings_changed_in_place(account: Account) -> None:
    """The same check at the next version: a new one would count as healthy at first."""
    identifier = create(account)
    new = CheckSettings(path="/", domain_name="x.example.com", port=8443, failure_threshold=5)
    update_check(account.calls(), CheckUpdate(live(account, identifier), "192.0.2.7", new))
    found = live(account, identifier)
    assert (found.version, found.address, found.port) == (2, "192.0.2.7", 8443)
    assert (found.path, found.domain_name, found.failure_threshold) == ("/", "x.example.com", 5)


def test_settings_changed_once_more(account: Account) -> None:
    """An update names the version that was read, whichever it is."""
    identifier = create(account)
    for port in (8443, 9443):
        new = CheckSettings(port=port)
        update_check(account.calls(), CheckUpdate(live(account, identifier), "192.0.2.1", new))
    found = live(account, identifier)
    assert (found.version, found.port) == (3, 9443)


def test_texts_that_become_empty(account: Account) -> None:
    """They are reset: leaving them out would leave them as they are."""
    identifier = create(account)
    new = CheckSettings(path="", domain_name="")
    update_check(account.calls(), CheckUpdate(live(account, identifier), "192.0.2.1", new))
    found = live(account, identifier)
    assert (found.path, found.domain_name) == ("", "")


def test_check_that_somebody_changed_since_the_read(account: Account) -> None:
    """The version differs: nothing is overwritten."""
    seen = live(account, create(account))
    update = CheckUpdate(seen, "192.0.2.1", CheckSettings(path="/new"))
    update_check(account.calls(), update)
    with pytest.raises(Conflict, match="HealthCheckVersionMismatch"):
        update_check(account.calls(), update)


def test_check_that_somebody_removed_since_the_read(account: Account) -> None:
    """Updating it is a conflict, removing it is done."""
    seen = live(account, create(account))
    remove_check(account.calls(), seen)
    remove_check(account.calls(), seen)
    with pytest.raises(Conflict, match="NoSuchHealthCheck"):
        update_check(account.calls(), CheckUpdate(seen, "192.0.2.1", HTTPS))
