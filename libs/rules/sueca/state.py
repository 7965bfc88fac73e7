"""A match of Sueca between two moves: the facts and nothing computed from them but masks."""

from __future__ import annotations

import msgspec

from libs.rules.sueca.rule_set import RuleSet

SEATS = 4


class Deal(msgspec.Struct, frozen=True, gc=False):
    """What stays as it is through a hand. `cards` by seat, in dealt order, are also given as masks (see `cards`).

    `hand` is 0 before the first deal.
    """

    hand: int = 0
    dealer: int = 0
    trump_card: str = ""
    cards: tuple[tuple[str, ...], ...] = ()
    masks: tuple[int, ...] = ()


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A trick that is over: its cards in the order of play, from its leader on."""

    leader: int
    cards: tuple[str, ...]
    winner_seat: int
    points: int


NO_DEAL = Deal()


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows.

    `trick` is the number of the running trick, `plays` its cards from `leader` on; `unplayed` are all cards in hands, as
    a mask. `carry` is what the next decided hand is worth on top (S-05).
    """

    rules: RuleSet
    score: tuple[int, int] = (0, 0)
    carry: int = 0
    winner: int | None = None
    deal: Deal = NO_DEAL
    trick: int = 1
    unplayed: int = 0
    leader: int = 0
    plays: tuple[str, ...] = ()
    to_play: int | None = None
    tricks: tuple[Trick, ...] = ()


def held_mask(state: State, seat: int) -> int:
    """The cards that a seat holds, as a mask."""
    return state.deal.masks[seat] & state.unplayed
