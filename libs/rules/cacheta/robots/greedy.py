"""The yardstick: keeps the cards that have neighbours and takes a discard that completes a meld. It plans nothing, counts no
chances, and never says that it is na boa, so that it jumps no queue but its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.buraco.cards import RANK, SUIT
from libs.rules.cacheta.cards import WILDS
from libs.rules.cacheta.layout import whole
from libs.rules.cacheta.moves import CachetaMove, Discard, DrawStock, GoOut, TakeDiscard
from libs.rules.cacheta.robots.offered import answer, bounds, first_of, offered, own_cards
from libs.rules.cacheta.view import CachetaView
from libs.rules.chance import Chance

_ACE, _ACE_HIGH = 1, 14


def greedy_move(view: CachetaView, chance: Chance) -> CachetaMove:  # noqa: ARG001 -- every robot has the same form
    """Goes out when it can; else takes what completes three of its cards, and discards the card with the least company.

    Raises ValueError when there is nothing to do.
    """
    moves = offered(view)
    cards = own_cards(view)
    found = answer(view, moves) or first_of(moves, GoOut)
    if found is not None:
        return found
    draw = first_of(moves, DrawStock)
    if draw is not None:
        take = first_of(moves, TakeDiscard)
        return take if take is not None and _completes(view, cards) else draw
    discards = [move for move in moves if isinstance(move, Discard)]
    if not discards:
        raise ValueError("this seat has nothing to do")
    return min(discards, key=lambda move: _company(move.card, cards, view.vira))


def _completes(view: CachetaView, cards: Sequence[str]) -> bool:
    """Whether the top of the discard pile is wild, or makes a meld of three with two of these cards."""
    top = view.discard_top
    assert top is not None, "it may be taken"
    if top in WILDS[view.vira]:
        return True
    return any(
        whole((first, second, top), view.vira, bounds(view)) is not None
        for place, first in enumerate(cards)
        for second in cards[:place]
    )


def _company(card: str, cards: Sequence[str], vira: str) -> int:
    """How many of the others go with a card, those beside it twice; a wild is never alone."""
    if card in WILDS[vira]:
        return 1_000
    return sum(_is_near(card, other) for other in cards if other not in WILDS[vira])


def _is_near(card: str, other: str) -> int:
    if SUIT[card] != SUIT[other]:
        return 2 if RANK[card] == RANK[other] else 0
    apart = min(abs(rank - other_rank) for rank in _slots(card) for other_rank in _slots(other))
    return 2 if apart == 1 else 1 if apart == 2 else 0


def _slots(card: str) -> tuple[int, ...]:
    return (_ACE, _ACE_HIGH) if RANK[card] == _ACE else (RANK[card],)
