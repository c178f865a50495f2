"""The documents of a host's files on this box, each with a version: see docs/formats.md."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from control.errors import Malformed
from control.strict_json import parse_object
from providers.claim_errors import LocalStateUnreadable
from providers.claim_files import HostFiles

VERSION = 1


class Document(BaseModel):
    """A versioned JSON object about one host; further fields are passed over."""

    model_config = ConfigDict(frozen=True, strict=True)
    name: ClassVar[str]

    v: Literal[1] = 1
    host: str

    @property
    def body(self) -> bytes:
        """The document: compact JSON in UTF-8, a newline at its end."""
        return self.model_dump_json().encode() + b"\n"


class Activation(Document):
    """Under which claim this box was last let in, or, ``retired``, let its row go."""

    name = "activation.json"

    box: str
    incarnation: str
    stamp: int = Field(ge=1)
    retired: bool = False


class Installed(Document):
    """What this box installed for the host, and under which activation."""

    name = "inventory.json"

    box: str
    incarnation: str
    stamp: int = Field(ge=1)
    layout: str
    paths: tuple[str, ...] = ()


class Fence(Document):
    """Whether this box admits work for the host during one operation. The platform writes it."""

    name = "fence.json"

    op: str = Field(min_length=1)
    closed: bool


_Document = TypeVar("_Document", bound=Document)


def read_document(files: HostFiles, host: str, kind: type[_Document]) -> _Document | None:
    """Read one of a host's documents; None where it is not there.

    Raises:
        LocalStateUnreadable: it is damaged, of another version or about another host: that is
            never "not there".
        ClaimError: as `HostFiles.read`.
    """
    data = files.read(host, kind.name)
    if data is None:
        return None
    path = files.path(host, kind.name)
    try:
        return _parsed(data, host, kind)
    except Malformed as error:
        way_out = "put back what was there, or set it aside while no run works on the host"
        raise LocalStateUnreadable(host, f"{path} {error.reason}; {way_out}") from error


def _parsed(data: bytes, host: str, kind: type[_Document]) -> _Document:
    fields = parse_object(data, kind.name)
    version: Any = fields.get("v")
    if type(version) is int and version > VERSION:
        said = f"is of version {version}, and {VERSION} is the latest known here: update Fairlead"
        raise Malformed(kind.name, said)
    try:
        document = kind.model_validate_json(data)
    except ValidationError as error:
        mistakes = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise Malformed(kind.name, f"is damaged ({'; '.join(sorted(mistakes))})") from error
    if document.host != host:
        raise Malformed(kind.name, f'is about "{document.host}"')
    return document
