"""The state after an event: bookkeeping alone. Who is next, what counts and what is pending stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.mau_mau.cards import SUIT
from libs.rules.mau_mau.events import (
    Accused,
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    MatchEnded,
    MauMauCalled,
    MauMauEvent,
    PenaltyTaken,
    PileShuffled,
    TurnPassed,
)
from libs.rules.mau_mau.state import State


def evolve(state: State, event: MauMauEvent) -> State:
    """The state after an event; the same object when the event changes nothing that is kept."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case CardsDrawn():
            return replace(
                state,
                hands=_with_cards(state, event.seat, event.cards),
                stock=state.stock[len(event.cards) :],
                has_drawn=state.has_drawn or event.reason == "turn",
            )
        case TurnPassed():
            return replace(
                state,
                turn=event.turn + 1,
                to_play=event.next_seat,
                has_drawn=False,
                forgot_seat=None,
                accused=(),
            )
        case PenaltyTaken():
            return replace(
                state,
                hands=_with_cards(state, event.seat, event.cards),
                stock=state.stock[len(event.cards) :],
                penalty=0,
                turn=event.turn + 1,
                to_play=event.next_seat,
                forgot_seat=None,
                accused=(),
            )
        case PileShuffled():
            return replace(
                state, stock=state.stock + event.order, pile=state.pile[-1:], shuffles=event.number
            )
        case MauMauCalled():
            return state
        case Accused():
            forgot = state.forgot_seat if event.is_false else None
            return replace(state, forgot_seat=forgot, accused=(*state.accused, event.accused_seat))
        case CardsDealt():
            return _cards_dealt(state, event)
        case MatchEnded():
            return replace(state, is_over=True, winner=event.winner_seat, to_play=None)
        case _:
            assert_never(event)


def _card_played(state: State, event: CardPlayed) -> State:
    seat = event.seat
    hands = list(state.hands)
    hand = hands[seat]
    place = hand.index(event.card)
    hands[seat] = hand[:place] + hand[place + 1 :]
    # In the order of the fields: most events are this one, and naming them takes twice the time.
    return State(
        state.rules,
        state.players,
        event.turn + 1,
        state.dealer,
        tuple(hands),
        state.stock,
        (*state.pile, event.card),
        event.suit,
        event.step,
        event.penalty,
        event.next_seat,
        False,
        state.shuffles,
        seat if event.forgot_call else None,
    )


def _cards_dealt(state: State, event: CardsDealt) -> State:
    return State(
        rules=state.rules,
        players=state.players,
        turn=1,
        dealer=event.dealer,
        hands=event.cards,
        stock=event.stock,
        pile=(event.turned,),
        suit=SUIT[event.turned],
        step=event.step,
        penalty=event.penalty,
        to_play=event.first_seat,
    )


def _with_cards(state: State, seat: int, cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    hands = list(state.hands)
    hands[seat] += cards
    return tuple(hands)
