"""Truco: moves, views and what viewers are told, between libs/rules/truco and carteado.games.truco.v1."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from carteado.games.truco.v1 import truco_pb2
from libs.rules.game import LegalMove
from libs.rules.truco import events as ev
from libs.rules.truco import moves as mv
from libs.rules.truco import view as vw
from libs.rules.truco.signals import GESTURES, Gesture, SentSignal
from libs.wire.cards import (
    card_from_proto,
    card_to_proto,
    rank_from_proto,
    rank_to_proto,
    suit_from_proto,
    suit_to_proto,
)
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError

_KEPT = 16_384
_PHASES = {
    "play": truco_pb2.PHASE_PLAY,
    "answer_raise": truco_pb2.PHASE_ANSWER_RAISE,
    "eleven_hand": truco_pb2.PHASE_ELEVEN_HAND,
    "over": truco_pb2.PHASE_OVER,
}
_PHASE_NAMES = {value: name for name, value in _PHASES.items()}
_CONSEQUENCES = {
    "": truco_pb2.CONSEQUENCE_UNSPECIFIED,
    "loses_match": truco_pb2.CONSEQUENCE_LOSES_MATCH,
    "opponents_score_three": truco_pb2.CONSEQUENCE_OPPONENTS_SCORE_THREE,
}
_GESTURES: dict[str, truco_pb2.Gesture.ValueType] = {
    "piscar": truco_pb2.GESTURE_PISCAR,
    "sobrancelha": truco_pb2.GESTURE_SOBRANCELHA,
    "bochecha": truco_pb2.GESTURE_BOCHECHA,
    "lingua": truco_pb2.GESTURE_LINGUA,
}
_GESTURE_NAMES: dict[truco_pb2.Gesture.ValueType, Gesture] = {_GESTURES[name]: name for name in GESTURES}
_CONSEQUENCE_NAMES = {value: name for name, value in _CONSEQUENCES.items()}


def move_from_proto(move: truco_pb2.Move) -> mv.TrucoMove:
    """The move that a message names; raises WireError when it names none or is not well formed."""
    match move.WhichOneof("move"):
        case "play_card":
            return _play_card(move.play_card)
        case "raise":
            # The field is a keyword of Python, so it has no attribute syntax.
            call: truco_pb2.Raise = getattr(move, "raise")
            return mv.Raise(call.hand, call.value)
        case "accept_raise":
            return mv.AcceptRaise(move.accept_raise.hand, move.accept_raise.value)
        case "fold":
            return mv.Fold(move.fold.hand, move.fold.value)
        case "play_eleven_hand":
            return mv.PlayElevenHand(move.play_eleven_hand.hand)
        case "decline_eleven_hand":
            return mv.DeclineElevenHand(move.decline_eleven_hand.hand)
        case "signal":
            gesture = _GESTURE_NAMES.get(move.signal.gesture)
            if gesture is None:
                raise WireError("command.truco.signal.gesture", "there is no such gesture")
            return mv.Signal(move.signal.hand, gesture)
        case None:
            raise WireError("command.truco.move", "one of the moves must be set")


def _play_card(play: truco_pb2.PlayCard) -> mv.PlayCard:
    match play.WhichOneof("card_of_hand"):
        case "card":
            code = card_from_proto(play.card, "command.truco.play_card.card")
            return mv.PlayCard(play.hand, play.trick, card=code, covered=play.covered)
        case "position":
            return mv.PlayCard(play.hand, play.trick, position=play.position, covered=play.covered)
        case None:
            raise WireError("command.truco.play_card", "a card or a position must be set")


def move_to_proto(move: mv.TrucoMove) -> truco_pb2.Move:
    """The message for a move."""
    message = truco_pb2.Move()
    match move:
        case mv.PlayCard():
            play = message.play_card
            play.hand, play.trick, play.covered = move.hand, move.trick, move.covered
            if move.card is not None:
                play.card.CopyFrom(card_to_proto(move.card))
            elif move.position is not None:
                play.position = move.position
        case mv.Raise():
            getattr(message, "raise").MergeFrom(truco_pb2.Raise(hand=move.hand, value=move.value))
        case mv.AcceptRaise():
            message.accept_raise.MergeFrom(truco_pb2.AcceptRaise(hand=move.hand, value=move.value))
        case mv.Fold():
            message.fold.MergeFrom(truco_pb2.Fold(hand=move.hand, value=move.value))
        case mv.PlayElevenHand():
            message.play_eleven_hand.hand = move.hand
        case mv.DeclineElevenHand():
            message.decline_eleven_hand.hand = move.hand
        case mv.Signal():
            message.signal.hand, message.signal.gesture = move.hand, _GESTURES[move.gesture]
        case _:
            assert_never(move)
    return message


def fill_shared_view(target: truco_pb2.View, view: vw.TrucoView) -> None:
    """Writes what a view says alike to every viewer of one state."""
    target.phase = _PHASES[view.phase]
    target.score.extend(view.score)
    target.hand, target.dealer, target.value, target.trick = view.hand, view.dealer, view.value, view.trick
    target.vira.CopyFrom(card_to_proto(view.vira))
    target.manilha = rank_to_proto(view.manilha)
    target.may_raise_sides.extend(view.may_raise_sides)
    if view.pending_raise is not None:
        target.pending_raise.by_seat = view.pending_raise.by_seat
        target.pending_raise.value = view.pending_raise.value
    if view.eleven_side is not None:
        target.eleven_side = view.eleven_side
    target.iron_hand, target.blind = view.iron_hand, view.blind
    for trick in view.tricks:
        _fill_trick(target.tricks.add(), trick)
    if view.winner is not None:
        target.winner = view.winner
    target.folding_seats.extend(view.folding_seats)
    for signal in view.signals:
        target.signals.add(seat=signal.seat, gesture=_GESTURES[signal.gesture])


def fill_own_view(target: truco_pb2.View, view: vw.TrucoView) -> None:
    """Writes what a view says to its viewer alone: the cards that it may see, what signals mean, and what it may do."""
    target.MergeFromString(own_view(view))


def own_view(view: vw.TrucoView) -> bytes:
    """What `fill_own_view` writes, serialised."""
    hands, moves = map(_hand_field, view.hands), map(_legal_field, view.legal_moves)
    return b"".join([*hands, *map(_table_field, view.signal_tables), *moves])


# A hand is shown again after every move of others, and so are the moves of who waits.


@lru_cache(maxsize=_KEPT)
def _hand_field(hand: vw.HandView) -> bytes:
    cards = [card_to_proto(code) for code in hand.cards]
    shown = truco_pb2.HandOfCards(seat=hand.seat, count=hand.count, positions=hand.positions, cards=cards)
    return truco_pb2.View(hands=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _table_field(table: vw.SignalTable) -> bytes:
    meanings = [
        truco_pb2.SignalMeaning(gesture=_GESTURES[one.gesture], suit=suit_to_proto(one.suit))
        for one in table.meanings
    ]
    shown = truco_pb2.SignalTable(side=table.side, meanings=meanings)
    return truco_pb2.View(signal_tables=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _legal_field(legal: LegalMove[mv.TrucoMove]) -> bytes:
    listed = truco_pb2.LegalMove(move=move_to_proto(legal.move), consequence=_CONSEQUENCES[legal.consequence])
    return truco_pb2.View(legal_moves=[listed]).SerializeToString()


def _fill_trick(target: truco_pb2.Trick, trick: vw.TrickView) -> None:
    target.leader, target.is_over = trick.leader, trick.is_over
    for played in trick.cards:
        added = target.cards.add(seat=played.seat, covered=played.covered)
        if played.card is not None:
            added.card.CopyFrom(card_to_proto(played.card))
    if trick.winner_seat is not None:
        target.winner_seat = trick.winner_seat


def view_from_proto(message: truco_pb2.View, seat: int | None) -> vw.TrucoView:
    """The view in a message, as the seat's robot reads it."""
    return vw.TrucoView(
        phase=_PHASE_NAMES[message.phase],
        score=(message.score[0], message.score[1]),
        hand=message.hand,
        dealer=message.dealer,
        vira=card_from_proto(message.vira, "view.vira"),
        manilha=rank_from_proto(message.manilha),
        value=message.value,
        may_raise_sides=tuple(message.may_raise_sides),
        pending_raise=(
            vw.PendingRaise(message.pending_raise.by_seat, message.pending_raise.value)
            if message.HasField("pending_raise")
            else None
        ),
        eleven_side=message.eleven_side if message.HasField("eleven_side") else None,
        iron_hand=message.iron_hand,
        blind=message.blind,
        trick=message.trick,
        tricks=tuple(_trick_from(trick) for trick in message.tricks),
        hands=tuple(
            vw.HandView(
                hand.seat,
                hand.count,
                tuple(card_from_proto(card, "view.hands.cards") for card in hand.cards),
                tuple(hand.positions),
            )
            for hand in message.hands
        ),
        legal_moves=tuple(
            LegalMove[mv.TrucoMove](move_from_proto(legal.move), _CONSEQUENCE_NAMES[legal.consequence])
            for legal in message.legal_moves
        ),
        winner=message.winner if message.HasField("winner") else None,
        seat=seat,
        folding_seats=tuple(message.folding_seats),
        signal_tables=tuple(
            vw.SignalTable(
                table.side,
                tuple(
                    vw.SignalMeaning(_GESTURE_NAMES[one.gesture], suit_from_proto(one.suit))
                    for one in table.meanings
                ),
            )
            for table in message.signal_tables
        ),
        signals=tuple(SentSignal(signal.seat, _GESTURE_NAMES[signal.gesture]) for signal in message.signals),
    )


