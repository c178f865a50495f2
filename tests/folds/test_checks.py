from __future__ import annotations

from dataclasses import replace

import pytest

from folds.checks import checks_of, owner, stem, sweepable
from folds.desired import CheckSettings, Desired
from folds.steering import plan
from tests.folds.model import APEX, FOUR, IE, PREFIX, UK, applied, converged, desired, live_check

_REFERENCE = f"{stem(desired(), IE.address)}1"
_CHECK = live_check(_REFERENCE, IE.address, CheckSettings())


@pytest.mark.behaviour(40)
def test_one_check_per_address() -> None:
    """Hosts and boxes share the check of an address."""
    twin = IE.model_copy(update={"box": "ie-2"})
    creations = checks_of(desired("abc", [IE, twin, UK]), []).creations
    assert [creation.address for creation in creations] == [UK.address, IE.address]


def test_caller_reference() -> None:
    """Zone and prefix, then address, type and interval, then a generation: 64 characters hold."""
    reference = stem(desired(), IE.address)
    assert reference.startswith(owner("Z1", PREFIX))
    assert [len(part) for part in reference.split("/")] == [8, 12, 20, 0]
    assert len(f"{reference}{10**20}") <= 64


@pytest.mark.parametrize(
    "other",
    [
        desired(zone="Z2"),
        desired(prefix="other/"),
        desired(check={"type": "HTTP"}),
        desired(check={"interval": 10}),
    ],
)
def test_identity(other: Desired) -> None:
    """Zone, prefix, type and interval make another check."""
    assert stem(other, IE.address) != stem(desired(), IE.address)


@pytest.mark.parametrize(
    "check", [{"port": 8443}, {"path": "/up"}, {"domainName": "edge.x"}, {"failureThreshold": 5}]
)
def test_settings_updated_in_place(check: dict[str, object]) -> None:
    """Port, path, domain name and threshold change on the check that is there."""
    wanted = desired("a", [IE], check=check)
    zone = converged(desired("a", [IE]))
    work = plan(wanted, zone)
    assert (work.hosts, work.creations, work.sweeps) == ((), (), ())
    assert [update.before.version for update in work.updates] == [1]
    assert plan(wanted, applied(zone, work)).empty


@pytest.mark.parametrize("check", [{"type": "HTTP", "port": 443}, {"interval": 10}])
def test_type_or_interval_changed(check: dict[str, object]) -> None:
    """A new check, every set moved to it, the old one swept, in that order."""
    wanted = desired("a", [IE], check=check)
    zone = converged(desired("a", [IE]))
    work = plan(wanted, zone)
    assert (len(work.creations), work.updates, work.sweeps) == (1, (), zone.checks)
    assert plan(wanted, applied(zone, work)).empty


def test_address_of_a_check_edited_by_hand() -> None:
    """The reference says which address it is for: it is put back."""
    found = checks_of(desired("a", [IE]), [replace(_CHECK, address="192.0.2.1")])
    assert [(update.before.id, update.address) for update in found.updates] == [
        (_CHECK.id, IE.address)
    ]


def test_two_generations_of_one_check() -> None:
    """The lowest number serves, the other is spare; "11" is not "1", "x" no number at all."""
    stem_ = _REFERENCE[:-1]
    later = [live_check(f"{stem_}{tail}", IE.address, CheckSettings()) for tail in ("11", "2", "x")]
    found = checks_of(desired("a", [IE]), later)
    assert found.serving[IE.address].caller_reference == f"{stem_}2"
    assert {check.caller_reference[-1] for check in sweepable(found, [])} == {"1", "x"}


def test_foreign_checks() -> None:
    """A check of another reference is not used for its address, and not swept."""
    others = [
        replace(_CHECK, id="other-zone", caller_reference="fairlead/x"),
        replace(_CHECK, id="by-hand", caller_reference="console"),
        live_check(f"{stem(desired(zone='Z2'), IE.address)}1", IE.address, CheckSettings()),
    ]
    found = checks_of(desired("a", [IE]), others)
    assert (found.serving, sweepable(found, [])) == ({}, ())
    assert [creation.address for creation in found.creations] == [IE.address]


def test_two_zones_of_one_account() -> None:
    """One prefix, shared addresses: neither zone uses or sweeps what is the other's."""
    one, two = desired("a"), desired("a", zone="Z2")
    first = converged(one)
    second = replace(first, zone_id="Z2", sets=())
    work = plan(two, second)
    assert len(work.creations) == len(FOUR)
    assert work.sweeps == ()
    both = applied(second, work).checks
    assert plan(one, replace(first, checks=both)).empty


def test_check_that_a_foreign_set_refers_to() -> None:
    """It stays, even if nothing of ours needs it."""
    zone = converged(desired("a", [IE, UK]))
    foreign = replace(zone.sets[0], name=f"x.{APEX}", set_identifier="other")
    kept = foreign.health_check_id
    wanted = desired("a", [each for each in (IE, UK) if zone.sets[0].values != (each.address,)])
    work = plan(wanted, replace(zone, sets=(*zone.sets, foreign)))
    assert kept not in {sweep.id for sweep in work.sweeps}
    assert kept in {sweep.id for sweep in plan(wanted, zone).sweeps}
