"""Mau Mau: moves, views and what viewers are told, between libs/rules/mau_mau and carteado.games.mau_mau.v1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

from carteado.cards.v1 import cards_pb2
from carteado.games.mau_mau.v1 import mau_mau_pb2
from libs.rules.game import LegalMove
from libs.rules.mau_mau import events as ev
from libs.rules.mau_mau import moves as mv
from libs.rules.mau_mau import view as vw
from libs.rules.mau_mau.cards import SUITS, Suit
from libs.wire.cards import card_from_proto, card_to_proto, suit_to_proto
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError

_KEPT = 16_384
_SUITS: dict[cards_pb2.Suit.ValueType, Suit] = {suit_to_proto(suit): suit for suit in SUITS}
_CONSEQUENCES = {
    "": mau_mau_pb2.CONSEQUENCE_UNSPECIFIED,
    "draws_five": mau_mau_pb2.CONSEQUENCE_DRAWS_FIVE,
}
_CONSEQUENCE_NAMES = {value: name for name, value in _CONSEQUENCES.items()}
_DIRECTIONS = {1: mau_mau_pb2.DIRECTION_FORWARD, -1: mau_mau_pb2.DIRECTION_BACKWARD}
_STEPS = {value: step for step, value in _DIRECTIONS.items()}
_REASONS = {
    "turn": mau_mau_pb2.DRAW_REASON_TURN,
    "nine": mau_mau_pb2.DRAW_REASON_NINE,
    "false_call": mau_mau_pb2.DRAW_REASON_FALSE_CALL,
    "forgotten_call": mau_mau_pb2.DRAW_REASON_FORGOTTEN_CALL,
    "false_accusation": mau_mau_pb2.DRAW_REASON_FALSE_ACCUSATION,
}


def move_from_proto(move: mau_mau_pb2.Move) -> mv.MauMauMove:
    """The move that a message names; raises WireError when it names none or is not well formed."""
    match move.WhichOneof("move"):
        case "play_card":
            return _play_card(move.play_card)
        case "draw_card":
            return mv.DrawCard(move.draw_card.turn)
        case "draw_and_go":
            return mv.DrawAndGo(move.draw_and_go.turn)
        case "take_penalty":
            return mv.TakePenalty(move.take_penalty.turn)
        case "pass":
            # The field is a keyword of Python, so it has no attribute syntax.
            passed: mau_mau_pb2.Pass = getattr(move, "pass")
            return mv.Pass(passed.turn)
        case "accuse":
            return mv.Accuse(move.accuse.turn, move.accuse.seat)
        case None:
            raise WireError("command.mau_mau.move", "one of the moves must be set")


def _play_card(play: mau_mau_pb2.PlayCard) -> mv.PlayCard:
    if not play.HasField("card"):
        raise WireError("command.mau_mau.play_card.card", "a card must be set")
    card = card_from_proto(play.card, "command.mau_mau.play_card.card")
    if play.suit and play.suit not in _SUITS:
        raise WireError("command.mau_mau.play_card.suit", "there is no such suit")
    return mv.PlayCard(play.turn, card, _SUITS.get(play.suit), play.call)


def move_to_proto(move: mv.MauMauMove) -> mau_mau_pb2.Move:
    """The message for a move."""
    message = mau_mau_pb2.Move()
    match move:
        case mv.PlayCard():
            play = message.play_card
            play.turn, play.call = move.turn, move.call
            play.card.CopyFrom(card_to_proto(move.card))
            if move.suit is not None:
                play.suit = suit_to_proto(move.suit)
        case mv.DrawCard():
            message.draw_card.MergeFrom(mau_mau_pb2.DrawCard(turn=move.turn))
        case mv.DrawAndGo():
            message.draw_and_go.MergeFrom(mau_mau_pb2.DrawAndGo(turn=move.turn))
        case mv.TakePenalty():
            message.take_penalty.MergeFrom(mau_mau_pb2.TakePenalty(turn=move.turn))
        case mv.Pass():
            getattr(message, "pass").MergeFrom(mau_mau_pb2.Pass(turn=move.turn))
        case mv.Accuse():
            message.accuse.MergeFrom(mau_mau_pb2.Accuse(turn=move.turn, seat=move.seat))
        case _:
            assert_never(move)
    return message


def fill_shared_view(target: mau_mau_pb2.View, view: vw.MauMauView) -> None:
    """Writes what a view says alike to every viewer of one state."""
    target.turn, target.dealer, target.penalty = view.turn, view.dealer, view.penalty
    target.top.CopyFrom(card_to_proto(view.top))
    target.suit, target.direction = suit_to_proto(view.suit), _DIRECTIONS[view.step]
    if view.to_play is not None:
        target.to_play = view.to_play
    target.has_drawn, target.is_over = view.has_drawn, view.is_over
    target.stock_count, target.pile_count = view.stock_count, view.pile_count
    if view.winner is not None:
        target.winner = view.winner
    if view.forgot_seat is not None:
        target.forgot_seat = view.forgot_seat
    target.accused_seats.extend(view.accused_seats)


def own_view(view: vw.MauMauView) -> bytes:
    """What a view says to its viewer alone, serialised: the cards that it may see, and what it may do."""
    return b"".join([*map(_hand_field, view.hands), *map(_legal_field, view.legal_moves)])


# A hand is shown again after every move of others; the same moves are legal in one match after another.


@lru_cache(maxsize=_KEPT)
def _hand_field(hand: vw.HandView) -> bytes:
    shown = mau_mau_pb2.HandOfCards(seat=hand.seat, count=hand.count, cards=_cards(hand.cards))
    return mau_mau_pb2.View(hands=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _legal_field(legal: LegalMove[mv.MauMauMove]) -> bytes:
    listed = mau_mau_pb2.LegalMove(
        move=move_to_proto(legal.move), consequence=_CONSEQUENCES[legal.consequence]
    )
    return mau_mau_pb2.View(legal_moves=[listed]).SerializeToString()


def _cards(cards: Sequence[str]) -> list[cards_pb2.Card]:
    return [card_to_proto(card) for card in cards]


def view_from_proto(message: mau_mau_pb2.View, seat: int | None) -> vw.MauMauView:
    """The view in a message, as the seat's robot reads it."""
    return vw.MauMauView(
        turn=message.turn,
        dealer=message.dealer,
        top=card_from_proto(message.top, "view.top"),
        suit=_SUITS[message.suit],
        step=_STEPS[message.direction],
        penalty=message.penalty,
        to_play=message.to_play if message.HasField("to_play") else None,
        has_drawn=message.has_drawn,
        stock_count=message.stock_count,
        pile_count=message.pile_count,
        hands=tuple(
            vw.HandView(
                hand.seat, hand.count, tuple(card_from_proto(card, "view.hands.cards") for card in hand.cards)
            )
            for hand in message.hands
        ),
        legal_moves=tuple(
            LegalMove[mv.MauMauMove](move_from_proto(legal.move), _CONSEQUENCE_NAMES[legal.consequence])
            for legal in message.legal_moves
        ),
        is_over=message.is_over,
        winner=message.winner if message.HasField("winner") else None,
        seat=seat,
        forgot_seat=message.forgot_seat if message.HasField("forgot_seat") else None,
        accused_seats=tuple(message.accused_seats),
    )


