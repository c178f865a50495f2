from __future__ import annotations

import pytest

from control.sidecar_documents import FreshReads, ManifestFound, RecordFound, Unread
from control.sidecar_manifests import SidecarsManifest
from folds.sidecar_again import kept_after_all
from folds.sidecar_changes import Cause, Removal
from tests.folds.sidecar_model import BOX, BROKEN, ELEVEN, MANIFEST, UNREAD, host, key, record

_KEY = key("gone")
_SHUT = SidecarsManifest(placement="no-inbound")
_OPEN_BOX = BOX.model_copy(update={"inbound": "public"})


def _removal(cause: Cause) -> Removal:
    return Removal(host("gone"), _KEY, cause, "a reason")


def _kept(
    cause: Cause, found: RecordFound | None, manifest: ManifestFound = MANIFEST, box: object = BOX
) -> str:
    fresh = FreshReads({_KEY: found}, {ELEVEN: manifest}, {})
    return kept_after_all(_removal(cause), fresh, _OPEN_BOX if box is _OPEN_BOX else BOX)


@pytest.mark.behaviour(136)
@pytest.mark.parametrize("manifest", [MANIFEST, None])
def test_record_still_absent(manifest: ManifestFound) -> None:
    """The row goes, on the word of the record's own key."""
    assert _kept("absent", None, manifest) == ""


@pytest.mark.behaviour(138)
@pytest.mark.parametrize("cause", ["absent", "asked"])
def test_record_of_this_box_again(cause: Cause) -> None:
    """It was there all the time, or it came back: the row stays."""
    assert _kept(cause, record("gone")) == "its record asks for this box again"


@pytest.mark.parametrize("cause", ["absent", "asked"])
@pytest.mark.parametrize("fields", [{"region": "uk"}, {"pool": "eu"}, {"placement": "no-inbound"}])
def test_record_that_asks_for_another_place(cause: Cause, fields: dict[str, str]) -> None:
    """The row goes, on a clearer word than absence."""
    found = record("gone").model_copy(update=fields)

    assert _kept(cause, found, box=_OPEN_BOX) == ""


def test_manifest_decides_again() -> None:
    """An app whose manifest admits the box again keeps its rows."""
    assert _kept("asked", record("gone"), _SHUT, _OPEN_BOX) == ""
    assert _kept("asked", record("gone"), MANIFEST, _OPEN_BOX) != ""
    assert _kept("asked", record("gone"), None, _OPEN_BOX) != ""


def test_record_that_went_since_it_asked() -> None:
    """That is another reason, which the fuse has not seen: the next run decides."""
    assert _kept("asked", None) == "its record is gone since; the next run decides"


@pytest.mark.behaviour(137)
@pytest.mark.parametrize("cause", ["absent", "asked"])
@pytest.mark.parametrize(
    ("found", "manifest", "said"),
    [
        (UNREAD, MANIFEST, "its record could not be read once more: access denied"),
        (None, UNREAD, "its app's manifest could not be read once more: access denied"),
        (record("gone", region="uk"), UNREAD, "its app's manifest could not be read once more"),
        (BROKEN, MANIFEST, "its record cannot be used: is null, not an object"),
    ],
)
def test_doubt(cause: Cause, found: RecordFound, manifest: ManifestFound, said: str) -> None:
    """The row stays, with the reason."""
    assert _kept(cause, found, manifest).startswith(said)


@pytest.mark.parametrize("cause", ["absent", "asked", "trashed"])
def test_nothing_read(cause: Cause) -> None:
    """What nobody read again lets no row go."""
    assert "could not be read once more: nobody read it" in kept_after_all(
        _removal(cause), FreshReads({}, {}, {}), BOX
    )


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        (True, ""),
        (False, "its app is out of the trash again"),
        (UNREAD, "the trash could not be read once more: access denied"),
    ],
)
def test_app_in_the_trash(marked: bool | Unread, said: str) -> None:  # noqa: FBT001 (a table's)
    """Its marker alone decides, whatever its records say."""
    fresh = FreshReads({_KEY: record("gone")}, {ELEVEN: MANIFEST}, {ELEVEN: marked})

    assert kept_after_all(_removal("trashed"), fresh, BOX) == said
