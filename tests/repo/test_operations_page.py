"""docs/operations.md: each message has its row, each row its message, and the commands are real."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import yaml

from control import errors as control
from folds.claim_text import differs
from operate import errors as operate
from operate.__main__ import parser
from policy.guards import Violation, steering_violations
from policy.guards.sidecars import read_sidecars, sidecar_violations
from policy.guards.snapshots import read_snapshot, snapshot_violations
from providers import claim_errors as claims
from providers import errors as providers
from registry import errors as registry
from registry.operations import Remove, Result
from stacks import errors as stacks
from stacks.settings import settings_of
from tests.policy.box_summaries import CASES as BOX_CASES
from tests.policy.box_summaries import SIDECAR_ROUTES
from tests.policy.summaries import CASES as ZONE_CASES
from tests.policy.summaries import summary
from tests.repo.sources import CHECKOUT, Source, project

PAGE = (CHECKOUT / "docs" / "operations.md").read_text()
ROWS = re.findall(r"^\| `(.+?)` \| .+ \| .+ \|$", PAGE, re.MULTILINE)
FILE = Path("/r.db")
_PACKAGES = ("control", "folds", "operate", "policy", "providers", "registry", "stacks")
_FULL = registry.RegistryFull(FILE, "database or disk is full")
_GONE = Result(Remove("a", "b", "c"), "nothing to do")
# One of each kind whose message its class makes; the others' are said where they are raised.
MADE: tuple[Exception, ...] = (
    control.CannotOpen("b", "r"),
    control.ListingFailed("p", "r", "sidecars"),
    control.ReadFailed("k", "r"),
    control.ObjectNotFound("k", "r"),
    control.ObjectTooLarge("k", "is 2 bytes, over the limit of 1"),
    control.StoreUnavailable("k", "r"),
    control.WriteFailed("k", "r"),
    control.DeleteFailed("k", "r"),
    control.WriteConflict("k", "lost the race for it 3 times; find the other writer"),
    control.ConditionsIgnored("k", "r"),
    control.NotAsWritten("k", "r"),
    control.Malformed("control/x.json", "r"),
    control.ReadsFailed([control.ReadFailed("k", "r")]),
    registry.RegistryMissing(FILE),
    registry.RegistryEmpty(FILE),
    registry.RegistryUnopenable(FILE, "not a file; check the path in fairlead:registry"),
    registry.NotSqlite(FILE),
    registry.NoTables(FILE),
    registry.NoRoutesTable(FILE, ["a"]),
    registry.OtherApplication(FILE, "its table routes has no column host"),
    registry.ColumnsMissing(FILE, ["a"]),
    registry.RegistryBusy(FILE, 5, 5),
    registry.RegistryReadOnly(FILE, "s"),
    _FULL,
    registry.RegistryCorrupt(FILE, "s"),
    registry.RegistryDiskFailed(FILE, "s"),
    registry.RegistryFailed(FILE, "s"),
    registry.LineageMissing(FILE),
    registry.LineageUnreadable(FILE, "s"),
    registry.TargetExists(FILE),
    registry.WritesStopped(_FULL, [_GONE], ["b"]),
    operate.PulumiFailed(("stack", "ls"), "s"),
    claims.ClaimMisfiled("bot.example", differs("family", "instance", "sidecar")),
)
# Where others are raised: their message is what the call says.
RAISED = {
    *("ZoneNotNamed", "BucketNotNamed", "NoSnapshot", "WrongBox", "NothingVerifies"),
    *("TargetTaken", "RestoreFailed", "ZoneChanged", "EngineGone", "SettingsInvalid"),
    *("AcknowledgementInvalid", "WriteConflict", "ConditionsIgnored", "NotAsWritten"),
    *("ClaimsOff", "ClaimChanged", "ClaimUnsupported", "ClaimUnreadable", "ClaimReadFailed"),
    *("HostBusy", "LocalStateUnreadable", "LocalWriteFailed"),
    *("PreviewUnreadable", "OutputsUnreadable"),
    "Refused",  # no error, but told all the same
    *("KeptByEngine", "RealizerSwitched", "NotInstalled", "OutOfOrder", "NotInState", "Drifted"),
    *("Unfinished", "NotDone"),
}
# They carry other messages on, each of which has its own row.
CARRIERS = {"GuardRefused", "PlanRefused", "ApplyFailed"}
BASES = (
    control.ControlError,
    operate.OperateError,
    providers.ProviderError,
    registry.RegistryError,
    stacks.StackError,
)


def kinds(bases: Iterable[type[Exception]]) -> Iterator[type[Exception]]:
    """Yield every class below these that nothing of ours inherits from but its own kinds."""
    for each in bases:
        below = [sub for sub in each.__subclasses__() if sub.__module__.endswith("errors")]
        yield from kinds(below)
        if each not in (*BASES, registry.NotARegistry, claims.ClaimError):
            yield each


def pattern(row: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, row.split("..."))), re.DOTALL)


def told(message: str) -> list[str]:
    """Return the rows that a message fits."""
    return [row for row in ROWS if pattern(row).search(message)]


def templates(node: ast.AST) -> Iterator[str]:
    """Yield each text in a piece of code, what is put into it as ``...``."""
    for each in ast.walk(node):
        if isinstance(each, ast.JoinedStr):
            parts = (p.value if isinstance(p, ast.Constant) else "..." for p in each.values)
            yield "".join(map(str, parts))
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def sources() -> list[Source]:
    return [each for name, each in project().items() if name.partition(".")[0] in _PACKAGES]


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Yield each place where an error of `RAISED` is made: its class, its module, the call."""
    for source in sources():
        for node in ast.walk(source.tree):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in RAISED:
                    yield name, source.name, node


