"""What the bucket asks of one box, as one value: the ``desired`` input of a ``SidecarRoutes``."""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from control.sidecar_keys import sidecar_record_key
from folds.desired import Value

State = Literal[
    "trashed", "unconfigured", "duplicate", "protected", "unread", "elsewhere", "unplaceable"
]


class Box(Value):
    """The box, as its stack's settings say, and where it reads.

    ``bucket`` is the name and prefix. ``region`` empty is the home region. ``pools`` empty serves
    the shared pool. ``inbound`` is ``none`` where nothing can reach the box. ``drop_trashed`` says
    that rows of apps in the trash are retired here. ``claims`` says that rows are written under
    claims: ``region_code`` and ``home_region`` are then placement codes, and ``region_ha`` says
    that a row is held here while its host moves to another box.
    """

    box: str
    bucket: str
    region: str = ""
    pools: tuple[str, ...] = ()
    inbound: str = ""
    data_dir: str = ""
    drop_trashed: bool = False
    claims: bool = False
    region_code: str = ""
    home_region: str = ""
    region_ha: bool = False

    def db_path(self, host: str) -> str:
        """Return where a host has its database; never empty (behaviour 90)."""
        return f"{_folder(self.data_dir)}{host}.db"


@lru_cache(maxsize=8)
def _folder(data_dir: str) -> str:
    """Clean a path as Go's ``filepath.Join`` does, with a slash at its end unless it is none."""
    return posixpath.join(posixpath.normpath(data_dir), "") if data_dir else ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A record that this box runs, with what its app's manifest adds (behaviours 87-89).

    Every column of its row that is not always the same, by its name: ``hibernate`` is 0 or 1,
    ``args`` the registry's text of them, ceilings are in seconds. The last four are of the record
    as it was read, and empty where claims are off.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        alias_generator=to_camel, extra="forbid", populate_by_name=True
    )

    name: str
    app: str
    account: str
    host: str
    region: str
    pool: str
    channel: str
    environment: str
    hibernate: int
    args: str
    idle_seconds: int
    max_run_seconds: int
    placement: str = ""
    incarnation: str = ""
    created_at: str = ""
    etag: str = ""

    @property
    def key(self) -> str:
        """The key of its record."""
        return sidecar_record_key(self.account, self.app, self.name)


class Standing(Value):
    """A record that is not simply run here, and why; ``reason`` is printable ASCII.

    trashed       its app is in the trash, or may be: row kept, nothing minted (behaviour 113)
    unconfigured  its app has no manifest that can be read: the same (96, 97, 98)
    duplicate     another record has its host: that one decides (112)
    protected     it cannot be used: its row is kept (102-107)
    unread        it could not be read: no row at all is removed (101)
    elsewhere     it asks for another region or pool (109)
    unplaceable   it asks for a placement that this box is not (110)
    """

    key: str
    host: str
    state: State
    reason: str


class SidecarDesired(Value):
    """Everything a plan needs besides the box's rows.

    ``wanted`` and ``standings`` are sorted by key. ``accounts`` are those known to the bucket,
    ``trashed`` the apps in the trash as ``account/app``, where rows are dropped for it. ``unclean``
    says what could not be read, so that no row is removed; ``trash_failure`` why the trash could
    not be; ``notices`` what is said once for an app. All lists are sorted and without duplicates.
    """

    box: Box
    wanted: tuple[Wanted, ...] = ()
    standings: tuple[Standing, ...] = ()
    accounts: tuple[str, ...] = ()
    trashed: tuple[str, ...] = ()
    unclean: tuple[str, ...] = ()
    trash_failure: str = ""
    notices: tuple[str, ...] = ()

    def without_others(self, hosts: Collection[str]) -> SidecarDesired:
        """Leave out the records of other boxes that have no row here, of these ``hosts``.

        They change no plan, and a fleet has many.
        """
        kept = [each for each in self.standings if each.state != "elsewhere" or each.host in hosts]
        return self.model_copy(update={"standings": tuple(kept)})
