"""What the bridge below pulumi-aws tells the engine of a resource that is made or changed half.

It keeps such a resource in the state, as it should have become, with what went wrong: the next run
updates it. A failed update counts as half done even if nothing at all was changed.
(https://github.com/pulumi/pulumi-terraform-bridge/blob/main/pkg/tfbridge/provider.go)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import grpc
from botocore.exceptions import BotoCoreError, ClientError
from google.protobuf.json_format import ParseDict
from pulumi.runtime.proto import provider_pb2, status_pb2

REFUSALS = (BotoCoreError, ClientError, LookupError)


class Unfinished(Exception):
    """A resource that the state gets to know by its id, though not all went well."""

    def __init__(self, id_: str, outputs: Mapping[str, Any], cause: Exception) -> None:
        super().__init__(str(cause))
        self.id, self.outputs = id_, outputs


class _Status(NamedTuple):
    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, bytes], ...]


@contextmanager
def unfinished(id_: str, outputs: Mapping[str, Any]) -> Iterator[None]:
    """Make what Route 53 says against this part of a change an `Unfinished`."""
    try:
        yield
    except REFUSALS as error:
        raise Unfinished(id_, outputs, error) from error


def status(error: Unfinished) -> _Status:
    """Return it as the engine reads it."""
    failed = provider_pb2.ErrorResourceInitFailed(id=error.id, reasons=[str(error)])
    ParseDict(dict(error.outputs), failed.properties)
    code = grpc.StatusCode.UNKNOWN
    whole = status_pb2.Status(code=code.value[0], message=str(error))
    whole.details.add().Pack(failed)
    return _Status(code, str(error), (("grpc-status-details-bin", whole.SerializeToString()),))
