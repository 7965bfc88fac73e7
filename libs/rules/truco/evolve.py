"""The state after an event: bookkeeping alone. Who is next, what counts and who scores stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.truco.events import (
    CardPlayed,
    ElevenHandDeclined,
    ElevenHandPlayed,
    FoldProposed,
    HandDealt,
    HandEnded,
    IllegalRaisePunished,
    MatchEnded,
    RaiseAccepted,
    RaiseCalled,
    RaiseRefused,
    SignalSent,
    TrickEnded,
    TrucoEvent,
)
from libs.rules.truco.signals import SentSignal
from libs.rules.truco.state import CalledRaise, Play, State, Trick


def evolve(state: State, event: TrucoEvent) -> State:
    """The state after an event; the same object when the event changes nothing that is kept."""
    match event:
        # What comes most often comes first.
        case CardPlayed():
            return _card_played(state, event)
        case SignalSent():
            return replace(state, signals=(*state.signals, SentSignal(event.seat, event.gesture)))
        case TrickEnded():
            trick = Trick(state.leader, state.plays, event.winner_seat)
            return replace(
                state,
                tricks=(*state.tricks, trick),
                plays=(),
                leader=event.next_leader,
                to_play=event.next_leader,
            )
        case RaiseCalled():
            called = CalledRaise(event.seat, event.value, on_empty_table=not state.plays)
            accepted = state.pending or state.last_raise
            return replace(state, pending=called, last_raise=accepted, value=event.accepted_value, folding=())
        case RaiseAccepted():
            return replace(
                state,
                pending=None,
                last_raise=state.pending,
                value=event.value,
                raising_sides=event.may_raise_sides,
                folding=(),
            )
        case FoldProposed():
            return replace(state, folding=(*state.folding, event.seat))
        case RaiseRefused():
            return replace(state, pending=None, folding=())
        case ElevenHandPlayed():
            return replace(
                state,
                awaits_eleven_answer=False,
                value=event.value,
                raising_sides=event.may_raise_sides,
                folding=(),
            )
        case ElevenHandDeclined():
            return replace(state, awaits_eleven_answer=False, folding=())
        case IllegalRaisePunished():
            return replace(state, pending=None, folding=())
        case HandEnded():
            return replace(state, score=event.score, to_play=None)
        case HandDealt():
            return _hand_dealt(state, event)
        case MatchEnded():
            return replace(state, winner=event.winner_side, score=event.score, to_play=None)
        case _:
            assert_never(event)


def _card_played(state: State, event: CardPlayed) -> State:
    seat, card, hands = event.seat, event.card, state.hands
    place = hands[seat].index(card)
    left = hands[seat][:place] + hands[seat][place + 1 :]
    return replace(
        state,
        hands=(*hands[:seat], left, *hands[seat + 1 :]),
        plays=(*state.plays, Play(seat, card, event.covered)),
        to_play=event.next_seat,
    )


def _hand_dealt(state: State, event: HandDealt) -> State:
    return State(
        rules=state.rules,
        players=state.players,
        score=state.score,
        hand=event.hand,
        dealer=event.dealer,
        vira=event.vira,
        dealt=event.cards,
        hands=event.cards,
        leader=event.leader,
        to_play=event.leader,
        value=event.value,
        raising_sides=event.may_raise_sides,
        eleven_side=event.eleven_side,
        iron_hand=event.iron_hand,
        blind=event.blind,
        awaits_eleven_answer=event.awaits_eleven_answer,
        signal_tables=event.signal_tables,
    )
