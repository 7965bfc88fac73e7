"""Which message of a table belongs to which game."""

from __future__ import annotations

from carteado.games.truco.v1 import truco_pb2
from carteado.table.v1 import table_service_pb2, view_pb2
from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.view import TrucoSeen, TrucoView
from libs.wire import truco
from libs.wire.errors import WireError
from libs.wire.joined import nested, tag

GameMove = TrucoMove
GameView = TrucoView
GameSeen = TrucoSeen

_TRUCO = tag(view_pb2.TableView, "truco")


def move_from_command(command: table_service_pb2.TableCommand) -> GameMove:
    """The game's move in a command; raises WireError when there is none or it is not well formed."""
    if command.WhichOneof("action") == "truco":
        return truco.move_from_proto(command.truco)
    raise WireError("command.action", "a move of a game must be set")


def set_move(command: table_service_pb2.TableCommand, move: GameMove) -> None:
    """Writes a move into a command."""
    command.truco.CopyFrom(truco.move_to_proto(move))


def fill_game_view(target: view_pb2.TableView, view: GameView) -> None:
    """Writes the game's view into the table's view."""
    truco.fill_shared_view(target.truco, view)
    truco.fill_own_view(target.truco, view)


def shared_game_view(view: GameView) -> bytes:
    """What the game's view says alike to every viewer of one state, serialised once for `game_view_field`."""
    message = truco_pb2.View()
    truco.fill_shared_view(message, view)
    return message.SerializeToString()


def game_view_field(view: GameView, shared: bytes) -> bytes:
    """The game's part of a serialised table view: what all are told, and what this view says to its viewer alone."""
    return nested(_TRUCO, (shared, truco.own_view(view)))


def fill_game_event(target: view_pb2.TableEvent, seen: GameSeen) -> None:
    """Writes what the game tells a viewer into the table's event."""
    target.truco.CopyFrom(truco.seen_to_proto(seen))


def game_view_from_table(view: view_pb2.TableView) -> GameView:
    """The game's view in a table's; raises WireError for a game that is not known here."""
    if view.WhichOneof("game") != "truco":
        raise WireError("view.game", "this game is not known here")
    return truco.view_from_proto(view.truco, view.your_seat if view.HasField("your_seat") else None)
