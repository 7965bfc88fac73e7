"""The notation of each registered game."""

from __future__ import annotations

from collections.abc import Mapping

from libs.rules.family import AnyGame
from libs.rules.notation.language import Notation
from libs.rules.registry import FAMILIES

NOTATIONS: Mapping[str, Notation] = {
    game.preset: family.notation for family in FAMILIES for game in family.games
}
"""By the presets' names: no game is registered without one."""


def notation_of(game: AnyGame) -> Notation:
    """The notation of a registered game."""
    return NOTATIONS[game.preset]
