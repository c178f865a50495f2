"""XML elements read against the schema, and written as the service writes them."""

import re
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from local.zone.errors import ApiError
from local.zone.schema import FLAGS, LISTS, STRUCTURES, LeafRule, leaf_rule
from local.zone.vocabulary import XMLNS, Doc

NAMESPACE = f"{{{XMLNS}}}"
INTEGER = re.compile(r"-?\d{1,18}")


def read_request(body: bytes, op: str) -> Doc:
    """The document of a request; ApiError InvalidInput unless it is the operation's own, whole."""
    try:
        root = ET.fromstring(body)  # noqa: S314 - from loopback only: a test's own client
    except ET.ParseError as error:
        raise ApiError("InvalidInput", f"Invalid XML ; {error}") from error
    if root.tag != f"{NAMESPACE}{op}Request":
        unknown = f"Cannot find the declaration of element '{root.tag}'."
        raise ApiError("InvalidInput", f"Invalid XML ; cvc-elt.1: {unknown}")
    document: Doc = read_element(root)
    return document


def read_element(node: ET.Element, parent: str = "") -> Any:
    """An element's structure, list, number, flag or text, as the schema has it; else ApiError."""
    tag = _tag(node)
    if tag in STRUCTURES:
        return _read_structure(node, tag)
    if tag in LISTS:
        return _read_list(node, tag)
    return _read_leaf(node, tag, leaf_rule(tag, parent))


def write_element(tag: str, value: Any, attributes: str = "") -> str:
    """The text of an element; members that are None are left out."""
    if isinstance(value, dict):
        members = ((name, child) for name, child in value.items() if child is not None)
        inner = "".join(write_element(name, child) for name, child in members)
    elif isinstance(value, list):
        item = tag.removesuffix("s")
        inner = "".join(write_element(item, child) for child in value)
    else:
        inner = str(value).lower() if isinstance(value, bool) else escape(str(value))
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _tag(node: ET.Element) -> str:
    return node.tag.removeprefix(NAMESPACE)


def _invalid(node: ET.Element, rule: str, expected: object) -> ApiError:
    found = f"'{_tag(node)}' is '{node.text or ''}', expected {expected}"
    return ApiError("InvalidInput", f"Invalid XML ; cvc-{rule}: {found}")


def _read_structure(node: ET.Element, tag: str) -> Doc:
    """The members in the service's order; the caller may give them in any."""
    structure, given = STRUCTURES[tag], {_tag(child): child for child in node}
    names = structure.names
    if len(given) < len(node) or not given.keys() <= set(names):
        raise _invalid(node, "complex-type.2.4.a", names)
    if not all(name in given for name in structure.required):
        raise _invalid(node, "complex-type.2.4.b", structure.spelled)
    return {name: read_element(given[name], tag) for name in names if name in given}


def _read_list(node: ET.Element, tag: str) -> list[Any]:
    rule = LISTS[tag]
    if not rule.low <= len(node) <= rule.high or any(_tag(child) != rule.item for child in node):
        raise _invalid(node, "complex-type.2.4.b", f"{rule.low} to {rule.high} {rule.item}")
    return [read_element(child, tag) for child in node]


def _read_leaf(node: ET.Element, tag: str, rule: LeafRule) -> str | int | bool:
    text = node.text or ""
    if len(node):
        raise _invalid(node, "type.3.1.2", "no element")
    if isinstance(rule, range):
        if not INTEGER.fullmatch(text) or int(text) not in rule:
            raise _invalid(node, "maxInclusive-valid", rule)
        return int(text)
    if isinstance(rule, tuple):
        if not rule[0] <= len(text) <= rule[1]:
            raise _invalid(node, "maxLength-valid", f"{rule[0]} to {rule[1]} characters")
        return text
    if text not in rule:
        raise _invalid(node, "enumeration-valid", rule)
    return text == "true" if tag in FLAGS else text
