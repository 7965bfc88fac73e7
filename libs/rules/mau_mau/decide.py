"""What a move brings about, or why it is refused: the rules of Mau Mau, one short function a move.

Each function refuses in the same order: whose turn it is, what is not asked now, what is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from libs.rules.game import Rejection
from libs.rules.mau_mau.cards import FOLLOWS, RANK, SEVENS, SUIT, Suit
from libs.rules.mau_mau.deal import SEVENS_PENALTY
from libs.rules.mau_mau.drawing import Drawn, drawn, drawn_until
from libs.rules.mau_mau.events import (
    Accused,
    CardPlayed,
    CardsDrawn,
    DrawReason,
    MatchEnded,
    MauMauCalled,
    MauMauEvent,
    PenaltyTaken,
    TurnPassed,
)
from libs.rules.mau_mau.evolve import evolve
from libs.rules.mau_mau.moves import Accuse, DrawAndGo, DrawCard, MauMauMove, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.rejections import Code, refused
from libs.rules.mau_mau.state import LAST_TURN, State, has_cards_to_draw
from libs.rules.shuffle import Draws

Decision = Sequence[MauMauEvent] | Rejection

CALL_PENALTY = 5
"""What a forgotten or false call, or a false accusation, makes one draw (M-08)."""


def decide(state: State, seat: int, move: MauMauMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    if state.is_over:
        return refused(Code.MATCH_OVER)
    if state.turn == 0:
        return refused(Code.NOT_STARTED)
    if move.turn != state.turn:
        return refused(Code.STALE if move.turn < state.turn else Code.NOT_YET, turn=state.turn)
    if seat != state.to_play:
        if not 0 <= seat < state.players:
            return refused(Code.NO_SUCH_SEAT)
        if not isinstance(move, Accuse):
            assert state.to_play is not None, "a running match waits for a seat"
            return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
    match move:
        case PlayCard():
            return _play_card(state, seat, move, draws)
        case DrawCard():
            return _draw(state, seat, draws)
        case Pass():
            return _pass(state, seat)
        case DrawAndGo():
            return _draw_and_go(state, seat, draws)
        case TakePenalty():
            return _take_penalty(state, seat, draws)
        case Accuse():
            return _accuse(state, seat, move, draws)
        case _:
            assert_never(move)


def playable(state: State) -> frozenset[str]:
    """The cards that may be played on what lies there, whoever holds them (M-01, M-03, M-04)."""
    return SEVENS if state.penalty else FOLLOWS[state.suit][state.pile[-1]]


def _play_card(state: State, seat: int, move: PlayCard, draws: Draws) -> Decision:
    card, hand = move.card, state.hands[seat]
    if move.call and not state.rules.call:
        return refused(Code.CALL_NOT_PLAYED)
    if card not in hand:
        return refused(Code.CARD_NOT_IN_HAND)
    if card not in playable(state):
        return refused(Code.PENALTY_PENDING if state.penalty else Code.CARD_DOES_NOT_FOLLOW)
    left = len(hand) - 1
    # A call with the last card is false and brings five more, so that the card is not the last one (M-08).
    names_suit = RANK[card] == "J" and (left > 0 or move.call)
    if names_suit != (move.suit is not None):
        return refused(Code.SUIT_REQUIRED if names_suit else Code.SUIT_NOT_ASKED)
    if not move.call:
        forgot = left == 1 and state.rules.call
        return _played((), state, seat, card, move.suit or SUIT[card], left, draws, forgot_call=forgot)
    is_false = left != 1
    before: list[MauMauEvent] = [MauMauCalled(state.turn, seat, is_false)]
    if is_false:
        before += _punished(state, seat, "false_call", draws)
        left = len(_after(state, before).hands[seat]) - 1
    return _played(before, state, seat, card, move.suit or SUIT[card], left, draws)


def _played(
    before: Sequence[MauMauEvent],
    state: State,
    seat: int,
    card: str,
    suit: Suit,
    left: int,
    draws: Draws,
    *,
    forgot_call: bool = False,
) -> Sequence[MauMauEvent]:
    """A legal card is played after the events of the same move, and leaves so many: its effect, and who is next (M-03 to
    M-07)."""
    turn, step = state.turn, state.step
    if not left:
        # The last card wins at once, whatever it is: its effect is not carried out (M-07).
        won = (*before, CardPlayed(turn, seat, card, suit, step, 0, None))
        return (*won, _ended(_after(state, won), seat))
    rank, penalty, ahead = RANK[card], 0, step
    if rank == "7":
        penalty = state.penalty + SEVENS_PENALTY
    elif rank == "Q":
        step = ahead = -step
    elif rank == "A":
        ahead = 2 * step
    following = (seat + ahead) % state.players if turn < LAST_TURN else None
    played = CardPlayed(turn, seat, card, suit, step, penalty, following, forgot_call)
    if rank != "9" and following is not None:
        return (*before, played)
    events: list[MauMauEvent] = [*before, played]
    if rank == "9":
        # One seat back, whether or not that seat was skipped; its turn is not affected (M-05).
        shuffles, cards = drawn(_after(state, events), 1, draws)
        events += (*shuffles, CardsDrawn(turn, (seat - step) % state.players, cards, "nine"))
    if following is None:
        events.append(_by_fewest_cards(_after(state, events)))
    return events


def _draw(state: State, seat: int, draws: Draws) -> Decision:
    """One card, or by switch until one may be played (M-02)."""
    refusal = _no_draw(state, seat)
    if refusal is not None:
        return refusal
    shuffles, cards = _drawn_in_turn(state, seat, draws)
    return (*shuffles, CardsDrawn(state.turn, seat, cards, "turn"))


def _draw_and_go(state: State, seat: int, draws: Draws) -> Decision:
    """Draws, plays that card if it may be played, else passes; a Jack names its own suit, and the call is not forgotten
    (G-08, M-08)."""
    refusal = _no_draw(state, seat)
    if refusal is not None:
        return refusal
    shuffles, cards = _drawn_in_turn(state, seat, draws)
    events: list[MauMauEvent] = [*shuffles, CardsDrawn(state.turn, seat, cards, "turn")]
    if not cards or cards[-1] not in playable(state):
        return _passed(events, state, seat)
    left = len(state.hands[seat]) + len(cards) - 1
    if left == 1 and state.rules.call:
        events.append(MauMauCalled(state.turn, seat, False))
    return _played(events, state, seat, cards[-1], SUIT[cards[-1]], left, draws)


def _no_draw(state: State, seat: int) -> Rejection | None:
    """Why this seat may not draw, if it may not."""
    if state.penalty:
        return refused(Code.PENALTY_PENDING)
    if state.has_drawn:
        return refused(Code.ALREADY_DRAWN)
    if not state.stock and must_play(state, seat):
        return refused(Code.MUST_PLAY)
    return None


def _drawn_in_turn(state: State, seat: int, draws: Draws) -> Drawn:
    if state.rules.draw_rule == "one":
        return drawn(state, 1, draws)
    wanted = playable(state)
    # Who could play and draws all the same gets one card.
    return (
        drawn_until(state, wanted, draws) if wanted.isdisjoint(state.hands[seat]) else drawn(state, 1, draws)
    )


def must_play(state: State, seat: int) -> bool:
    """Whether this seat may neither draw nor pass: nothing can be drawn, and it holds a legal card (M-02)."""
    return not has_cards_to_draw(state) and not playable(state).isdisjoint(state.hands[seat])


def _take_penalty(state: State, seat: int, draws: Draws) -> Decision:
    if not state.penalty:
        return refused(Code.NO_PENALTY_PENDING)
    shuffles, cards = drawn(state, state.penalty, draws)
    following = _next_seat(state, seat)
    events: list[MauMauEvent] = [*shuffles, PenaltyTaken(state.turn, seat, cards, following)]
    return events if following is not None else [*events, _by_fewest_cards(_after(state, events))]


def _pass(state: State, seat: int) -> Decision:
    if state.penalty:
        return refused(Code.PENALTY_PENDING)
    if not state.has_drawn:
        if has_cards_to_draw(state):
            return refused(Code.DRAW_FIRST)
        if must_play(state, seat):
            return refused(Code.MUST_PLAY)
    return _passed((), state, seat)


def _passed(before: Sequence[MauMauEvent], state: State, seat: int) -> Sequence[MauMauEvent]:
    following = _next_seat(state, seat)
    events = (*before, TurnPassed(state.turn, seat, following))
    return events if following is not None else (*events, _by_fewest_cards(_after(state, events)))


def _next_seat(state: State, seat: int) -> int | None:
    """Who plays after a turn without a card; nobody after the last turn (M-02)."""
    return (seat + state.step) % state.players if state.turn < LAST_TURN else None


def _accuse(state: State, seat: int, move: Accuse, draws: Draws) -> Decision:
    """Any seat may accuse another; each seat can be accused once a turn (M-08)."""
    if not state.rules.call:
        return refused(Code.CALL_NOT_PLAYED)
    if not 0 <= move.seat < state.players or move.seat == seat:
        return refused(Code.NO_SUCH_SEAT)
    if move.seat in state.accused:
        return refused(Code.ALREADY_ACCUSED)
    is_false = move.seat != state.forgot_seat
    accused = Accused(state.turn, seat, move.seat, is_false)
    if is_false:
        return (accused, *_punished(state, seat, "false_accusation", draws))
    return (accused, *_punished(state, move.seat, "forgotten_call", draws))


def _punished(state: State, seat: int, reason: DrawReason, draws: Draws) -> tuple[MauMauEvent, ...]:
    shuffles, cards = drawn(state, CALL_PENALTY, draws)
    return (*shuffles, CardsDrawn(state.turn, seat, cards, reason))


def _after(state: State, events: Sequence[MauMauEvent]) -> State:
    """The state that a move has led to so far."""
    for event in events:
        state = evolve(state, event)
    return state


def _by_fewest_cards(state: State) -> MatchEnded:
    """The last turn is over: the fewest cards win, and equal hands are a draw (M-02)."""
    left = [len(hand) for hand in state.hands]
    fewest = min(left)
    return _ended(state, left.index(fewest) if left.count(fewest) == 1 else None)


def _ended(state: State, winner: int | None) -> MatchEnded:
    return MatchEnded(winner, tuple([len(hand) for hand in state.hands]))
