"""What is wrong with a file of waivers, and the command that says so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.guards import NATIVE, SIDECARS, SNAPSHOTS, STEERING, waiver_mistakes
from tests.policy.records import urn

TODAY = date(2026, 12, 1)
CHECKOUT = Path(__file__).parents[2]
MATCH = {"policies": ["route53-ttl"], "targets": [urn("www")]}


def _file(waiver: object = None, **changes: Any) -> dict[str, Any]:
    """A file of one waiver with which all is well, but for the changes."""
    fine = {"reason": "CHG-7, until=2026-12-31", "match": [MATCH]}
    return {"version": 2, "exceptions": {"CHG-7": waiver or {**fine, **changes}}}


def _wrong(document: object, stack: str = "dev", today: date = TODAY) -> list[str]:
    return [*waiver_mistakes(json.dumps(document).encode(), stack, today)]


def _only(document: object, **given: Any) -> str:
    (mistake,) = _wrong(document, **given)
    return mistake


def test_waiver_with_which_all_is_well() -> None:
    """Of every policy over records, and on several targets."""
    policies = [each.rule.name for each in NATIVE]
    match = [{"policies": policies, "targets": [urn("a"), urn("b", "acme:web:Site")]}, MATCH]
    assert _wrong(_file(match=match)) == []
    assert _wrong({"version": 2}) == []


@pytest.mark.parametrize(
    "reason",
    [
        "CHG-7 until=2026-12-01",
        "until=2027-12-02; the load balancer moves in a year",
        "the old site (until=2026-12-31)",
    ],
)
def test_expiry_that_holds(reason: str) -> None:
    """Its day is the last; it may stand anywhere in the reason."""
    assert _wrong(_file(reason=reason)) == []


@pytest.mark.parametrize(
    ("reason", "mistake"),
    [
        ("CHG-7 until=2026-11-30", "expired: until 2026-11-30, today is 2026-12-01"),
        ("CHG-7 until=2027-12-03", "more than 366 days"),
        ("CHG-7", "has 0 expiries"),
        ("CHG-7 until=2026-12-31 until=2027-01-31", "has 2 expiries"),
        ("CHG-7 UNTIL=2026-12-31", "has 0 expiries"),
        ("CHG-7 notuntil=2026-12-31", "has 0 expiries"),
        ("CHG-7 until=2026-12-32", "until=2026-12-32 is no day"),
        ("CHG-7 until=20261231", "until=20261231 is no day"),
        ("CHG-7 until=2026-W51-1", "until=2026-W51-1 is no day"),
        ("CHG-7 until=", "until= is no day"),
        ("until=2026-12-31", "says no reason beside its expiry"),
        ("", "says no reason"),
        (None, "valid string"),
    ],
)
def test_reason_that_does_not_do(reason: str | None, mistake: str) -> None:
    said = _only(_file(reason=reason))
    assert said.startswith("exceptions.CHG-7.reason: ")
    assert mistake in said


@pytest.mark.parametrize("policy", ["all", "steering-shrink", "snapshot-lineage", "", "route53-"])
def test_policy_that_takes_no_waiver(policy: str) -> None:
    said = _only(_file(match=[{**MATCH, "policies": ["route53-ttl", policy]}]))
    assert said.startswith(f"exceptions.CHG-7.match.0.policies.1: {policy} takes no waiver")


@pytest.mark.parametrize(
    ("target", "mistake"),
    [
        ("www", "is no URN"),
        ("urn:pulumi:dev::web::aws:route53/record:Record", "is no URN"),
        ("urn:pulumi:dev::web::aws:route53/record:Record::", "is no URN"),
        ("urn:pulumi:dev::web::aws:s3/bucket:Bucket::www", "is no aws:route53/record:Record"),
        (urn("www", stack="prod"), "is of stack prod"),
    ],
)
def test_target_that_is_no_record_of_the_stack(target: str, mistake: str) -> None:
    said = _only(_file(match=[{**MATCH, "targets": [target]}]))
    assert said.startswith("exceptions.CHG-7.match.0.targets.0: ")
    assert mistake in said


@pytest.mark.parametrize(
    ("changes", "mistake"),
    [
        ({"match": []}, "exceptions.CHG-7.match: must list at least one"),
        ({"match": [{**MATCH, "policies": []}]}, "match.0.policies: must list at least one"),
        ({"match": [{**MATCH, "targets": []}]}, "match.0.targets: must list at least one"),
        ({"match": [{**MATCH, "Policies": ["x"]}]}, "match.0.Policies: Extra inputs"),
        ({"match": [{"policies": ["route53-ttl"]}]}, "match.0.targets: Field required"),
        ({"match": MATCH}, "exceptions.CHG-7.match: "),
        ({"Reason": "until=2026-12-31"}, "exceptions.CHG-7.Reason: Extra inputs"),
    ],
)
def test_waiver_of_the_wrong_form(changes: Mapping[str, Any], mistake: str) -> None:
    assert mistake in _only(_file(**changes))


@pytest.mark.parametrize(
    ("document", "mistake"),
    [
        ({**_file(), "version": 1}, "version: must be the number 2"),
        ({**_file(), "version": "2"}, "version: must be the number 2"),
        ({**_file(), "version": True}, "version: must be the number 2"),
        ({"exceptions": {}}, "version: must be the number 2"),
        # Go takes a key in any case, and the engine is written in it.
        ({**_file(), "Policies": {"all": "disabled"}}, "Policies: not one of"),
        ({**_file(), "environments": ["elsewhere"]}, "environments: not one of"),
        ({"version": 2, "exceptions": []}, "exceptions: Input should be a valid dict"),
        ({"version": 2, "exceptions": {"CHG 7": _file()["exceptions"]["CHG-7"]}}, "CHG 7: may"),
        ({"version": 2, "policies": []}, "policies: must be an object"),
        ([], "is an array, must be an object"),
        (None, "is null, must be an object"),
        (2, "is a scalar, must be an object"),
    ],
)
def test_document_of_the_wrong_form(document: object, mistake: str) -> None:
    assert mistake in _only(document)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        (b"", "no JSON: Expecting value"),
        (b"{", "no JSON: "),
        (b"\xff", "no JSON: "),
        (b'{"version": NaN}', "no JSON: NaN is no JSON"),
        (b'{"version": 2, "version": 2, "a": {}, "a": {}}', "no JSON: said twice: a, version"),
        (b'{"exceptions": {"A": 1, "A": 2}}', "no JSON: said twice: A"),
        (b"[" * 100_000, "no JSON: "),
    ],
)
def test_text_that_is_no_json(text: bytes, mistake: str) -> None:
    """Nor one that may be read in two ways."""
    (said,) = waiver_mistakes(text, "dev", TODAY)
    assert said.startswith(mistake)


RULES = [*STEERING, *SIDECARS, *SNAPSHOTS, *(each.rule for each in NATIVE)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("level", ["mandatory", "advisory", "remediate", "disabled", "", None])
def test_level(rule: Any, level: str | None) -> None:
    """It may be raised, never lowered, in either form."""
    forms: list[Any] = [{"enforcementLevel": level}, *([level] if level is not None else [])]
    for said in forms:
        wrong = _wrong({"version": 2, "policies": {rule.name: said}})
        assert (wrong == []) is (level in ("mandatory", rule.level))
        assert all("a level may only be raised" in each for each in wrong)


@pytest.mark.parametrize(
    ("policies", "mistake"),
    [
        ({"all": "mandatory"}, "policies.all: sets the level of every policy at once"),
        ({"all": {"enforcementLevel": "advisory"}}, "policies.all: sets the level"),
        ({"route53": "mandatory"}, "policies.route53: the pack has no such policy"),
        ({"route53-ttl": 3}, "policies.route53-ttl: must be a level or an object"),
        ({"route53-ttl": {"ttllimit": 3}}, "route53-ttl.ttllimit: route53-ttl has no such"),
        ({"route53-ttl": {"prefixes": ["a/"]}}, "route53-ttl.prefixes: route53-ttl has no such"),
        ({"route53-ttl": {"ttlLimit": 301}}, "policies.route53-ttl.ttlLimit: "),
        ({"route53-managed-identifier": {"prefixes": []}}, "identifier.prefixes: "),
        ({"route53-managed-identifier": {"prefixes": ["none"]}}, "identifier.prefixes.0: "),
        ({"steering-ttl": {"ttl": 300}}, "steering-ttl.ttl: steering-ttl has no such setting"),
    ],
)
def test_setting_that_does_not_do(policies: Mapping[str, Any], mistake: str) -> None:
    assert mistake in _only({"version": 2, "policies": policies})


def test_settings_that_do() -> None:
    settings = {"route53-ttl": {"ttlLimit": 300, "enforcementLevel": "mandatory"}}
    assert _wrong({"version": 2, "policies": settings}) == []


def test_every_mistake_at_once() -> None:
    """Sorted, one line each, and text of the file escaped."""
    broken = {
        "reason": "a\n::error::",
        "match": [{"policies": ["all"], "targets": ["b\n"], "c": 1}],
    }
    said = _wrong({"policies": {"all": "x", "d\n": "y"}, "exceptions": {"CHG-7": broken}, "e": 2})
    assert said == sorted(said)
    assert [each.partition(": ")[0] for each in said] == [
        "e",
        "exceptions.CHG-7.match.0.c",
        "exceptions.CHG-7.match.0.policies.0",
        "exceptions.CHG-7.match.0.targets.0",
        "exceptions.CHG-7.reason",
        "policies.all",
        r"policies.d\n",
        "version",
    ]
    assert all(each.isprintable() for each in said)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*_file(), *_file()["exceptions"]["CHG-7"], "all"]), inner
        )
    ),
)


@given(_JSON.map(lambda each: json.dumps(each).encode()) | st.binary(max_size=40))
def test_any_text(text: bytes) -> None:
    """It is read or refused, in lines that print; nothing raises."""
    assert all(
        each.isascii() and each.isprintable() for each in waiver_mistakes(text, "dev", TODAY)
    )


def _run(*files: Path | str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "policy.waivers", *files]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


def _write(folder: Path, stack: str, until: date) -> Path:
    file = folder / f"exceptions.{stack}.json"
    match = {**MATCH, "targets": [urn("www", stack=stack)]}
    file.write_text(json.dumps(_file(reason=f"CHG-7 until={until}", match=[match])))
    return file


def test_command(tmp_path: Path) -> None:
    """It looks into every file before it ends with 1, and takes the stack from a file's name."""
    today = datetime.now(timezone.utc).date()
    fine = _write(tmp_path, "eu.prod", today + timedelta(days=2))
    old = _write(tmp_path, "dev", today - timedelta(days=2))
    (misnamed := tmp_path / "exceptions.json").write_bytes(fine.read_bytes())
    done = _run(old, fine, misnamed)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [f"{fine}: nothing is wrong on {today}"],
    )
    expired, unnamed = done.stderr.splitlines()
    assert expired.startswith(f"{old}: exceptions.CHG-7.reason: expired: ")
    assert unnamed == f"{misnamed}: must be named exceptions.<stack>.json"


def test_command_on_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = _run(tmp_path / "exceptions.dev.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("exceptions.dev.json: cannot be read: No such file or directory\n")


def test_command_without_a_file() -> None:
    """It checks those of the checkout, and all is well with them."""
    done = _run()
    assert (done.returncode, done.stderr) == (0, "")
