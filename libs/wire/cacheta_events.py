"""What viewers of Cacheta are told, as messages of carteado.games.cacheta.v1."""

from __future__ import annotations

from typing import assert_never

from carteado.games.cacheta.v1 import cacheta_pb2
from libs.rules.cacheta import events as ev
from libs.rules.cacheta import view as vw
from libs.wire.cards import packed_card_to_proto

_REASONS = {
    "empty_stock": cacheta_pb2.VOID_REASON_EMPTY_STOCK,
    "turns": cacheta_pb2.VOID_REASON_TURNS,
}


def seen_to_proto(seen: vw.CachetaSeen) -> cacheta_pb2.Event:
    """The message for what a viewer is told."""
    message = cacheta_pb2.Event()
    match seen:
        case vw.RoundDealtSeen():
            message.round_dealt.round, message.round_dealt.starter = seen.round, seen.starter
            message.round_dealt.vira.CopyFrom(packed_card_to_proto(seen.vira))
        case vw.CardDrawnSeen():
            _fill(message.card_drawn, seen)
            if seen.card is not None:
                message.card_drawn.card.CopyFrom(packed_card_to_proto(seen.card))
        case vw.StockReshuffledSeen():
            shuffled = cacheta_pb2.StockReshuffled(round=seen.round, stock_count=seen.stock_count)
            message.stock_reshuffled.MergeFrom(shuffled)
        case ev.DiscardTaken():
            _fill(message.discard_taken, seen)
            message.discard_taken.card.CopyFrom(packed_card_to_proto(seen.card))
        case ev.CardDiscarded():
            discarded = message.card_discarded
            _fill(discarded, seen)
            discarded.card.CopyFrom(packed_card_to_proto(seen.card))
            discarded.next_seat = seen.next_seat
            discarded.may_claim.extend(seen.may_claim)
        case ev.NaBoaAnnounced():
            announced = cacheta_pb2.NaBoaAnnounced(round=seen.round, seat=seen.seat)
            message.na_boa_announced.MergeFrom(announced)
        case ev.JumpClaimed():
            _fill(message.jump_claimed, seen)
        case ev.JumpPassed():
            _fill(message.jump_passed, seen)
        case ev.JumpFailed():
            _fill(message.jump_failed, seen)
            message.jump_failed.burnt = seen.burnt
        case ev.WindowClosed():
            closed = cacheta_pb2.WindowClosed(round=seen.round, turn=seen.turn, next_seat=seen.next_seat)
            message.window_closed.MergeFrom(closed)
        case ev.WentOut():
            _fill_went_out(message.went_out, seen)
        case ev.RoundEnded():
            ended = cacheta_pb2.RoundEnded(
                round=seen.round,
                winner=seen.winner,
                lost=seen.lost,
                points=seen.points,
                fallen_seats=seen.fallen,
            )
            message.round_ended.MergeFrom(ended)
        case ev.RoundVoided():
            voided = cacheta_pb2.RoundVoided(
                round=seen.round, reason=_REASONS[seen.reason], running=seen.running
            )
            message.round_voided.MergeFrom(voided)
        case ev.MatchEnded():
            message.match_ended.MergeFrom(cacheta_pb2.MatchEnded(winner=seen.winner, points=seen.points))
        case _:
            assert_never(seen)
    return message


_OfATurn = (
    cacheta_pb2.CardDrawn
    | cacheta_pb2.DiscardTaken
    | cacheta_pb2.CardDiscarded
    | cacheta_pb2.JumpClaimed
    | cacheta_pb2.JumpPassed
    | cacheta_pb2.JumpFailed
    | cacheta_pb2.WentOut
)
_SeenOfATurn = (
    vw.CardDrawnSeen
    | ev.DiscardTaken
    | ev.CardDiscarded
    | ev.JumpClaimed
    | ev.JumpPassed
    | ev.JumpFailed
    | ev.WentOut
)


def _fill(target: _OfATurn, seen: _SeenOfATurn) -> None:
    """Writes the round, the turn and the seat."""
    target.round, target.turn, target.seat = seen.round, seen.turn, seen.seat


def _fill_went_out(target: cacheta_pb2.WentOut, seen: ev.WentOut) -> None:
    _fill(target, seen)
    for meld in seen.melds:
        target.melds.add(cards=map(packed_card_to_proto, meld))
    if seen.discard is not None:
        target.discard.CopyFrom(packed_card_to_proto(seen.discard))
    if seen.claimed is not None:
        target.claimed.CopyFrom(packed_card_to_proto(seen.claimed))
