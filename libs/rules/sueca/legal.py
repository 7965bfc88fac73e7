"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up."""

from __future__ import annotations

from libs.rules.sueca.cards import BITS, COPAS, ESPADAS, OUROS, PAUS, PICKERS
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.rules.sueca.state import State, held_mask
from libs.rules.sueca.tricks import legal_cards
from libs.rules.sueca.turns import Listed


def legal_moves(_game: object, state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat, in the order of the pack."""
    turn = state.turn
    if seat != turn.seat:
        return ()
    deal = state.deal
    moves, held = deal.moves[turn.trick], deal.masks[seat] & state.unplayed
    if state.plays:
        following = held & state.asked
        if following:
            return PICKERS[following](moves)
    by_suit = PICKERS
    # `picked`, written out.
    return (
        by_suit[held & PAUS](moves)
        + by_suit[held & COPAS](moves)
        + by_suit[held & ESPADAS](moves)
        + by_suit[held & OUROS](moves)
    )


def automatic_move(_game: object, state: State, seat: int) -> SuecaMove:
    """What the server plays for an awaited seat: the last legal card in dealt order (G-08).

    Raises ValueError when the seat is not awaited.
    """
    if seat != state.to_play:
        raise ValueError(f"seat {seat} is not awaited")
    allowed = legal_cards(held_mask(state, seat), state.asked)
    card = next(card for card in reversed(state.deal.cards[seat]) if BITS[card] & allowed)
    return PlayCard(state.deal.hand, state.trick, card)
