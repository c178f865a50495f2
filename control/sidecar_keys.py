"""The names of the objects that sidecars come from: accounts, records, manifests, trash markers."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from control.keys import ACCOUNT, APPS_PREFIX, LABEL, is_label

ACCOUNTS_PREFIX = "accounts/"
TRASH_PREFIX = "control/trash/"
HOST_SUFFIX = ".sidecar.internal"

_FAMILY = "sidecars"
_ACCOUNT_KEY = re.compile(rf"accounts/(?P<account>{ACCOUNT})\.json")
_RECORD_KEY = re.compile(rf"apps/({ACCOUNT})/({LABEL})/sidecars/([^/]+)\.json")
_MANIFEST_KEY = re.compile(r"apps/[^/]+/[^/]+/sidecars\.json")
_TRASH_KEY = re.compile(rf"control/trash/({ACCOUNT})/({LABEL})\.json")


@dataclass(frozen=True, slots=True, order=True)
class AppKey:
    """An account's app, and the keys of the objects that there is one of for each app."""

    account: str
    app: str

    @property
    def manifest(self) -> str:
        """The key of its sidecars manifest."""
        return f"{APPS_PREFIX}{self.account}/{self.app}/{_FAMILY}.json"

    @property
    def trash(self) -> str:
        """The key of its trash marker: the app is in the trash while the object exists."""
        return f"{TRASH_PREFIX}{self.account}/{self.app}.json"


@dataclass(frozen=True, slots=True, order=True)
class SidecarKey:
    """The three parts of a sidecar record's key, ``apps/<account>/<app>/sidecars/<name>.json``."""

    account: str
    app: str
    name: str

    @property
    def record(self) -> str:
        """The key itself."""
        return sidecar_record_key(self.account, self.app, self.name)

    @property
    def host(self) -> str:
        """The host that this key alone may ask for (behaviour 107)."""
        return sidecar_host(self.name, self.app, self.account)

    @property
    def owner(self) -> AppKey:
        """The app it belongs to."""
        return AppKey(self.account, self.app)


def is_account(text: str) -> bool:
    """Say whether a text is an account's short id: two or more of a-z and 0-9."""
    return re.fullmatch(ACCOUNT, text) is not None


def sidecar_record_key(account: str, app: str, name: str) -> str:
    """Return the key of a sidecar's record."""
    return f"{APPS_PREFIX}{account}/{app}/{_FAMILY}/{name}.json"


def sidecar_host(name: str, app: str, account: str) -> str:
    """Return a sidecar's host: ``<name>.<app>.<account>.sidecar.internal``.

    App and account hold no dots, so no two keys have one host.
    """
    return f"{name}.{app}.{account}{HOST_SUFFIX}"


def account_key(key: str) -> str | None:
    """Return the account of ``accounts/<account>.json``, or None for a stray."""
    match = _ACCOUNT_KEY.fullmatch(key)
    return match["account"] if match else None


def sidecar_key(key: str, accounts: Collection[str]) -> SidecarKey | None:
    """Parse ``apps/<account>/<app>/sidecars/<one non-empty segment>.json``, or return None.

    ``accounts`` are those known to the bucket: they tell such a key from one of the layout from
    before accounts, ``apps/<app>/...``. What the last segment says is not part of parsing: a record
    with a wrong name is protected by itself, it does not vanish.
    """
    match = _RECORD_KEY.fullmatch(key)
    return SidecarKey(*match.groups()) if match and match[1] in accounts else None


def unparsed_sidecar_key(key: str, accounts: Collection[str]) -> bool:
    """Say whether a key lies under some ``.../sidecars/`` and cannot be parsed as a record's.

    To pass over it is a short read: what it stands for would look retired. The other objects of an
    app that is itself named ``sidecars`` are none of them.
    """
    account, folders = key.split("/")[1:2], key.split("/")[2:-1]
    if _FAMILY not in folders or sidecar_key(key, accounts):
        return False
    app_of_that_name = folders[0] == _FAMILY and account[0] in accounts
    others = folders[1:] or _MANIFEST_KEY.fullmatch(key)
    return not (app_of_that_name and others and _FAMILY not in folders[1:])


def trash_key(key: str) -> AppKey | None:
    """Return the app of ``control/trash/<account>/<app>.json``, or None for a stray."""
    match = _TRASH_KEY.fullmatch(key)
    return AppKey(*match.groups()) if match else None


def host_key(host: str) -> SidecarKey | None:
    """Return the one key that may ask for a host, or None where no key can.

    The inverse of `SidecarKey.host`, whether or not the account is known.
    """
    name_and_app, _, account = host.removesuffix(HOST_SUFFIX).rpartition(".")
    name, _, app = name_and_app.rpartition(".")
    legal = name and "/" not in name and _legal_app(account, app)
    return SidecarKey(account, app, name) if legal and host.endswith(HOST_SUFFIX) else None


@lru_cache(maxsize=1024)
def _legal_app(account: str, app: str) -> bool:
    return is_account(account) and is_label(app)
