"""docs/formats.md says what the code reads and writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from control.claims import CLAIMS_PREFIX, parse_claim
from control.keys import EDGES_PREFIX
from control.records import parse_edge, parse_instance
from control.sidecar_keys import ACCOUNTS_PREFIX, TRASH_PREFIX, AppKey, SidecarKey
from control.sidecar_manifests import parse_manifest
from control.sidecar_records import parse_account, parse_record
from control.snapshot_keys import CURRENT_PREFIX, GENERATIONS_PREFIX
from control.snapshot_records import parse_meta
from providers.claim_adoption import first_claim
from providers.claim_documents import VERSION, Activation, Document, Fence, Installed
from providers.claim_files import FOLDER
from providers.claim_lock import LOCK
from providers.claim_ports import Selection
from registry.route import COLUMNS, TYPES
from registry.schema import LINEAGE_TABLE
from tests.repo.sources import CHECKOUT

PAGE = (CHECKOUT / "docs" / "formats.md").read_text()
_EXAMPLES = re.findall(r"^```json (\S+)\n(.*?)\n```$", PAGE, re.DOTALL | re.MULTILINE)
_SECTIONS = re.findall(r"^##+ (.+)$", PAGE, re.MULTILINE)
_SIDECAR = SidecarKey("bab", "eleven", "bot-acme")
_APP = AppKey("bab", "eleven")
_SELECTED = Selection(_SIDECAR.host, _SIDECAR.record, '"e"', "01J8ZQ5E7N", "sidecar")

_PARSERS: dict[str, Callable[[bytes], object]] = {
    "edges": lambda body: parse_edge(
        body,
        "control/edges/ie-1.json",
        regions=frozenset({"eu-west-1"}),
        allow_test_addresses=False,
    ),
    "instance": lambda body: parse_instance(
        body, "apps/bab/hello/instances/hello.bab.example.com.json"
    ),
    "account": lambda body: parse_account(body, "accounts/bab.json"),
    "sidecar": lambda body: parse_record(body, _SIDECAR),
    "manifest": lambda body: parse_manifest(body, _APP),
    "claim": lambda body: parse_claim(body, _SIDECAR.host),
    "adopted": lambda body: parse_claim(body, _SIDECAR.host),
    "snapshot": lambda body: parse_meta(body, "control/registry-snapshot/ie-1.json"),
}
_LOCAL: dict[str, type[Document]] = {
    "activation": Activation,
    "inventory": Installed,
    "fence": Fence,
}


@pytest.mark.parametrize(("name", "text"), _EXAMPLES, ids=[name for name, _ in _EXAMPLES])
def test_example(name: str, text: str) -> None:
    """The program's own parser takes it; a file of the box is written so, byte for byte."""
    if name in _LOCAL:
        assert _LOCAL[name].model_validate_json(text).body == text.encode() + b"\n"
    else:
        _PARSERS[name](text.encode())


def test_examples() -> None:
    """There is one for every document."""
    assert {name for name, _ in _EXAMPLES} == {*_PARSERS, *_LOCAL}


def test_adoption() -> None:
    """The first claim of a host is as the page shows it."""
    (shown,) = [text for name, text in _EXAMPLES if name == "adopted"]
    assert first_claim(_SELECTED, "ie-1", "5f0c").decode() == shown


def test_columns() -> None:
    """The page lists the registry's columns and types, in their order."""
    (listed,) = re.findall(r"```text columns\n(.*?)\n```", PAGE, re.DOTALL)
    types = {str: "TEXT", int: "INTEGER"}
    columns = [f"{name} {types[kind]}" for name, kind in zip(COLUMNS, TYPES, strict=True)]
    assert " ".join(listed.split()) == ", ".join(columns)


@pytest.mark.parametrize(
    "name",
    [
        f"{EDGES_PREFIX}<box>.json",
        f"{CLAIMS_PREFIX}<host>.json",
        f"{ACCOUNTS_PREFIX}<account>.json",
        f"{TRASH_PREFIX}<account>/<app>.json",
        f"{CURRENT_PREFIX}<box>.db",
        f"{CURRENT_PREFIX}<box>.json",
        f"{GENERATIONS_PREFIX}<box>/<YYYYMMDDTHHMMSSZ>.db",
        AppKey("<account>", "<app>").manifest,
        SidecarKey("<account>", "<app>", "<name>").record,
        f"<dataDir>/{FOLDER}/<host>/{LOCK}",
        *(f"<dataDir>/{FOLDER}/<host>/{kind.name}" for kind in _LOCAL.values()),
        LINEAGE_TABLE,
    ],
)
def test_names(name: str) -> None:
    """Each object and file is named as the code names it."""
    assert f"`{name}`" in PAGE


def test_versions() -> None:
    """The versions in the examples are the ones that are written."""
    versions = {json.loads(text)["v"] for name, text in _EXAMPLES if name in _LOCAL}
    assert versions == {VERSION}


def test_links() -> None:
    """Each link within the page leads to a section."""
    anchors = {title.lower().replace(" ", "-") for title in _SECTIONS}
    assert {*re.findall(r"\]\(#([^)]+)\)", PAGE)} <= anchors
