"""Dominó: moves, views and what viewers are told, between libs/rules/domino and carteado.games.domino.v1."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from carteado.games.domino.v1 import domino_pb2
from libs.rules.domino import events as ev
from libs.rules.domino import view as vw
from libs.rules.domino.moves import DominoMove, End, PlayTile
from libs.rules.domino.tiles import HALVES
from libs.rules.game import LegalMove
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError

_KEPT = 16_384
_PHASES = {"play": domino_pb2.PHASE_PLAY, "over": domino_pb2.PHASE_OVER}
_PHASE_NAMES = {value: name for name, value in _PHASES.items()}
_ENDS: dict[End | None, domino_pb2.End.ValueType] = {
    None: domino_pb2.END_UNSPECIFIED,
    "left": domino_pb2.END_LEFT,
    "right": domino_pb2.END_RIGHT,
}
_END_NAMES = {value: name for name, value in _ENDS.items()}
_ENDINGS = {
    "went_out": domino_pb2.ENDING_WENT_OUT,
    "blocked": domino_pb2.ENDING_BLOCKED,
    "blocked_tied": domino_pb2.ENDING_BLOCKED_TIED,
}
_TILES = {name: domino_pb2.Tile(low=low, high=high) for name, (low, high) in HALVES.items()}
_TILE_NAMES = {halves: name for name, halves in HALVES.items()}


def tile_from_proto(tile: domino_pb2.Tile, field: str) -> str:
    """The name of the tile in a message; raises WireError when it is none."""
    name = _TILE_NAMES.get((tile.low, tile.high))
    if name is None:
        raise WireError(field, "a tile has two numbers from 0 to 6, the lower one first")
    return name


def move_from_proto(move: domino_pb2.Move) -> DominoMove:
    """The move that a message names; raises WireError when it names none or is not well formed."""
    if move.WhichOneof("move") != "play_tile":
        raise WireError("command.domino.move", "one of the moves must be set")
    play = move.play_tile
    if not play.HasField("tile"):
        raise WireError("command.domino.play_tile.tile", "a tile must be set")
    if play.end not in _END_NAMES:
        raise WireError("command.domino.play_tile.end", "there is no such end")
    tile = tile_from_proto(play.tile, "command.domino.play_tile.tile")
    return PlayTile(play.round, play.turn, tile, _END_NAMES[play.end])


def move_to_proto(move: DominoMove) -> domino_pb2.Move:
    """The message for a move."""
    play = domino_pb2.PlayTile(round=move.round, turn=move.turn, tile=_TILES[move.tile], end=_ENDS[move.end])
    return domino_pb2.Move(play_tile=play)


def fill_shared_view(target: domino_pb2.View, view: vw.DominoView) -> None:
    """Writes what a view says alike to every viewer of one state."""
    target.phase = _PHASES[view.phase]
    target.score.extend(view.score)
    target.round, target.starter, target.turn = view.round, view.starter, view.turn
    if view.opening is not None:
        target.opening.CopyFrom(_TILES[view.opening])
    if view.to_play is not None:
        target.to_play = view.to_play
    if view.ends is not None:
        target.ends.left, target.ends.right = view.ends
    if view.winner is not None:
        target.winner = view.winner
    # They are shown again with every later tile.
    target.MergeFromString(b"".join([*map(_play_field, view.plays), *map(_pass_field, view.passes)]))


def own_view(view: vw.DominoView) -> bytes:
    """What a view says to its viewer alone, serialised: the tiles that it may see, and what it may do."""
    return b"".join([*map(_hand_field, view.hands), *map(_legal_field, view.legal_moves)])


@lru_cache(maxsize=_KEPT)
def _play_field(play: ev.TilePlayed) -> bytes:
    return domino_pb2.View(plays=[_play_to_proto(play)]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _pass_field(passed: ev.SeatPassed) -> bytes:
    return domino_pb2.View(passes=[_pass_to_proto(passed)]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _hand_field(hand: vw.HandView) -> bytes:
    tiles = [_TILES[tile] for tile in hand.tiles]
    shown = domino_pb2.HandOfTiles(seat=hand.seat, count=hand.count, tiles=tiles)
    return domino_pb2.View(hands=[shown]).SerializeToString()


@lru_cache(maxsize=_KEPT)
def _legal_field(legal: LegalMove[DominoMove]) -> bytes:
    listed = domino_pb2.LegalMove(move=move_to_proto(legal.move))
    return domino_pb2.View(legal_moves=[listed]).SerializeToString()


def _play_to_proto(play: ev.TilePlayed) -> domino_pb2.TilePlayed:
    return domino_pb2.TilePlayed(
        round=play.round,
        turn=play.turn,
        seat=play.seat,
        tile=_TILES[play.tile],
        end=_ENDS[play.end],
        ends=domino_pb2.OpenEnds(left=play.ends[0], right=play.ends[1]),
        next_seat=play.next_seat,
    )


def _pass_to_proto(passed: ev.SeatPassed) -> domino_pb2.SeatPassed:
    return domino_pb2.SeatPassed(
        round=passed.round, turn=passed.turn, seat=passed.seat, next_seat=passed.next_seat
    )


def view_from_proto(message: domino_pb2.View, seat: int | None) -> vw.DominoView:
    """The view in a message, as the seat's robot reads it."""
    return vw.DominoView(
        phase=_PHASE_NAMES[message.phase],
        score=(message.score[0], message.score[1]),
        round=message.round,
        starter=message.starter,
        opening=tile_from_proto(message.opening, "view.opening") if message.HasField("opening") else None,
        turn=message.turn,
        to_play=message.to_play if message.HasField("to_play") else None,
        ends=(message.ends.left, message.ends.right) if message.HasField("ends") else None,
        plays=tuple(_play_from(play) for play in message.plays),
        passes=tuple(
            ev.SeatPassed(passed.round, passed.turn, passed.seat, passed.next_seat)
            for passed in message.passes
        ),
        hands=tuple(
            vw.HandView(
                hand.seat, hand.count, tuple(tile_from_proto(tile, "view.hands.tiles") for tile in hand.tiles)
            )
            for hand in message.hands
        ),
        legal_moves=tuple(
            LegalMove[DominoMove](move_from_proto(legal.move)) for legal in message.legal_moves
        ),
        winner=message.winner if message.HasField("winner") else None,
        seat=seat,
    )


