"""Cacheta: moves, views and what viewers are told, between libs/rules/cacheta and carteado.games.cacheta.v1."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never

from carteado.cards.v1 import cards_pb2
from carteado.games.cacheta.v1 import cacheta_pb2
from libs.rules.cacheta import moves as mv
from libs.rules.cacheta import view as vw
from libs.rules.cacheta.cards import CARDS
from libs.rules.game import LegalMove
from libs.wire.cacheta_events import seen_to_proto
from libs.wire.cards import card_from_proto, card_to_proto, packed_card_from_proto, packed_card_to_proto
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError

_KEPT = 16_384
_PHASES = {
    "draw": cacheta_pb2.PHASE_DRAW,
    "play": cacheta_pb2.PHASE_PLAY,
    "window": cacheta_pb2.PHASE_WINDOW,
    "over": cacheta_pb2.PHASE_OVER,
}
_PHASE_NAMES = {value: name for name, value in _PHASES.items()}
_CONSEQUENCES = {"": cacheta_pb2.CONSEQUENCE_UNSPECIFIED, "burns": cacheta_pb2.CONSEQUENCE_BURNS}
_CONSEQUENCE_NAMES = {value: name for name, value in _CONSEQUENCES.items()}
_TEN = ("10", "T")
"""A ten as faces are written on the wire's side and by the rules."""


def move_from_proto(move: cacheta_pb2.Move) -> mv.CachetaMove:
    """The move that a message names; raises WireError when it names none or is not well formed."""
    match move.WhichOneof("move"):
        case "draw_stock":
            return mv.DrawStock(move.draw_stock.round, move.draw_stock.turn)
        case "take_discard":
            return mv.TakeDiscard(move.take_discard.round, move.take_discard.turn)
        case "discard":
            if not move.discard.HasField("card"):
                raise WireError("command.cacheta.discard.card", "a card must be set")
            card = _card(move.discard.card, "command.cacheta.discard.card")
            return mv.Discard(move.discard.round, move.discard.turn, card)
        case "go_out":
            out = move.go_out
            is_named = out.HasField("discard")
            named = _card(out.discard, "command.cacheta.go_out.discard") if is_named else None
            return mv.GoOut(out.round, out.turn, named)
        case "announce_na_boa":
            return mv.AnnounceNaBoa(move.announce_na_boa.round)
        case "jump_queue":
            return mv.JumpQueue(move.jump_queue.round, move.jump_queue.turn)
        case "pass_jump":
            return mv.PassJump(move.pass_jump.round, move.pass_jump.turn)
        case None:
            raise WireError("command.cacheta.move", "one of the moves must be set")


def _card(card: cards_pb2.Card, field: str) -> str:
    """A card of the pack, which has no jokers."""
    code = packed_card_from_proto(card, field)
    if code not in CARDS:
        raise WireError(field, "there is no such card")
    return code


def move_to_proto(move: mv.CachetaMove) -> cacheta_pb2.Move:
    """The message for a move."""
    message = cacheta_pb2.Move()
    match move:
        case mv.DrawStock():
            message.draw_stock.MergeFrom(cacheta_pb2.DrawStock(round=move.round, turn=move.turn))
        case mv.TakeDiscard():
            message.take_discard.MergeFrom(cacheta_pb2.TakeDiscard(round=move.round, turn=move.turn))
        case mv.Discard():
            discard = cacheta_pb2.Discard(
                round=move.round, turn=move.turn, card=packed_card_to_proto(move.card)
            )
            message.discard.MergeFrom(discard)
        case mv.GoOut():
            message.go_out.MergeFrom(cacheta_pb2.GoOut(round=move.round, turn=move.turn))
            if move.discard is not None:
                message.go_out.discard.CopyFrom(packed_card_to_proto(move.discard))
        case mv.AnnounceNaBoa():
            message.announce_na_boa.MergeFrom(cacheta_pb2.AnnounceNaBoa(round=move.round))
        case mv.JumpQueue():
            message.jump_queue.MergeFrom(cacheta_pb2.JumpQueue(round=move.round, turn=move.turn))
        case mv.PassJump():
            message.pass_jump.MergeFrom(cacheta_pb2.PassJump(round=move.round, turn=move.turn))
        case _:
            assert_never(move)
    return message


