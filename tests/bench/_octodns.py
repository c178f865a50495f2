"""octoDNS on the same emulator, from its own command: a zone of A records, plain or checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.zone import ZoneEmulator
from tests.bench._realizers import Step
from tests.support.s3_bucket import ACCESS_KEY, REGION

COMMAND = Path(sys.executable).with_name("octodns-sync")
ZONE, DOMAIN = "Z0OCTODNS", "example.com"


@dataclass(frozen=True)
class OctoDns:
    """A folder with octoDNS's configuration, and the zone that it manages."""

    folder: Path
    zone: ZoneEmulator

    @classmethod
    def of(cls, folder: Path, zone: ZoneEmulator) -> OctoDns:
        """Write the configuration, and seed the zone with its apex alone."""
        folder.mkdir(parents=True)
        zone.seed({"zones": [{"id": ZONE, "name": DOMAIN}]})
        target = {
            "class": "octodns_route53.Route53Provider",
            "access_key_id": ACCESS_KEY,
            "secret_access_key": "secret",
            "client_max_attempts": 1,
        }
        source = {"class": "octodns.provider.yaml.YamlProvider", "directory": str(folder)}
        zones = {f"{DOMAIN}.": {"sources": ["files"], "targets": ["route53"]}}
        config = {"providers": {"files": source, "route53": target}, "zones": zones}
        (folder / "octodns.json").write_text(json.dumps(config))  # JSON is YAML as well
        return cls(folder, zone)

    def want(self, names: int, address: str, *, checked: bool = False) -> None:
        """Write that many names with one A record each, plain or behind a health check.

        A record with a check is one with a ``dynamic`` section there:
        https://octodns.readthedocs.io/en/latest/dynamic_records.html
        """
        record = {"ttl": 60, "type": "A", "value": address} | (_check(address) if checked else {})
        records = {f"h{number:05}.apps": record for number in range(names)}
        text = json.dumps(records, indent=0, sort_keys=True)
        (self.folder / f"{DOMAIN}.yaml").write_text(text)

    def sync(self) -> Step:
        """Run ``octodns-sync --doit --force`` and count its calls."""
        self.zone.reset()
        begin = time.monotonic()
        done = subprocess.run(
            [COMMAND, "--config-file", self.folder / "octodns.json", "--doit", "--force"],
            env={**os.environ, **self._env()},
            capture_output=True,
            check=False,
        )
        seconds = time.monotonic() - begin
        return Step(seconds, len(self.zone.calls), done.returncode == 0)

    def addresses(self) -> set[str]:
        """Return every address that the zone answers with."""
        sets = (each.doc for each in self.zone.zones[ZONE].record_sets())
        return {
            value["Value"]
            for each in sets
            if each["Type"] == "A"
            for value in each.get("ResourceRecords", ())
        }

    def _env(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL_ROUTE_53": self.zone.url,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        }


def _check(address: str) -> dict[str, Any]:
    """What an answer needs to be given only while its health check passes."""
    check = {"host": f"edge.{DOMAIN}", "path": "/", "port": 443, "protocol": "HTTPS"}
    pools = {"box": {"values": [{"value": address}]}}
    return {
        "dynamic": {"pools": pools, "rules": [{"pool": "box"}]},
        "octodns": {"healthcheck": check},
    }
