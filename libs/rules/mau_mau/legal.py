"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up.

A move that draws five cards by rule is listed with that as its consequence (M-08): it is accepted, but nobody offers it.
"""

from __future__ import annotations

from libs.rules.game import LegalMove
from libs.rules.mau_mau.cards import FOLLOWS, JACKS, SEVENS, SUIT, SUITS, Suit
from libs.rules.mau_mau.decide import playable
from libs.rules.mau_mau.moves import Accuse, DrawAndGo, DrawCard, MauMauMove, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.state import State, has_cards_to_draw

Listed = LegalMove[MauMauMove]

DRAWS_FIVE = "draws_five"
"""The consequence of a false call and of a false accusation."""


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat: cards in arrival order, twins once, a Jack with each suit; then the penalty, the pass or the
    draw; then cards with a call; at last the accusations, which are in time whoever is awaited.
    """
    if seat != state.to_play:
        return tuple(_accusations(state, seat)) if state.rules.call else ()
    turn, hand = state.turn, state.hands[seat]
    follows = SEVENS if state.penalty else FOLLOWS[state.suit][state.pile[-1]]
    fitting = [card for card in hand if card in follows]
    if len(fitting) > 1:
        fitting = list(dict.fromkeys(fitting))
    listed: list[Listed] = []
    for card in fitting:
        # As the last card a Jack too names nothing (M-07).
        if card in JACKS and len(hand) > 1:
            listed += [LegalMove(PlayCard(turn, card, suit)) for suit in SUITS]
        else:
            listed.append(LegalMove(PlayCard(turn, card)))
    if state.penalty:
        listed.append(LegalMove(TakePenalty(turn)))
    elif state.has_drawn:
        listed.append(LegalMove(Pass(turn)))
    elif state.stock or has_cards_to_draw(state):
        listed += (LegalMove(DrawCard(turn)), LegalMove(DrawAndGo(turn)))
    elif not listed:
        # A draw that finds nothing is a draw, but not needed for passing (M-02).
        listed += (LegalMove(DrawCard(turn)), LegalMove(DrawAndGo(turn)), LegalMove(Pass(turn)))
    if state.rules.call:
        listed += (*_called_plays(state, seat, follows), *_accusations(state, seat))
    return tuple(listed)


def _called_plays(state: State, seat: int, follows: frozenset[str]) -> list[Listed]:
    """Each card again with a call, which is right with two cards alone."""
    turn, hand = state.turn, state.hands[seat]
    consequence = "" if len(hand) == 2 else DRAWS_FIVE
    return [
        LegalMove(PlayCard(turn, card, suit, True), consequence)
        for card in dict.fromkeys(hand)
        if card in follows
        for suit in _suits_named(card)
    ]


def _accusations(state: State, seat: int) -> list[Listed]:
    if state.to_play is None or not 0 <= seat < state.players:
        return []
    return [
        LegalMove(Accuse(state.turn, other), "" if other == state.forgot_seat else DRAWS_FIVE)
        for other in range(state.players)
        if other != seat and other not in state.accused
    ]


def _suits_named(card: str) -> tuple[Suit | None, ...]:
    return SUITS if card in JACKS else (None,)


def automatic_move(state: State, seat: int) -> MauMauMove:
    """What the server plays for the awaited seat: it takes a pending penalty; else the last legal card in arrival order,
    a Jack naming its own suit; if there is none, it draws, plays that card if it is legal, else passes (G-08). The call is
    not forgotten (M-08). Raises ValueError when the seat is not awaited.
    """
    if seat != state.to_play:
        raise ValueError(f"seat {seat} is not awaited")
    turn, hand = state.turn, state.hands[seat]
    if state.penalty:
        return TakePenalty(turn)
    follows = playable(state)
    for card in reversed(hand):
        if card in follows:
            suit = SUIT[card] if card in JACKS and len(hand) > 1 else None
            return PlayCard(turn, card, suit, state.rules.call and len(hand) == 2)
    return Pass(turn) if state.has_drawn else DrawAndGo(turn)
