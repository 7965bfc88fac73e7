"""Perft, as chess engines have it: how many ways a fixed deal can go on for so many moves.

One number stands for thousands of positions: a move too many or too few anywhere changes it. `python -m
tests.libs.rules.proof.perft PRESET PLAYERS` counts; the expected counts stand in perft.txt.
"""

from __future__ import annotations

import sys
from typing import Any

from libs.rules.family import AnyGame
from libs.rules.game import Rejection, Seat
from tests.libs.rules.proof.matches import ChanceMatch

MOST = 5_000
"""A count goes no deeper once it has this many leaves."""


def counts(named: str | AnyGame, players: int, depth: int = 6) -> list[int]:
    """How many sequences of 1, 2, 3, … moves there are from the first deal of a fixed seed."""
    match = ChanceMatch(named, players, "perft")
    found: list[int] = []
    states: list[Any] = [match.state]
    for _ in range(depth):
        following: list[Any] = []
        for state in states:
            following.extend(_after_each_move(match, state))
        found.append(len(following))
        states = following
        if len(states) > MOST:
            break
    return found


def _after_each_move(match: ChanceMatch, state: Any) -> list[Any]:
    game, after = match.game, []
    awaited = game.awaited(state)
    for seat in () if awaited is None else map(Seat, range(match.players)):
        for item in game.legal_moves(state, seat):
            decision = game.decide(state, seat, item.move, match.draws)
            assert not isinstance(decision, Rejection)
            reached = state
            for event in decision:
                reached = game.evolve(reached, event)
            after.append(reached)
    return after


if __name__ == "__main__":
    print(*counts(sys.argv[1], int(sys.argv[2])))
