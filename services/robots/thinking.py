"""Chooses a robot's move from what its seat sees, and from nothing else."""

from __future__ import annotations

import hashlib
import hmac
import random
import uuid

from carteado.table.v1 import events_pb2, view_pb2
from libs.rules.registry import ROBOTS
from libs.wire.games import GameMove, game_view_from_table

_COMMANDS = uuid.UUID("0b9c1b7e-3f0a-4b57-9d5c-6d1f5f1f8a11")


class UnknownStrengthError(ValueError):
    """A turn names a game or a robot that does not exist."""


def command_id(turn: events_pb2.RobotTurn, version: int) -> str:
    """The id of the command that answers this turn in the view of this version.

    It is the same however often the turn is delivered. A turn may take several moves (a signal before the card), so the
    version that the robot looked at is part of it: the table takes an id once.
    """
    return str(uuid.uuid5(_COMMANDS, f"{turn.table_id}/{turn.seat}/{turn.turn}/{version}"))


def turn_goes_on(turn: events_pb2.RobotTurn, move: GameMove) -> bool:
    """Whether the same turn still waits for this seat after its move, as it does after a signal."""
    return ROBOTS[turn.preset].goes_on(move)


def choose_move(turn: events_pb2.RobotTurn, view: view_pb2.TableView, key: bytes) -> GameMove:
    """The move of the robot whose turn it is, in this view of its seat.

    Its chance is drawn from a secret key and the turn, so that a turn delivered twice is played alike and no player
    can foretell a bluff. Raises UnknownStrengthError.
    """
    robots = ROBOTS.get(turn.preset)
    robot = None if robots is None else robots.by_strength.get(turn.strength)
    if robot is None:
        raise UnknownStrengthError(f"{turn.preset} has no robot {turn.strength!r}")
    name = f"{turn.table_id}/{turn.seat}/{turn.turn}/{view.version}".encode()
    chance = random.Random(hmac.digest(key, name, hashlib.sha256))  # noqa: S311 -- seeded by a secret
    move: GameMove = robot(game_view_from_table(view), chance)
    return move
