"""A family: the presets of one game with all that other parts ask of it, so that a new game is one line in the registry.

Games differ in every type of theirs. Who handles one without knowing it (the log, the wire, the robots' service) asks
the registry for the family of a preset or of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec

from libs.rules.game import Game
from libs.rules.notation.language import Notation
from libs.rules.robots import Robots

AnyGame = Game[Any, Any, Any, Any, Any, Any]
"""Some game; who looks one up by name knows none of its types."""


def members(union: object) -> tuple[type, ...]:
    """The types of a union such as `TrucoMove`, or the one type that stands in its place."""
    return get_args(union) or ((union,) if isinstance(union, type) else ())


class Family(msgspec.Struct, frozen=True):
    """The presets of one game and their words.

    `name` (snake_case) is that of its field in a table's messages, of its package there, and of its pages. `event_types`
    are stored under their keys, which begin with `name` and a dot. `moves`, `seen` and `view` are the types that its
    games take, tell and show; no two families share one. `tell` puts an event, or what a viewer was told of it, in a
    line and says no more than its argument holds; `picture` puts a view in lines. `notation` writes and reads its matches.
    """

    name: str
    games: tuple[AnyGame, ...]
    robots: Robots
    event_types: Mapping[str, type]
    moves: tuple[type, ...]
    seen: tuple[type, ...]
    view: type
    tell: Callable[[Any], str]
    picture: Callable[[Any], list[str]]
    notation: Notation
