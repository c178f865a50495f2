"""A box in this process: a bucket in memory, a registry in a file, and what its stack decides."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pulumi.dynamic import CreateResult

from control.claims import CLAIMS_PREFIX
from control.sidecar_keys import AppKey, SidecarKey
from providers import sidecar_removals, sidecar_work
from providers.sidecar_routes import SidecarRoutesProvider
from registry.connection import reading
from registry.route import Route
from registry.rows import read_rows
from stacks import sidecar_decision
from stacks.box_settings import SidecarsSettings
from stacks.sidecar_decision import SidecarsDecision, decide, observe
from tests.control.sidecar_store import SidecarStore, account_body, body_of
from tests.registry.samples import registry_of, run
from tests.support.claims_platform import INCARNATION, ClaimsPlatform

ELEVEN = AppKey("bab", "eleven")
BUCKET = "control/eu"
Props = dict[str, Any]


def key_of(name: str, app: AppKey = ELEVEN) -> SidecarKey:
    return SidecarKey(app.account, app.app, name)


def host_of(name: str, app: AppKey = ELEVEN) -> str:
    return key_of(name, app).host


@dataclass
class SidecarBox:
    """A box that accepts inbound work. ``changes`` are settings of its own."""

    folder: Path
    objects: dict[str, bytes] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    failing: dict[str, Any] = field(default_factory=dict)
    unlisted: set[str] = field(default_factory=set)
    provider: SidecarRoutesProvider = field(default_factory=SidecarRoutesProvider)
    asked: list[str] = field(default_factory=list)
    platform: ClaimsPlatform = field(init=False)

    def __post_init__(self) -> None:
        """Let the platform write claims into the same bucket."""
        self.platform = ClaimsPlatform(self.objects.__setitem__)

    @property
    def store(self) -> SidecarStore:
        """The bucket as it is now; all of its stores tell in ``asked`` what they were asked."""
        unlisted = frozenset(self.unlisted)
        return SidecarStore(self.objects, self.failing, unlisted, asked=self.asked)

    @property
    def registry(self) -> Path:
        return self.folder / "registry.db"

    @property
    def settings(self) -> SidecarsSettings:
        own = {"bucket": BUCKET, "box": "a1", "registry": str(self.registry)}
        return SidecarsSettings(**{**own, "data_dir": str(self.folder), **self.changes})

    def record(self, name: str, app: AppKey = ELEVEN, **fields: object) -> str:
        """Write a sidecar's record, and return its host."""
        key = key_of(name, app)
        self.objects[key.record] = body_of(key, **fields)
        return key.host

    def forget(self, *names: str, app: AppKey = ELEVEN) -> None:
        """Delete records."""
        for name in names:
            del self.objects[key_of(name, app).record]

    def claimed(self, name: str, box: str = "a1", **fields: object) -> str:
        """Write a record whose claim a box serves, and return its host."""
        host = self.record(name, ELEVEN, incarnation=INCARNATION, **fields)
        self.platform.serve(host, box, key=key_of(name).record)
        return host

    def claims_read(self) -> list[str]:
        """The first labels of the hosts whose claims were read, sorted, each once."""
        prefix = f"get {CLAIMS_PREFIX}"
        read = {each.removeprefix(prefix) for each in self.asked if each.startswith(prefix)}
        return sorted(each.partition(".")[0] for each in read)

    def manifest(self, app: AppKey = ELEVEN, **fields: object) -> None:
        """Write an app's manifest."""
        body = {"v": 1, "args": ["bot", "run"], **fields}
        self.objects[app.manifest] = json.dumps(body).encode()

    def sql(self, *statements: str) -> None:
        """Write the registry as somebody else does."""
        run(self.registry, *statements)

    def rows(self) -> dict[str, Route]:
        """The rows of the registry by host."""
        with reading(self.registry) as connection:
            return {row.host: row for row in read_rows(connection).routes}

    def names(self) -> str:
        """The first labels of the rows' hosts, sorted."""
        return " ".join(sorted(host.partition(".")[0] for host in self.rows()))

    def decided(self, acknowledged: str = "") -> SidecarsDecision:
        """What the stack's program decides now."""
        return decide(observe(self.settings, lambda _: None), acknowledged)

    def props(self, acknowledged: str = "") -> Props:
        """What the engine sends: every number is a float, the provider is there too."""
        inputs = self.decided(acknowledged).inputs(self.settings)
        props: Props = json.loads(inputs.model_dump_json(by_alias=True), parse_int=float)
        return {**props, "__provider": "gASV"}

    def create(self, news: Props | None = None) -> CreateResult:
        """Create the resource, from what the program decides now unless something else is given."""
        return self.provider.create(news or self.props())

    def update(self, news: Props | None = None) -> None:
        """Update the resource."""
        self.provider.update("", {}, news or self.props())


@contextmanager
def sidecar_box(
    folder: Path, names: Iterable[str] = (), routes: Iterable[Route] = ()
) -> Iterator[SidecarBox]:
    """Make a box of an account that is known, an app with a manifest, and records of these names.

    Whoever opens a bucket in this process gets its. The frames that a provider hides are given back
    afterwards.
    """
    box = SidecarBox(folder, {"accounts/bab.json": account_body("bab")})
    registry_of(box.registry, *routes)
    box.manifest()
    for name in names:
        box.record(name)
    with pytest.MonkeyPatch.context() as patch:
        for module in (sidecar_decision, sidecar_removals, sidecar_work):
            patch.setattr(module, "open_bucket", lambda _name: box.store)
        patch.setattr(sidecar_work, "open_hasty", lambda _name: box.store)
        yield box
    vars(sys).pop("tracebacklimit", None)
