r"""Domain names as Route 53 spells them, and as they are shown here.

The API returns every character but ``a-z 0-9 - _`` as ``\ooo``, in octal, with a final dot:
``\052.a.example.`` (https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/DomainNameFormat.html).
Here a name is lower case, without the final dot, and ``*`` is shown as itself. All other escapes
stay: ``\056`` is a dot within a label and ``\134`` a backslash, which must not turn into the plain
characters.
"""

from __future__ import annotations

import re

_STAR = "\\052"
_SPECIAL = re.compile(r"\\[0-3][0-7]{2}|[^a-z0-9_.-]")


def decode(api_name: str) -> str:
    r"""Return a name of the API as it is shown here: ``\052.A.example.`` is ``*.a.example``.

    Every backslash of the API begins an escape, so that the text ``\052`` is always a star.
    """
    return api_name.removesuffix(".").lower().replace(_STAR, "*")


def encode(name: str) -> str:
    r"""Return a name as the API returns it: ``*.a.example`` is ``\052.a.example.``.

    Escapes stay, every other special character is escaped. The inverse of ``decode``.

    Raises:
        ValueError: if a character is outside Latin-1, which no escape stands for.
    """
    return _SPECIAL.sub(_escaped, name.removesuffix(".").lower()) + "."


def _escaped(match: re.Match[str]) -> str:
    text = match.group()
    if len(text) > 1:
        return text
    if ord(text) > 0xFF:  # noqa: PLR2004 - the highest that three octal digits stand for
        raise ValueError(f"{match.string!a} has a character that no domain name can hold")
    return f"\\{ord(text):03o}"
