"""What is wrong with a file of waivers: its form, each waiver, its expiry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.guards import NATIVE, waiver_mistakes
from tests.policy.records import urn
from tests.policy.waivers import MATCH, TODAY, file_of, only, wrong


def test_waiver_with_which_all_is_well() -> None:
    """Of every policy over records, and on several targets."""
    policies = [each.rule.name for each in NATIVE]
    match = [{"policies": policies, "targets": [urn("a"), urn("b", "acme:web:Site")]}, MATCH]
    assert wrong(file_of(match=match)) == []
    assert wrong({"version": 2}) == []


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
    assert wrong(file_of(reason=reason)) == []


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
    said = only(file_of(reason=reason))
    assert said.startswith("exceptions.CHG-7.reason: ")
    assert mistake in said


@pytest.mark.parametrize("policy", ["all", "steering-shrink", "snapshot-lineage", "", "route53-"])
def test_policy_that_takes_no_waiver(policy: str) -> None:
    said = only(file_of(match=[{**MATCH, "policies": ["route53-ttl", policy]}]))
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
    said = only(file_of(match=[{**MATCH, "targets": [target]}]))
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
    assert mistake in only(file_of(**changes))


@pytest.mark.parametrize(
    ("document", "mistake"),
    [
        ({**file_of(), "version": 1}, "version: must be the number 2"),
        ({**file_of(), "version": "2"}, "version: must be the number 2"),
        ({**file_of(), "version": True}, "version: must be the number 2"),
        ({"exceptions": {}}, "version: must be the number 2"),
        # Go takes a key in any case, and the engine is written in it.
        ({**file_of(), "Policies": {"all": "disabled"}}, "Policies: not one of"),
        ({**file_of(), "environments": ["elsewhere"]}, "environments: not one of"),
        ({"version": 2, "exceptions": []}, "exceptions: Input should be a valid dict"),
        ({"version": 2, "exceptions": {"CHG 7": file_of()["exceptions"]["CHG-7"]}}, "CHG 7: may"),
        ({"version": 2, "policies": []}, "policies: must be an object"),
        ([], "is an array, must be an object"),
        (None, "is null, must be an object"),
        (2, "is a scalar, must be an object"),
    ],
)
def test_document_of_the_wrong_form(document: object, mistake: str) -> None:
    assert mistake in only(document)


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


def test_every_mistake_at_once() -> None:
    """Sorted, one line each, and text of the file escaped."""
    broken = {
        "reason": "a\n::error::",
        "match": [{"policies": ["all"], "targets": ["b\n"], "c": 1}],
    }
    said = wrong({"policies": {"all": "x", "d\n": "y"}, "exceptions": {"CHG-7": broken}, "e": 2})
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
            st.sampled_from([*file_of(), *file_of()["exceptions"]["CHG-7"], "all"]), inner
        )
    ),
)


@given(_JSON.map(lambda each: json.dumps(each).encode()) | st.binary(max_size=40))
def test_any_text(text: bytes) -> None:
    """It is read or refused, in lines that print; nothing raises."""
    assert all(
        each.isascii() and each.isprintable() for each in waiver_mistakes(text, "dev", TODAY)
    )
