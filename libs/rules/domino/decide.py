"""What a move brings about, or why it is refused: the rules of Dominó.

It refuses in the same order as every game: what has passed, whose turn it is, what is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence

from libs.rules.domino.deal import later_round
from libs.rules.domino.events import DominoEvent, MatchEnded, SeatPassed, TilePlayed
from libs.rules.domino.moves import DominoMove
from libs.rules.domino.rejections import Code, refused
from libs.rules.domino.scoring import POINTS_TO_WIN, round_ended
from libs.rules.domino.state import SEATS, State
from libs.rules.domino.tiles import BEYOND, BITS, FITTING, HALVES
from libs.rules.game import Rejection
from libs.rules.shuffle import Draws

Decision = Sequence[DominoEvent] | Rejection

_AFTER = (1, 2, 3, 0)


def decide(state: State, seat: int, move: DominoMove, draws: Draws) -> Decision:
    """The events of a seat's move, or why it is refused."""
    deal, turn = state.deal, state.turn
    if seat != state.to_play or move.turn != turn or move.round != deal.round:
        return _untimely(state, seat, move)
    tile, end, ends = move.tile, move.end, state.ends
    masks, unplayed = deal.masks, state.unplayed
    bit = BITS.get(tile, 0)
    if not masks[seat] & unplayed & bit:
        return refused(Code.TILE_NOT_IN_HAND)
    try:
        if ends is None:
            if deal.opening is not None and tile != deal.opening:
                return refused(Code.OPENING_TILE_REQUIRED, tile=deal.opening)
            if end is not None:
                return refused(Code.END_NOT_ALLOWED)
            after = HALVES[tile]
        elif end == "left":
            after = (BEYOND[tile][ends[0]], ends[1])
        elif end == "right":
            after = (ends[0], BEYOND[tile][ends[1]])
        else:
            return refused(Code.END_REQUIRED)
    except KeyError:
        return refused(Code.TILE_DOES_NOT_FIT)
    unplayed ^= bit
    fitting = unplayed & FITTING[after]
    if not masks[seat] & unplayed or not fitting:
        # Going out goes before a block; a block is seen at once, without four passes (D-03).
        return _round_over(state, TilePlayed(move.round, turn, seat, tile, end, after, None), unplayed, draws)
    following = _AFTER[seat]
    played = TilePlayed(move.round, turn, seat, tile, end, after, following)
    if masks[following] & fitting:
        return (played,)
    return (played, *_passes(state, following, fitting))


def _passes(state: State, seat: int, fitting: int) -> Sequence[SeatPassed]:
    """The passes from this seat on, up to one that has a tile that fits: somebody has (D-04)."""
    passes = []
    masks, turn = state.deal.masks, state.turn + 1
    while not masks[seat] & fitting:
        following = _AFTER[seat]
        passes.append(SeatPassed(state.deal.round, turn, seat, following))
        seat = following
    return passes


def _round_over(state: State, last: TilePlayed, unplayed: int, draws: Draws) -> Sequence[DominoEvent]:
    """The round is over: the score, and the next deal or the end of the match (D-09)."""
    ended = round_ended(state, last, unplayed)
    if ended.score[ended.winner_side] >= POINTS_TO_WIN:
        return (last, ended, MatchEnded(ended.winner_side, ended.score))
    return (last, ended, later_round(draws, ended.round + 1, ended.next_starter))


def _untimely(state: State, seat: int, move: DominoMove) -> Rejection:
    """Why a move is refused that is not this seat's or not this turn's."""
    if state.winner is not None:
        return refused(Code.MATCH_OVER)
    now = state.deal.round
    if now == 0 or state.to_play is None:
        return refused(Code.NOT_STARTED)
    if not 0 <= seat < SEATS:
        return refused(Code.NO_SUCH_SEAT)
    if move.round != now:
        return refused(Code.STALE if move.round < now else Code.NOT_YET, round=now)
    if move.turn != state.turn:
        return refused(Code.STALE if move.turn < state.turn else Code.NOT_YET, turn=state.turn)
    return refused(Code.NOT_YOUR_TURN, seat=state.to_play)
