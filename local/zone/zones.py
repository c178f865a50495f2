"""A hosted zone: its record sets by name, and their order."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from local.zone.names import sort_key
from local.zone.record_sets import Group, RecordSet, SetKey
from local.zone.vocabulary import NAME_SERVERS, Doc

Place = tuple[str, str, str, str]  # the name's sort key, type, identifier; then the name itself
SOA = f"{NAME_SERVERS[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400"


@dataclass
class Zone:
    """A public hosted zone; a new one holds its NS and SOA record sets."""

    id: str
    name: str
    caller_reference: str
    config: Doc = field(default_factory=dict)
    names: dict[str, Group] = field(default_factory=dict)
    busy_until: float = 0.0  # on the monotonic clock: PriorRequestNotComplete until then
    _order: list[Place] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Add the apex records that every zone has."""
        self.add(_apex(self.name, "NS", 172_800, [f"{server}." for server in NAME_SERVERS]))
        self.add(_apex(self.name, "SOA", 900, [SOA]))

    def holds(self, name: str) -> bool:
        """Whether a canonical name lies in the zone."""
        return name == self.name or name.endswith("." + self.name)

    def add(self, record_set: RecordSet) -> None:
        """Add or replace one record set, with no rule applied."""
        group = self.names.get(record_set.name, {})
        self.put({record_set.name: {**group, record_set.key: record_set}})

    def put(self, groups: Mapping[str, Group]) -> None:
        """Replace what stands at some names; an empty group leaves nothing there."""
        for name, group in groups.items():
            old = self.names.get(name, {})
            self._reorder(name, old.keys() - group.keys(), group.keys() - old.keys())
            if group:
                self.names[name] = group
            else:
                self.names.pop(name, None)

    def order(self) -> list[Place]:
        """Every record set's place, in listing order: sorted once, then kept in order."""
        if self._order is None:
            self._order = sorted(
                (sort_key(name), *key, name) for name, group in self.names.items() for key in group
            )
        return self._order

    def record_sets(self, start: int = 0, end: int | None = None) -> list[RecordSet]:
        """The record sets from one position of the order to another."""
        places = self.order()[start:end]
        return [self.names[name][kind, identifier] for _, kind, identifier, name in places]

    def document(self) -> Doc:
        """The zone as the service returns it."""
        return {
            "Id": f"/hostedzone/{self.id}",
            "Name": self.name,
            "CallerReference": self.caller_reference,
            "Config": {"PrivateZone": False, **self.config},
            "ResourceRecordSetCount": len(self.order()),
        }

    def _reorder(self, name: str, gone: Iterable[SetKey], added: Iterable[SetKey]) -> None:
        """Keep an order that was asked for already; sorting it anew costs more at 10,000 sets."""
        if self._order is None:
            return
        place = sort_key(name)
        for key in gone:
            del self._order[bisect_left(self._order, (place, *key, name))]
        for key in added:
            insort(self._order, (place, *key, name))


def _apex(name: str, kind: str, ttl: int, values: list[str]) -> RecordSet:
    records = [{"Value": value} for value in values]
    return RecordSet({"Name": name, "Type": kind, "TTL": ttl, "ResourceRecords": records})
