"""The games by their public names; the one place that a new game is added to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from libs.rules.chance import Chance
from libs.rules.game import Game
from libs.rules.switches import did_you_mean, quoted
from libs.rules.truco.game import TRUCO_PAULISTA
from libs.rules.truco.robot import ROBOTS as TRUCO_ROBOTS

# Games differ in every type of theirs, and who looks one up by name knows none of them.
AnyGame = Game[Any, Any, Any, Any, Any, Any]
AnyRobot = Callable[[Any, Chance], Any]

_ENTRIES: tuple[tuple[AnyGame, Mapping[str, AnyRobot]], ...] = ((TRUCO_PAULISTA, TRUCO_ROBOTS),)

GAMES: Mapping[str, AnyGame] = {entry.preset: entry for entry, _ in _ENTRIES}
"""Every preset by its public name."""

ROBOTS: Mapping[str, Mapping[str, AnyRobot]] = {entry.preset: robots for entry, robots in _ENTRIES}
"""The robots of each preset, by strength."""


class UnknownGameError(ValueError):
    """There is no game of this name; the message lists those that there are."""


def game(name: str) -> AnyGame:
    """The game of this public name; raises UnknownGameError."""
    found = GAMES.get(name)
    if found is None:
        hint = did_you_mean(name, list(GAMES))
        raise UnknownGameError(f"there is no game {quoted(name)}{hint}; there are: {', '.join(GAMES)}")
    return found


def robots(name: str) -> Mapping[str, AnyRobot]:
    """The robots of the game of this public name, by strength; raises UnknownGameError."""
    return ROBOTS[game(name).preset]
