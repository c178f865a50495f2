"""The documents steering reads, as values: edges files and instance records.

Unknown fields are passed over, an absent one is its zero value, names match exactly. `null` is
neither: it is a value of the wrong kind, where one of the fields named here holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from control.addresses import parse_address, unreachable
from control.errors import Malformed
from control.keys import edge_box, instance_key, is_label
from control.strict_json import kind_of, parse_object

_EDGE_ZERO: Mapping[str, str | bool] = {"box": "", "aws_region": "", "eip": "", "armed": False}
_INSTANCE_ZERO: Mapping[str, str] = {"host": "", "steering": "", "pool": ""}


class Edge(BaseModel):
    """One box's edges file: where the box answers, and whether it may.

    ``address`` is in its shortest lower-case form, or empty for a disarmed box without a valid one;
    ``aws_region`` is known, or empty for a disarmed box.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    box: str
    aws_region: str
    address: str
    armed: bool

    @property
    def record_type(self) -> Literal["A", "AAAA"]:
        """The type of record that carries ``address``."""
        return "AAAA" if ":" in self.address else "A"


class Instance(BaseModel):
    """One instance record: what its key says, and the three fields of its body that count.

    ``host``, ``steering`` and ``pool`` are exactly as read; to judge them is the fold's.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    key: str
    account: str
    app: str
    name: str
    host: str
    steering: str
    pool: str


def parse_edge(
    body: bytes, key: str, *, regions: frozenset[str], allow_test_addresses: bool
) -> Edge:
    """Parse an edges file; a key's box must be its body's.

    ``regions`` are the AWS regions that exist. Raises `Malformed` with every mistake of the file in
    one line. A wrong file must fail the pass: taken as absent, it would withdraw its box.
    """
    fields = parse_object(body, key)
    mistakes = [*wrong_kinds(fields, _EDGE_ZERO)]
    mistakes += _edge_mistakes(fields, edge_box(key), regions, allow_test=allow_test_addresses)
    if mistakes:
        raise Malformed(key, "; ".join(mistakes))
    address = parse_address(fields.get("eip", ""))
    return Edge(
        box=fields["box"],
        aws_region=fields.get("aws_region", ""),
        address=str(address or ""),
        armed=fields.get("armed", False),
    )


def parse_instance(body: bytes, key: str) -> Instance:
    """Parse an instance record; its key must be one (behaviours 16-19).

    Raises `Malformed` when the body is not a strict JSON object, or ``host``, ``steering`` or
    ``pool`` is there and not a string (so is `null`, which other readers take as absent: a record
    that was meant to say something must not read as "not steered"). Nothing else in it matters.
    """
    parts = instance_key(key)
    if parts is None:
        raise Malformed(key, "is not apps/<account>/<app>/instances/<host>.json")
    fields = parse_object(body, key)
    if mistakes := [*wrong_kinds(fields, _INSTANCE_ZERO)]:
        raise Malformed(key, "; ".join(mistakes))
    read = {name: fields.get(name, zero) for name, zero in _INSTANCE_ZERO.items()}
    return Instance(key=key, account=parts.account, app=parts.app, name=parts.name, **read)


def wrong_kinds(fields: Mapping[str, Any], zeros: Mapping[str, object]) -> Iterator[str]:
    """Yield each field that is there and not of the kind of its zero value."""
    for name, zero in zeros.items():
        if not isinstance(fields.get(name, zero), type(zero)):
            yield f"{name} is {kind_of(fields[name])}, not {kind_of(zero)}"


def _edge_mistakes(
    fields: Mapping[str, Any], box: str | None, regions: frozenset[str], *, allow_test: bool
) -> Iterator[str]:
    """Yield what is wrong with fields of the right kind; `wrong_kinds` names the others."""
    armed = fields.get("armed") is True
    if type(version := fields.get("v")) is not int or version != 1:
        yield "v is not the number 1, the one version known"
    if isinstance(named := fields.get("box", ""), str):
        yield from _box_mistakes(named, box)
    if isinstance(region := fields.get("aws_region", ""), str):
        yield from _region_mistakes(region, regions, armed=armed)
    if armed and isinstance(address := fields.get("eip", ""), str):
        yield from _address_mistakes(address, allow_test=allow_test)


def _box_mistakes(named: str, box: str | None) -> Iterator[str]:
    if named != box:
        yield f'box is "{named}", the key says "{box or ""}"'
    elif not is_label(named):
        yield f'box "{named}" is not a label: 1 to 63 of a-z, 0-9 and inner hyphens'


def _region_mistakes(region: str, regions: frozenset[str], *, armed: bool) -> Iterator[str]:
    if armed and not region:
        yield "armed without an aws_region"
    elif region and region not in regions:
        yield f'aws_region "{region}" is not a region of AWS'


def _address_mistakes(text: str, *, allow_test: bool) -> Iterator[str]:
    address = parse_address(text)
    if not text:
        yield "armed without an address in eip"
    elif address is None:
        yield f'eip "{text}" is not an IPv4 or IPv6 address'
    elif net := unreachable(address, allow_test_addresses=allow_test):
        yield f"eip {address} is in {net}, which Route 53 cannot check: give a public address"
