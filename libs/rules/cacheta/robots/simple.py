"""Plays its own cards soundly: keeps as many as possible in melds, says when it is na boa, and looks at nobody else's chances."""

from __future__ import annotations

from libs.rules.cacheta.cards import WILDS
from libs.rules.cacheta.moves import AnnounceNaBoa, CachetaMove, Discard, DrawStock, GoOut, TakeDiscard
from libs.rules.cacheta.robots.offered import answer, first_of, offered, own_cards, with_discard
from libs.rules.cacheta.robots.reading import HAND, lying_now, reading
from libs.rules.cacheta.view import CachetaView
from libs.rules.chance import Chance


def simple_move(view: CachetaView, chance: Chance) -> CachetaMove:
    """Goes out when it can; takes a discard that it has a place for; discards what lies nowhere, any of such cards; and
    announces before the discard after which one card is missing. Raises ValueError when there is nothing to do.
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
    lying = reading(cards, view.vira).lying
    announcement = first_of(moves, AnnounceNaBoa)
    if announcement is not None and max(lying) >= HAND - 1:
        return announcement
    discards = [move for move in moves if isinstance(move, Discard)]
    if not discards:
        raise ValueError("this seat has nothing to do")
    best = [move for move in discards if lying[cards.index(move.card)] == max(lying)]
    return best[chance.randrange(len(best))]


def has_a_place(view: CachetaView, cards: tuple[str, ...]) -> bool:
    """Whether the top of the discard pile is wild, goes out, or lies in melds with one card more than lies now."""
    top = view.discard_top
    assert top is not None, "it may be taken"
    if top in WILDS[view.vira] or with_discard(view).goes_out:
        return True
    return max(reading((*cards, top), view.vira).lying[:-1]) > lying_now(cards, view.vira)
