"""A match of Sueca between two moves: the facts and nothing computed from them but masks."""

from __future__ import annotations

import msgspec

from libs.rules.sueca.rule_set import RuleSet
from libs.rules.sueca.turns import Moves, Pause, Turn, Turns

SEATS = 4


class Deal(msgspec.Struct, frozen=True, gc=False):
    """What stays as it is through a hand: its cards, and the standing that it is played at.

    `hand` is 0 before the first deal. `cards` by seat, in dealt order, are also given as masks (see `cards`). `carry` is what
    the next decided hand is worth on top (S-05). `moves` and `turns` are those of the hand, in every match the same.
    """

    rules: RuleSet
    score: tuple[int, int] = (0, 0)
    carry: int = 0
    winner: int | None = None
    hand: int = 0
    dealer: int = 0
    trump_card: str = ""
    cards: tuple[tuple[str, ...], ...] = ()
    masks: tuple[int, ...] = ()
    moves: Moves = ()
    turns: Turns = ()


class Trick(msgspec.Struct, frozen=True, gc=False):
    """A trick that is over: its cards in the order of play, from its leader on."""

    leader: int
    cards: tuple[str, ...]
    winner_seat: int
    points: int


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that the match knows; what a card does not change stands in `deal` and `turn`, so that a card costs little.

    `turn` says whose turn it is in which trick, `plays` are the cards of that trick from its leader on; as masks,
    `unplayed` are all cards in hands, and `asked` the cards that the trick asks for: the suit that was led, or any card
    before (S-03).
    """

    deal: Deal
    turn: Turn | Pause = Pause(0, 1, 0)
    unplayed: int = 0
    asked: int = 0
    plays: tuple[str, ...] = ()
    tricks: tuple[Trick, ...] = ()

    @property
    def rules(self) -> RuleSet:
        """The switches that the match is played by."""
        return self.deal.rules

    @property
    def score(self) -> tuple[int, int]:
        """The game points of both sides."""
        return self.deal.score

    @property
    def carry(self) -> int:
        """What the next decided hand is worth on top (S-05)."""
        return self.deal.carry

    @property
    def winner(self) -> int | None:
        """The side that has won the match, if one has."""
        return self.deal.winner

    @property
    def trick(self) -> int:
        """The number of the running trick, counted from 1."""
        return self.turn.trick

    @property
    def leader(self) -> int:
        """Who leads the running trick."""
        return self.turn.leader

    @property
    def to_play(self) -> int | None:
        """Who plays next, if anyone."""
        return self.turn.seat


def held_mask(state: State, seat: int) -> int:
    """The cards that a seat holds, as a mask."""
    return state.deal.masks[seat] & state.unplayed
