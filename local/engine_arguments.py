"""Reads a `pulumi` command line the way the CLI reads it, and changes nothing in it.

Flags may come before the command: cobra takes the word after an unknown flag for
its value, unless the flag is one of the CLI's own switches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

_SWITCHES = frozenset(
    {
        "--disable-integrity-checking",
        "--emoji",
        "-e",
        "--fully-qualify-stack-names",
        "-Q",
        "--help",
        "-h",
        "--logflow",
        "--logtostderr",
        "--non-interactive",
    }
)
_SHORT_SWITCHES = "defhjyQ"


@dataclass(frozen=True)
class Arguments:
    """What a command line says.

    Attributes:
        command: The first word that is no flag; None if there is none.
        folder: The last `-C`/`--cwd`.
        stack: The last `-s`/`--stack`.
        config_file: The last `--config-file`.
        packs: Every `--policy-pack`, in order.
        help: Whether help is asked for.
    """

    command: str | None
    folder: str | None
    stack: str | None
    config_file: str | None
    packs: tuple[str, ...]
    help: bool


def parse(words: Sequence[str]) -> Arguments:
    """Read the words after `pulumi`."""
    own = tuple(words[: words.index("--")] if "--" in words else words)
    return Arguments(
        command=_command(own),
        folder=_last(_values(own, "--cwd", "C")),
        stack=_last(_values(own, "--stack", "s")),
        config_file=_last(_values(own, "--config-file")),
        packs=tuple(_values(own, "--policy-pack")),
        help=bool({"--help", "-h"} & set(own)),
    )


def _command(words: Sequence[str]) -> str | None:
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            return word
        long_value = word.startswith("--") and "=" not in word
        short_value = not word.startswith("--") and len(word) == len("-s")
        if (long_value or short_value) and word not in _SWITCHES:
            next(rest, None)
    return None


def _values(words: Sequence[str], long: str, short: str = "") -> Iterator[str]:
    for word, after in zip_longest(words, words[1:]):
        if word.startswith(f"{long}="):
            yield word.removeprefix(f"{long}=")
        elif word == long and after is not None:
            yield after
        elif short and word.startswith("-") and not word.startswith("--"):
            yield from _short_value(word[1:], short, after)


def _short_value(letters: str, short: str, after: str | None) -> Iterator[str]:
    """The value of `-s` in a word of joined letters: `-s x`, `-sx`, `-s=x`, `-yfs x`."""
    switches, found, value = letters.partition(short)
    if not found or switches.strip(_SHORT_SWITCHES):
        return
    value = value.removeprefix("=") or (after or "")
    if value:
        yield value


def _last(values: Iterator[str]) -> str | None:
    return (None, *values)[-1]
