"""The regions that a latency record set may name."""

from __future__ import annotations

from functools import cache

from botocore.loaders import create_loader


@cache
def latency_regions() -> frozenset[str]:
    """Return the choices of ``ResourceRecordSetRegion`` in botocore's model of the service.

    No client is built and no network used.
    """
    model = create_loader().load_service_model("route53", "service-2")
    return frozenset(model["shapes"]["ResourceRecordSetRegion"]["enum"])
