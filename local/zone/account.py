"""The emulated account: what it holds, how it is seeded, and what was seen to go wrong in it."""

import time
import uuid
from typing import Any

from local.zone.errors import find
from local.zone.health_checks import complete_config
from local.zone.names import canonical_name
from local.zone.record_sets import RecordSet
from local.zone.request import Request
from local.zone.settings import Settings
from local.zone.vocabulary import Doc
from local.zone.zones import Zone


class Account:
    """Hosted zones, health checks, their tags, and the references and changes remembered.

    references: "healthcheck/REFERENCE" or "hostedzone/REFERENCE" -> id, also of what is deleted.
    tags: "healthcheck/ID" or "hostedzone/ID" -> tags. changes: id -> what GetChange answers.
    violations: what was observed and not refused, a dict each with kind, call and op.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.zones: dict[str, Zone] = {}
        self.health_checks: dict[str, Doc] = {}
        self.references: dict[str, str] = {}
        self.tags: dict[str, dict[str, str]] = {}
        self.changes: dict[str, Doc] = {}
        self.violations: list[Doc] = []

    def zone(self, identifier: str) -> Zone:
        """The hosted zone with an id; ApiError NoSuchHostedZone."""
        return find(self.zones, identifier, "NoSuchHostedZone")

    def health_check(self, identifier: str) -> Doc:
        """The health check with an id; ApiError NoSuchHealthCheck."""
        return find(self.health_checks, identifier, "NoSuchHealthCheck")

    def new_change(self, comment: str | None = None) -> Doc:
        """Record an accepted change, PENDING for the settings' insync_after seconds."""
        identifier = new_id("C")
        info = {
            "Id": f"/change/{identifier}",
            "Status": "PENDING",
            "SubmittedAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "Comment": comment,
        }
        insync_at = time.time() + self.settings.insync_after
        self.changes[identifier] = {"info": info, "insync_at": insync_at}
        return {"ChangeInfo": info}

    def record_violation(self, kind: str, request: Request, **details: Any) -> None:
        """Note what a call did that the service admits and an operator would not want."""
        call = {"kind": kind, "call": request.call["index"], "op": request.op}
        self.violations.append({**call, **details})

    def state(self) -> Doc:
        """All that the account holds, as seed takes it: plain data, fit for JSON."""
        return {
            "zones": [_zone_state(zone) for zone in self.zones.values()],
            "health_checks": list(self.health_checks.values()),
            "references": self.references,
            "tags": self.tags,
            "changes": self.changes,
        }

    def seed(self, document: Doc) -> None:
        """Add (or replace, by id) zones and health checks; names are normalised, no rule holds.

        document: {"zones": [{"id", "name", "caller_reference"?, "config"?, "record_sets"?: as
        boto3 has them}], "health_checks": [{"Id", "HealthCheckConfig", ...}], "references",
        "tags", "changes": as state gives them}, each optional.
        """
        for zone in [_zone_of(entry) for entry in document.get("zones", ())]:
            self.zones[zone.id] = zone
            self.references[f"hostedzone/{zone.caller_reference}"] = zone.id
        for check in [_check_of(entry) for entry in document.get("health_checks", ())]:
            self.health_checks[check["Id"]] = check
            self.references[f"healthcheck/{check['CallerReference']}"] = check["Id"]
        for name in ("references", "tags", "changes"):
            getattr(self, name).update(document.get(name, {}))


def new_id(letter: str) -> str:
    """An id as the service makes them for zones and changes."""
    return letter + uuid.uuid4().hex[:20].upper()


def _zone_of(entry: Doc) -> Zone:
    zone = Zone(
        id=entry["id"],
        name=canonical_name(entry["name"]),
        caller_reference=entry.get("caller_reference") or entry["id"],
        config=entry.get("config", {}),
    )
    for record_set in map(RecordSet, entry.get("record_sets", ())):
        zone.add(record_set)
    return zone


def _check_of(entry: Doc) -> Doc:
    config = complete_config(entry["HealthCheckConfig"])
    defaults = {"CallerReference": entry["Id"], "HealthCheckVersion": 1}
    return {**defaults, **entry, "HealthCheckConfig": config}


def _zone_state(zone: Zone) -> Doc:
    return {
        "id": zone.id,
        "name": zone.name,
        "caller_reference": zone.caller_reference,
        "config": zone.config,
        "record_sets": [record_set.doc for record_set in zone.record_sets()],
    }
