"""What a move brings about, or why it is refused: the rules of Sueca.

It refuses in the same order as every game: what has passed, whose turn it is, what is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.game import Rejection
from libs.rules.shuffle import Draws
from libs.rules.sueca.cards import BITS, PACK_POINTS
from libs.rules.sueca.deal import dealt_hand
from libs.rules.sueca.events import CardPlayed, HandEnded, MatchEnded, SuecaEvent, TrickEnded
from libs.rules.sueca.moves import SuecaMove
from libs.rules.sueca.rejections import Code, refused
from libs.rules.sueca.scoring import GAME_POINTS_TO_WIN, TIE, TRICKS, capped, carry_after_tie, hand_points
from libs.rules.sueca.state import SEATS, State, Trick
from libs.rules.sueca.tricks import trick_outcome

Decision = Sequence[SuecaEvent] | Rejection

_AFTER = (1, 2, 3, 0)


def decide(_game: object, state: State, seat: int, move: SuecaMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    turn = state.turn
    if seat != turn.seat or move.trick != turn.trick or move.hand != turn.hand:
        return _untimely(state, seat, move)
    card = move.card
    held = state.deal.masks[seat] & state.unplayed
    try:
        bit = BITS[card]
    except KeyError:
        bit = 0
    # `legal_cards`, written out: this is most of a match.
    if not (held & state.asked or held) & bit:
        if not held & bit:
            return refused(Code.CARD_NOT_IN_HAND)
        return refused(Code.MUST_FOLLOW_SUIT, suit=state.plays[0][1])
    next_seat = turn.next_seat
    played = CardPlayed(turn.hand, turn.trick, seat, card, next_seat)
    if next_seat is not None:
        return (played,)
    place, points = trick_outcome((*state.plays, card), state.deal.trump_card)
    ended = TrickEnded(turn.hand, turn.trick, (turn.leader + place) % SEATS, points)
    if turn.trick < TRICKS:
        return (played, ended)
    return (played, ended, *_hand_over(state, ended, draws))


def _hand_over(state: State, last: TrickEnded, draws: Draws) -> Sequence[SuecaEvent]:
    """The hand is over: the score, and the next deal or the end of the match (S-04 to S-08)."""
    ended = hand_ended(state, last)
    side = ended.winner_side
    if side is not None and ended.score[side] >= GAME_POINTS_TO_WIN:
        return (ended, MatchEnded(side, ended.score))
    return (ended, dealt_hand(draws, hand=ended.hand + 1, dealer=_AFTER[state.deal.dealer]))


def hand_ended(state: State, last: TrickEnded) -> HandEnded:
    """What the hand comes to when its last trick ends so."""
    ended: tuple[Trick | TrickEnded, ...] = (*state.tricks, last)
    won = [trick.points for trick in ended if trick.winner_seat in (0, 2)]
    points, tricks = sum(won), len(won)
    card_points = (points, PACK_POINTS - points)
    if points == TIE:
        carry = carry_after_tie(state.carry, state.rules.tie_carry)
        return HandEnded(last.hand, card_points, None, 0, False, state.score, carry)
    side = 0 if points > TIE else 1
    if side == 1:
        tricks = TRICKS - tricks
    worth = hand_points(card_points[side], tricks, state.carry)
    score = list(state.score)
    score[side] = capped(score[side] + worth)
    return HandEnded(last.hand, card_points, side, worth, tricks == TRICKS, (score[0], score[1]), 0)


def _untimely(state: State, seat: int, move: SuecaMove) -> Rejection:
    """Why a move is refused that is not this seat's or not this trick's."""
    if state.winner is not None:
        return refused(Code.MATCH_OVER)
    hand, trick = state.deal.hand, state.trick
    if hand == 0 or state.to_play is None:
        return refused(Code.NOT_STARTED)
    if not 0 <= seat < SEATS:
        return refused(Code.NO_SUCH_SEAT)
    if move.hand != hand:
        return refused(Code.STALE if move.hand < hand else Code.NOT_YET, hand=hand)
    if move.trick != trick:
        return refused(Code.STALE if move.trick < trick else Code.NOT_YET, trick=trick)
    if (seat - state.leader) % SEATS < len(state.plays):
        return refused(Code.STALE, trick=trick)
    return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
