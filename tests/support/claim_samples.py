"""Claims of one host by what is being done with it, and the record that asks for the host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone

from control.claims import Claim, Completed, Holder, Obligation, Op, Unreadable
from folds.claims import Place
from providers.claim_ports import Retirement, Selection

HOST = "bot.eleven.bab.sidecar.internal"
KEY = "apps/bab/eleven/sidecars/bot.json"
NOW = datetime(2026, 9, 7, 10, 0, tzinfo=timezone.utc)
INSTANT = timedelta(microseconds=1)
SELECTED = Selection(
    host=HOST, key=KEY, etag='"e1"', incarnation="01J8", family="sidecar", paths=("/data/bot.db",)
)
RETIRED = Retirement(host=HOST, key=KEY, family="sidecar", incarnation="01J8", stamp=7)
HOLDER = Holder(key=KEY, incarnation="01J8", family="sidecar", stamp=7)
IE = Place(box="ie-1", region="ie", home_region="ie", region_ha=True)
UK = Place(box="uk-1", region="uk", home_region="ie", region_ha=True)
AU = Place(box="au-1", region="au", home_region="ie", region_ha=True)
UNREADABLE = Unreadable("completed_relocation is a string, not an object")


def serving(box: str = "ie-1", op: str = "op-40") -> Claim:
    """A claim that one box serves."""
    return Claim(HOST, HOLDER, Op(op, "serving", box))


def relocating(phase: str = "releasing", *, target: str = "uk-1", executor: str = "") -> Claim:
    """A claim on its way from ie-1, which executes while it is releasing."""
    acting = executor or ("ie-1" if phase == "releasing" else target)
    return Claim(HOST, HOLDER, Op("op-41", "relocating", acting, phase, "ie-1", target))


def moving(box: str = "ie-1") -> Claim:
    """A claim on its way, which is not a relocation."""
    return Claim(HOST, HOLDER, Op("op-41", "moving", box, "releasing", box, "uk-1"))


def completed(*, owes: str = "ie-1", op: str = "op-41") -> Claim:
    """A claim that serves on uk-1 after its relocation; a box owes to park."""
    return replace(
        serving("uk-1", "op-42"),
        completed=Completed("op-41", "uk-1"),
        obligations=(Obligation("park-local", owes, op),),
    )


def quiet(claim: Claim, until: datetime, region: str = "ie") -> Claim:
    """The claim, and a time until which nothing is installed in a region."""
    return replace(claim, quiet_after=((region, until),))


def every_claim() -> Iterator[tuple[str, Claim]]:
    """Yield a claim of each kind, by its name."""
    for box in ("ie-1", "uk-1", ""):
        yield f"serving {box}", serving(box)
        yield f"serving {box}, completed on uk-1", replace(completed(), op=serving(box).op)
    for phase in ("releasing", "installing", "settling"):
        yield phase, relocating(phase)
        yield f"{phase} by ie-1", relocating(phase, executor="ie-1")
        yield f"{phase}, ie-1 lost", replace(relocating(phase), lost=("ie-1",))
    yield "moving", moving()
    yield "no operation", replace(serving(), op=Op("", ""))
    yield "completed, unreadable", replace(completed(), completed=UNREADABLE)
    yield "completed, obligations unreadable", replace(completed(), obligations=UNREADABLE)
    yield "completed, ie-1 lost", replace(completed(), lost=("ie-1",))
    yield "quiet", quiet(serving(), NOW)
    yield "quiet, unreadable", replace(serving(), quiet_after=UNREADABLE)
    yield "no holder", replace(serving(), holder=None)
