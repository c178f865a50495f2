"""A read that is not whole ends the run before anything is registered, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.engine.deployment import Deployment
from tests.support.s3_faults import FaultProxy, fault_proxy

pytestmark = pytest.mark.engine

RECORD = "apps/bab/h001/instances/h001.bab.apps.example.com.json"
EDGE = "control/edges/b1.json"


@pytest.fixture
def proxy(converged: Deployment) -> Iterator[FaultProxy]:
    with fault_proxy(converged.bucket.url) as running:
        converged.s3_url = running.url
        yield running


def _truncated_edges_file(deployment: Deployment, _: FaultProxy) -> str:
    deployment.bucket.put(EDGE, b'{"v": 1, "box": "b1", "aws_reg')
    return EDGE


def _second_page_fails(_: Deployment, proxy: FaultProxy) -> str:
    proxy.faults.page_size = 2
    proxy.fail_listing("apps/", 2)
    return "steering: list apps/"


def _record_denied(_: Deployment, proxy: FaultProxy) -> str:
    proxy.fail_key(RECORD)
    return RECORD


def _record_deleted_meanwhile(_: Deployment, proxy: FaultProxy) -> str:
    proxy.vanish(RECORD)
    return RECORD


def _key_that_does_not_parse(deployment: Deployment, _: FaultProxy) -> str:
    key = "apps/bab/h001/instances/nested/h001.json"
    deployment.bucket.put(key)
    return key


def _credentials_expire_on_page_two(deployment: Deployment, _: FaultProxy) -> str:
    fill_zone_over_one_page(deployment)
    deployment.zone.set_faults([{"op": "ListResourceRecordSets", "nth": 2, "do": "expired"}])
    return "expired"


def fill_zone_over_one_page(deployment: Deployment) -> None:
    """Add foreign sets until the zone needs a second page of 300."""
    state = deployment.zone.state()
    state["zones"][0]["record_sets"] += [
        {
            "Name": f"foreign-{number}.example.com.",
            "Type": "A",
            "TTL": 300,
            "ResourceRecords": [{"Value": "198.51.100.1"}],
        }
        for number in range(300)
    ]
    deployment.zone.seed(state)


Break = Callable[[Deployment, FaultProxy], str]


@pytest.mark.parametrize(
    "break_it",
    [
        _truncated_edges_file,
        _second_page_fails,
        _record_denied,
        _record_deleted_meanwhile,
        _key_that_does_not_parse,
        _credentials_expire_on_page_two,
    ],
)
def test_a_read_is_not_whole(converged: Deployment, proxy: FaultProxy, break_it: Break) -> None:
    """The run fails, names what it could not read, and makes no write call."""
    named = break_it(converged, proxy)
    failed = converged.up("--skip-preview", check=False)
    assert failed.returncode != 0
    assert named in failed.stdout
    assert "Traceback" not in failed.stdout
    assert not converged.writes
