"""The chance that a robot may use: given to it, so that rules and robots draw nothing by themselves."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """What a robot needs of `random.Random`."""

    def random(self) -> float:
        """A number from 0 up to, but not, 1."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to stop − 1."""
