"""One change batch, judged in order on a copy-on-write view of its zone."""

from collections.abc import Iterator, Sequence
from itertools import chain

from local.zone.errors import ApiError, Check, refuse
from local.zone.group_rules import cname_checks, final_checks, policy_checks
from local.zone.record_sets import Group, RecordSet, SetKey
from local.zone.set_rules import alias_checks, place_checks, value_checks
from local.zone.settings import Settings
from local.zone.vocabulary import Doc
from local.zone.zones import Zone

MAX_CHANGES = 1_000
MAX_UNITS = 1_000
MAX_CHARACTERS = 32_000


class Batch:
    """The changes of one batch, what they count, and the groups they leave.

    units and chars are ResourceRecord elements and characters of values as the service counts
    them; touched holds the working copy of each name that the batch changes.
    """

    def __init__(self, zone: Zone, changes: Sequence[Doc], settings: Settings) -> None:
        self.zone, self.changes, self.settings = zone, changes, settings
        self.touched: dict[str, Group] = {}
        self._actions: dict[tuple[str, SetKey], list[str]] = {}
        self.units = self.chars = 0
        for change in changes:
            self._count(change)

    def check(self) -> None:
        """Make every change to the working copy; ApiError with what is wrong with each."""
        refuse(
            "InvalidChangeBatch",
            (
                len(self.changes) > MAX_CHANGES,
                f"[Cannot have more than {MAX_CHANGES} changes in a batch.]",
            ),
            (self.units > MAX_UNITS, f"[Number of records limit of {MAX_UNITS} exceeded.]"),
            (
                self.chars > MAX_CHARACTERS,
                f"[RDATA character limit of {MAX_CHARACTERS} exceeded.]",
            ),
        )
        messages = list(chain.from_iterable(map(self._problems, self.changes)))
        messages += _broken(final_checks(self.zone, self.touched, self.settings.zone_quota))
        refuse("InvalidChangeBatch", (messages, f"[{', '.join(messages)}]"))

    def _count(self, change: Doc) -> None:
        factor = 2 if change["Action"] == "UPSERT" else 1
        records = change["ResourceRecordSet"].get("ResourceRecords", ())
        self.units += factor * (len(records) or self.settings.alias_units)
        self.chars += factor * sum(len(record["Value"]) for record in records)

    def _problems(self, change: Doc) -> list[str]:
        """What is wrong with a change; if nothing is, it is made to the working copy."""
        action = change["Action"]
        try:
            wanted = RecordSet(change["ResourceRecordSet"])
        except ApiError as error:
            return [error.message]
        group = self.touched.setdefault(wanted.name, dict(self._at(wanted.name)))
        wrong = _broken(self._action_checks(action, wanted, group.get(wanted.key)))[:1]
        if action != "DELETE":
            wrong = wrong or _broken(self._set_checks(wanted, group))
        if wrong:
            return wrong
        if action == "DELETE":
            del group[wanted.key]
        else:
            group[wanted.key] = wanted
        return []

    def _action_checks(
        self, action: str, wanted: RecordSet, live: RecordSet | None
    ) -> Iterator[Check]:
        """Whether the set can be created or deleted as things stand, and is named once."""
        actions = self._actions.setdefault((wanted.name, wanted.key), [])
        actions.append(action)
        this = _this(wanted)
        repeated = len(actions) > 1 and actions != ["DELETE", "CREATE"]
        named = f"a resource record set '{wanted.type} {wanted.name}'"
        yield repeated, f"The request contains an invalid set of changes for {named}"
        yield action == "DELETE" and not live, f"Tried to delete {this} it was not found"
        mismatch = action == "DELETE" and live and not live.matches(wanted)
        other = "the values provided do not match the current values"
        yield mismatch, f"Tried to delete {this} {other}"
        yield action == "CREATE" and live, f"Tried to create {this} it already exists"

    def _set_checks(self, wanted: RecordSet, group: Group) -> Iterator[Check]:
        """The set on its own, then beside the others at its name."""
        others = [other for key, other in group.items() if key != wanted.key]
        yield from value_checks(wanted, self.settings)
        yield from place_checks(wanted, self.zone)
        yield from alias_checks(wanted, self.zone, self._at(wanted.alias.get("DNSName", "")))
        yield from cname_checks(wanted, others, self.zone.name)
        yield from policy_checks(wanted, others)

    def _at(self, name: str) -> Group:
        """What stands at a name by now."""
        return self.touched.get(name, self.zone.names.get(name, {}))


def _this(wanted: RecordSet) -> str:
    identifier = f", set-identifier='{wanted.key[1]}'" if wanted.key[1] else ""
    named = f"name='{wanted.name}', type='{wanted.type}'{identifier}"
    return f"resource record set [{named}] but"


def _broken(checks: Iterator[Check]) -> list[str]:
    return [message for failed, message in checks if failed]
