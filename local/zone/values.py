"""The values of records, checked against their type as the service does."""

import re
from collections.abc import Iterator

from local.zone.addresses import address_of
from local.zone.errors import ApiError, Check
from local.zone.names import canonical_name

TXT_STRING = r'"((?:[^"\\]|\\.)*)"'
TXT_VALUE = re.compile(rf"{TXT_STRING}(\s+{TXT_STRING})*")
MAX_TXT_STRING = 255
NOT_IPV4 = "ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)"
NOT_IPV6 = "AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)"
NOT_QUOTED = "InvalidCharacterString (Value should be enclosed in quotation marks)"
TOO_LONG = "CharacterStringTooLong (Value is too long)"


def value_problem(kind: str, value: str) -> str:
    """What the service says of a value of a record type; "" where it accepts it.

    A, AAAA, CNAME, NS, PTR, TXT and SPF values are checked; those of other types never fail.
    """
    if kind in ("CNAME", "NS", "PTR"):
        return _name_problem(value)
    if kind in ("A", "AAAA"):
        problems = _address_problems(kind, value)
    elif kind in ("TXT", "SPF"):
        problems = _text_problems(value)
    else:
        return ""
    found = next((problem for failed, problem in problems if failed), "")
    return found and f"FATAL problem: {found} encountered with '{value}'"


def _name_problem(value: str) -> str:
    try:
        canonical_name(value)
    except ApiError as error:
        return error.message
    return ""


def _address_problems(kind: str, value: str) -> Iterator[Check]:
    version, problem = (4, NOT_IPV4) if kind == "A" else (6, NOT_IPV6)
    address = address_of(value)
    yield address is None or address.version != version, problem


def _text_problems(value: str) -> Iterator[Check]:
    strings = [re.sub(r"\\([0-7]{3}|.)", "x", each) for each in re.findall(TXT_STRING, value)]
    yield not TXT_VALUE.fullmatch(value), NOT_QUOTED
    yield max(map(len, strings), default=0) > MAX_TXT_STRING, TOO_LONG
