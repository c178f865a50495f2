"""``claims``: what a box's claims say of it, and claims for rows from before there were any."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

import pytest

from control.claims import claim_key
from control.errors import ReadFailed
from control.sidecar_keys import AppKey
from control.store import Body, ObjectStore
from control.writer import ObjectWriter
from control.writes import Answer, Upload
from operate import claims
from tests.control.sidecar_store import account_body, body_of
from tests.operate.conftest import Desk
from tests.registry.samples import dump, registry_of, sidecar
from tests.support.claims_platform import INCARNATION, ClaimsPlatform, fence
from tests.support.sidecar_box import host_of, key_of

ELEVEN = AppKey("bab", "eleven")


@dataclass
class Box:
    """A box that the desk's stack is of: rows a, b (held) and old, records a to d, no claim."""

    desk: Desk
    platform: ClaimsPlatform

    def configure(self, **changes: str) -> None:
        """Set the stack's configuration."""
        folder = self.desk.folder
        own = {"kind": "sidecars", "bucket": "control", "box": "ie-1", "claims": "true"}
        own |= {"registry": str(folder / "registry.db"), "dataDir": str(folder)}
        config = {**own, "regionCode": "ie", "regionHa": "true", **changes}
        told = {f"fairlead:{key}": {"value": value} for key, value in config.items()}
        self.desk.answer("config", told)

    def serve(self, name: str, box: str = "ie-1") -> None:
        self.platform.serve(host_of(name), box, key=key_of(name).record)

    def claims(self) -> list[str]:
        """The first labels of the hosts that have a claim, sorted."""
        paths = [each["path"] for each in self.desk.bucket.list("control/claims/").collect()]
        return sorted(each.removeprefix("control/claims/").partition(".")[0] for each in paths)


def _put(desk: Desk, key: str, body: bytes) -> None:
    desk.bucket.put(key, body)


@pytest.fixture
def box(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Box:
    rows = (sidecar("a"), sidecar("b", hold="op-41"), sidecar("old"))
    registry_of(desk.folder / "registry.db", *rows)
    desk.bucket.put("accounts/bab.json", account_body("bab"))
    desk.bucket.put(ELEVEN.manifest, b'{"v":1}')
    for name in "abcd":
        body = body_of(key_of(name), incarnation=INCARNATION)
        desk.bucket.put(key_of(name).record, body)
    monkeypatch.setattr(claims, "open_bucket", lambda _: ObjectStore(desk.bucket))
    monkeypatch.setattr(claims, "open_writable", lambda _: ObjectWriter(desk.bucket))
    made = Box(desk, ClaimsPlatform(partial(_put, desk)))
    made.configure()
    return made


def _said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.replace(".eleven.bab.sidecar.internal", "") for line in _lines(capsys)]


