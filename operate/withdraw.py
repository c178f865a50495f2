"""``withdraw``: take everything that is managed out of a zone, under a digest.

It is the only way out of a zone: a stack that goes dormant, or is destroyed, forgets its zone and
leaves it as it is. What is not managed stays byte for byte.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from folds.report import headline
from operate.errors import KeptByEngine, ZoneNotNamed
from operate.stack import Stack
from operate.withdrawal import Withdrawal, withdrawal
from policy.guards.words import count
from providers.errors import ProviderError
from providers.zone_work import Decision
from route53.client import Calls, make_client
from route53.converge import Target, converge
from route53.read import read_zone
from stacks import acknowledgement
from stacks.acknowledgement import VARIABLE, Acknowledgement
from stacks.notices import told
from stacks.settings import SteeringSettings
from stacks.steering_settings import zone_of


@dataclass(frozen=True, slots=True)
class Order:
    """What the operator asked for: on which stack, in which zone, under which word."""

    stack: Stack
    settings: SteeringSettings
    zone: str
    word: Acknowledgement

    @property
    def command(self) -> str:
        """The command, to be typed again."""
        zone = "" if self.armed else f" --zone-id {self.zone}"
        file = f" --config-file {self.stack.config_file}" if self.stack.config_file else ""
        return f"python -m operate withdraw --stack {self.stack.name}{file}{zone}"

    @property
    def armed(self) -> bool:
        """Whether the stack itself has this zone, and not the operator alone."""
        return self.settings.zone == self.zone


def withdraw(stack: Stack, zone_id: str, acknowledge: str, now: datetime) -> int:
    """Remove every managed record set, then our health checks; without a digest only list them.

    ``zone_id`` names the zone of a stack that is dormant, else it is empty; ``acknowledge`` is the
    variable's value. Cut short, it goes on under the same digest.

    Returns:
        0 if nothing managed is left, 1 if an acknowledgement is needed.

    Raises:
        Route53Error, ProviderError, StackError, OperateError: the message says what was done.
    """
    settings = stack.zone_settings()
    word = acknowledgement.read(acknowledge, now)
    order = Order(stack, settings, _zone(settings, zone_id), word)
    _require_forgotten(order)
    calls = Calls(make_client())
    found = withdrawal(read_zone(calls, order.zone), settings, word.digest)
    print(f"zone {order.zone} ({found.desired.prefix}):", end=" ")
    if found.plan.empty:
        print("nothing is managed")
        return 0
    print(headline(found.plan, found.summary.managed))
    if not found.acknowledged:
        print("\n".join(_asked(order, found, now)))
        return 1
    print("\n".join(_applied(calls, found)))
    print("\n".join(_afterwards(order)))
    return 0


def _require_forgotten(order: Order) -> None:
    """Leave to the engine what a native stack has in its state; what that lost is nobody's."""
    stack, settings = order.stack, order.settings
    prefix = settings.set_identifier_prefix
    if settings.realizer == "native" and stack.knows(order.zone, prefix):
        raise KeptByEngine(
            f"stack {stack.name}: the realizer native takes its records out itself: disarm every"
            f" box in the bucket, and run `{stack.pulumi.shown} up --stack {stack.name}` under the"
            " digest that it prints"
        )


def _zone(settings: SteeringSettings, zone_id: str) -> str:
    zone = zone_of(zone_id) if zone_id else settings.zone
    if not zone:
        missing = "--zone-id is no zone id" if zone_id else "the stack is dormant"
        raise ZoneNotNamed(f"{missing}; name the zone, as in --zone-id Z0123456789ABC")
    return zone


def _asked(order: Order, found: Withdrawal, now: datetime) -> Iterator[str]:
    """Yield what would be removed, and what has to be said for it."""
    yield from found.plan.lines
    yield from filter(None, [order.word.warning])
    yield from found.obstacles
    if order.word.digest and not found.obstacles:
        yield f"{VARIABLE}: {order.word.digest} is not for this end"
    if not found.obstacles:
        offer = acknowledgement.offered(found.digest, now)
        yield f"to remove exactly this: {offer} {order.command}"
    yield from _afterwards(order)


def _applied(calls: Calls, found: Withdrawal) -> Iterator[str]:
    """Remove it, under the guards that hold for a run, and yield what is to be told."""
    desired = found.desired
    result = converge(
        calls,
        Decision(found.inputs, first_run=True),
        Target(desired.zone, desired.health_check_limit, wait_for_sync=desired.wait_for_sync),
        refusals=(ProviderError,),
        progress=lambda line: print(line, file=sys.stderr),
    )
    yield from result.warnings
    yield from (told(each) for each in found.leftovers)
    yield f"done: {count(result.changed, 'change')} in {count(result.batches, 'request')}"


def _afterwards(order: Order) -> Iterator[str]:
    """Yield what the stack's next run would do: it knows nothing of a withdrawal."""
    if order.armed:
        name, pulumi = order.stack.name, order.stack.pulumi.shown
        yield (
            f"stack {name} is armed: its next `{pulumi} up` makes all of it again, unless it is"
            f' dormant by then: `{pulumi} config set fairlead:zoneId "" --stack {name}`,'
            f" `{pulumi} up --stack {name}`, then this command with --zone-id {order.zone}"
        )