def _trick_from(trick: truco_pb2.Trick) -> vw.TrickView:
    return vw.TrickView(
        trick.leader,
        tuple(
            vw.PlayedCardView(
                played.seat,
                card_from_proto(played.card, "view.tricks.cards.card") if played.HasField("card") else None,
                played.covered,
            )
            for played in trick.cards
        ),
        trick.is_over,
        trick.winner_seat if trick.HasField("winner_seat") else None,
    )


def seen_to_proto(seen: vw.TrucoSeen) -> truco_pb2.Event:
    """The message for what a viewer is told."""
    message = truco_pb2.Event()
    match seen:
        case vw.HandDealtSeen():
            dealt = message.hand_dealt
            dealt.hand, dealt.dealer, dealt.value, dealt.blind = (
                seen.hand,
                seen.dealer,
                seen.value,
                seen.blind,
            )
            dealt.vira.CopyFrom(card_to_proto(seen.vira))
        case vw.CardPlayedSeen():
            played = message.card_played
            played.hand, played.trick, played.seat, played.covered = (
                seen.hand,
                seen.trick,
                seen.seat,
                seen.covered,
            )
            if seen.card is not None:
                played.card.CopyFrom(card_to_proto(seen.card))
        case ev.TrickEnded():
            ended = message.trick_ended
            ended.hand, ended.trick, ended.next_leader = seen.hand, seen.trick, seen.next_leader
            if seen.winner_seat is not None:
                ended.winner_seat = seen.winner_seat
        case ev.RaiseCalled():
            message.raise_called.MergeFrom(
                truco_pb2.RaiseCalled(hand=seen.hand, seat=seen.seat, value=seen.value)
            )
        case ev.RaiseAccepted():
            message.raise_accepted.MergeFrom(
                truco_pb2.RaiseAccepted(hand=seen.hand, seat=seen.seat, value=seen.value)
            )
        case ev.RaiseRefused():
            message.raise_refused.MergeFrom(
                truco_pb2.RaiseRefused(hand=seen.hand, seat=seen.seat, value=seen.value)
            )
        case ev.FoldProposed():
            message.fold_proposed.MergeFrom(truco_pb2.FoldProposed(hand=seen.hand, seat=seen.seat))
        case ev.ElevenHandPlayed():
            message.eleven_hand_played.MergeFrom(
                truco_pb2.ElevenHandPlayed(hand=seen.hand, seat=seen.seat, value=seen.value)
            )
        case ev.ElevenHandDeclined():
            message.eleven_hand_declined.MergeFrom(
                truco_pb2.ElevenHandDeclined(hand=seen.hand, seat=seen.seat)
            )
        case ev.IllegalRaisePunished():
            message.illegal_raise_punished.MergeFrom(
                truco_pb2.IllegalRaisePunished(
                    hand=seen.hand, seat=seen.seat, consequence=_CONSEQUENCES[seen.consequence]
                )
            )
        case ev.SignalSent():
            message.signal_sent.MergeFrom(
                truco_pb2.SignalSent(hand=seen.hand, seat=seen.seat, gesture=_GESTURES[seen.gesture])
            )
        case ev.HandEnded():
            message.hand_ended.MergeFrom(
                truco_pb2.HandEnded(
                    hand=seen.hand, winner_side=seen.winner_side, points=seen.points, score=seen.score
                )
            )
        case ev.MatchEnded():
            message.match_ended.MergeFrom(
                truco_pb2.MatchEnded(winner_side=seen.winner_side, score=seen.score)
            )
        case _:
            assert_never(seen)
    return message


CODEC = GameCodec(
    view_message=truco_pb2.View,
    move_from_proto=move_from_proto,
    move_to_proto=move_to_proto,
    fill_shared_view=fill_shared_view,
    own_view=own_view,
    view_from_proto=view_from_proto,
    seen_to_proto=seen_to_proto,
)
"""Truco on the wire."""
