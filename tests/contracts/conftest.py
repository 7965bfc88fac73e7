"""The platform as its contracts show it: accounts and gateways together."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contracts.platform import Gateway, Platform, running_platform


@pytest.fixture
async def platform(tmp_path: Path, clean_postgres: str, nats_url: str) -> AsyncIterator[Platform]:
    """Accounts, and no gateway yet."""
    keys = tmp_path / "keys"
    keys.mkdir()
    async with running_platform(keys, clean_postgres, nats_url) as platform:
        yield platform


@pytest.fixture
async def gateway(platform: Platform) -> Gateway:
    """A gateway that trusts the local issuer."""
    return await platform.gateway()
