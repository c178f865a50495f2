"""The objects of the demo's bucket, for people: list, show, write and remove them by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from http import HTTPStatus

from obstore.exceptions import BaseError
from obstore.store import S3Store

from control.text import printable
from control.vendor import reason_of
from local.demo import BUCKET
from local.errors import BucketUnreachable, ObjectMissing
from local.services import Refused, ask


class Objects:
    """The demo's bucket. Each method raises `BucketUnreachable` where it does not answer."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Take endpoint and credentials from an environment; no request is made."""
        self._endpoint = environ["AWS_ENDPOINT_URL_S3"]
        self._store = S3Store(
            BUCKET,
            endpoint=self._endpoint,
            region=environ["AWS_REGION"],
            access_key_id=environ["AWS_ACCESS_KEY_ID"],
            secret_access_key=environ["AWS_SECRET_ACCESS_KEY"],
            client_options={"allow_http": True, "timeout": timedelta(seconds=5)},
            retry_config={"max_retries": 1},
        )

    def create(self) -> None:
        """Create the bucket; one that is there stays as it is."""
        with _translated(BUCKET):
            try:
                ask(f"{self._endpoint}/{BUCKET}", "PUT")
            except Refused as error:
                if error.errno != HTTPStatus.CONFLICT:
                    raise

    def keys(self, prefix: str = "") -> tuple[str, ...]:
        """Return the keys that begin with a prefix, sorted."""
        with _translated(prefix):
            listed = self._store.list().collect()
        return tuple(sorted(e["path"] for e in listed if e["path"].startswith(prefix)))

    def get(self, key: str) -> bytes:
        """Return an object's body, or raise `ObjectMissing`."""
        with _translated(key):
            return self._store.get(key).bytes().to_bytes()

    def put(self, key: str, body: bytes) -> None:
        """Write an object, in place of one that is there."""
        with _translated(key):
            self._store.put(key, body)

    def remove(self, key: str) -> None:
        """Remove an object, or raise `ObjectMissing`: S3 itself would not tell."""
        with _translated(key):
            self._store.head(key)
            self._store.delete(key)


@contextmanager
def _translated(key: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        shown = printable(key)
        raise ObjectMissing(
            f"{shown}: no such object; `python -m local bucket ls` lists them"
        ) from error
    except (BaseError, OSError) as error:
        raise BucketUnreachable(
            f"bucket {BUCKET}, {printable(key)}: {printable(reason_of(error))};"
            " `make up` starts it again"
        ) from error
