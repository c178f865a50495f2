"""A `ReadStore` in memory that says what it was asked, and fails where told."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from control.errors import ListingFailed, ObjectNotFound, ReadFailed
from control.sidecar_keys import SidecarKey
from control.store import Body, Progress


def body_of(key: SidecarKey, **fields: object) -> bytes:
    """The body of a record that its key agrees with."""
    identity = {"name": key.name, "account": key.account, "app": key.app, "host": key.host}
    return json.dumps(identity | {"channel": "edge"} | fields).encode()


def account_body(account: str) -> bytes:
    return json.dumps({"v": 1, "account": account}).encode()


@dataclass
class SidecarStore:
    """Objects by key; ``failing`` reads, ``unlisted`` prefixes; listings come in any order."""

    objects: Mapping[str, bytes]
    failing: Mapping[str, ReadFailed] = field(default_factory=dict)
    unlisted: frozenset[str] = frozenset()
    seed: int = 0
    asked: list[str] = field(default_factory=list)

    def list(self, prefix: str) -> tuple[str, ...]:
        self.asked.append(f"list {prefix}")
        if prefix in self.unlisted:
            raise ListingFailed(prefix, "access denied")
        return self._shuffled(key for key in self._keys() if key.startswith(prefix))

    def folders(self, prefix: str) -> tuple[str, ...]:
        self.asked.append(f"folders {prefix}")
        if prefix in self.unlisted:
            raise ListingFailed(prefix, "access denied")
        below = (key.removeprefix(prefix) for key in self._keys() if key.startswith(prefix))
        return self._shuffled({key.split("/")[0] for key in below if "/" in key})

    def list_each(self, prefixes: Sequence[str]) -> dict[str, tuple[str, ...] | ListingFailed]:
        return {prefix: self._listing(prefix) for prefix in prefixes}

    def get(self, key: str) -> Body:
        result = self.get_each([key])[key]
        if isinstance(result, ReadFailed):
            raise result
        return result

    def get_each(
        self, keys: Sequence[str], progress: Progress | None = None
    ) -> dict[str, Body | ReadFailed]:
        self.asked += [f"get {key}" for key in keys]
        if progress:
            progress(len(keys), len(keys))
        return {key: self._result(key) for key in keys}

    def _keys(self) -> set[str]:
        return {*self.objects, *self.failing}

    def _shuffled(self, keys: Any) -> tuple[str, ...]:
        ordered = sorted(keys)
        random.Random(self.seed).shuffle(ordered)
        return tuple(ordered)

    def _listing(self, prefix: str) -> tuple[str, ...] | ListingFailed:
        try:
            return self.list(prefix)
        except ListingFailed as failure:
            return failure

    def _result(self, key: str) -> Body | ReadFailed:
        if key in self.failing:
            return self.failing[key]
        if key not in self.objects:
            return ObjectNotFound(key, "no such object")
        data = self.objects[key]
        return Body(data, f'"{zlib.crc32(data):08x}"')
