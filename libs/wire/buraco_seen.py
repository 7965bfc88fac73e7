"""Buraco, Tranca and Canastra: what viewers are told of events, as messages of carteado.games.buraco.v1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from carteado.cards.v1 import cards_pb2
from carteado.games.buraco.v1 import buraco_pb2
from libs.rules.buraco import events as ev
from libs.rules.buraco import view as vw
from libs.rules.buraco.melds import Kind, Shape
from libs.wire.cards import packed_card_to_proto

KINDS: dict[Kind, buraco_pb2.MeldKind.ValueType] = {
    "run": buraco_pb2.MELD_KIND_RUN,
    "set": buraco_pb2.MELD_KIND_SET,
    "wilds": buraco_pb2.MELD_KIND_WILDS,
}
"""The kinds of melds in both words."""


def seen_to_proto(seen: vw.BuracoSeen) -> buraco_pb2.Event:
    """The message for what a viewer is told."""
    match seen:
        case vw.DealStartedSeen():
            started = buraco_pb2.DealStarted(
                deal=seen.deal,
                starter=seen.starter,
                turn=seen.turn,
                stock_count=seen.stock_count,
                lixo=_cards(seen.lixo),
            )
            return buraco_pb2.Event(deal_started=started)
        case vw.StockDrawnSeen():
            drawn = buraco_pb2.StockDrawn(turn=seen.turn, seat=seen.seat, card=_card(seen.card))
            return buraco_pb2.Event(stock_drawn=drawn)
        case ev.RedThreeLaid():
            red = buraco_pb2.RedThreeLaid(seat=seen.seat, card=_card(seen.card), from_morto=seen.from_morto)
            return buraco_pb2.Event(red_three_laid=red)
        case vw.RedThreeReplacedSeen():
            replaced = buraco_pb2.RedThreeReplaced(seat=seen.seat, card=_card(seen.card))
            return buraco_pb2.Event(red_three_replaced=replaced)
        case vw.LixoTakenSeen():
            taken = buraco_pb2.LixoTaken(
                turn=seen.turn,
                seat=seen.seat,
                count=seen.count,
                cards=_cards(seen.cards),
                barred=_cards(seen.barred),
            )
            return buraco_pb2.Event(lixo_taken=taken)
        case ev.MeldLaid():
            laid = buraco_pb2.MeldLaid(
                turn=seen.turn, seat=seen.seat, number=seen.number, shape=_shape(seen.shape)
            )
            return buraco_pb2.Event(meld_laid=laid)
        case ev.MeldExtended():
            extended = buraco_pb2.MeldExtended(
                turn=seen.turn,
                seat=seen.seat,
                number=seen.number,
                added=_cards(seen.added),
                shape=_shape(seen.shape),
            )
            return buraco_pb2.Event(meld_extended=extended)
        case ev.CardDiscarded():
            discarded = buraco_pb2.CardDiscarded(turn=seen.turn, seat=seen.seat, card=_card(seen.card))
            return buraco_pb2.Event(card_discarded=discarded)
        case vw.MortoTakenSeen():
            morto = buraco_pb2.MortoTaken(
                turn=seen.turn,
                seat=seen.seat,
                direct=seen.direct,
                count=seen.count,
                cards=_cards(seen.cards),
            )
            return buraco_pb2.Event(morto_taken=morto)
        case vw.MortoTurnedSeen():
            return buraco_pb2.Event(morto_turned=buraco_pb2.MortoTurned(count=seen.count))
        case ev.TurnEnded():
            turn = buraco_pb2.TurnEnded(turn=seen.turn, seat=seen.seat, next_seat=seen.next_seat)
            return buraco_pb2.Event(turn_ended=turn)
        case ev.DealEnded():
            ended = buraco_pb2.DealEnded(
                deal=seen.deal,
                out_seat=seen.out_seat,
                sides=[score_to_proto(side) for side in seen.sides],
                score=seen.score,
            )
            return buraco_pb2.Event(deal_ended=ended)
        case ev.MatchEnded():
            return buraco_pb2.Event(match_ended=buraco_pb2.MatchEnded(winners=seen.winners, score=seen.score))
        case _:
            assert_never(seen)


def score_to_proto(score: ev.SideScore) -> buraco_pb2.SideScore:
    """The points of a side in a deal."""
    return buraco_pb2.SideScore(
        cards=score.cards,
        canastras=score.canastras,
        batida=score.batida,
        red_threes=score.red_threes,
        in_hand=score.in_hand,
        morto=score.morto,
        total=score.total,
    )


def _shape(shape: Shape) -> buraco_pb2.MeldShape:
    return buraco_pb2.MeldShape(kind=KINDS[shape.kind], cards=_cards(shape.cards), wilds=_cards(shape.wilds))


def _card(card: str | None) -> cards_pb2.Card | None:
    return None if card is None else packed_card_to_proto(card)


def _cards(cards: Iterable[str]) -> list[cards_pb2.Card]:
    return [packed_card_to_proto(card) for card in cards]
