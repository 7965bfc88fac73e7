"""Whole matches written down before the clock starts, so that the load costs no thinking.

The table's secret is derived from a key that the bench gives it, so the deals of a table are known from its id.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Sequence

import msgspec

from carteado.table.v1 import table_service_pb2 as pb
from libs.rules.game import Seat
from libs.rules.registry import game
from libs.rules.shuffle import Draws
from libs.rules.truco.moves import TrucoMove
from libs.rules.truco.robots import ROBOTS
from libs.wire.games import set_move
from services.table.secrets import match_secret

PRESET = "truco-paulista"
PLAYERS = ("ana", "bia", "caio", "davi")
MIN_MOVES = 60
_MOST_TRIES = 1_000


class Step(msgspec.Struct, frozen=True):
    """One move of a match, who makes it, and the id under which it is given."""

    seat: Seat
    move: TrucoMove
    command_id: str


class Script(msgspec.Struct, frozen=True):
    """A table and every move of its match, in order."""

    table_id: str
    steps: Sequence[Step]

    def command(self, step: Step) -> pb.PlayCommand:
        """The step as its player's client sends it; without a tag, which is the stream's."""
        command = pb.TableCommand(command_id=step.command_id, table_id=self.table_id)
        set_move(command, step.move)
        return pb.PlayCommand(actor=pb.Viewer(player_id=PLAYERS[step.seat]), command=command)

    def leave(self, player: str) -> pb.PlayCommand:
        """A player leaves; once all have, the match is over."""
        command_id = str(uuid.uuid5(uuid.UUID(self.table_id), player))
        command = pb.TableCommand(command_id=command_id, table_id=self.table_id, leave=pb.Leave())
        return pb.PlayCommand(actor=pb.Viewer(player_id=player), command=command)


def write_scripts(key: bytes, chance: random.Random, moves: int, tables: int = 1) -> list[Script]:
    """Scripts with so many moves in all, and one more for each table, which is within one when its time is over."""
    scripts: list[Script] = []
    written, spare = 0, 0
    while written < moves or spare < tables:
        spare += written >= moves
        scripts.append(write_script(key, chance))
        written += len(scripts[-1].steps)
    return scripts


def write_script(key: bytes, chance: random.Random) -> Script:
    """A match of at least `MIN_MOVES` moves between four people who play like simple robots.

    Most matches are as long as that; RuntimeError if a thousand in a row are not, which would be a change of rules.
    """
    for _ in range(_MOST_TRIES):
        table_id = str(_uuid(chance))
        steps = tuple(_steps(table_id, match_secret(key, table_id), chance))
        if len(steps) >= MIN_MOVES:
            return Script(table_id, steps)
    raise RuntimeError(f"no match of {_MOST_TRIES} had {MIN_MOVES} moves")


def _steps(table_id: str, secret: bytes, chance: random.Random) -> Iterator[Step]:
    truco, draws = game(PRESET), Draws(secret, table_id, [b""] * len(PLAYERS))
    state = truco.initial(truco.rule_set({}), len(PLAYERS))
    events = truco.start(state, draws)
    while True:
        for event in events:
            state = truco.evolve(state, event)
        awaited = truco.awaited(state)
        if awaited is None:
            return
        seat = awaited.seats[0]
        move = ROBOTS["simple"](truco.view(state, seat), chance)
        yield Step(seat, move, str(_uuid(chance)))
        decision = truco.decide(state, seat, move, draws)
        assert isinstance(decision, Sequence), f"the robot's move is refused: {decision}"
        events = decision


def _uuid(chance: random.Random) -> uuid.UUID:
    return uuid.UUID(int=chance.getrandbits(128), version=4)
