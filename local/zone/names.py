"""Domain names as Route 53 returns and orders them."""

import re

from local.zone.errors import refuse

PLAIN_NAME = re.compile(r"(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?")
PART = re.compile(r"\\[0-3][0-7]{2}|.", re.DOTALL)
MAX_LABEL = 63
MAX_NAME = 255  # with its dots
NAME_TOO_LONG = "DomainNameTooLong (Domain name is too long)"


def canonical_name(text: str, code: str = "InvalidDomainName") -> str:
    r"""The form in which Route 53 returns a name: lower case, escaped, with the final dot.

    All but a-z 0-9 - _ comes out as \ooo, so * is \052. ApiError with the code for an empty or
    overlong name or label, and for characters outside printable ASCII.
    """
    if len(text) < MAX_NAME and PLAIN_NAME.fullmatch(text):
        return text.removesuffix(".").lower() + "."
    parts = PART.findall(text)
    labels = _labels(parts)
    longest = max(map(len, labels), default=0)
    supported = all(part != "\\" and "!" <= part[0] <= "~" for part in parts)
    problems = (
        (not supported, "UnsupportedCharacter (Value contains unsupported characters)"),
        (not labels, "DomainNameEmpty (Domain name is empty)"),
        (not all(labels), "DomainLabelEmpty (Domain label is empty)"),
        (longest > MAX_LABEL, "DomainLabelTooLong (Domain label is too long)"),
        (sum(map(len, labels)) + len(labels) > MAX_NAME, NAME_TOO_LONG),
    )
    where = f"encountered with '{text}'"
    refuse(code, *((failed, f"FATAL problem: {problem} {where}") for failed, problem in problems))
    return "".join("".join(map(_escaped, label)) + "." for label in labels)


def sort_key(name: str) -> str:
    """A canonical name's place in a listing: its labels reversed, www.a.com. -> com.a.www.

    The final dot takes part in the comparison.
    """
    return ".".join(reversed(name[:-1].split("."))) + "."


def _labels(parts: list[str]) -> list[list[int]]:
    """The code points of each label, lower-cased; a final dot opens no label."""
    labels: list[list[int]] = [[]]
    for part in parts:
        if part == ".":
            labels.append([])
        else:
            number = ord(part) if len(part) == 1 else int(part[1:], 8)
            labels[-1].append(number + 32 if ord("A") <= number <= ord("Z") else number)
    return labels if labels[-1] else labels[:-1]


def _escaped(number: int) -> str:
    character = chr(number)
    return character if re.match(r"[a-z0-9_-]", character) else f"\\{number:03o}"
