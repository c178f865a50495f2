"""Showing text that somebody else wrote."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Escape all but printable ASCII, so that a terminal or a log shows one harmless line.

    Newlines, terminal escapes, other scripts and lone surrogates come out as Python escapes
    (``\n``, ``\x1b``, ``\xe9``, ``\ud800``), a backslash as two, so two texts never look alike.

    CI systems take commands from what a job prints. ``::error::`` counts at the start of a line
    only, where such text never stands: nothing here prints a newline, and every message has words
    in front. ``##[error]`` and ``##vso[...]`` count anywhere, so the second of two number signs is
    escaped as well. ``unicode_escape`` undoes all of it.
    """
    return text.encode("unicode_escape").decode("ascii").replace("##", "#\\x23")
