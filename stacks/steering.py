"""The steering stack: the bucket's hosts and edges as one zone's latency records."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime

import pulumi

from control.text import printable
from stacks import acknowledgement, batch, native_plugin, notices, realizer, telling
from stacks.decision import Decision, decide
from stacks.exports import dormant_outputs
from stacks.native_allowed import Allowed
from stacks.native_hooks import Watch
from stacks.observation import observe
from stacks.settings import SteeringSettings


def run(settings: SteeringSettings, *, acknowledge: str, now: datetime) -> None:
    """Run the five steps. ``acknowledge`` is the variable's value, ``now`` has a time zone.

    Raises:
        ControlError, Route53Error: if a read failed; nothing is registered then.
        AcknowledgementInvalid: if the variable is not of its form.
        RealizerSwitched, NotInstalled: nothing is registered.
        PlanRefused: at the end, if a guard refuses the plan.
    """
    if not settings.zone:
        _dormant(settings)
        return
    declare = _declaring(settings)
    word = acknowledgement.read(acknowledge, now)
    seen = observe(settings, telling.progress)
    realizer.stay(settings, seen.live)
    decision = decide(settings, seen, word.digest)
    _report(settings, notices.warnings(decision, word))
    offers = notices.ways_out(decision, now, pulumi.get_stack(), settings.realizer)
    telling.offer("steering", offers)
    declare(settings, decision)
    notices.stop_if(decision.refused, "steering")


def _declaring(settings: SteeringSettings) -> Callable[[SteeringSettings, Decision], None]:
    """Return step 5 of the realizer. The AWS provider is loaded only where it is to be used."""
    if settings.realizer == "batch":
        return batch.declare
    native_plugin.require(os.environ)
    from stacks import native  # noqa: PLC0415 - a batch stack runs without pulumi-aws

    return native.declare


def _report(settings: SteeringSettings, warnings: tuple[str, ...]) -> None:
    if not settings.apps_domain:
        pulumi.log.info("steering: no apps domain, so no edge.<apps domain> is minted")
    telling.warn("steering", warnings)


def _dormant(settings: SteeringSettings) -> None:
    """Read nothing, build no client, declare nothing (behaviours 26, 33)."""
    if settings.zone_malformed:
        shown = printable(settings.zone_id)
        pulumi.log.warn(f'steering: zone id "{shown}" is malformed, so this stack is dormant')
    else:
        pulumi.log.info("steering: no zone id, so this stack is dormant; nothing is read")
    if settings.realizer == "native":
        Watch(Allowed())  # refuses to delete whatever is in the state
    for name, value in dormant_outputs().items():
        pulumi.export(name, value)