def fill_shared_view(target: cacheta_pb2.View, view: vw.CachetaView) -> None:
    """Writes what a view says alike to every viewer of one state."""
    target.phase = _PHASES[view.phase]
    target.points.extend(view.points)
    target.round, target.turn = view.round, view.turn
    target.starter, target.to_play = view.starter, view.to_play
    target.vira.CopyFrom(packed_card_to_proto(view.vira))
    target.wilds.extend(card_to_proto(face.replace(_TEN[1], _TEN[0])) for face in view.wilds)
    target.stock_count, target.discard_count = view.stock_count, view.discard_count
    if view.discard_top is not None:
        target.discard_top.CopyFrom(packed_card_to_proto(view.discard_top))
    target.announced_seats.extend(view.announced)
    target.burnt_seats.extend(view.burnt)
    if view.window is not None:
        target.window.discarder = view.window.discarder
        target.window.may_claim.extend(view.window.may_claim)
        target.window.claimed.extend(view.window.claimed)
        target.window.passed.extend(view.window.passed)
    target.void_rounds = view.voids
    if view.winner is not None:
        target.winner = view.winner
    if view.max_wilds is not None:
        target.max_wilds = view.max_wilds
    target.four_suit_set = view.four_suit_set
    for meld in view.laid:
        target.laid.add(cards=map(packed_card_to_proto, meld))


def own_view(view: vw.CachetaView) -> bytes:
    """What a view says to its viewer alone, serialised: the cards that it may see, and what it may do."""
    return b"".join([*map(_hand_field, view.hands), *map(_legal_field, view.legal_moves)])


# A hand is shown again after every move of others; the same moves are legal in one match after another.


@lru_cache(maxsize=_KEPT)
def _hand_field(hand: vw.HandView) -> bytes:
    cards = map(packed_card_to_proto, hand.cards)
    shown = cacheta_pb2.HandOfCards(seat=hand.seat, count=hand.count, cards=cards)
    return cacheta_pb2.View(hands=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _legal_field(legal: LegalMove[mv.CachetaMove]) -> bytes:
    consequence = _CONSEQUENCES[legal.consequence]
    listed = cacheta_pb2.LegalMove(move=move_to_proto(legal.move), consequence=consequence)
    return cacheta_pb2.View(legal_moves=[listed]).SerializeToString()


def view_from_proto(message: cacheta_pb2.View, seat: int | None) -> vw.CachetaView:
    """The view in a message, as the seat's robot reads it."""
    window = message.window
    return vw.CachetaView(
        phase=_PHASE_NAMES[message.phase],
        points=tuple(message.points),
        round=message.round,
        turn=message.turn,
        starter=message.starter,
        to_play=message.to_play,
        vira=packed_card_from_proto(message.vira, "view.vira"),
        wilds=tuple(card_from_proto(face, "view.wilds").replace(*_TEN) for face in message.wilds),
        stock_count=message.stock_count,
        discard_top=(
            packed_card_from_proto(message.discard_top, "view.discard_top")
            if message.HasField("discard_top")
            else None
        ),
        discard_count=message.discard_count,
        hands=tuple(
            vw.HandView(hand.seat, hand.count, _cards(hand.cards, "view.hands.cards"))
            for hand in message.hands
        ),
        announced=tuple(message.announced_seats),
        burnt=tuple(message.burnt_seats),
        window=(
            vw.WindowView(
                window.discarder, tuple(window.may_claim), tuple(window.claimed), tuple(window.passed)
            )
            if message.HasField("window")
            else None
        ),
        voids=message.void_rounds,
        legal_moves=tuple(
            LegalMove[mv.CachetaMove](move_from_proto(legal.move), _CONSEQUENCE_NAMES[legal.consequence])
            for legal in message.legal_moves
        ),
        winner=message.winner if message.HasField("winner") else None,
        seat=seat,
        max_wilds=message.max_wilds if message.HasField("max_wilds") else None,
        four_suit_set=message.four_suit_set,
        laid=tuple(_cards(meld.cards, "view.laid.cards") for meld in message.laid),
    )


def _cards(cards: Iterable[cards_pb2.Card], field: str) -> tuple[str, ...]:
    return tuple(packed_card_from_proto(card, field) for card in cards)


CODEC = GameCodec(
    view_message=cacheta_pb2.View,
    move_from_proto=move_from_proto,
    move_to_proto=move_to_proto,
    fill_shared_view=fill_shared_view,
    own_view=own_view,
    view_from_proto=view_from_proto,
    seen_to_proto=seen_to_proto,
)
"""Cacheta on the wire."""
