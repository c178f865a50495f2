"""Bucket reads: `control.store` against boto3 with 32 threads, of the same objects.

The server is a stub: an emulator would be slower than either client, and hide the difference.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import boto3
import pytest
from botocore.config import Config

from control.bucket import open_bucket
from control.store import Body
from tests.support.s3_bucket import point_at
from tests.support.s3_stub import s3_stub

OBJECTS = 2_000
BOTO3_THREADS = 32
ROUNDS = 3
TARGET = 3

_KEYS = [f"apps/bab/hello/instances/h{number}.bab.example.com.json" for number in range(OBJECTS)]
_RECORD = {"v": 1, "host": "hello.bab.example.com", "account": "bab", "app": "hello", "pool": ""}


@dataclass(frozen=True, order=True)
class _Cost:
    """Seconds of wall clock, and of this process's CPU."""

    wall: float
    cpu: float


def run() -> None:
    """Print both readers' cost, the best of three rounds each, and the ratios."""
    with s3_stub(json.dumps(_RECORD).encode()) as url, pytest.MonkeyPatch.context() as patch:
        point_at(patch, url)
        # In turns, so that whatever else the machine does meets both.
        rounds = [(_cost(_ours), _cost(_boto3)) for _ in range(ROUNDS)]
    sys.stdout.write(_report(min(ours for ours, _ in rounds), min(boto for _, boto in rounds)))


def _report(ours: _Cost, boto: _Cost) -> str:
    return (
        f"bucket reads, {OBJECTS} objects, best of {ROUNDS} rounds\n"
        f"  control.store      {ours.wall:6.2f} s wall {ours.cpu:6.2f} s CPU\n"
        f"  boto3, {BOTO3_THREADS} threads  {boto.wall:6.2f} s wall {boto.cpu:6.2f} s CPU\n"
        f"  times faster       {boto.wall / ours.wall:6.1f}   wall {boto.cpu / ours.cpu:6.1f}   CPU"
        f"  (target {TARGET})\n"
    )


def _cost(read: Callable[[], int]) -> _Cost:
    wall, cpu = time.perf_counter(), _cpu()
    if read() != OBJECTS:
        raise RuntimeError("the benchmark did not read all its objects")
    return _Cost(time.perf_counter() - wall, _cpu() - cpu)


def _ours() -> int:
    results = open_bucket("deploy").get_each(_KEYS)
    return sum(isinstance(result, Body) for result in results.values())


def _boto3() -> int:
    client = boto3.Session().client("s3", config=Config(max_pool_connections=BOTO3_THREADS))
    with ThreadPoolExecutor(BOTO3_THREADS) as pool:
        read = pool.map(lambda key: client.get_object(Bucket="deploy", Key=key), _KEYS)
        count = sum(bool(answer["Body"].read()) for answer in read)
    client.close()
    return count


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
