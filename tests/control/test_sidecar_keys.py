from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from control.sidecar_keys import (
    AppKey,
    SidecarKey,
    account_key,
    host_key,
    sidecar_host,
    sidecar_key,
    sidecar_record_key,
    trash_key,
    unparsed_sidecar_key,
)

_KNOWN = {"bab", "jam"}
_RECORD = "apps/bab/eleven/sidecars/bot-acme.json"


def test_keys_of_one_sidecar() -> None:
    """Record, manifest, trash marker and host all follow from account, app and name."""
    key = SidecarKey("bab", "eleven", "bot-acme")

    assert key.record == sidecar_record_key("bab", "eleven", "bot-acme") == _RECORD
    assert key.owner == AppKey("bab", "eleven")
    assert key.owner.manifest == "apps/bab/eleven/sidecars.json"
    assert key.owner.trash == "control/trash/bab/eleven.json"
    assert key.host == sidecar_host("bot-acme", "eleven", "bab")
    assert key.host == "bot-acme.eleven.bab.sidecar.internal"


@pytest.mark.parametrize("name", ["bot-acme", "Bot_1", "a.b", " ", "b\xf6t", "\n", "-", "json"])
def test_record_key_with_any_name(name: str) -> None:
    """One non-empty segment is a name: a wrong one is refused with its record, it stays seen."""
    key = f"apps/bab/eleven/sidecars/{name}.json"

    assert sidecar_key(key, _KNOWN) == SidecarKey("bab", "eleven", name)
    assert not unparsed_sidecar_key(key, _KNOWN)


_UNPARSED = [
    "apps/new/eleven/sidecars/bot.json",
    "apps/eleven/sidecars/bot.json",
    "apps/BAB/eleven/sidecars/bot.json",
    "apps/bab/Eleven/sidecars/bot.json",
    "apps/bab/a.b/sidecars/bot.json",
    "apps/bab/-a/sidecars/bot.json",
    "apps/bab/eleven/sidecars/bot",
    "apps/bab/eleven/sidecars/bot.JSON",
    "apps/bab/eleven/sidecars/.json",
    "apps/bab/eleven/sidecars/old/bot.json",
    "apps/bab/eleven/old/sidecars/bot.json",
    "apps/bab/sidecars/bot.json",
    "apps/bab/sidecars/sidecars/bot.txt",
    "apps/bab/sidecars/instances/sidecars/bot.json",
]


@pytest.mark.behaviour(100)
@pytest.mark.parametrize("key", _UNPARSED)
def test_key_under_sidecars_that_does_not_parse(key: str) -> None:
    """It is no record, and it is not passed over either: what it means cannot be known."""
    assert sidecar_key(key, _KNOWN) is None
    assert unparsed_sidecar_key(key, _KNOWN)


_OTHERS = [
    "apps/bab/eleven/sidecars.json",
    "apps/bab/eleven/sidecars",
    "apps/bab/eleven/instances/sidecars.json",
    "apps/bab/eleven/sidecars-old/bot.json",
    "apps/bab/sidecars/instances/eleven.bab.example.com.json",
    "apps/bab/sidecars/sidecars.json",
    "apps/sidecars/eleven/instances/a.json",
    "apps/sidecars.json",
    "apps/",
    "",
]


@pytest.mark.behaviour(100)
@pytest.mark.parametrize("key", _OTHERS)
def test_key_of_another_kind(key: str) -> None:
    """Manifests, instances, folder markers and an app named sidecars are neither."""
    assert sidecar_key(key, _KNOWN) is None
    assert not unparsed_sidecar_key(key, _KNOWN)


def test_record_of_an_app_named_sidecars() -> None:
    """The name of the family is a name like any other."""
    key = "apps/bab/sidecars/sidecars/sidecars.json"

    assert sidecar_key(key, _KNOWN) == SidecarKey("bab", "sidecars", "sidecars")
    assert not unparsed_sidecar_key(key, _KNOWN)


@pytest.mark.parametrize(
    ("key", "account"),
    [
        ("accounts/bab.json", "bab"),
        ("accounts/b4.json", "b4"),
        ("accounts/b.json", None),
        ("accounts/BAB.json", None),
        ("accounts/bab", None),
        ("accounts/bab/x.json", None),
        ("accounts/.json", None),
        ("x/accounts/bab.json", None),
    ],
)
def test_account_key(key: str, account: str | None) -> None:
    """An account's short id is two or more of a-z and 0-9."""
    assert account_key(key) == account


@pytest.mark.parametrize(
    ("key", "app"),
    [
        ("control/trash/bab/eleven.json", AppKey("bab", "eleven")),
        ("control/trash/bab/eleven", None),
        ("control/trash/eleven.json", None),
        ("control/trash/bab/x/eleven.json", None),
        ("control/trash/bab/El.json", None),
    ],
)
def test_trash_key(key: str, app: AppKey | None) -> None:
    """A marker names account and app."""
    assert trash_key(key) == app


_LABELS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
_ACCOUNTS = st.from_regex(r"[a-z0-9]{2,5}", fullmatch=True)
_NAMES = st.text(st.characters(exclude_characters="/", exclude_categories=["Cs"]), min_size=1)


@given(st.builds(SidecarKey, _ACCOUNTS, _LABELS, _LABELS | _NAMES))
def test_host_and_key_are_one_to_one(key: SidecarKey) -> None:
    """A host gives the key back, so no two keys have one host."""
    assert host_key(key.host) == key
    assert sidecar_key(key.record, {key.account}) == key


@pytest.mark.parametrize(
    "host",
    [
        "eleven.bab.sidecar.internal",
        ".eleven.bab.sidecar.internal",
        "bot.eleven.bab.example.com",
        "bot.eleven.b.sidecar.internal",
        "bot.El.bab.sidecar.internal",
        "a/b.eleven.bab.sidecar.internal",
        "bot.eleven.bab.sidecar.internal.",
        ".sidecar.internal",
        "",
    ],
)
def test_host_that_no_key_can_ask_for(host: str) -> None:
    """It has no record, now or ever."""
    assert host_key(host) is None
