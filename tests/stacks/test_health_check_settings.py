"""The setting healthCheck: what is given, what is not, and the checks that come of it."""

from __future__ import annotations

import pytest

from folds.desired import CheckSettings
from stacks.steering_settings import HealthCheck
from tests.stacks.settings import loaded, mistakes


def test_a_health_check_given_in_part() -> None:
    """Objects merge over their defaults."""
    check = loaded(healthCheck='{"port":8443}').health_check
    assert check == HealthCheck(type="HTTPS", port=8443, interval=30, failure_threshold=3)


@pytest.mark.parametrize("path", ["", "up", "/a b", "/\x7f", "/" + "a" * 255, "/é"])
def test_a_path_that_is_none(path: str) -> None:
    """A path is a slash and at most 254 printable ASCII characters."""
    with pytest.raises(ValueError, match="must be a /"):
        HealthCheck(path=path)


def test_a_path_for_tcp() -> None:
    """A TCP check takes no path."""
    said = mistakes(healthCheck='{"type":"TCP","path":"/"}')
    assert said == "settings: fairlead:healthCheck.path: a TCP check takes no path"


@pytest.mark.parametrize("port", ["true", '"443"', "443.5", "null", "65536"])
def test_a_port_that_is_no_number(port: str) -> None:
    """A number in an object is one: neither text, nor true."""
    assert mistakes(healthCheck=f'{{"port":{port}}}').startswith(
        "settings: fairlead:healthCheck.port"
    )


def test_the_checks_of_an_https_stack() -> None:
    """The name sent is edge.<apps domain>, and the path has a default."""
    assert HealthCheck().of("apps.example.com") == CheckSettings(
        type="HTTPS", path="/", domain_name="edge.apps.example.com"
    )


def test_the_checks_without_an_apps_domain() -> None:
    """Then there is no name to send."""
    assert HealthCheck(type="HTTP").of("").domain_name == ""


def test_the_checks_of_a_tcp_stack() -> None:
    """Route 53 takes neither path nor name for TCP."""
    check = HealthCheck(type="TCP").of("apps.example.com")
    assert (check.type, check.path, check.domain_name) == ("TCP", "", "")
