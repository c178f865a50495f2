from __future__ import annotations

from control.sidecar_documents import Broken
from folds.sidecar_plan import SidecarPlan
from folds.sidecar_report import explained, headline, outputs, remarks, removed_hosts
from tests.folds.sidecar_model import (
    BROKEN,
    ELEVEN,
    HELLO,
    TWELVE,
    bucket,
    documents,
    host,
    key,
    keyed,
    minted,
    planned,
    record,
)


def _mixed() -> SidecarPlan:
    """One of most things that can happen to a record or a row."""
    records = [record("new"), record("a"), record("away", region="uk"), record("theirs")]
    found = documents(
        {**keyed(*records, record("bot", TWELVE)), key("bad"): BROKEN},
        manifests={TWELVE: None},
        trashed=frozenset({HELLO}),
    )
    rows = [minted(record("a"), channel="old"), minted(record("gone")), minted(record("bad"))]
    others = [minted(record("theirs"), kind="exec"), minted(record("far"), region="uk")]
    return planned(found, *rows, *others)


def test_headline() -> None:
    """Changes, and what was left alone, of how many rows."""
    assert headline(_mixed()) == "+1 ~1 -1 of 3 rows, 1 protected, 2 declined"
    assert headline(planned(bucket())) == "+0 ~0 -0 of 0 rows"


def test_line_for_everything() -> None:
    """Every record and every sidecar row has one: the changes first, removals before all."""
    lines = explained(_mixed())

    assert [line[:2] for line in lines] == ["- ", "~ ", "+ ", *["= "] * 5]
    assert lines[3:] == (
        f"= {host('away')} ({key('away').record}) elsewhere: asks for region"
        ' "uk", and the box is of the home region',
        f"= {host('bad')} ({key('bad').record}) protect: is null, not an object; its row is kept",
        f"= {host('bot', TWELVE)} ({key('bot', TWELVE).record}) decline: its app has no manifest",
        f'= {host("far")} keep: its row is of region "uk" and pool "", not this box\'s',
        f"= {host('theirs')} ({key('theirs').record}) foreign: its row is not one of this pass"
        ' (kind "exec", provisioned 1, app "eleven", account "bab"): left alone',
    )


def test_remarks() -> None:
    """Worth a warning: an app without a manifest, once; what cannot be used; what is foreign."""
    said = remarks(_mixed())

    assert [each.split(" ")[0] for each in said] == ["bab/twelve:", host("bad"), host("theirs")]
    assert remarks(planned(bucket(record("a")), minted(record("a")))) == ()


def test_outputs() -> None:
    """The rows there are in the end, and with reasons what was not done."""
    put_out = outputs(_mixed())

    assert put_out["rows"] == sorted([host("a"), host("bad"), host("new")])
    assert [each["host"] for each in put_out["declined"]] == [host("bot", TWELVE), host("theirs")]
    assert put_out["protected"] == [
        {
            "host": host("bad"),
            "key": key("bad").record,
            "reason": "is null, not an object; its row is kept",
        }
    ]
    assert put_out["heldBack"] == []
    held = outputs(planned(bucket(), minted(record("a")), minted(record("b"))))["heldBack"]
    assert [each["host"] for each in held] == [host("a"), host("b")]


def test_text_of_others() -> None:
    """It is printed as one line of printable ASCII, however it was meant."""
    name = "bot\n::error::\x1b[2J\xe9 x"
    found = documents({key(name): Broken("is \x07")}, trashed=frozenset({ELEVEN}))

    done = planned(found, minted(record("a"), app="\n"))

    for line in (*explained(done), *remarks(done), str(outputs(done))):
        assert line.isascii()
        assert line.isprintable()


def test_removed_hosts_of_odd_names() -> None:
    """They are read back from the lines as they are."""
    done = planned(
        bucket(record("a"), record("b")), minted(record("a b\n%20")), minted(record("a"))
    )

    assert removed_hosts(done.lines) == {host("a b\n%20")}
