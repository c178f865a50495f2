"""The settings of a box's stacks, and what a stack may hold of another kind's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folds.sidecar_desired import Box
from stacks.box_settings import PROJECT, SidecarsSettings, SnapshotSettings
from stacks.errors import SettingsInvalid
from stacks.settings import Settings, SteeringSettings, load, settings_of
from tests.stacks.test_schema import engine_defaults

BOX = {"bucket": "control/eu", "box": "ie-1", "registry": "/var/lib/carlos/registry.db"}
SIDECARS = {**BOX, "kind": "sidecars", "dataDir": "/data"}
SNAPSHOT = {**BOX, "kind": "snapshot"}
WHOLE = {
    **SIDECARS,
    "region": "ie",
    "regionCode": "ie",
    "homeRegion": "uk",
    "pools": '["eu",""]',
    "inbound": "none",
    "configGate": '["/usr/bin/carlos","gate"]',
    "dropTrashed": "true",
    "claims": "true",
    "regionHa": "true",
}
CLAIMS = {**SIDECARS, "claims": "true", "regionCode": "ie"}


def loaded(**config: Any) -> Settings:
    """Read a configuration as the engine hands it over: every other key has its default."""
    given = {f"fairlead:{key}": value for key, value in config.items()}
    return settings_of({**engine_defaults(), **given})


def mistakes(**config: Any) -> str:
    with pytest.raises(SettingsInvalid) as error:
        loaded(**config)
    return str(error.value)


def test_every_key_of_a_sidecars_stack() -> None:
    """Every key has its place; arrays come as JSON text, flags as words."""
    assert loaded(**WHOLE) == SidecarsSettings(
        bucket="control/eu",
        box="ie-1",
        registry="/var/lib/carlos/registry.db",
        region="ie",
        region_code="ie",
        home_region="uk",
        pools=("eu", ""),
        inbound="none",
        data_dir="/data",
        config_gate=("/usr/bin/carlos", "gate"),
        drop_trashed=True,
        claims=True,
        region_ha=True,
    )


def test_the_box_of_a_sidecars_stack() -> None:
    """What the fold needs of the settings reaches it."""
    settings = loaded(**WHOLE)
    assert isinstance(settings, SidecarsSettings)
    assert settings.place == Box(
        box="ie-1",
        bucket="control/eu",
        region="ie",
        pools=("eu", ""),
        inbound="none",
        data_dir="/data",
        drop_trashed=True,
        claims=True,
        region_code="ie",
        home_region="uk",
        region_ha=True,
    )


def test_the_box_of_a_stack_without_claims() -> None:
    """It is the same whatever is said of regions' codes: nothing of them reaches its inputs."""
    settings = loaded(**WHOLE | {"claims": "false", "regionHa": "false"})
    assert isinstance(settings, SidecarsSettings)
    fields = {"claims", "region_code", "home_region", "region_ha"}
    assert settings.place.model_dump(include=fields) == Box(box="x", bucket="y").model_dump(
        include=fields
    )


@pytest.mark.parametrize(
    ("given", "home"),
    [
        ({}, "ie"),
        ({"homeRegion": "ie"}, "ie"),
        ({"region": "ie"}, ""),
        ({"region": "ie", "homeRegion": "uk"}, "uk"),
        ({"region": "ie", "homeRegion": "ie"}, "ie"),
    ],
)
def test_the_home_region(given: dict[str, str], home: str) -> None:
    """A box at home says so by an empty region, and its code is the home region's."""
    settings = loaded(**CLAIMS | given)
    assert isinstance(settings, SidecarsSettings)
    assert settings.place.home_region == home


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"regionCode": ""}, "regionCode: needed with fairlead:claims"),
        ({"regionCode": "I E"}, "regionCode: needed with fairlead:claims"),
        ({"region": "uk"}, 'regionCode: another region than fairlead:region, which is "uk"'),
        ({"homeRegion": "uk"}, "homeRegion: fairlead:region is empty, so this box is at home"),
        ({"claims": "false", "regionHa": "true"}, "regionHa: rows are held under claims"),
        ({"claims": "perhaps", "regionHa": "true"}, "claims: Input should be a valid boolean"),
    ],
)
def test_one_mistake_about_claims(given: dict[str, str], says: str) -> None:
    """What does not go together is named where it is to be mended, and once."""
    said = mistakes(**CLAIMS | given)
    assert said.startswith(f"settings: fairlead:{says}")
    assert "; " not in said