def _lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_box_from_before_claims(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """Each host is listed, with its row or without; a row without a claim: 1; nothing is made."""
    before = dump(box.desk.folder / "registry.db")
    assert box.desk.run("claims") == 1
    assert _said(capsys) == [
        "box ie-1 (bucket control): 5 of 5 hosts without a claim",
        "  a: has a row, is left alone: there is no claim",
        "  b: has a row held by op-41, is left alone: there is no claim",
        "  c: has no row, is left alone: there is no claim",
        "  d: has no row, is left alone: there is no claim",
        "  old: has a row, is left alone: there is no claim; `carlos remove old` removes a row"
        " without one",
    ]
    assert box.claims() == []
    assert dump(box.desk.folder / "registry.db") == before


def test_adoption(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """A row of the box that its record describes gets a claim; others say why not."""
    assert box.desk.run("claims", "--adopt") == 1
    assert _said(capsys)[:4] == [
        "adopted: a: serving on ie-1",
        "not adopted: b: its row is held by op-41",
        "not adopted: old: no record asks for it here; carlos remove old",
        "box ie-1 (bucket control): 4 of 5 hosts without a claim",
    ]
    assert box.claims() == ["a"]
    made = json.loads(box.desk.bucket.get(claim_key(host_of("a"))).bytes().to_bytes())
    assert made["holder"] == {
        "key": key_of("a").record,
        "incarnation": INCARNATION,
        "family": "sidecar",
        "stamp": 1,
    }


def test_adoption_again(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """It makes nothing anew."""
    box.desk.run("claims", "--adopt")
    before = box.desk.bucket.get(claim_key(host_of("a"))).bytes().to_bytes()
    capsys.readouterr()
    box.desk.run("claims", "--adopt")
    assert not any(line.startswith("adopted") for line in _lines(capsys))
    assert box.desk.bucket.get(claim_key(host_of("a"))).bytes().to_bytes() == before


def test_one_host(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """Named by itself it is adopted without a row, too: who names it knows that no box runs it."""
    assert box.desk.run("claims", "--adopt", "--host", host_of("c")) == 0
    assert _said(capsys) == [
        "adopted: c: serving on ie-1",
        "box ie-1 (bucket control): 0 of 1 hosts without a claim",
        "  c: has no row, may be written: serving on ie-1",
    ]
    assert box.claims() == ["c"]


def test_host_that_is_none_of_the_box(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said, nothing is made of it: 1."""
    assert box.desk.run("claims", "--adopt", "--host", "x.example.com") == 1
    assert "  x.example.com: is none of this box's hosts" in _lines(capsys)
    assert box.claims() == []


def test_claims_of_others(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """What each says of this box, moves under way included; all rows have one: 0."""
    box.serve("a", "uk-1")
    box.serve("b")
    box.serve("old")
    box.serve("d")
    box.platform.release(host_of("b"), "uk-1")
    fence(box.desk.folder, host_of("b"))
    assert box.desk.run("claims", "--adopt") == 0
    assert _said(capsys) == [
        "box ie-1 (bucket control): 1 of 5 hosts without a claim",
        "  a: has a row, is left alone: serving on uk-1",
        "  b: has a row held by op-41, is to be held for op-41: relocating ie-1 to uk-1,"
        " releasing, fence closed",
        "  c: has no row, is left alone: there is no claim",
        "  d: has no row, may be written: serving on ie-1",
        "  old: has a row, may be written: serving on ie-1",
    ]


def test_claim_that_another_box_makes_meanwhile(
    box: Box, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not written over, and not called adopted."""

    class Late(ObjectWriter):
        def put(self, upload: Upload, expecting: str | None) -> Answer:
            box.serve("a", "ie-2")
            return super().put(upload, expecting)

    monkeypatch.setattr(claims, "open_writable", lambda _: Late(box.desk.bucket))
    box.desk.run("claims", "--adopt")
    said = _said(capsys)
    assert said[0] == "not adopted: a: serving on ie-2"
    assert "  a: has a row, is left alone: serving on ie-2" in said


def test_claim_that_cannot_be_used(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """It is never "none": it is not adopted, and the list is not whole: 2."""
    box.platform.spoil(host_of("a"), b"{")
    assert box.desk.run("claims", "--adopt") == 2
    assert any(" a: has a row, is left alone: control/claims/a" in each for each in _said(capsys))
    assert box.claims() == ["a"]


def test_claim_that_cannot_be_read(
    box: Box, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same."""

    class Denied(ObjectStore):
        def get(self, key: str) -> Body:
            if key == claim_key(host_of("a")):
                raise ReadFailed(key, "403")
            return super().get(key)

    monkeypatch.setattr(claims, "open_bucket", lambda _: Denied(box.desk.bucket))
    assert box.desk.run("claims", "--adopt") == 2
    assert "adopted: a" not in "\n".join(_said(capsys))
    assert box.claims() == []


def test_row_of_somebody_else(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """It is none of the box's hosts, whatever a record asks for."""
    registry = box.desk.folder / "other.db"
    registry_of(registry, sidecar("a", provisioned=0))
    box.configure(registry=str(registry))
    assert box.desk.run("claims", "--adopt") == 0
    assert [line.split(":")[0].strip() for line in _said(capsys)[1:]] == ["b", "c", "d"]


@pytest.mark.parametrize("changes", [{"claims": "false", "regionHa": "false"}, {}])
def test_stack_without_claims(
    desk: Desk, box: Box, changes: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and nothing is read: 2."""
    if changes:
        box.configure(**changes)
    else:
        desk.configure()  # a steering stack
    assert desk.run("claims", "--adopt") == 2
    assert capsys.readouterr().err == (
        "operate claims: stack prod works without claims; name a sidecars stack with"
        " fairlead:claims set to true\n"
    )