def seen_to_proto(seen: vw.MauMauSeen) -> mau_mau_pb2.Event:
    """The message for what a viewer is told."""
    match seen:
        case vw.CardsDealtSeen():
            dealt = mau_mau_pb2.CardsDealt(
                dealer=seen.dealer,
                turned=card_to_proto(seen.turned),
                first_seat=seen.first_seat,
                direction=_DIRECTIONS[seen.step],
                penalty=seen.penalty,
            )
            return mau_mau_pb2.Event(cards_dealt=dealt)
        case ev.CardPlayed():
            played = mau_mau_pb2.CardPlayed(
                turn=seen.turn,
                seat=seen.seat,
                card=card_to_proto(seen.card),
                suit=suit_to_proto(seen.suit),
                direction=_DIRECTIONS[seen.step],
                penalty=seen.penalty,
                next_seat=seen.next_seat,
                forgot_call=seen.forgot_call,
            )
            return mau_mau_pb2.Event(card_played=played)
        case vw.CardsDrawnSeen():
            drawn = mau_mau_pb2.CardsDrawn(
                turn=seen.turn,
                seat=seen.seat,
                count=seen.count,
                reason=_REASONS[seen.reason],
                cards=_cards(seen.cards),
            )
            return mau_mau_pb2.Event(cards_drawn=drawn)
        case vw.PenaltyTakenSeen():
            taken = mau_mau_pb2.PenaltyTaken(
                turn=seen.turn,
                seat=seen.seat,
                count=seen.count,
                next_seat=seen.next_seat,
                cards=_cards(seen.cards),
            )
            return mau_mau_pb2.Event(penalty_taken=taken)
        case ev.TurnPassed():
            passed = mau_mau_pb2.TurnPassed(turn=seen.turn, seat=seen.seat, next_seat=seen.next_seat)
            return mau_mau_pb2.Event(turn_passed=passed)
        case vw.PileShuffledSeen():
            shuffled = mau_mau_pb2.PileShuffled(number=seen.number, count=seen.count)
            return mau_mau_pb2.Event(pile_shuffled=shuffled)
        case ev.MauMauCalled():
            called = mau_mau_pb2.MauMauCalled(turn=seen.turn, seat=seen.seat, is_false=seen.is_false)
            return mau_mau_pb2.Event(mau_mau_called=called)
        case ev.Accused():
            accused = mau_mau_pb2.Accused(
                turn=seen.turn, seat=seen.seat, accused_seat=seen.accused_seat, is_false=seen.is_false
            )
            return mau_mau_pb2.Event(accused=accused)
        case ev.MatchEnded():
            ended = mau_mau_pb2.MatchEnded(winner_seat=seen.winner_seat, cards_left=seen.cards_left)
            return mau_mau_pb2.Event(match_ended=ended)
        case _:
            assert_never(seen)


CODEC = GameCodec(
    view_message=mau_mau_pb2.View,
    move_from_proto=move_from_proto,
    move_to_proto=move_to_proto,
    fill_shared_view=fill_shared_view,
    own_view=own_view,
    view_from_proto=view_from_proto,
    seen_to_proto=seen_to_proto,
)
"""Mau Mau on the wire."""
