"""A local stack stays on this checkout's emulators; any other stack is none of their business."""

from __future__ import annotations

from pathlib import Path

import pytest

from local import environment
from local.errors import NotRunning

SHELL = {
    "PATH": "/bin",
    "AWS_PROFILE": "production",
    "AWS_SESSION_TOKEN": "real",
    "AWS_ACCESS_KEY_ID": "real",
    "AWS_SECRET_ACCESS_KEY": "real",
    "AWS_ENDPOINT_URL": "",
    "PULUMI_BACKEND_URL": "s3://the-team",
    "PULUMI_CONFIG_PASSPHRASE": "secret",
}
BOTH = {"AWS_ENDPOINT_URL_S3": "http://a", "AWS_ENDPOINT_URL_ROUTE_53": "http://b"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    environment.remember("http://127.0.0.1:1", "http://127.0.0.1:2", tmp_path)
    return tmp_path


def test_local_stack_gets_the_emulators_and_nothing_real(folder: Path) -> None:
    """Profile, token, keys and backend of the user's shell do not reach a local stack."""
    found = environment.for_stack("local-steering", SHELL, folder)
    assert found["AWS_ENDPOINT_URL_S3"] == "http://127.0.0.1:1"
    assert found["AWS_ENDPOINT_URL_ROUTE_53"] == "http://127.0.0.1:2"
    assert found["AWS_ACCESS_KEY_ID"] == found["AWS_SECRET_ACCESS_KEY"] == "local"
    assert found["PATH"] == "/bin"
    assert {"production", "real", "s3://the-team", "secret"}.isdisjoint(found.values())


@pytest.mark.parametrize("stack", ["production", "steering-local-1", "local", "org/local-x/prod"])
def test_other_stack_keeps_the_shell(folder: Path, stack: str) -> None:
    """Emulators that run beside it never catch a real stack."""
    assert environment.for_stack(stack, SHELL, folder) == SHELL


def test_fully_qualified_name_is_known(folder: Path) -> None:
    """The engine also takes organization/project/stack."""
    found = environment.for_stack("organization/fairlead/local-steering", SHELL, folder)
    assert found["AWS_ACCESS_KEY_ID"] == "local"


@pytest.mark.parametrize("named", [BOTH, {"AWS_ENDPOINT_URL": "http://c"}])
def test_caller_with_both_endpoints_decides_all(folder: Path, named: dict[str, str]) -> None:
    """Who names bucket and zone brings credentials and state too."""
    own = {**SHELL, **named}
    assert environment.for_stack("local-steering", own, folder) == own


@pytest.mark.parametrize("name", sorted(BOTH))
def test_one_endpoint_is_not_enough(folder: Path, name: str) -> None:
    """With one of two named, the other would be AWS's own: the emulators hold for both."""
    found = environment.for_stack("local-steering", {**SHELL, name: "http://a"}, folder)
    assert found[name].startswith("http://127.0.0.1:")


def test_proxy_is_kept_out_of_the_way(folder: Path) -> None:
    """Loopback is never asked by a proxy; what the user excepts stays excepted."""
    found = environment.for_stack("local-steering", {"NO_PROXY": "intra.net"}, folder)
    assert (found["NO_PROXY"], found["no_proxy"]) == ("intra.net,127.0.0.1", "127.0.0.1")


def test_nothing_runs(tmp_path: Path) -> None:
    """Before `make up`, and after `make down`, a local stack has nowhere to go."""
    with pytest.raises(NotRunning, match=r"local-steering: .*make up"):
        environment.for_stack("local-steering", SHELL, tmp_path)
    environment.remember("http://127.0.0.1:1", "http://127.0.0.1:2", tmp_path)
    environment.forget(tmp_path)
    environment.forget(tmp_path)
    with pytest.raises(NotRunning):
        environment.for_stack("local-steering", SHELL, tmp_path)
