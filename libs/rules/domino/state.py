"""A match of Dominó between two moves: the facts and nothing computed from them but masks."""

from __future__ import annotations

import msgspec

from libs.rules.domino.events import SeatPassed, TilePlayed
from libs.rules.domino.rule_set import RuleSet
from libs.rules.domino.tiles import BITS

SEATS = 4


class Deal(msgspec.Struct, frozen=True, gc=False):
    """What stays as it is through a round. `tiles` by seat, in dealt order, are also given as masks (see `tiles`).

    `round` is 0 before the first deal.
    """

    round: int = 0
    starter: int = 0
    opening: str | None = None
    tiles: tuple[tuple[str, ...], ...] = ()
    masks: tuple[int, ...] = ()


NO_DEAL = Deal()


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What changes between rounds alone; `next_starter` is known from the end of a round to the next deal."""

    rules: RuleSet
    score: tuple[int, int] = (0, 0)
    winner: int | None = None
    next_starter: int | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows. What a tile does not change stands apart, because a state is made for every tile.

    `turn` is the place of the next tile in the round, counted from 1; `unplayed` are all tiles in hands, as a mask.
    `ends` are the open numbers, left and right, once a tile lies. `plays` and `passes` are the round's, each in
    their order.
    """

    standing: Standing
    deal: Deal = NO_DEAL
    turn: int = 1
    unplayed: int = 0
    ends: tuple[int, int] | None = None
    to_play: int | None = None
    plays: tuple[TilePlayed, ...] = ()
    passes: tuple[SeatPassed, ...] = ()

    @property
    def score(self) -> tuple[int, int]:
        """The points of side 0 and side 1."""
        return self.standing.score

    @property
    def winner(self) -> int | None:
        """The side that has won the match."""
        return self.standing.winner


def held_mask(state: State, seat: int) -> int:
    """The tiles that a seat holds, as a mask."""
    return state.deal.masks[seat] & state.unplayed


def held_tiles(state: State, seat: int) -> tuple[str, ...]:
    """The tiles that a seat holds, in dealt order."""
    unplayed = state.unplayed
    return tuple([tile for tile in state.deal.tiles[seat] if BITS[tile] & unplayed])