def guards() -> list[Violation]:
    found = [each for case in ZONE_CASES.values() for each in steering_violations(summary(case[1]))]
    for type_, _, breaking in BOX_CASES.values():
        if type_ == SIDECAR_ROUTES:
            found += sidecar_violations(read_sidecars(breaking))
        else:
            found += snapshot_violations(read_snapshot(breaking))
    return found


def test_every_kind_is_known_here() -> None:
    """A new error has to be put on the page."""
    known = {type(each).__name__ for each in MADE} | RAISED | CARRIERS
    assert {each.__name__ for each in kinds(BASES)} - known == set()


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_message_of_an_error(error: Exception) -> None:
    """It has a row; the row for whatever else SQLite says is for that alone."""
    rows = [row for row in told(str(error)) if row != "registry ...: ..."]
    assert rows or isinstance(error, registry.RegistryFailed)


def test_messages_said_where_they_are_raised() -> None:
    """Each call that makes such an error has a row that its text fits."""
    missing = []
    made = set()
    for name, module, call in calls():
        made.add(name)
        said = [each for each in templates(call) if " " in each.strip(" .;:")]
        texts = [f"k: {text}" for text in said if sum(map(str.isalpha, text)) > 8]
        if texts and not any(told(text) for text in texts):
            missing.append((module, call.lineno, texts))
    assert missing == []
    assert made == RAISED


@pytest.mark.parametrize("violation", guards(), ids=lambda violation: violation.rule)
def test_message_of_a_guard(violation: Violation) -> None:
    """It has a row."""
    assert any(row.startswith(violation.rule[:9]) for row in told(violation.message))


def test_rows() -> None:
    """Every literal piece of a row stands in the code, in one text: nothing is remembered wrong."""
    texts = [text for source in sources() for text in templates(source.tree)]
    made = [*(f"k: {each}" for each in texts), *map(str, MADE)]
    made += [each.message for each in guards()]
    assert [row for row in ROWS if not any(_fits(row, text) for text in made)] == []
    assert len(ROWS) > 50


def _fits(row: str, text: str) -> bool:
    return pattern(row).search(text) is not None


def test_commands() -> None:
    """What is to be typed is what the operators' commands take, and each is shown."""
    lines = re.findall(r"^ *python -m (operate .*)$", PAGE, re.MULTILINE)
    options = [parser().parse_args(shlex.split(line)[1:]) for line in lines]
    named = {"claims", "digest", "drill", "restore", "snapshots"}
    assert {each.command for each in options} == named
    assert {each.stack for each in options if "bucket" not in each} == {"ie-1-sidecars"}
    assert {each.bucket for each in options if "bucket" in each} == {"control-bucket"}


def test_stack_files() -> None:
    """The two shown are valid, and of one box."""
    texts = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    settings = [settings_of(yaml.safe_load(text)["config"]) for text in texts]
    assert [each.kind for each in settings] == ["sidecars", "snapshot"]
    assert {(each.bucket, each.registry) for each in settings if each.kind != "steering"} == {
        ("control-bucket", "/var/lib/platform/registry.db")
    }


def test_files_and_links() -> None:
    """What it installs and links to is there."""
    shipped = re.findall(r"(deploy/\S+)", PAGE)
    assert [each for each in shipped if not [*CHECKOUT.glob(each)]] == []
    links = re.findall(r"\]\((?!http)([^)#]+)", PAGE)
    assert [each for each in links if not (CHECKOUT / "docs" / each).exists()] == []
