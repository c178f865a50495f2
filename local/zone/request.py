"""One call as the operations see it, and the paging that lists share."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from local.zone.elements import read_request
from local.zone.errors import refuse
from local.zone.vocabulary import Doc

PAGE = 100  # zones or health checks a page


@dataclass(frozen=True)
class Request:
    """A call's operation, path arguments, query and body, and whether it was signed.

    call is its log entry, to annotate.
    """

    op: str
    args: list[str]
    query: dict[str, str]
    body: bytes
    signed: bool
    call: Doc

    def read(self) -> Doc:
        """The body's document; ApiError InvalidInput where it breaks the schema."""
        return read_request(self.body, self.op)

    def page_size(self, default: int, cap: int) -> int:
        """MaxItems, cut to the cap; ApiError InvalidInput unless it is a positive number."""
        wanted = self.query.get("maxitems", str(default))
        well_formed = re.fullmatch(r"[1-9]\d{0,8}", wanted)
        refuse("InvalidInput", (not well_formed, f"Invalid parameter : maxitems '{wanted}'"))
        return min(int(wanted), cap)

    def page(self, tag: str, documents: Mapping[str, Doc]) -> Doc:
        """At most 100 documents in the order of their ids, from the marker on."""
        size, marker = self.page_size(PAGE, PAGE), self.query.get("marker", "")
        ids = [identifier for identifier in sorted(documents) if identifier >= marker]
        return {
            tag: [documents[identifier] for identifier in ids[:size]],
            "Marker": marker,
            "MaxItems": size,
            "IsTruncated": len(ids) > size,
            "NextMarker": ids[size] if len(ids) > size else None,
        }
