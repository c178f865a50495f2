"""The platform, as far as claims go: it writes them into a bucket, and fences onto boxes.

It knows what it wrote, so a test moves a host along by naming what happens: `serve`, `release`,
`install`, `settle`. Each change of executor counts the holder's stamp up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from control.claims import claim_key

INCARNATION = "01J8ZQ5E7N"


@dataclass
class ClaimsPlatform:
    """``put`` writes an object of the bucket; ``claims`` are the bodies written, by host."""

    put: Callable[[str, bytes], None]
    claims: dict[str, dict[str, Any]] = field(default_factory=dict)

    def serve(self, host: str, box: str, *, key: str, op: str = "op-40", stamp: int = 7) -> None:
        """Give a record's host to a box, or, with another stamp, give it anew."""
        holder = {"key": key, "incarnation": INCARNATION, "family": "sidecar", "stamp": stamp}
        self._write(host, {"holder": holder, "op": {"id": op, "kind": "serving", "exec": box}})

    def key_of(self, host: str) -> str:
        """Return the key of the record that holds a host."""
        return str(self.claims[host]["holder"]["key"])

    def release(self, host: str, target: str, *, op: str = "op-41") -> None:
        """Begin a relocation: the box that serves still executes, until its fence closes."""
        source = self.claims[host]["op"]["exec"]
        self._relocate(host, op, "releasing", source, target)

    def install(self, host: str) -> None:
        """Go on to the target, which executes from now on."""
        op = self.claims[host]["op"]
        self._count(host)
        self._relocate(host, op["id"], "installing", op["source"], op["target"])

    def settle(self, host: str, *, op: str = "op-42") -> None:
        """End a relocation: the target serves, and the source owes to park its own."""
        done = self.claims[host]["op"]
        completed = {"op": done["id"], "stop": {"box": done["target"]}}
        owed = [{"kind": "park-local", "box": done["source"], "op": done["id"]}]
        self.change(
            host,
            op={"id": op, "kind": "serving", "exec": done["target"]},
            obligations=owed,
            completed_relocation=completed,
        )

    def abort(self, host: str, *, op: str = "op-43") -> None:
        """Give a relocation up: the source serves again, under a stamp of its own."""
        self._count(host)
        source = self.claims[host]["op"]["source"]
        self.change(host, op={"id": op, "kind": "serving", "exec": source})

    def lose(self, host: str, box: str) -> None:
        """Give a box up."""
        self.change(host, lost=[*self.claims[host].get("lost", []), box])

    def release_name(self, host: str) -> None:
        """Take the holder away; the claim stays, so that its stamp never goes down."""
        self.change(host, holder=None)

    def change(self, host: str, **parts: object) -> None:
        """Write parts of a claim anew, and leave the others as they are."""
        self._write(host, parts)

    def spoil(self, host: str, body: bytes) -> None:
        """Write something that is no claim; the next change writes a claim again."""
        self.put(claim_key(host), body)

    def _relocate(self, host: str, op: str, phase: str, source: str, target: str) -> None:
        acting = source if phase == "releasing" else target
        parts = {"id": op, "kind": "relocating", "exec": acting, "phase": phase}
        self.change(host, op={**parts, "source": source, "target": target})

    def _count(self, host: str) -> None:
        holder = self.claims[host]["holder"]
        self.claims[host]["holder"] = {**holder, "stamp": holder["stamp"] + 1}

    def _write(self, host: str, parts: Mapping[str, object]) -> None:
        claim = {"v": 1, "host": host, **self.claims.get(host, {}), **parts}
        self.claims[host] = claim
        self.put(claim_key(host), json.dumps(claim).encode())


def fence(data_dir: Path, host: str, *, op: str = "op-41", closed: bool = True) -> None:
    """Close a box's admission fence for an operation, or open it."""
    write_local(data_dir, host, "fence.json", {"v": 1, "host": host, "op": op, "closed": closed})


def write_local(data_dir: Path, host: str, name: str, document: bytes | Mapping[str, Any]) -> None:
    """Replace one of a host's files on a box, as the platform does."""
    folder = data_dir / "claims" / host
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    (folder / f"{name}.platform").write_bytes(body)
    (folder / f"{name}.platform").rename(folder / name)
