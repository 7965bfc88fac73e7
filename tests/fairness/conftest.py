"""The platform for tests of fair play."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fairness.platform import Platform, running_platform


@pytest.fixture
async def platform(tmp_path: Path) -> AsyncIterator[Platform]:
    async with running_platform(tmp_path) as platform:
        yield platform
