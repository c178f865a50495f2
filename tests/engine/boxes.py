"""One box for the real CLI: a registry, a bucket that asks for sidecars, and its two stacks."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from control.sidecar_keys import AppKey, SidecarKey
from registry.connection import reading
from registry.route import Route
from registry.rows import read_rows
from tests.engine.cli import Completed, EngineRunner, Stack
from tests.registry.samples import registry_of
from tests.support.s3_bucket import ACCESS_KEY, REGION, S3Bucket

ELEVEN = AppKey("bab", "eleven")
MANIFEST = {"v": 1, "args": ["bot", "run"]}
SKIP = ("--yes", "--skip-preview")


@dataclass
class BoxDeployment:
    """A box by its label. ``settings`` are its sidecars stack's own, beside those that all have."""

    label: str
    bucket: S3Bucket
    registry: Path
    sidecars: Stack
    snapshot: Stack
    s3_url: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """What points a program at the bucket."""
        return {
            "AWS_ENDPOINT_URL_S3": self.s3_url or self.bucket.url,
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        }

    def configure(self, **changes: Any) -> None:
        """Set both stacks' configurations; the changes are settings of the sidecars stack."""
        self.settings |= changes
        both = {"bucket": self.bucket.name, "box": self.label, "registry": str(self.registry)}
        own = {**both, "kind": "sidecars", "dataDir": str(self.registry.parent), **self.settings}
        self.sidecars.configure(_namespaced(own))
        self.snapshot.configure(_namespaced({**both, "kind": "snapshot"}))

    def account(self, name: str = "bab") -> None:
        """Make an account known."""
        self.bucket.put(f"accounts/{name}.json", {"v": 1, "account": name})

    def manifest(self, app: AppKey = ELEVEN, **fields: Any) -> None:
        """Write an app's manifest."""
        self.bucket.put(app.manifest, {**MANIFEST, **fields})

    def record(self, name: str, app: AppKey = ELEVEN, **fields: Any) -> str:
        """Write a sidecar's record, and return its host."""
        key = SidecarKey(app.account, app.app, name)
        identity = {"name": name, "account": app.account, "app": app.app, "host": key.host}
        self.bucket.put(key.record, {**identity, "channel": "edge", **fields})
        return key.host

    def forget(self, name: str, app: AppKey = ELEVEN) -> None:
        """Delete a sidecar's record."""
        self.bucket.delete(SidecarKey(app.account, app.app, name).record)

    def rows(self) -> dict[str, Route]:
        """The rows of the registry by host."""
        with reading(self.registry) as connection:
            return {row.host: row for row in read_rows(connection).routes}

    def names(self) -> list[str]:
        """The first labels of the rows' hosts, sorted."""
        return sorted(host.partition(".")[0] for host in self.rows())

    def up(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run ``up`` of the sidecars stack, without a preview before it."""
        return self.run("up", *SKIP, *words, check=check, env=env)

    def run(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run a command on the sidecars stack."""
        return self.sidecars.run(*words, check=check, env={**self.env, **(env or {})})

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start ``up`` of the sidecars stack, to be killed."""
        log = self.sidecars.home / "log"
        return self.sidecars.start("up", *SKIP, *words, log=log, env=self.env)

    def take(
        self, *words: str, check: bool = True, env: Mapping[str, str] | None = None
    ) -> Completed:
        """Run ``up`` of the snapshot stack, without a preview before it."""
        return self.snapshot.run("up", *SKIP, *words, check=check, env={**self.env, **(env or {})})


def deploy_box(
    engine: EngineRunner, folder: Path, bucket: S3Bucket, label: str = "a1", *routes: Route
) -> BoxDeployment:
    """Make a box with a registry of these rows and two empty stacks, all below the folder."""
    home = folder / label
    sidecars = engine.program(home / "sidecars", {}, f"{label}-sidecars")
    snapshot = engine.program(home / "snapshot", {}, f"{label}-snapshot")
    registry = registry_of(home / "registry.db", *routes)
    made = BoxDeployment(label, bucket, registry, sidecars, snapshot)
    made.configure()
    return made


def fill(box: BoxDeployment, *names: str) -> None:
    """Make the app ``eleven`` of the account ``bab`` ask for sidecars of these names."""
    box.account()
    box.manifest()
    for name in names:
        box.record(name)


def _namespaced(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {f"fairlead:{key}": value for key, value in settings.items()}
