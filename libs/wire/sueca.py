"""Sueca: moves, views and what viewers are told, between libs/rules/sueca and carteado.games.sueca.v1."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from carteado.games.sueca.v1 import sueca_pb2
from libs.rules.game import LegalMove
from libs.rules.sueca import events as ev
from libs.rules.sueca import view as vw
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.wire.cards import card_from_proto, card_to_proto
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError

_KEPT = 16_384
_PHASES = {"play": sueca_pb2.PHASE_PLAY, "over": sueca_pb2.PHASE_OVER}
_PHASE_NAMES = {value: name for name, value in _PHASES.items()}


def move_from_proto(move: sueca_pb2.Move) -> SuecaMove:
    """The move that a message names; raises WireError when it names none or is not well formed."""
    if move.WhichOneof("move") != "play_card":
        raise WireError("command.sueca.move", "one of the moves must be set")
    play = move.play_card
    return PlayCard(play.hand, play.trick, card_from_proto(play.card, "command.sueca.play_card.card"))


def move_to_proto(move: SuecaMove) -> sueca_pb2.Move:
    """The message for a move."""
    play = sueca_pb2.PlayCard(hand=move.hand, trick=move.trick, card=card_to_proto(move.card))
    return sueca_pb2.Move(play_card=play)


def fill_shared_view(target: sueca_pb2.View, view: vw.SuecaView) -> None:
    """Writes what a view says alike to every viewer of one state."""
    target.phase = _PHASES[view.phase]
    target.score.extend(view.score)
    target.carry, target.hand, target.dealer, target.trick = view.carry, view.hand, view.dealer, view.trick
    target.trump_card.CopyFrom(card_to_proto(view.trump_card))
    target.is_trump_held = view.is_trump_held
    target.card_points.extend(view.card_points)
    for trick in view.tricks:
        target.MergeFromString(_trick_field(trick))
    if view.winner is not None:
        target.winner = view.winner


def own_view(view: vw.SuecaView) -> bytes:
    """What a view says to its viewer alone, serialised: the cards that it may see, and what it may do."""
    return b"".join([*map(_hand_field, view.hands), *map(_legal_field, view.legal_moves)])


# A hand is shown again after every move of others, and so are the tricks that are over and the moves of who waits.


@lru_cache(maxsize=_KEPT)
def _trick_field(trick: vw.TrickView) -> bytes:
    cards = [
        sueca_pb2.PlayedCard(seat=played.seat, card=card_to_proto(played.card)) for played in trick.cards
    ]
    shown = sueca_pb2.Trick(
        leader=trick.leader, cards=cards, winner_seat=trick.winner_seat, points=trick.points
    )
    return sueca_pb2.View(tricks=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _hand_field(hand: vw.HandView) -> bytes:
    cards = [card_to_proto(card) for card in hand.cards]
    shown = sueca_pb2.HandOfCards(seat=hand.seat, count=hand.count, cards=cards)
    return sueca_pb2.View(hands=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _legal_field(legal: LegalMove[SuecaMove]) -> bytes:
    listed = sueca_pb2.LegalMove(move=move_to_proto(legal.move))
    return sueca_pb2.View(legal_moves=[listed]).SerializeToString()


def view_from_proto(message: sueca_pb2.View, seat: int | None) -> vw.SuecaView:
    """The view in a message, as the seat's robot reads it."""
    return vw.SuecaView(
        phase=_PHASE_NAMES[message.phase],
        score=(message.score[0], message.score[1]),
        carry=message.carry,
        hand=message.hand,
        dealer=message.dealer,
        trump_card=card_from_proto(message.trump_card, "view.trump_card"),
        is_trump_held=message.is_trump_held,
        card_points=(message.card_points[0], message.card_points[1]),
        trick=message.trick,
        tricks=tuple(_trick_from(trick) for trick in message.tricks),
        hands=tuple(
            vw.HandView(
                hand.seat,
                hand.count,
                tuple(card_from_proto(card, "view.hands.cards") for card in hand.cards),
            )
            for hand in message.hands
        ),
        legal_moves=tuple(LegalMove[SuecaMove](move_from_proto(legal.move)) for legal in message.legal_moves),
        winner=message.winner if message.HasField("winner") else None,
        seat=seat,
    )


def _trick_from(trick: sueca_pb2.Trick) -> vw.TrickView:
    return vw.TrickView(
        trick.leader,
        tuple(
            vw.PlayedCardView(played.seat, card_from_proto(played.card, "view.tricks.cards.card"))
            for played in trick.cards
        ),
        trick.winner_seat if trick.HasField("winner_seat") else None,
        trick.points,
    )


def seen_to_proto(seen: vw.SuecaSeen) -> sueca_pb2.Event:
    """The message for what a viewer is told."""
    match seen:
        case vw.HandDealtSeen():
            dealt = sueca_pb2.HandDealt(
                hand=seen.hand,
                dealer=seen.dealer,
                leader=seen.leader,
                trump_card=card_to_proto(seen.trump_card),
            )
            return sueca_pb2.Event(hand_dealt=dealt)
        case ev.CardPlayed():
            played = sueca_pb2.CardPlayed(
                hand=seen.hand, trick=seen.trick, seat=seen.seat, card=card_to_proto(seen.card)
            )
            return sueca_pb2.Event(card_played=played)
        case ev.TrickEnded():
            trick = sueca_pb2.TrickEnded(
                hand=seen.hand, trick=seen.trick, winner_seat=seen.winner_seat, points=seen.points
            )
            return sueca_pb2.Event(trick_ended=trick)
        case ev.HandEnded():
            hand = sueca_pb2.HandEnded(
                hand=seen.hand,
                card_points=seen.card_points,
                winner_side=seen.winner_side,
                points=seen.points,
                is_bandeira=seen.is_bandeira,
                score=seen.score,
                carry=seen.carry,
            )
            return sueca_pb2.Event(hand_ended=hand)
        case ev.MatchEnded():
            match = sueca_pb2.MatchEnded(winner_side=seen.winner_side, score=seen.score)
            return sueca_pb2.Event(match_ended=match)
        case _:
            assert_never(seen)


CODEC = GameCodec(
    view_message=sueca_pb2.View,
    move_from_proto=move_from_proto,
    move_to_proto=move_to_proto,
    fill_shared_view=fill_shared_view,
    own_view=own_view,
    view_from_proto=view_from_proto,
    seen_to_proto=seen_to_proto,
)
"""Sueca on the wire."""
