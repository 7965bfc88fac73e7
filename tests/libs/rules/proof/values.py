"""The values that each switch of a game takes, read from the type of its rule set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from libs.rules.family import AnyGame
from tests.libs.rules.proof.matches import game_of


def switch_values(named: str | AnyGame) -> Mapping[str, Sequence[str]]:
    """Every switch with its values as text; of a number, its bounds and the preset's own."""
    game = game_of(named)
    rules = game.rule_set({})
    described = msgspec.inspect.type_info(type(rules))
    assert isinstance(described, msgspec.inspect.StructType)
    own = game.switches(rules)
    return {field.name: _values(field.type, own[field.name]) for field in described.fields}


def _values(kind: msgspec.inspect.Type, own: str) -> Sequence[str]:
    match kind:
        case msgspec.inspect.BoolType():
            return ("true", "false")
        case msgspec.inspect.IntType(ge=least, le=most):
            return tuple(dict.fromkeys([str(least or 0), own, str(most)]))
        case msgspec.inspect.LiteralType(values=values):
            return tuple(map(str, values))
        case _:
            raise TypeError(f"a switch of a kind that has no list of values: {kind}")
