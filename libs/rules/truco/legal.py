"""What a seat may do now: exactly the moves that `decide` accepts, and what the server plays when time is up.

A move that the rules punish is listed with its consequence (R-18, R-20): it is accepted, but nobody offers it.
"""

from __future__ import annotations

from functools import lru_cache

from libs.rules.game import LegalMove
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
    TrucoMove,
)
from libs.rules.truco.raising import NEXT_STEP, Consequence, punished_steps, punishment, raising_sides
from libs.rules.truco.signals import GESTURES, sent_by
from libs.rules.truco.state import State, answering_seats

Listed = LegalMove[TrucoMove]


def legal_moves(state: State, seat: int) -> tuple[Listed, ...]:
    """The moves of this seat: cards as dealt, open before covered, then raises; answers where a side is asked; at last
    the signals, which are in time whoever is awaited.
    """
    if state.winner is not None or state.hand == 0 or not 0 <= seat < state.players:
        return ()
    if not state.signal_tables:
        return _awaited_moves(state, seat)
    return _awaited_moves(state, seat) + _signals(state.hand, sent_by(state.signals, seat))


def _awaited_moves(state: State, seat: int) -> tuple[Listed, ...]:
    if state.pending is not None:
        return _answers(state, seat, state.pending.value) if seat in answering_seats(state) else ()
    if state.awaits_eleven_answer:
        if seat not in answering_seats(state):
            return ()
        return (LegalMove(PlayElevenHand(state.hand)), LegalMove(DeclineElevenHand(state.hand)))
    return _cards(state, seat) + _raises(state, seat)


@lru_cache(maxsize=4096)
def _signals(hand: int, sent: tuple[str, ...]) -> tuple[Listed, ...]:
    """Kept, because every view of the hand lists them again."""
    return tuple([LegalMove(Signal(hand, gesture)) for gesture in GESTURES if gesture not in sent])


def _answers(state: State, seat: int, value: int) -> tuple[Listed, ...]:
    answers: tuple[Listed, ...] = (
        LegalMove(AcceptRaise(state.hand, value)),
        LegalMove(Fold(state.hand, value)),
    )
    side = seat % 2
    penalty = punishment(state, side)
    if penalty is not None:
        return (*answers, *_punished(state, penalty))
    if side in raising_sides(state):
        return (*answers, LegalMove(Raise(state.hand, NEXT_STEP[value])))
    return answers


def _cards(state: State, seat: int) -> tuple[Listed, ...]:
    if seat != state.to_play:
        return ()
    hand, trick = state.hand, len(state.tricks) + 1
    may_cover = bool(state.plays) and state.rules.cover != "off"
    if state.blind:
        return _blind_plays(hand, trick, held_positions(state, seat), may_cover)
    cards = state.hands[seat]
    plays: list[Listed] = [LegalMove(PlayCard(hand, trick, card)) for card in cards]
    if may_cover:
        plays += [LegalMove(PlayCard(hand, trick, card, None, True)) for card in cards]
    return tuple(plays)


def _blind_plays(hand: int, trick: int, positions: tuple[int, ...], may_cover: bool) -> tuple[Listed, ...]:
    covers = (False, True) if may_cover else (False,)
    return tuple(
        [LegalMove(PlayCard(hand, trick, None, place, covered)) for covered in covers for place in positions]
    )


def _raises(state: State, seat: int) -> tuple[Listed, ...]:
    if seat != state.to_play and state.rules.raise_window != "anytime":
        return ()
    side = seat % 2
    penalty = punishment(state, side)
    if penalty is not None:
        return _punished(state, penalty)
    if side in state.raising_sides:
        return _next_raise(state.hand, state.value)
    return ()


@lru_cache(maxsize=1024)
def _next_raise(hand: int, value: int) -> tuple[Listed, ...]:
    return (LegalMove(Raise(hand, NEXT_STEP[value])),)


def _punished(state: State, penalty: Consequence) -> tuple[Listed, ...]:
    return tuple([LegalMove(Raise(state.hand, step), penalty) for step in punished_steps(state)])


def held_positions(state: State, seat: int) -> tuple[int, ...]:
    """The places, as dealt, of the cards that the seat still holds."""
    return _positions_of(state.hands[seat], state.dealt[seat])


@lru_cache(maxsize=4096)
def _positions_of(held: tuple[str, ...], dealt: tuple[str, ...]) -> tuple[int, ...]:
    return tuple([position for position, card in enumerate(dealt) if card in held])


def automatic_move(state: State, seat: int) -> TrucoMove:
    """What the server plays for an awaited seat: the last card in dealt order, open (R-22); to a raise the side runs,
    or accepts by switch (R-14); a mão de onze is declined (R-17). Raises ValueError when the seat is not awaited.
    """
    if seat in answering_seats(state):
        if state.pending is None:
            return DeclineElevenHand(state.hand)
        if state.rules.answer_timeout == "accept":
            return AcceptRaise(state.hand, state.pending.value)
        return Fold(state.hand, state.pending.value)
    if seat != state.to_play or state.pending is not None or state.awaits_eleven_answer:
        raise ValueError(f"seat {seat} is not awaited")
    trick = len(state.tricks) + 1
    if state.blind:
        return PlayCard(state.hand, trick, position=held_positions(state, seat)[-1])
    return PlayCard(state.hand, trick, card=state.hands[seat][-1])
