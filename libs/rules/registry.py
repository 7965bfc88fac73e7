"""The games by their public names; the one place in the rules that a new game is added to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libs.rules.buraco.family import BURACO
from libs.rules.cacheta.family import CACHETA_FAMILY
from libs.rules.domino.family import DOMINO_FAMILY
from libs.rules.family import AnyGame, Family
from libs.rules.mau_mau.family import MAU_MAU_FAMILY
from libs.rules.robots import AnyRobot, Robots
from libs.rules.sueca.family import SUECA
from libs.rules.switches import did_you_mean, quoted
from libs.rules.truco.family import TRUCO

FAMILIES: Sequence[Family] = (TRUCO, SUECA, DOMINO_FAMILY, MAU_MAU_FAMILY, CACHETA_FAMILY, BURACO)
"""Every game with its presets."""

GAMES: Mapping[str, AnyGame] = {game.preset: game for family in FAMILIES for game in family.games}
"""Every preset by its public name."""

ROBOTS: Mapping[str, Robots] = {game.preset: family.robots for family in FAMILIES for game in family.games}
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


def family_of(value: object) -> Family:
    """The family whose move, event, told event or view this is; raises KeyError for what is no game's."""
    return _FAMILY_OF_TYPE[type(value)]


def _families_by_type() -> dict[type, Family]:
    found: dict[type, Family] = {}
    for family in FAMILIES:
        # What is told of an event may be the event itself.
        for kind in {*family.event_types.values(), *family.moves, *family.seen, family.view}:
            if kind in found:
                raise TypeError(f"{kind.__qualname__} is of {found[kind].name} and of {family.name}")
            found[kind] = family
    return found


_FAMILY_OF_TYPE = _families_by_type()
