"""What is wrong with the settings of policies in a file of waivers: a level may only be raised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from .native import NATIVE
from .native_findings import NativeSettings
from .native_records import shown
from .rule import Level, Rule
from .rules import STEERING
from .sidecars import SIDECARS
from .snapshots import SNAPSHOTS
from .waiver_document import mistakes_in

_RULES: tuple[Rule[Any], ...] = (*STEERING, *SIDECARS, *SNAPSHOTS, *(each.rule for each in NATIVE))
LEVELS: Mapping[str, Level] = {rule.name: rule.level for rule in _RULES}
"""Every policy of the pack and its level."""
_SETTINGS = {each.rule.name: each.keys for each in NATIVE}
_LEVEL = "enforcementLevel"


def level_mistakes(policies: object) -> Iterator[str]:
    """Yield everything that is wrong with the value of ``policies``."""
    if not isinstance(policies, Mapping):
        yield "policies: must be an object"
        return
    for name, said in policies.items():
        place = f"policies.{shown(name)}"
        if name == "all":
            yield f"{place}: sets the level of every policy at once; name each policy"
        elif name not in LEVELS:
            yield f"{place}: the pack has no such policy"
        elif isinstance(said, str):
            yield from _level(place, LEVELS[name], said)
        elif isinstance(said, Mapping):
            yield from _settings(place, name, said)
        else:
            yield f"{place}: must be a level or an object"


def _settings(place: str, name: str, said: Mapping[str, Any]) -> Iterator[str]:
    if _LEVEL in said:
        yield from _level(f"{place}.{_LEVEL}", LEVELS[name], said[_LEVEL])
    keys = _SETTINGS.get(name, ())
    for key in said.keys() - {_LEVEL, *keys}:
        yield f"{place}.{shown(key)}: {name} has no such setting"
    try:
        NativeSettings.model_validate({key: said[key] for key in keys if key in said})
    except ValidationError as error:
        yield from mistakes_in(error, "policies", name)


def _level(place: str, own: Level, said: object) -> Iterator[str]:
    if said not in (own, "mandatory"):
        yield f"{place}: {shown(str(said))} is lower than {own}; a level may only be raised"