def test_mistakes_about_claims_among_others() -> None:
    """They are told at once with all others."""
    said = mistakes(**CLAIMS | {"regionCode": "", "box": "", "dropTrashed": "perhaps"})
    assert [part.split(":")[1] for part in said.removeprefix("settings: ").split("; ")] == [
        "box",
        "dropTrashed",
        "regionCode",
    ]


def test_relative_paths() -> None:
    """They start at the project's folder, whatever the current one is."""
    settings = loaded(**SIDECARS | {"registry": ".local/r.db", "dataDir": "data"})
    assert isinstance(settings, SidecarsSettings)
    assert settings.registry_path == PROJECT / ".local" / "r.db"
    assert settings.place.data_dir == str(PROJECT / "data")
    assert Path(__file__).is_relative_to(PROJECT)


def test_every_key_of_a_snapshot_stack() -> None:
    """Three that all boxes have, and one of its own."""
    assert loaded(**SNAPSHOT, fleetBox="true") == SnapshotSettings(
        bucket="control/eu", box="ie-1", registry="/var/lib/carlos/registry.db", fleet_box=True
    )


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("bucket", " ", "needed"),
        ("box", "", "needed: a label"),
        ("box", "IE-1", "needed: a label"),
        ("box", "ie.1", "needed: a label"),
        ("registry", "", "needed"),
        ("dataDir", "", "needed"),
        ("pools", "eu", "not JSON"),
        ("pools", '"eu"', "not a JSON array"),
        ("pools", "[1]", "valid string"),
        ("configGate", "carlos gate", "not JSON"),
        ("configGate", '[""]', "the first element is the program, and is empty"),
        ("configGate", '["a","\\u0000"]', "an argument holds a NUL"),
        ("inbound", "None", 'write "none"'),
        ("inbound", " none", 'write "none"'),
        ("dropTrashed", "perhaps", "valid boolean"),
        ("claims", "perhaps", "valid boolean"),
        ("zoneId", "Z1", "a setting of another kind of stack"),
        ("ttl", "30", "a setting of another kind of stack"),
        ("healthCheck", '{"port":8080}', "a setting of another kind of stack"),
        ("healthCheck", "{", "a setting of another kind of stack"),
        ("waitForSync", "false", "a setting of another kind of stack"),
        ("fleetBox", "true", "a setting of another kind of stack"),
        ("data_dir", "/data", "no such setting"),
    ],
)
def test_one_mistake(key: str, value: str, says: str) -> None:
    """A mistake is named by the key that the configuration has."""
    said = mistakes(**{**SIDECARS, key: value})
    assert said.startswith(f"settings: fairlead:{key}")
    assert says in said
    assert said.count("fairlead:") == 1


def test_many_mistakes() -> None:
    """Every mistake is told at once, of whatever sort, in the order of the keys."""
    said = mistakes(**SIDECARS | {"box": "", "pools": "eu", "zoneId": "Z1", "zzz": "1"})
    keys = [word.rstrip(":") for word in said.split(" ") if word.startswith("fairlead:")]
    assert keys == [f"fairlead:{key}" for key in ("box", "pools", "zoneId", "zzz")]


@pytest.mark.parametrize("key", ["dataDir", "pools", "inbound", "zoneId"])
def test_a_snapshot_stack_with_others_settings(key: str) -> None:
    """What says nothing to this kind is a mistake, not something that one may believe to hold."""
    value = '["eu"]' if key == "pools" else "x"
    assert mistakes(**SNAPSHOT, **{key: value}).startswith(
        f"settings: fairlead:{key}: a setting of"
    )


@pytest.mark.parametrize("key", ["box", "registry", "inbound"])
def test_a_steering_stack_with_a_boxs_settings(key: str) -> None:
    """The same the other way round."""
    assert mistakes(**{key: "x"}) == (
        f"settings: fairlead:{key}: a setting of another kind of stack; remove it"
    )


@pytest.mark.parametrize("kind", ["Sidecars", "", "box", ["sidecars"]])
def test_a_kind_that_is_none(kind: object) -> None:
    """It is told before anything else: no other key could be judged."""
    said = mistakes(kind=kind, zzz="1")
    assert said == "settings: fairlead:kind: must be one of steering, sidecars, snapshot"


def test_no_kind() -> None:
    """A stack steers unless it says otherwise."""
    assert settings_of({}) == SteeringSettings()


def test_what_is_for_steering_alone() -> None:
    """A stack of another kind is refused there by its kind."""
    config = {f"fairlead:{key}": value for key, value in SNAPSHOT.items()}
    with pytest.raises(SettingsInvalid, match="fairlead:kind: Input should be 'steering'"):
        load(config)
