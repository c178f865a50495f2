"""The report as a comment: what others wrote stays in its fences, and all of it fits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operate.reports.markdown import GITHUB_LIMIT, ROOM, markdown, marker
from operate.reports.value import Report, WayOut
from policy.guards import Violation

HOSTILE = (
    "```",
    "@everybody",
    "<img src=x onerror=alert(1)>",
    "[a](https://evil.example)",
    "https://evil.example",
    "</details>",
    "\n```\n@everybody\n",
    "<!-- fairlead plan of prod -->",
    "   ```",
    "~~~",
    "#1",
)
# Every line that stands outside a fence.
OURS = re.compile(
    r"|### Plan of `[\w.?/-]*`|\*?\*?[A-Z][a-z ]+\*?\*?[a-z,: ]*\."
    r"|<!-- fairlead plan of [\w.?/-]* -->|If exactly this is meant:"
    r"|No digest lets all of this through: see the messages without one\."
    r"|<details( open)?><summary>[A-Z][a-z ,]+: \d+</summary>|</details>"
    r"|and \d+ more: `python -m operate digest --stack [\w.?/-]*`"
)
REFUSED = """<!-- fairlead plan of prod -->
### Plan of `prod`

**Refused**: the run would change nothing.
```diff
zone Z1 (carlos-steering/)
+0 ~0 -2 of 3 record sets, 1 hosts
```
If exactly this is meant:
```diff
FAIRLEAD_... up
```

<details open><summary>What the guards say: 1</summary>

```diff
mandatory: steering-shrink: zone Z1: removes 2 of 3
```

</details>

<details open><summary>Changes, removals first: 2</summary>

```diff
- a A p/b eu-west-1 192.0.2.1 ttl=60
- health check 1 192.0.2.1
```

</details>

<details open><summary>Refused, held, standing by: 1</summary>

```diff
held: c: its record is refused, its live sets stay
```

</details>

"""
text = st.text() | st.sampled_from(HOSTILE)
texts = st.lists(text, max_size=6).map(tuple)
refusals = st.builds(Violation, st.just("rule"), st.just("mandatory"), text, st.just(""))
reports = st.builds(
    Report,
    stack=text,
    subject=text,
    headline=text,
    changes=texts,
    staying=texts,
    remarks=texts,
    failures=texts,
    violations=st.lists(refusals, max_size=6).map(tuple),
    way_out=st.none() | st.builds(WayOut, text, text, text),
    error=text,
)


def outside(comment: str) -> list[str]:
    """Return the lines that are no code: a fence ends at a line of its own sign alone."""
    found, fenced = [], False
    for line in comment.splitlines():
        if fenced and re.fullmatch(r" {0,3}```+ *", line):
            fenced = False
        elif not fenced and re.fullmatch(r" {0,3}```+[^`]*", line):
            fenced = True
        elif not fenced:
            found.append(line)
    assert not fenced
    return found


def refusal(message: str, digest: str = "0ba62195b299") -> Violation:
    return Violation("steering-shrink", "mandatory", message, digest)


def report(**changes: object) -> Report:
    values = {"kind": "steering", "subject": "zone Z1 (carlos-steering/)", "headline": "+1 ~0 -0"}
    return Report("prod", **{**values, **changes})  # type: ignore[arg-type] # a test's own


@given(reports)
def test_text_of_others(made: Report) -> None:
    """Whatever it is, it stands in a fence; the comment is ASCII, found by its first line."""
    comment = markdown(made)
    assert [line for line in outside(comment) if not OURS.fullmatch(line)] == []
    assert re.fullmatch(r"[ -~\n]+", comment)
    assert comment.startswith(f"{marker(made.stack)}\n")
    assert len(comment) <= GITHUB_LIMIT


@pytest.mark.parametrize("word", HOSTILE)
def test_a_hostile_word(word: str) -> None:
    """None of these gets out of its fence."""
    comment = markdown(report(changes=(f"+ {word}",), remarks=(word, f"refused: {word}")))
    assert not [line for line in outside(comment) if "evil" in line or "@" in line]


def test_a_refused_plan() -> None:
    """The verdict first, then what lets it through, the guards, the changes and the rest."""
    comment = markdown(
        report(
            headline="+0 ~0 -2 of 3 record sets, 1 hosts",
            changes=("- a A p/b eu-west-1 192.0.2.1 ttl=60", "- health check 1 192.0.2.1"),
            violations=(refusal("steering-shrink: zone Z1: removes 2 of 3"),),
            remarks=("held: c: its record is refused, its live sets stay",),
            way_out=WayOut("0ba62195b299", "0ba62195b299.20261201T100000Z", "FAIRLEAD_... up"),
        )
    )
    assert comment == REFUSED


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"headline": "nothing to do"}, "Nothing to do."),
        ({"changes": ("+ a",)}, "Nothing is refused."),
        ({"failures": ("held back: a",)}, "**The run would fail at its end**, all else done."),
        ({"read": False}, "Nothing is read."),
        ({"error": "timed out"}, "**Unknown**: the plan could not be worked out."),
    ],
)
def test_verdicts(changes: dict[str, object], verdict: str) -> None:
    """One for each state."""
    assert verdict in outside(markdown(report(**changes)))


def test_no_digest() -> None:
    """It is said that none helps."""
    comment = markdown(report(violations=(refusal("over the quota", ""),)))
    assert "No digest lets all of this through: see the messages without one." in comment


def test_a_plan_of_thousands() -> None:
    """It is cut to fit: removals are left, each block has room, the rest is one command away."""
    removals = tuple(f"- h{number:05} A p/b eu-west-1 192.0.2.1 ttl=60" for number in range(500))
    additions = tuple(f"+ h{number:05} A p/b eu-west-1 192.0.2.1 ttl=60" for number in range(9000))
    remarks = tuple(f"refused: h{number:05}: unknown steering value" for number in range(5000))
    comment = markdown(report(changes=(*removals, *additions), remarks=remarks, staying=additions))
    assert ROOM * 0.9 < len(comment) <= ROOM
    assert all(line in comment for line in removals)
    assert comment.count("refused: ") > 100
    assert comment.count("<details>") == comment.count("</details>") == 3
    shown = comment.count("\n+ h") + comment.count("\n- h") + comment.count("\nrefused: ")
    left_out = re.findall(r"\nand (\d+) more: `python -m operate digest", comment)
    assert shown + sum(map(int, left_out)) == 500 + 2 * 9000 + 5000


def test_many_long_messages() -> None:
    """They are cut before the changes are gone, and no line fills the comment."""
    messages = tuple(refusal("x" * 70_000) for _ in range(40))
    comment = markdown(report(violations=messages, changes=("- a",)))
    assert len(comment) <= ROOM
    assert "\n- a\n" in comment
    assert f"mandatory: {'x' * 1_900}" in comment
