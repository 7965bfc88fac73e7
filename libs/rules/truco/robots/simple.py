"""The weaker robot that a person may sit with: it plays its own cards soundly and reads nobody else's."""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.chance import Chance
from libs.rules.truco.cards import COVERED_STRENGTH, FIRST_MANILHA_STRENGTH, STRENGTHS
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
from libs.rules.truco.view import PlayedCardView, TrucoView

_BLUFF = 0.05
"""How often a robot raises, or accepts, what its cards do not carry."""

_CARD_WORTH = {8: 0.12, 9: 0.22, 10: 0.42, 11: 0.58, 12: 0.7, 13: 0.85, 14: 1.0}
"""What a card (by strength: an ace, a two, a three, the manilhas) adds towards the two tricks that a hand needs."""

_ACCEPT_FROM = {3: 0.4, 6: 0.55, 9: 0.65, 12: 0.75}
"""The outlook from which a raise to this value is accepted: running costs a point for sure, so one hope in three does."""
_RAISE_FROM = {3: 1.0, 6: 1.25, 9: 1.45, 12: 1.6}
"""The outlook from which a raise to this value is called; both were settled by matches against each other."""
_ELEVEN_HAND_FROM = 0.8
"""The two partners' cards together must be worth this much for a mão de onze to be played."""


def simple_move(view: TrucoView, chance: Chance) -> TrucoMove:
    """The simplest sensible play: wins as cheaply as it can, saves manilhas, raises and accepts by a plain estimate
    of its cards, and bluffs now and then. Raises ValueError when there is nothing to do.
    """
    moves = offered(view)
    if view.phase == "eleven_hand":
        return _eleven_hand(view, moves)
    if view.phase == "answer_raise":
        return _answer(view, moves, chance)
    for move in moves:
        if isinstance(move, Raise) and _wants_raise(view, move, chance):
            return move
    cards = [move for move in moves if isinstance(move, PlayCard)]
    if not cards:
        raise ValueError("it is not this seat's turn")
    if view.blind:
        return cards[chance.randrange(len(cards))]
    return _card(view, cards)


def _worth(view: TrucoView, cards: Sequence[str]) -> float:
    strengths = STRENGTHS[view.vira]
    return sum(_CARD_WORTH.get(strengths[card], 0.0) for card in cards)


def _outlook(view: TrucoView) -> float:
    """About how many of the two tricks that it needs the seat can hope for: those won, and what its cards are worth."""
    seat = own_seat(view)
    won = 0.0
    for trick in view.tricks:
        if not trick.is_over:
            continue
        if trick.winner_seat is None:
            won += 0.25
        elif trick.winner_seat % 2 == seat % 2:
            won += 0.7
        else:
            won -= 0.35
    return won + _worth(view, view.hands[seat].cards)


def _on_table(view: TrucoView) -> float:
    """What the card is worth that its side leads the trick with: who runs then gives it away."""
    table = view.tricks[-1].cards
    if not table:
        return 0.0
    best, is_ours = _best_on_table(view, table)
    return _CARD_WORTH.get(best, 0.0) if is_ours else 0.0


def _eleven_hand(view: TrucoView, moves: Sequence[TrucoMove]) -> TrucoMove:
    side = own_seat(view) % 2
    seen = [card for hand in view.hands if hand.seat % 2 == side for card in hand.cards]
    kind = PlayElevenHand if _worth(view, seen) >= _ELEVEN_HAND_FROM else DeclineElevenHand
    return next(move for move in moves if isinstance(move, kind))


def _answer(view: TrucoView, moves: Sequence[TrucoMove], chance: Chance) -> TrucoMove:
    outlook = _outlook(view) + _on_table(view)
    for move in moves:
        if isinstance(move, Raise) and outlook >= _RAISE_FROM[move.value]:
            return move
    asked = view.pending_raise
    must = _ACCEPT_FROM[asked.value] if asked is not None else 0.0
    bluffs = chance.random() < _BLUFF
    kind = AcceptRaise if outlook >= must or bluffs else Fold
    return next(move for move in moves if isinstance(move, kind))


def _wants_raise(view: TrucoView, move: Raise, chance: Chance) -> bool:
    return _outlook(view) >= _RAISE_FROM[move.value] or chance.random() < _BLUFF / move.value


def _card(view: TrucoView, moves: Sequence[PlayCard]) -> PlayCard:
    """The card to play, always open: covering what may still tie gains nothing."""
    strengths = STRENGTHS[view.vira]
    mine = sorted(
        (strengths[move.card], place, move)
        for place, move in enumerate(moves)
        if move.card is not None and not move.covered
    )
    weakest = mine[0][2]
    table = view.tricks[-1].cards
    if not table:
        return _lead(view, [(strength, move) for strength, _, move in mine])
    best, is_ours = _best_on_table(view, table)
    is_last = len(table) == len(view.hands) - 1
    if is_ours and (is_last or best >= FIRST_MANILHA_STRENGTH):
        return weakest
    for strength, _, move in mine:
        if strength > best:
            # A partner who already wins is not worth a manilha.
            return weakest if is_ours and strength >= FIRST_MANILHA_STRENGTH else move
    for strength, _, move in mine:
        if strength == best and not is_ours and _tie_helps(view):
            return move
    return weakest


def _lead(view: TrucoView, mine: Sequence[tuple[int, PlayCard]]) -> PlayCard:
    """Opens with the best card that is no manilha; after a tied first trick with the best of all (R-08)."""
    if len(view.tricks) > 1 and view.tricks[0].winner_seat is None:
        return mine[-1][1]
    plain = [move for strength, move in mine if strength < FIRST_MANILHA_STRENGTH]
    return plain[-1] if plain else mine[0][1]


def _best_on_table(view: TrucoView, table: Sequence[PlayedCardView]) -> tuple[int, bool]:
    """The highest strength shown, and whether it is the seat's side alone that shows it."""
    strengths = STRENGTHS[view.vira]
    shown = [
        (COVERED_STRENGTH if played.card is None else strengths[played.card], played.seat % 2)
        for played in table
    ]
    best = max(strength for strength, _ in shown)
    own_side = own_seat(view) % 2
    return best, all(side == own_side for strength, side in shown if strength == best)


def _tie_helps(view: TrucoView) -> bool:
    """A tied trick gives the hand to whoever won the first one (R-08)."""
    first = view.tricks[0]
    if len(view.tricks) == 1 or first.winner_seat is None:
        return True
    return first.winner_seat % 2 == own_seat(view) % 2
