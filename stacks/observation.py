"""Step 2 of a steering stack: all reads, before the first resource is registered."""

from __future__ import annotations

from dataclasses import dataclass

from control.bucket import open_bucket
from control.scan import SteeringDocuments, read_steering
from control.store import ReadStore
from folds.zone import LiveZone
from route53.client import Calls, make_client
from route53.progress import quiet
from route53.read import read_zone
from route53.regions import latency_regions
from stacks.settings import SteeringSettings
from stacks.telling import Progress, now_and_then


@dataclass(frozen=True, slots=True)
class Observation:
    """The bucket's documents and the live zone, both whole."""

    documents: SteeringDocuments
    live: LiveZone


def observe(settings: SteeringSettings, progress: Progress) -> Observation:
    """Read the bucket, then the zone. A partial read never counts as the whole.

    Raises:
        ControlError, Route53Error: if anything could not be read.
    """
    store = open_bucket(settings.bucket)
    documents = read_documents(settings, store, progress)
    return Observation(documents, read_live(settings.zone, progress))


def read_live(zone: str, progress: Progress = quiet) -> LiveZone:
    """Read the zone alone, whole.

    Raises:
        Route53Error: if any of it could not be read.
    """
    return read_zone(Calls(make_client()), zone, progress)


def read_documents(
    settings: SteeringSettings, store: ReadStore, progress: Progress
) -> SteeringDocuments:
    """Read edges, then records, as the settings say."""
    return read_steering(
        store,
        regions=latency_regions(),
        allow_test_addresses=settings.allow_test_addresses,
        ignore_legacy_keys=settings.ignore_legacy_keys,
        progress=now_and_then("steering", progress),
    )
