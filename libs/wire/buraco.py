"""Buraco, Tranca and Canastra: moves and views, between libs/rules/buraco and carteado.games.buraco.v1.

What viewers are told of events is in `buraco_seen`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import assert_never

from carteado.cards.v1 import cards_pb2
from carteado.games.buraco.v1 import buraco_pb2
from libs.rules.buraco import moves as mv
from libs.rules.buraco import view as vw
from libs.rules.buraco.events import SideScore
from libs.rules.buraco.legal import Addition, Justification, Legal
from libs.wire.buraco_seen import KINDS, score_to_proto, seen_to_proto
from libs.wire.cards import packed_card_from_proto, packed_card_to_proto
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError

_KEPT = 16_384
_PHASES = {
    "draw": buraco_pb2.PHASE_DRAW,
    "play": buraco_pb2.PHASE_PLAY,
    "over": buraco_pb2.PHASE_OVER,
}
_PHASE_NAMES = {value: name for name, value in _PHASES.items()}
_KIND_NAMES = {value: name for name, value in KINDS.items()}
_MOST_CARDS = 108
"""More than a pack has is no move of anybody's."""


def move_from_proto(move: buraco_pb2.Move) -> mv.BuracoMove:
    """The move that a message names; raises WireError when it names none or is not well formed."""
    match move.WhichOneof("move"):
        case "draw_stock":
            return mv.DrawStock(move.draw_stock.turn)
        case "take_lixo":
            take = move.take_lixo
            meld = take.meld if take.HasField("meld") else None
            return mv.TakeLixo(take.turn, _named(take.cards, "take_lixo"), meld)
        case "lay_meld":
            return mv.LayMeld(move.lay_meld.turn, _named(move.lay_meld.cards, "lay_meld"))
        case "extend_meld":
            extend = move.extend_meld
            return mv.ExtendMeld(extend.turn, extend.meld, _named(extend.cards, "extend_meld"))
        case "discard":
            card = packed_card_from_proto(move.discard.card, "command.buraco.discard.card")
            return mv.Discard(move.discard.turn, card)
        case "end_turn":
            return mv.EndTurn(move.end_turn.turn)
        case None:
            raise WireError("command.buraco.move", "one of the moves must be set")


def _named(cards: Sequence[cards_pb2.Card], move: str) -> tuple[str, ...]:
    field = f"command.buraco.{move}.cards"
    if len(cards) > _MOST_CARDS:
        raise WireError(field, "there are not so many cards")
    return tuple([packed_card_from_proto(card, field) for card in cards])


def move_to_proto(move: mv.BuracoMove) -> buraco_pb2.Move:
    """The message for a move."""
    message = buraco_pb2.Move()
    match move:
        case mv.DrawStock():
            message.draw_stock.MergeFrom(buraco_pb2.DrawStock(turn=move.turn))
        case mv.TakeLixo():
            message.take_lixo.MergeFrom(
                buraco_pb2.TakeLixo(turn=move.turn, cards=_cards(move.cards), meld=move.meld)
            )
        case mv.LayMeld():
            message.lay_meld.MergeFrom(buraco_pb2.LayMeld(turn=move.turn, cards=_cards(move.cards)))
        case mv.ExtendMeld():
            message.extend_meld.MergeFrom(
                buraco_pb2.ExtendMeld(turn=move.turn, meld=move.meld, cards=_cards(move.cards))
            )
        case mv.Discard():
            message.discard.MergeFrom(
                buraco_pb2.Discard(turn=move.turn, card=packed_card_to_proto(move.card))
            )
        case mv.EndTurn():
            message.end_turn.MergeFrom(buraco_pb2.EndTurn(turn=move.turn))
        case _:
            assert_never(move)
    return message


def fill_shared_view(target: buraco_pb2.View, view: vw.BuracoView) -> None:
    """Writes what a view says alike to every viewer of one state."""
    house = view.house
    target.house.MergeFrom(
        buraco_pb2.House(
            jokers=house.jokers,
            sets=house.sets,
            special_threes=house.special_threes,
            is_lixo_open=house.is_lixo_open,
            justify_top=house.justify_top,
            needs_clean_canastra=house.needs_clean_canastra,
        )
    )
    target.phase = _PHASES[view.phase]
    target.score.extend(view.score)
    target.deal, target.starter, target.turn = view.deal, view.starter, view.turn
    if view.to_play is not None:
        target.to_play = view.to_play
    target.stock_count, target.lixo_count = view.stock_count, view.lixo_count
    target.mortos_left, target.mortos_turned = view.mortos_left, view.mortos_turned
    target.lixo.extend(_cards(view.lixo))
    target.MergeFromString(b"".join(map(_meld_field, view.melds)))
    for side in view.sides:
        target.sides.add(
            side=side.side,
            red_threes=_cards(side.red_threes),
            morto_taker=side.morto_taker,
            card_points=side.card_points,
            canastra_points=side.canastra_points,
        )
    target.barred.extend(_cards(view.barred))
    target.took_lixo = view.took_lixo
    target.scored.extend([score_to_proto(score) for score in view.scored or ()])
    target.winners.extend(view.winners)
    target.stock.extend(_cards(view.stock))
    for morto in view.mortos:
        target.mortos.add(cards=_cards(morto))


def own_view(view: vw.BuracoView) -> bytes:
    """What a view says to its viewer alone, serialised: the cards that it may see, and what it may do."""
    hands = b"".join(map(_hand_field, view.hands))
    return hands if view.legal is None else hands + _legal_field(view.legal)


