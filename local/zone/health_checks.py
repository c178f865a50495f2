"""The settings of a health check: their defaults, and what the service refuses."""

from collections.abc import Iterator

from local.zone.addresses import address_of, reachable, written_out
from local.zone.errors import Check, refuse
from local.zone.vocabulary import ENDPOINT_TYPES, Doc

INTERVALS = (10, 30)


def complete_config(config: Doc) -> Doc:
    """The settings as the service returns them: defaults filled in, IPv6 written out."""
    secure = "HTTPS" in config["Type"]
    full = {
        "RequestInterval": 30,
        "FailureThreshold": 3,
        "MeasureLatency": False,
        "EnableSNI": secure,
        "Inverted": False,
        "Disabled": False,
        "Port": 443 if secure else 80,
        **config,
    }
    if "IPAddress" in full:
        full["IPAddress"] = written_out(full["IPAddress"])
    return full


def check_config(config: Doc, *, allow_test_nets: bool) -> None:
    """ApiError InvalidInput with the first thing that is wrong with the settings."""
    refuse("InvalidInput", *_endpoint_checks(config, allow_test_nets=allow_test_nets))
    refuse("InvalidInput", *_request_checks(config), *_tcp_checks(config))


def _endpoint_checks(config: Doc, *, allow_test_nets: bool) -> Iterator[Check]:
    kind, text, name = (
        config.get(key) for key in ("Type", "IPAddress", "FullyQualifiedDomainName")
    )
    address = address_of(text or "")
    blocked = address is not None and not reachable(address, allow_test_nets=allow_test_nets)
    unknown = f"health checks of type {kind} are not modelled here."
    ranges = f"IP address {text} is in a local, private, non-routable or multicast range."
    neither = "IPAddress or FullyQualifiedDomainName is required."
    yield kind not in ENDPOINT_TYPES, f"Invalid parameter : {unknown}"
    not_address = text is not None and not address
    yield not_address, f"Invalid parameter : '{text}' is not a valid IP address."
    yield blocked, f"Invalid parameter : {ranges}"
    yield not text and not name, f"Invalid parameter : {neither}"


def _request_checks(config: Doc) -> Iterator[Check]:
    interval = config.get("RequestInterval", 30)
    relative = not config.get("ResourcePath", "/").startswith("/")
    misplaced = bool(config.get("SearchString")) != config["Type"].endswith("STR_MATCH")
    searched = "SearchString is required for string matching health checks, and only for them."
    yield interval not in INTERVALS, "Invalid parameter : RequestInterval must be 10 or 30."
    yield relative, "Invalid parameter : ResourcePath must begin with /."
    yield misplaced, f"Invalid parameter : {searched}"


def _tcp_checks(config: Doc) -> Iterator[Check]:
    if config["Type"] != "TCP":
        return
    both = config.get("IPAddress") and config.get("FullyQualifiedDomainName")
    no_port = "Invalid parameter : Port is required for TCP health checks."
    no_name = "that have IP address must not have a fully qualified domain name specified."
    yield "Port" not in config, no_port
    has_path = "ResourcePath" in config
    yield has_path, "TCP health checks must not have a resource path specificed."
    yield both, f"TCP health checks {no_name}"
