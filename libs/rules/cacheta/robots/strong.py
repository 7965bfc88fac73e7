"""Plays for the cards that are still to come: of the discards that leave equally many cards in melds it chooses the one after
which most cards that it has not seen bring it nearer; one card before the end it counts them exactly.
"""

from __future__ import annotations

from libs.rules.cacheta.cards import FACE, FACES, WILDS
from libs.rules.cacheta.groups import counted
from libs.rules.cacheta.layout import goes_out
from libs.rules.cacheta.moves import AnnounceNaBoa, CachetaMove, Discard, DrawStock, GoOut, TakeDiscard
from libs.rules.cacheta.robots.offered import answer, bounds, first_of, offered, own_cards
from libs.rules.cacheta.robots.reading import HAND, reading
from libs.rules.cacheta.robots.simple import has_a_place
from libs.rules.cacheta.view import CachetaView
from libs.rules.chance import Chance

_MOST_COUNTED = 4
"""So many of the best discards are counted exactly."""


def strong_move(view: CachetaView, chance: Chance) -> CachetaMove:  # noqa: ARG001 -- every robot has the same form
    """Goes out when it can, as `simple` does; discards for the most cards to come, and announces before a discard after which
    some card goes out. Raises ValueError when there is nothing to do.
    """
    moves = offered(view)
    cards = own_cards(view)
    found = answer(view, moves) or first_of(moves, GoOut)
    if found is not None:
        return found
    draw = first_of(moves, DrawStock)
    if draw is not None:
        take = first_of(moves, TakeDiscard)
        return take if take is not None and has_a_place(view, cards) else draw
    discards = [move for move in moves if isinstance(move, Discard)]
    if not discards:
        raise ValueError("this seat has nothing to do")
    chosen, exact = _best(view, cards)
    announcement = first_of(moves, AnnounceNaBoa)
    if announcement is not None and exact:
        return announcement
    return next(move for move in discards if move.card == chosen)


def _best(view: CachetaView, cards: tuple[str, ...]) -> tuple[str, int]:
    """The card to discard, and how many unseen cards then go out; 0 where that is further off."""
    unseen = _unseen(view, cards)
    lying, helpers = reading(cards, view.vira)
    rated = sorted(
        range(len(cards)), key=lambda place: (lying[place], _counted(helpers[place], unseen)), reverse=True
    )
    best, most = cards[rated[0]], 0
    if lying[rated[0]] >= HAND - 1:
        tried = set[int]()
        for place in rated[: 2 * _MOST_COUNTED]:
            if cards[place] in WILDS[view.vira] or FACE[cards[place]] in tried or len(tried) == _MOST_COUNTED:
                continue
            tried.add(FACE[cards[place]])
            count = _going_out(view, [card for card in cards if card != cards[place]], unseen)
            if count > most:
                best, most = cards[place], count
    return best, most


def _unseen(view: CachetaView, cards: tuple[str, ...]) -> list[int]:
    """How many cards of each face are neither in the own hand, nor turned, nor on top of the discard pile."""
    unseen = [2] * FACES
    for card in (*cards, view.vira, *(() if view.discard_top is None else (view.discard_top,))):
        unseen[FACE[card]] -= 1
    return unseen


def _counted(faces: int, unseen: list[int]) -> int:
    """How many unseen cards there are of these faces (as bits)."""
    return sum(count for number, count in enumerate(unseen) if faces >> number & 1)


def _going_out(view: CachetaView, kept: list[str], unseen: list[int]) -> int:
    """With how many of the unseen cards these nine would go out."""
    rules = bounds(view)
    is_wild = {FACE[card] for card in WILDS[view.vira]}
    counts, wilds = counted(kept, view.vira)
    total = 0
    for number, count in enumerate(unseen):
        if count:
            ten = (counts, wilds + 1) if number in is_wild else (counts + (1 << 2 * number), wilds)
            total += count if goes_out(*ten, rules) else 0
    return total
