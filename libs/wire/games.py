"""Which message of a table belongs to which game."""

from __future__ import annotations

from carteado.table.v1 import table_service_pb2, view_pb2
from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.view import TrucoSeen, TrucoView
from libs.wire import truco
from libs.wire.errors import WireError

GameMove = TrucoMove
GameView = TrucoView
GameSeen = TrucoSeen


def move_from_command(command: table_service_pb2.TableCommand) -> GameMove:
    """The game's move in a command; raises WireError when there is none or it is not well formed."""
    if command.WhichOneof("action") == "truco":
        return truco.move_from_proto(command.truco)
    raise WireError("command.action", "a move of a game must be set")


def set_move(command: table_service_pb2.TableCommand, move: GameMove) -> None:
    """Writes a move into a command."""
    command.truco.CopyFrom(truco.move_to_proto(move))


def fill_shared_game_view(target: view_pb2.TableView, view: GameView) -> None:
    """Writes what the game's view says alike to every viewer of one state into the table's view."""
    truco.fill_shared_view(target.truco, view)


def fill_own_game_view(target: view_pb2.TableView, view: GameView) -> None:
    """Writes what the game's view says to its viewer alone; with the shared part it is the whole view."""
    truco.fill_own_view(target.truco, view)


def fill_game_event(target: view_pb2.TableEvent, seen: GameSeen) -> None:
    """Writes what the game tells a viewer into the table's event."""
    target.truco.CopyFrom(truco.seen_to_proto(seen))


def game_view_from_table(view: view_pb2.TableView) -> GameView:
    """The game's view in a table's; raises WireError for a game that is not known here."""
    if view.WhichOneof("game") != "truco":
        raise WireError("view.game", "this game is not known here")
    return truco.view_from_proto(view.truco, view.your_seat if view.HasField("your_seat") else None)
