"""pulumi-aws for tests: a provider process for two types of resource, over any Route 53 endpoint.

``python -m tests.support.aws_provider`` prints its port, and ends with its standard input. The
engine uses it where ``PULUMI_DEBUG_PROVIDERS=aws:<port>`` is set. Where Route 53 is, the real
plugin's own setting says: ``aws:endpoints: [{"route53": "http://..."}]``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import boto3
import grpc
from botocore.config import Config
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from tests.support.aws_resources import KINDS, Kind, Props, same
from tests.support.aws_unfinished import REFUSALS, Unfinished, status

if TYPE_CHECKING:
    from mypy_boto3_route53 import Route53Client

WORKERS = 32
_Answer = TypeVar("_Answer")


class AwsProvider(provider_pb2_grpc.ResourceProviderServicer):
    """The servicer. Its client is made anew by each run, as the run's settings say."""

    client: Route53Client

    def Attach(self, request: Any, context: Any) -> Empty:  # noqa: ARG002, N802 - gRPC's form
        return Empty()

    def GetPluginInfo(self, request: Any, context: Any) -> plugin_pb2.PluginInfo:  # noqa: ARG002, N802
        return plugin_pb2.PluginInfo(version="7.51.1")

    def Cancel(self, request: Any, context: Any) -> Empty:  # noqa: ARG002, N802
        return Empty()

    def CheckConfig(self, request: Any, context: Any) -> provider_pb2.CheckResponse:  # noqa: ARG002, N802
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: Any) -> provider_pb2.DiffResponse:  # noqa: ARG002, N802
        """Another endpoint is another configuration, and no other provider."""
        response = provider_pb2.DiffResponse
        changed = _plain(request.olds) != _plain(request.news)
        return response(changes=response.DIFF_SOME if changed else response.DIFF_NONE)

    def Configure(self, request: Any, context: Any) -> provider_pb2.ConfigureResponse:  # noqa: ARG002, N802
        [endpoint] = json.loads(MessageToDict(request.args)["endpoints"])
        self.client = boto3.client(
            "route53",
            region_name="us-east-1",
            endpoint_url=endpoint["route53"],
            aws_access_key_id="emulated",
            aws_secret_access_key="emulated",  # noqa: S106 - nobody's
            config=Config(
                max_pool_connections=WORKERS, retries={"max_attempts": 25, "mode": "standard"}
            ),
        )
        return provider_pb2.ConfigureResponse()

    def Check(self, request: Any, context: Any) -> provider_pb2.CheckResponse:  # noqa: ARG002, N802
        return provider_pb2.CheckResponse(inputs=request.news)

    def Diff(self, request: Any, context: Any) -> provider_pb2.DiffResponse:  # noqa: ARG002, N802
        """Compare the inputs with the state, which a refresh may have changed."""
        olds, news = _plain(request.olds), _plain(request.news)
        keys = news.keys() | _plain(request.old_inputs).keys()
        diffs = sorted(key for key in keys if not same(key, olds.get(key), news.get(key)))
        response = provider_pb2.DiffResponse
        return response(
            changes=response.DIFF_SOME if diffs else response.DIFF_NONE,
            diffs=diffs,
            replaces=[key for key in diffs if key in _kind(request.urn).forced],
        )

    def Create(self, request: Any, context: Any) -> provider_pb2.CreateResponse:  # noqa: N802
        kind, news = _kind(request.urn), _plain(request.properties)
        id_, outputs = _told(context, lambda: kind.create(self.client, news))
        return provider_pb2.CreateResponse(id=id_, properties=_struct(outputs))

    def Read(self, request: Any, context: Any) -> provider_pb2.ReadResponse:  # noqa: N802
        kind, olds = _kind(request.urn), _plain(request.properties)
        outputs = _told(context, lambda: kind.read(self.client, request.id, olds))
        if outputs is None:
            return provider_pb2.ReadResponse()
        known = _plain(request.inputs).keys() or kind.inputs
        inputs = {key: each for key, each in outputs.items() if key in known and each}
        return provider_pb2.ReadResponse(
            id=request.id, properties=_struct(outputs), inputs=_struct(inputs)
        )

    def Update(self, request: Any, context: Any) -> provider_pb2.UpdateResponse:  # noqa: N802
        kind, olds, news = _kind(request.urn), _plain(request.olds), _plain(request.news)
        outputs = _told(context, lambda: kind.update(self.client, request.id, olds, news))
        return provider_pb2.UpdateResponse(properties=_struct(outputs))

    def Delete(self, request: Any, context: Any) -> Empty:  # noqa: N802
        kind, olds = _kind(request.urn), _plain(request.properties)
        _told(context, lambda: kind.delete(self.client, request.id, olds))
        return Empty()


def main() -> None:
    """Serve until standard input ends."""
    server = grpc.server(ThreadPoolExecutor(WORKERS))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(AwsProvider(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.stop(None).wait()


def _kind(urn: str) -> Kind:
    return KINDS[urn.split("::")[2].rpartition("$")[2]]


def _plain(struct: Struct) -> Props:
    plain: Props = MessageToDict(struct)
    return plain


def _struct(props: Props) -> Struct:
    return ParseDict(props, Struct())


def _told(context: Any, work: Callable[[], _Answer]) -> _Answer:
    """Do something, and tell the engine what Route 53 says against it."""
    try:
        return work()
    except Unfinished as error:
        context.abort_with_status(status(error))
        raise
    except REFUSALS as error:
        context.abort(grpc.StatusCode.UNKNOWN, str(error))
        raise


if __name__ == "__main__":
    main()