# A hand and a meld are shown again after every move of others.


@lru_cache(maxsize=_KEPT)
def _hand_field(hand: vw.HandView) -> bytes:
    shown = buraco_pb2.HandOfCards(seat=hand.seat, count=hand.count, cards=_cards(hand.cards))
    return buraco_pb2.View(hands=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _meld_field(meld: vw.MeldView) -> bytes:
    shown = buraco_pb2.Meld(
        number=meld.number,
        side=meld.side,
        kind=KINDS[meld.kind],
        cards=_cards(meld.cards),
        wilds=_cards(meld.wilds),
        is_clean=meld.is_clean,
        is_canastra=meld.is_canastra,
        points=meld.points,
    )
    return buraco_pb2.View(melds=[shown]).SerializeToString()


def _legal_field(legal: Legal) -> bytes:
    described = buraco_pb2.Legal(
        turn=legal.turn,
        draw_stock=legal.draw_stock,
        take_lixo=legal.take_lixo,
        justifications=[
            buraco_pb2.Justification(cards=_cards(way.cards), meld=way.meld) for way in legal.justifications
        ],
        more_justifications=legal.more_justifications,
        new_melds=[buraco_pb2.Cards(cards=_cards(cards)) for cards in legal.new_melds],
        more_melds=legal.more_melds,
        additions=[
            buraco_pb2.Addition(meld=one.meld, cards=_cards(one.cards), together=_cards(one.together))
            for one in legal.additions
        ],
        discards=_cards(legal.discards),
        end_turn=legal.end_turn,
    )
    return buraco_pb2.View(legal=described).SerializeToString()


def _cards(cards: Iterable[str]) -> list[cards_pb2.Card]:
    return [packed_card_to_proto(card) for card in cards]


def view_from_proto(message: buraco_pb2.View, seat: int | None) -> vw.BuracoView:
    """The view in a message, as the seat's robot reads it."""
    scored = tuple([_score_from(score) for score in message.scored])
    return vw.BuracoView(
        house=vw.House(
            jokers=message.house.jokers,
            sets=message.house.sets,
            special_threes=message.house.special_threes,
            is_lixo_open=message.house.is_lixo_open,
            justify_top=message.house.justify_top,
            needs_clean_canastra=message.house.needs_clean_canastra,
        ),
        phase=_PHASE_NAMES[message.phase],
        score=(message.score[0], message.score[1]),
        deal=message.deal,
        starter=message.starter,
        turn=message.turn,
        to_play=message.to_play if message.HasField("to_play") else None,
        hands=tuple(vw.HandView(hand.seat, hand.count, _codes(hand.cards)) for hand in message.hands),
        stock_count=message.stock_count,
        mortos_left=message.mortos_left,
        mortos_turned=message.mortos_turned,
        lixo_count=message.lixo_count,
        lixo=_codes(message.lixo),
        melds=tuple(_meld_from(meld) for meld in message.melds),
        sides=tuple(
            vw.SideView(
                side.side,
                _codes(side.red_threes),
                side.morto_taker if side.HasField("morto_taker") else None,
                side.card_points,
                side.canastra_points,
            )
            for side in message.sides
        ),
        barred=_codes(message.barred),
        took_lixo=message.took_lixo,
        scored=(scored[0], scored[1]) if scored else None,
        winners=tuple(message.winners),
        seat=seat,
        legal=_legal_from(message.legal) if message.HasField("legal") else None,
        stock=_codes(message.stock),
        mortos=tuple(_codes(morto.cards) for morto in message.mortos),
    )


def _codes(cards: Sequence[cards_pb2.Card]) -> tuple[str, ...]:
    return tuple([packed_card_from_proto(card, "view") for card in cards])


def _meld_from(meld: buraco_pb2.Meld) -> vw.MeldView:
    return vw.MeldView(
        meld.number,
        meld.side,
        _KIND_NAMES[meld.kind],
        _codes(meld.cards),
        _codes(meld.wilds),
        meld.is_clean,
        meld.is_canastra,
        meld.points,
    )


def _score_from(score: buraco_pb2.SideScore) -> SideScore:
    return SideScore(
        score.cards,
        score.canastras,
        score.batida,
        score.red_threes,
        score.in_hand,
        score.morto,
        score.total,
    )


def _legal_from(legal: buraco_pb2.Legal) -> Legal:
    return Legal(
        legal.turn,
        draw_stock=legal.draw_stock,
        take_lixo=legal.take_lixo,
        justifications=tuple(
            Justification(_codes(way.cards), way.meld if way.HasField("meld") else None)
            for way in legal.justifications
        ),
        more_justifications=legal.more_justifications,
        new_melds=tuple(_codes(meld.cards) for meld in legal.new_melds),
        more_melds=legal.more_melds,
        additions=tuple(
            Addition(one.meld, _codes(one.cards), _codes(one.together)) for one in legal.additions
        ),
        discards=_codes(legal.discards),
        end_turn=legal.end_turn,
    )


CODEC = GameCodec(
    view_message=buraco_pb2.View,
    move_from_proto=move_from_proto,
    move_to_proto=move_to_proto,
    fill_shared_view=fill_shared_view,
    own_view=own_view,
    view_from_proto=view_from_proto,
    seen_to_proto=seen_to_proto,
)
"""The family on the wire."""
