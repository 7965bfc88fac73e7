"""Folders and stacks of the local stack's own tests."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deploy.stack import Stack


@pytest.fixture
def data(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A data folder that everyone may pass through, as one beside a clone would be; not made yet."""
    parent = Path(tempfile.mkdtemp(prefix="carteado-test-", dir="/tmp"))
    parent.chmod(0o755)
    yield parent / "data"
    shutil.rmtree(parent)


@pytest.fixture
def start(data: Path) -> Iterator[Callable[..., Stack]]:
    """Start stacks of fake services, by default in `data`; all are ended after the test."""
    stacks: list[Stack] = []

    def start_one(*services: str, **options: object) -> Stack:
        stack = Stack(options.pop("data", data), *(services or ("table", "gateway")), **options)
        stacks.append(stack)
        return stack

    yield start_one
    for stack in stacks:
        stack.clean_up()


@pytest.fixture
def start_real(data: Path) -> Iterator[Callable[..., Stack]]:
    """Start `carteado up` itself, with every service; all are ended after the test."""
    stacks: list[Stack] = []

    def start_one(**options: object) -> Stack:
        stacks.append(Stack(data, **options))
        return stacks[-1]

    yield start_one
    for stack in stacks:
        stack.clean_up()
