"""The yardstick: plays whatever it can at once, the cards that hurt first. It draws only when it must, looks at nobody's
hand and keeps nothing for later but its Jacks."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.mau_mau.cards import RANK, SUIT
from libs.rules.mau_mau.moves import Accuse, DrawCard, MauMauMove, PlayCard
from libs.rules.mau_mau.robots.offered import offered, own_seat
from libs.rules.mau_mau.view import MauMauView

_FIRST = {"7": 0, "A": 1, "9": 2, "Q": 3, "J": 5}
_PLAIN = 4


def greedy_move(view: MauMauView, chance: Chance) -> MauMauMove:  # noqa: ARG001 -- every robot is asked alike
    """A seven before an Ace, a nine, a Queen, a plain card, a Jack, whose suit is the one that it holds most of.
    Raises ValueError when there is nothing to do.
    """
    return first_sight(offered(view), view.hands[own_seat(view)].cards)


def first_sight(moves: Sequence[MauMauMove], hand: Sequence[str]) -> MauMauMove:
    """What the greedy robot does with these moves and this hand."""
    suits = [SUIT[card] for card in hand]
    best = min(
        (move for move in moves if isinstance(move, PlayCard)),
        key=lambda move: (_FIRST.get(RANK[move.card], _PLAIN), -suits.count(move.suit or SUIT[move.card])),
        default=None,
    )
    if best is not None:
        return best
    # A draw, the penalty or the pass: a whole turn in one move is for who does not look at what was drawn.
    return next((move for move in moves if isinstance(move, DrawCard)), _first(moves))


def _first(moves: Sequence[MauMauMove]) -> MauMauMove:
    return next((move for move in moves if not isinstance(move, Accuse)), moves[0])
