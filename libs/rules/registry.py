"""The games by their public names; the one place that a new game and its robots are added to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from libs.rules.game import Game
from libs.rules.robots import AnyRobot, Robots
from libs.rules.switches import did_you_mean, quoted
from libs.rules.truco.game import TRUCO_003, TRUCO_004, TRUCO_PAULISTA
from libs.rules.truco.robots import TRUCO_ROBOTS

# Games differ in every type of theirs, and who looks one up by name knows none of them.
AnyGame = Game[Any, Any, Any, Any, Any, Any]

_ENTRIES: tuple[tuple[AnyGame, Robots], ...] = (
    (TRUCO_PAULISTA, TRUCO_ROBOTS),
    (TRUCO_003, TRUCO_ROBOTS),
    (TRUCO_004, TRUCO_ROBOTS),
)

GAMES: Mapping[str, AnyGame] = {entry.preset: entry for entry, _ in _ENTRIES}
"""Every preset by its public name."""

ROBOTS: Mapping[str, Robots] = {entry.preset: robots for entry, robots in _ENTRIES}
"""The robots of each preset."""


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
    return ROBOTS[game(name).preset].by_strength
