"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from libs.rules.game import LegalMove
from libs.rules.sueca.cards import BITS, NAMES_IN_SUIT, PACK, SUIT_MASKS, cards_of
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.rules.sueca.state import State, held_mask
from libs.rules.sueca.tricks import legal_cards

Listed = LegalMove[SuecaMove]

_TRICKS_KEPT = 256


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat, in the order of the pack."""
    if seat != state.to_play:
        return ()
    deal, plays = state.deal, state.plays
    held = deal.masks[seat] & state.unplayed
    cards: tuple[str, ...] = ()
    if plays:
        cards = NAMES_IN_SUIT[held & SUIT_MASKS[plays[0]]]
    return tuple(map(_moves_of_trick(deal.hand, state.trick), cards or cards_of(held)))


@lru_cache(maxsize=_TRICKS_KEPT)
def _moves_of_trick(hand: int, trick: int) -> Callable[[str], Listed]:
    """From a card to the move that plays it. Kept, because the same trick comes in every match."""
    return {card: LegalMove(PlayCard(hand, trick, card)) for card in PACK}.__getitem__


def automatic_move(state: State, seat: int) -> SuecaMove:
    """What the server plays for an awaited seat: the last legal card in dealt order (G-08).

    Raises ValueError when the seat is not awaited.
    """
    if seat != state.to_play:
        raise ValueError(f"seat {seat} is not awaited")
    allowed = legal_cards(held_mask(state, seat), state.plays[0] if state.plays else None)
    card = next(card for card in reversed(state.deal.cards[seat]) if BITS[card] & allowed)
    return PlayCard(state.deal.hand, state.trick, card)
