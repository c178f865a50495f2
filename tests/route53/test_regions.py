"""The regions that a latency record set may name."""

import pytest

from route53.regions import latency_regions


@pytest.mark.parametrize("region", ["eu-west-1", "us-east-1", "ap-southeast-2"])
def test_region_that_has_a_latency_measurement(region: str) -> None:
    """Botocore's model of the service has it."""
    assert region in latency_regions()


@pytest.mark.parametrize("region", ["", "eu-west-9", "global", "EU-WEST-1"])
def test_region_that_has_none(region: str) -> None:
    """Anything else is unknown."""
    assert region not in latency_regions()
