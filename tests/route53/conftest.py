"""One emulated account for the whole run, cleared for each test."""

from collections.abc import Iterator

import pytest

from tests.support.zones import Account, emulated_account


@pytest.fixture(scope="session")
def emulated() -> Iterator[Account]:
    with emulated_account() as account:
        yield account


@pytest.fixture
def account(emulated: Account) -> Account:
    """An account with one empty zone."""
    emulated.clear()
    return emulated
