from __future__ import annotations

from typing import NoReturn

import boto3
import pytest
from botocore.credentials import Credentials
from obstore.store import S3Store

from control.bucket import open_bucket
from control.errors import CannotOpen, ListingFailed
from tests.support.s3_bucket import ACCESS_KEY, S3Bucket, point_at
from tests.support.s3_faults import FaultProxy

_DEAD = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def _environment(bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, bucket.url)


class _Expired(Credentials):
    def __init__(self) -> None:
        super().__init__("a", "b")

    def get_frozen_credentials(self) -> NoReturn:
        raise RuntimeError("The SSO session has expired\nrun aws sso login")


class _Session(boto3.Session):
    def get_credentials(self) -> Credentials:
        return _Expired()


@pytest.mark.parametrize("setting", ["", " ", "\n"])
def test_blank_setting(setting: str) -> None:
    """It is an error that says what to give."""
    with pytest.raises(CannotOpen, match="the setting is blank; give a bucket's name"):
        open_bucket(setting)


@pytest.mark.parametrize(
    "setting",
    ["s3://deploy", "De", "My-Bucket", "a b", "ab", "x" * 64, "deploy ", "/eu", "b\xfccket"],
)
def test_setting_that_is_no_bucket_name(setting: str) -> None:
    """It is refused before a request is made of it."""
    with pytest.raises(CannotOpen, match="not a bucket's name: 3 to 63 of a-z, 0-9"):
        open_bucket(setting)


@pytest.mark.parametrize(
    "prefix", ["", "eu/", "/eu", "a//b", ".", "a/../b", "a b", "\xe9", "a%2Fb"]
)
def test_setting_with_a_prefix_that_cannot_be_one(prefix: str) -> None:
    """An empty, relative or escaped segment would point somewhere else."""
    with pytest.raises(CannotOpen, match="the prefix must be segments of letters"):
        open_bucket(f"deploy/{prefix}")


def test_bucket_under_a_prefix(bucket: S3Bucket) -> None:
    """Keys are relative to it, and a prefix that only begins alike is another place."""
    for key in ["eu/apps/a", "eu-old/apps/b", "apps/c", "eu/eu/apps/d"]:
        bucket.put(key, key.encode())

    store = open_bucket(f"{bucket.name}/eu")

    assert store.list("apps/") == ("apps/a",)
    assert store.get("apps/a").data == b"eu/apps/a"


def test_endpoint_for_s3_alone(bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """`AWS_ENDPOINT_URL_S3` comes before `AWS_ENDPOINT_URL`."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", _DEAD)

    assert open_bucket(bucket.name).list("a/") == ()


@pytest.mark.parametrize("blank", [None, "", " "])
def test_endpoint_for_all_services(
    bucket: S3Bucket, monkeypatch: pytest.MonkeyPatch, blank: str | None
) -> None:
    """`AWS_ENDPOINT_URL` holds where the other is not set, or blank."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"{bucket.url}/")
    monkeypatch.delenv("AWS_ENDPOINT_URL_S3")
    if blank is not None:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", blank)

    assert open_bucket(bucket.name).list("a/") == ()


@pytest.mark.parametrize("endpoint", ["localhost:4566", "http://a b", "ftp://x", 'http://"'])
def test_endpoint_that_is_no_url(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named with its variable."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", endpoint)

    with pytest.raises(CannotOpen, match=r'AWS_ENDPOINT_URL_S3 is ".*", not http\(s\)://'):
        open_bucket("deploy")


@pytest.mark.parametrize(
    ("region", "endpoint"),
    [
        ("eu-west-1", "https://s3.eu-west-1.amazonaws.com"),
        ("cn-north-1", "https://s3.cn-north-1.amazonaws.com.cn"),
    ],
)
def test_endpoint_of_aws(region: str, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without either variable it is the region's own, over TLS alone."""
    monkeypatch.delenv("AWS_ENDPOINT_URL_S3")

    store = open_bucket("deploy", session=boto3.Session("a", "b", region_name=region))._store

    assert isinstance(store, S3Store)
    assert store.config["endpoint"] == endpoint
    assert store.client_options is not None
    assert str(store.client_options["allow_http"]) == "false"


def test_endpoint_that_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries are few, and the message names endpoint and cause in one line."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", _DEAD)

    with pytest.raises(ListingFailed) as caught:
        open_bucket("deploy").list("apps/")

    assert str(caught.value) == (
        "list apps/: Error performing list request: Error performing GET"
        " http://127.0.0.1:9/deploy?list-type=2&prefix=apps%2F, after 4 retries"
        " - HTTP error: error sending request (Connect)"
    )


def test_bucket_that_is_not_there() -> None:
    """It is neither an empty listing nor a missing object, and the message says what to do."""
    store = open_bucket("no-such-bucket")

    said = r"NoSuchBucket: .* \(HTTP 404\); mend the setting bucket$"
    with pytest.raises(ListingFailed, match=said):
        store.list("apps/")
    result = store.get_each(["apps/x"])["apps/x"]
    assert str(result).startswith("read apps/x: NoSuchBucket: ")


def test_region_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """`AWS_REGION` fills in for the session's; with neither, it is asked for."""
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(CannotOpen, match=r'no usable region \(""\); set AWS_REGION'):
        open_bucket("deploy")

    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    open_bucket("deploy")


def test_credentials_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing source of credentials, or a missing profile, is said before the first request."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    with pytest.raises(CannotOpen, match='bucket "deploy": no AWS credentials: '):
        open_bucket("deploy")

    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(CannotOpen, match=r"no AWS credentials: .*nobody"):
        open_bucket("deploy")


def test_credentials_of_the_session(
    bucket: S3Bucket, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are signed with the session's credentials, else with the environment's."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", proxy.url)
    session = boto3.Session("AKIDOTHER", "secret", region_name="eu-west-1")

    open_bucket(bucket.name, session=session).list("a/")
    open_bucket(bucket.name).list("a/")

    assert [call.signer for call in proxy.calls] == ["AKIDOTHER", ACCESS_KEY]


def test_credentials_that_cannot_be_refreshed(bucket: S3Bucket) -> None:
    """What the session says comes through, in one line."""
    store = open_bucket(bucket.name, session=_Session(region_name="eu-west-1"))

    with pytest.raises(ListingFailed) as caught:
        store.list("apps/")

    assert r"RuntimeError: The SSO session has expired\nrun aws sso login" in str(caught.value)
