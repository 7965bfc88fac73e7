"""The robots of every preset, by strength; what the robots service, `carteado play` and `carteado arena` know of them.

A robot is a function `choose(view, chance) -> move`. The view is its seat's own, the legal moves stand in it with their
consequences, and nothing else of the match reaches a robot (case B072). All chance comes from `chance`, which the
caller seeds: the same view and seed give the same move. It never makes a move that has a consequence, thinks for 50 ms
on average and 300 ms at worst, and raises ValueError where its seat has nothing to do.

**How a game adds its robots**

1. Write them in `libs/rules/<game>/robots/`, one module a strength, with `random` (`random_move` below), `greedy`
   (what its cards say at first sight: the yardstick of the arena), `simple` and `strong`.
2. Gather them in `libs/rules/<game>/robots/__init__.py` as a `Robots`, weakest first. `goes_on` says after which moves the
   same seat's turn goes on (a signal, a meld): there the robots service looks again and asks the robot once more.
3. Name it in the game's `Family`, which stands in `libs.rules.registry`.
4. `carteado arena <preset> --robots strong,random --matches 100` and `--robots strong,greedy --matches 1000` measure them;
   `tests/libs/rules/<game>/` keeps a short arena with a seed, whose outcome is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from libs.rules.chance import Chance
from libs.rules.game import LegalMove

Move = TypeVar("Move")

AnyRobot = Callable[[Any, Chance], Any]
"""A robot of some game: from its seat's view and chance to a move."""


class Listing(Protocol[Move]):
    """A view with its seat's legal moves, as every game's is."""

    @property
    def legal_moves(self) -> Sequence[LegalMove[Move]]:
        """What the seat may do."""


def random_move(view: Listing[Move], chance: Chance) -> Move:
    """The weakest robot of every game: any listed move without a consequence, each equally likely.

    Raises ValueError when there is none.
    """
    moves = [legal.move for legal in view.legal_moves if not legal.consequence]
    if not moves:
        raise ValueError("this seat has nothing to do")
    return moves[chance.randrange(len(moves))]


def turn_is_over(_move: object) -> bool:
    """For games in which every move ends the turn of who makes it: nothing goes on."""
    return False


class Robots(msgspec.Struct, frozen=True):
    """The robots of a game by strength, weakest first; `goes_on` tells the moves after which the turn goes on."""

    by_strength: Mapping[str, AnyRobot]
    goes_on: Callable[[Any], bool] = turn_is_over
