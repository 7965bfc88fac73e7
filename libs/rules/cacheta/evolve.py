"""The state after an event: bookkeeping alone. Who is next, what counts and who falls stand in the events."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from libs.rules.cacheta.events import (
    CachetaEvent,
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    JumpClaimed,
    JumpFailed,
    JumpPassed,
    MatchEnded,
    NaBoaAnnounced,
    RoundDealt,
    RoundEnded,
    RoundVoided,
    StockReshuffled,
    WentOut,
    WindowClosed,
)
from libs.rules.cacheta.state import State

Hands = tuple[tuple[str, ...], ...]


def evolve(state: State, event: CachetaEvent) -> State:
    """The state after an event."""
    match event:
        case CardDrawn():
            hands = _with(state.hands, event.seat, event.card)
            return replace(state, stock=state.stock[1:], hands=hands, has_drawn=True)
        case DiscardTaken():
            hands = _with(state.hands, event.seat, event.card)
            return replace(state, discards=state.discards[:-1], hands=hands, has_drawn=True)
        case CardDiscarded():
            return _discarded(state, event)
        case NaBoaAnnounced():
            return replace(state, announced=(*state.announced, event.seat))
        case JumpClaimed():
            return replace(state, claimed=(*state.claimed, event.seat))
        case JumpPassed():
            return replace(state, passed=(*state.passed, event.seat))
        case JumpFailed():
            return replace(state, burnt=(*state.burnt, event.seat)) if event.burnt else state
        case WindowClosed():
            return replace(
                state,
                turn=event.turn + 1,
                to_play=event.next_seat,
                discarder=None,
                may_claim=(),
                claimed=(),
                passed=(),
            )
        case StockReshuffled():
            top = state.discards[-1:]
            return replace(state, stock=event.stock, discards=top, reshuffles=state.reshuffles + 1)
        case WentOut():
            return _went_out(state, event)
        case RoundEnded():
            return replace(state, points=event.points, voids=0)
        case RoundVoided():
            return replace(state, voids=event.running)
        case RoundDealt():
            return _round_dealt(state, event)
        case MatchEnded():
            return replace(state, is_over=True, winner=event.winner, points=event.points)
        case _:
            assert_never(event)


def _with(hands: Hands, seat: int, card: str) -> Hands:
    held = list(hands)
    held[seat] = (*held[seat], card)
    return tuple(held)


def _without(hands: Hands, seat: int, card: str) -> Hands:
    held = list(hands)
    held[seat] = tuple([kept for kept in held[seat] if kept != card])
    return tuple(held)


def _discarded(state: State, event: CardDiscarded) -> State:
    is_claimable = bool(event.may_claim)
    return replace(
        state,
        hands=_without(state.hands, event.seat, event.card),
        discards=(*state.discards, event.card),
        turn=event.turn if is_claimable else event.turn + 1,
        to_play=event.next_seat,
        has_drawn=False,
        discarder=event.seat if is_claimable else None,
        may_claim=event.may_claim,
    )


def _went_out(state: State, event: WentOut) -> State:
    discards = state.discards if event.claimed is None else state.discards[:-1]
    hands = list(state.hands)
    hands[event.seat] = ()
    return replace(
        state,
        discards=discards if event.discard is None else (*discards, event.discard),
        hands=tuple(hands),
        laid=event.melds,
        has_drawn=False,
        discarder=None,
        may_claim=(),
        claimed=(),
        passed=(),
    )


def _round_dealt(state: State, event: RoundDealt) -> State:
    return State(
        rules=state.rules,
        players=state.players,
        points=state.points,
        round=event.round,
        turn=1,
        starter=event.starter,
        vira=event.vira,
        stock=event.stock,
        hands=event.hands,
        to_play=event.starter,
        voids=state.voids,
    )
