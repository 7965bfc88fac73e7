"""Which message of a table belongs to which game: the one place of the wire that a new game is added to.

A game's field has the family's name in a command, in a view and in an event alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from google.protobuf.message import Message

from carteado.table.v1 import table_service_pb2, view_pb2
from libs.rules.registry import family_of
from libs.wire import buraco, cacheta, domino, mau_mau, sueca, truco
from libs.wire.codec import GameCodec
from libs.wire.errors import WireError
from libs.wire.joined import nested, tag

CODECS: Mapping[str, GameCodec] = {
    "truco": truco.CODEC,
    "sueca": sueca.CODEC,
    "domino": domino.CODEC,
    "mau_mau": mau_mau.CODEC,
    "cacheta": cacheta.CODEC,
    "buraco": buraco.CODEC,
}
"""The codec of each family, by the name of its field."""

GameMove = msgspec.Struct
"""A move of some game; the registry says of which."""

GameView = msgspec.Struct
"""A view of some game."""

GameSeen = msgspec.Struct
"""What some game tells a viewer."""

_VIEW_TAGS = {name: tag(view_pb2.TableView, name) for name in CODECS}
_EVENT_TAGS = {name: tag(view_pb2.TableEvent, name) for name in CODECS}


def move_from_command(command: table_service_pb2.TableCommand) -> GameMove:
    """The game's move in a command; raises WireError when there is none or it is not well formed."""
    name = command.WhichOneof("action")
    if name is None or name not in CODECS:
        raise WireError("command.action", "a move of a game must be set")
    move: GameMove = CODECS[name].move_from_proto(getattr(command, name))
    return move


def set_move(command: table_service_pb2.TableCommand, move: GameMove) -> None:
    """Writes a move into a command."""
    name = family_of(move).name
    _field(command, name).CopyFrom(CODECS[name].move_to_proto(move))


def fill_game_view(target: view_pb2.TableView, view: GameView) -> None:
    """Writes the game's view into the table's view."""
    name = family_of(view).name
    field = _field(target, name)
    CODECS[name].fill_shared_view(field, view)
    field.MergeFromString(CODECS[name].own_view(view))


def shared_game_view(view: GameView) -> bytes:
    """What the game's view says alike to every viewer of one state, serialised once for `game_view_field`."""
    codec = CODECS[family_of(view).name]
    message = codec.view_message()
    codec.fill_shared_view(message, view)
    return message.SerializeToString()


def game_view_field(view: GameView, shared: bytes) -> bytes:
    """The game's part of a serialised table view: what all are told, and what this view says to its viewer alone."""
    name = family_of(view).name
    return nested(_VIEW_TAGS[name], (shared, CODECS[name].own_view(view)))


def game_event_field(seen: GameSeen) -> bytes:
    """The game's part of a serialised table event: what it tells a viewer."""
    name = family_of(seen).name
    return nested(_EVENT_TAGS[name], (CODECS[name].seen_to_proto(seen).SerializeToString(),))


def game_view_from_table(view: view_pb2.TableView) -> GameView:
    """The game's view in a table's; raises WireError for a game that is not known here."""
    name = view.WhichOneof("game")
    if name is None or name not in CODECS:
        raise WireError("view.game", "this game is not known here")
    seat = view.your_seat if view.HasField("your_seat") else None
    shown: GameView = CODECS[name].view_from_proto(getattr(view, name), seat)
    return shown


def _field(message: Message, name: str) -> Message:
    field: Message = getattr(message, name)
    return field