def _play_from(play: domino_pb2.TilePlayed) -> ev.TilePlayed:
    return ev.TilePlayed(
        play.round,
        play.turn,
        play.seat,
        tile_from_proto(play.tile, "view.plays.tile"),
        _END_NAMES[play.end],
        (play.ends.left, play.ends.right),
        play.next_seat if play.HasField("next_seat") else None,
    )


def seen_to_proto(seen: vw.DominoSeen) -> domino_pb2.Event:
    """The message for what a viewer is told."""
    match seen:
        case vw.RoundDealtSeen():
            opening = None if seen.opening is None else _TILES[seen.opening]
            dealt = domino_pb2.RoundDealt(round=seen.round, starter=seen.starter, opening=opening)
            return domino_pb2.Event(round_dealt=dealt)
        case ev.TilePlayed():
            return domino_pb2.Event(tile_played=_play_to_proto(seen))
        case ev.SeatPassed():
            return domino_pb2.Event(seat_passed=_pass_to_proto(seen))
        case ev.RoundEnded():
            ended = domino_pb2.RoundEnded(
                round=seen.round,
                ending=_ENDINGS[seen.ending],
                seat=seen.seat,
                pips=seen.pips,
                winner_side=seen.winner_side,
                points=seen.points,
                score=seen.score,
                next_starter=seen.next_starter,
            )
            return domino_pb2.Event(round_ended=ended)
        case ev.MatchEnded():
            match = domino_pb2.MatchEnded(winner_side=seen.winner_side, score=seen.score)
            return domino_pb2.Event(match_ended=match)
        case _:
            assert_never(seen)


CODEC = GameCodec(
    view_message=domino_pb2.View,
    move_from_proto=move_from_proto,
    move_to_proto=move_to_proto,
    fill_shared_view=fill_shared_view,
    own_view=own_view,
    view_from_proto=view_from_proto,
    seen_to_proto=seen_to_proto,
)
"""Dominó on the wire."""
