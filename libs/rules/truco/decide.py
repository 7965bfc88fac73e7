"""What a move brings about, or why it is refused: the rules of Truco, one short function a move.

Each function refuses in the same order: what has passed, what is not asked now, whose turn it is, what is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from libs.rules.game import Rejection
from libs.rules.shuffle import Draws
from libs.rules.truco.deal import dealt_hand
from libs.rules.truco.events import (
    CardPlayed,
    ElevenHandDeclined,
    ElevenHandPlayed,
    FoldProposed,
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
from libs.rules.truco.raising import (
    ELEVEN_HAND_VALUE,
    NEXT_STEP,
    POINTS_TO_WIN,
    STEPS,
    Consequence,
    punished_steps,
    punishment,
    raising_sides,
    sides_after_accepted_raise,
    sides_in_eleven_hand,
)
from libs.rules.truco.rejections import Code, refused
from libs.rules.truco.signals import GESTURES, SentSignal
from libs.rules.truco.state import CalledRaise, Play, State, answering_seats, phase_of
from libs.rules.truco.tricks import OUTCOMES, leader_after_tie, outcome_of, trick_winner, triple_tie

Decision = Sequence[TrucoEvent] | Rejection


def decide(state: State, seat: int, move: TrucoMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    if state.winner is not None:
        return refused(Code.MATCH_OVER)
    if state.hand == 0:
        return refused(Code.NOT_STARTED)
    if not 0 <= seat < state.players:
        return refused(Code.NO_SUCH_SEAT)
    if move.hand != state.hand:
        return refused(Code.STALE if move.hand < state.hand else Code.NOT_YET, hand=state.hand)
    match move:
        # What comes most often comes first.
        case PlayCard():
            return _play_card(state, seat, move, draws)
        case Signal():
            return _signal(state, seat, move)
        case Raise():
            return _raise(state, seat, move, draws)
        case AcceptRaise():
            return _accept_raise(state, seat, move)
        case Fold():
            return _fold(state, seat, move, draws)
        case PlayElevenHand():
            return _play_eleven_hand(state, seat)
        case DeclineElevenHand():
            return _decline_eleven_hand(state, seat, draws)
        case _:
            assert_never(move)


def _play_card(state: State, seat: int, move: PlayCard, draws: Draws) -> Decision:
    trick = len(state.tricks) + 1
    if move.trick != trick:
        return refused(Code.STALE if move.trick < trick else Code.NOT_YET, trick=trick)
    for play in state.plays:
        if play.seat == seat:
            return refused(Code.STALE, trick=trick)
    if state.pending is not None or state.awaits_eleven_answer:
        return refused(Code.WRONG_PHASE, phase=phase_of(state))
    if seat != state.to_play:
        return refused(Code.NOT_YOUR_TURN, seat=_awaited(state))
    card = _named_card(state, seat, move)
    if isinstance(card, Rejection):
        return card
    if move.covered and state.rules.cover == "off":
        return refused(Code.COVER_NOT_ALLOWED)
    if move.covered and not state.plays:
        return refused(Code.COVERED_LEAD)
    return _played(state, trick, Play(seat, card, move.covered), draws)


def _named_card(state: State, seat: int, move: PlayCard) -> str | Rejection:
    """The held card that a move names, in the one way in which this hand names cards (R-20)."""
    if state.blind:
        if move.position is None or move.card is not None:
            return refused(Code.POSITION_REQUIRED)
        dealt = state.dealt[seat]
        card = dealt[move.position] if 0 <= move.position < len(dealt) else None
    else:
        if move.card is None or move.position is not None:
            return refused(Code.CARD_REQUIRED)
        card = move.card
    return refused(Code.CARD_NOT_IN_HAND) if card is None or card not in state.hands[seat] else card


def _played(state: State, trick: int, play: Play, draws: Draws) -> Sequence[TrucoEvent]:
    plays = (*state.plays, play)
    is_last = len(plays) == state.players
    next_seat = None if is_last else (play.seat + 1) % state.players
    played = CardPlayed(state.hand, trick, play.seat, play.card, play.covered, next_seat)
    if not is_last:
        return (played,)
    winner, first, last = trick_winner(state.vira, plays)
    leads = leader_after_tie(state.rules.tie_leader, state.leader, first, last) if winner is None else winner
    ended = TrickEnded(state.hand, trick, winner, leads)
    outcome = outcome_of(state.tricks, winner)
    if outcome not in OUTCOMES:
        return (played, ended)
    side = OUTCOMES[outcome]
    scoring, points = triple_tie(state) if side is None else (side, state.value)
    return (played, ended, *_hand_over(state, scoring, points, draws))


def _hand_over(state: State, side: int | None, points: int, draws: Draws) -> tuple[TrucoEvent, ...]:
    """The hand is over: the score, and the next deal or the end of the match (R-04, R-16)."""
    a, b = state.score
    if side == 0:
        a = min(a + points, POINTS_TO_WIN)
    elif side == 1:
        b = min(b + points, POINTS_TO_WIN)
    ended = HandEnded(state.hand, side, points, (a, b))
    if side is not None and (a, b)[side] == POINTS_TO_WIN:
        return (ended, MatchEnded(side, (a, b)))
    dealer = (state.dealer + 1) % state.players
    dealt = dealt_hand(state.rules, (a, b), draws, hand=state.hand + 1, dealer=dealer, players=state.players)
    return (ended, dealt)


def _raise(state: State, seat: int, move: Raise, draws: Draws) -> Decision:
    if state.awaits_eleven_answer:
        return refused(Code.WRONG_PHASE, phase=phase_of(state))
    side = seat % 2
    asked = state.value if state.pending is None else state.pending.value
    penalty = punishment(state, side)
    is_punished = penalty is not None and move.value in punished_steps(state)
    if (move.value in STEPS and move.value <= asked and not is_punished) or seat in state.folding:
        return refused(Code.STALE, value=asked)
    if not _may_speak(state, seat):
        return refused(Code.NOT_YOUR_TURN, seat=_awaited(state))
    if penalty is not None and is_punished:
        return _punished(state, seat, penalty, draws)
    if move.value != NEXT_STEP.get(asked) or side not in raising_sides(state):
        return refused(Code.RAISE_NOT_ALLOWED, value=asked)
    return (RaiseCalled(state.hand, seat, move.value, asked),)


def _may_speak(state: State, seat: int) -> bool:
    """Whether a raise by this seat would be in time: as an answer, or in the window of R-10."""
    if state.pending is not None:
        return seat in answering_seats(state)
    return seat == state.to_play or state.rules.raise_window == "anytime"


def _punished(state: State, seat: int, penalty: Consequence, draws: Draws) -> Sequence[TrucoEvent]:
    """A forbidden call is accepted, and costs the match or the hand (R-18, R-20)."""
    called = IllegalRaisePunished(state.hand, seat, penalty)
    other = 1 - seat % 2
    if penalty == "loses_match":
        return (called, MatchEnded(other, state.score))
    return (called, *_hand_over(state, other, ELEVEN_HAND_VALUE, draws))


def _called_raise(state: State, seat: int, value: int) -> CalledRaise | Rejection:
    """The pending raise, if this seat may answer it and names its value."""
    if state.pending is None:
        is_past = value in STEPS and value <= state.value
        return refused(Code.STALE if is_past else Code.WRONG_PHASE, phase=phase_of(state))
    if (value in STEPS and value < state.pending.value) or seat in state.folding:
        return refused(Code.STALE, value=state.pending.value)
    if seat not in answering_seats(state):
        return refused(Code.NOT_YOUR_TURN, seat=_awaited(state))
    if value != state.pending.value:
        return refused(Code.RAISE_NOT_CALLED, value=state.pending.value)
    return state.pending


def _accept_raise(state: State, seat: int, move: AcceptRaise) -> Decision:
    called = _called_raise(state, seat, move.value)
    if isinstance(called, Rejection):
        return called
    may_raise = sides_after_accepted_raise(state, called.value, seat % 2)
    return (RaiseAccepted(state.hand, seat, called.value, may_raise),)


def _fold(state: State, seat: int, move: Fold, draws: Draws) -> Decision:
    called = _called_raise(state, seat, move.value)
    if isinstance(called, Rejection):
        return called
    if _waits_for_partner(state):
        return (FoldProposed(state.hand, seat),)
    ran = RaiseRefused(state.hand, seat, called.value)
    return (ran, *_hand_over(state, called.by_seat % 2, state.value, draws))


def _waits_for_partner(state: State) -> bool:
    """Whether running needs the answer of somebody else still (R-13)."""
    return state.rules.answer == "run_needs_both" and len(answering_seats(state)) > 1


def _eleven_question(state: State, seat: int) -> Rejection | None:
    """Why this seat cannot answer the question of a mão de onze, if it cannot (R-17)."""
    if not state.awaits_eleven_answer:
        was_asked = state.eleven_side is not None and state.rules.eleven_decision == "look_and_answer"
        return refused(Code.STALE if was_asked else Code.WRONG_PHASE, phase=phase_of(state))
    if seat in state.folding:
        return refused(Code.STALE, phase=phase_of(state))
    if seat not in answering_seats(state):
        return refused(Code.NOT_YOUR_TURN, seat=_awaited(state))
    return None


def _play_eleven_hand(state: State, seat: int) -> Decision:
    rejection = _eleven_question(state, seat)
    if rejection is not None:
        return rejection
    may_raise = sides_in_eleven_hand(state.rules, state.score, seat % 2)
    return (ElevenHandPlayed(state.hand, seat, ELEVEN_HAND_VALUE, may_raise),)


def _decline_eleven_hand(state: State, seat: int, draws: Draws) -> Decision:
    rejection = _eleven_question(state, seat)
    if rejection is not None:
        return rejection
    if _waits_for_partner(state):
        return (FoldProposed(state.hand, seat),)
    return (ElevenHandDeclined(state.hand, seat), *_hand_over(state, 1 - seat % 2, 1, draws))


def _signal(state: State, seat: int, move: Signal) -> Decision:
    """A gesture is in time as long as the hand goes on, whoever is awaited, and changes nothing else (R-23)."""
    if not state.signal_tables or move.gesture not in GESTURES:
        return refused(Code.SIGNAL_NOT_ALLOWED)
    if SentSignal(seat, move.gesture) in state.signals:
        return refused(Code.SIGNAL_ALREADY_SENT, gesture=move.gesture)
    return (SignalSent(state.hand, seat, move.gesture),)


def _awaited(state: State) -> int:
    """The seat that a refusal tells of: everybody may know who is awaited."""
    answering = answering_seats(state)
    if answering:
        return answering[0]
    assert state.to_play is not None, "a running match waits for a card or an answer"
    return state.to_play
