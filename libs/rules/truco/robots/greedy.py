"""The yardstick: plays its strongest card and believes in it. It counts nothing, saves nothing and never bluffs."""

from __future__ import annotations

from libs.rules.chance import Chance
from libs.rules.truco.cards import FIRST_MANILHA_STRENGTH, STRENGTHS
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    TrucoMove,
)
from libs.rules.truco.robots.offered import offered, own_seat
from libs.rules.truco.view import TrucoView

_THREE = 10
_RAISE_TO_TRUCO = FIRST_MANILHA_STRENGTH + 1
_RAISE_FURTHER = FIRST_MANILHA_STRENGTH + 3


def greedy_move(view: TrucoView, chance: Chance) -> TrucoMove:
    """Leads and follows with its strongest card, throws the weakest where that cannot win, calls truco on a strong
    manilha and accepts with any manilha or three. Raises ValueError when there is nothing to do.
    """
    moves = offered(view)
    seat = own_seat(view)
    strengths = STRENGTHS[view.vira]
    best = max((strengths[card] for card in view.hands[seat].cards), default=0)
    if view.phase == "eleven_hand":
        return _first(moves, PlayElevenHand if best >= FIRST_MANILHA_STRENGTH else DeclineElevenHand)
    raises = [move for move in moves if isinstance(move, Raise)]
    wanted = _RAISE_TO_TRUCO if raises and raises[0].value == 3 else _RAISE_FURTHER
    if raises and best >= wanted:
        return raises[0]
    if view.phase == "answer_raise":
        return _first(moves, AcceptRaise if best >= _THREE else Fold)
    cards = [move for move in moves if isinstance(move, PlayCard) and not move.covered]
    if not cards:
        raise ValueError("this seat has nothing to do")
    if view.blind:
        return cards[chance.randrange(len(cards))]
    shown = [strengths[played.card] for played in view.tricks[-1].cards if played.card is not None]
    by_strength = sorted(cards, key=lambda move: strengths[move.card or ""])
    return by_strength[-1] if best >= max(shown, default=0) else by_strength[0]


def _first(moves: list[TrucoMove], kind: type[TrucoMove]) -> TrucoMove:
    return next(move for move in moves if isinstance(move, kind))
