"""A match that was really played, on the table service's own log, and the face that gives its record."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import structlog
from prometheus_client import CollectorRegistry

from carteado.table.v1 import table_service_pb2_grpc
from libs.eventlog.decider import Rejection
from libs.eventlog.memory import MemoryStore
from libs.eventlog.runtime import Runtime
from libs.rules.truco.cards import MANILHA_RANK
from libs.rules.truco.moves import AcceptRaise, Fold, PlayCard, PlayElevenHand
from libs.service.credentials import Credentials
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from services.league.feats import Recorded
from services.table.commands import CLOCK_ACTOR, MakeMove, OpenTable, RunOutClock, player_actor
from services.table.decider import TABLE
from services.table.events import SeatTaken
from services.table.grpc import ALLOW, TableFace
from services.table.proofs import Proofs
from services.table.registry import REGISTRY
from tests.services.league.matches import MONDAY, PLAYERS

SECRET = b"feats".ljust(32, b".")


class Played:
    """Truco by four who keep the zap for the last trick. `sleeper` lets the clock play the last trick."""

    def __init__(self, sleeper: int | None = None) -> None:
        self.id = str(uuid5(NAMESPACE_OID, f"played {sleeper}"))
        self.sleeper = sleeper
        self.now = MONDAY + timedelta(hours=19)
        self.store = MemoryStore(now=lambda: self.now)
        self._runtime: Runtime[Any, Any, Any] = Runtime(
            TABLE, REGISTRY, self.store, secret_for=lambda _: SECRET, now=lambda: self.now
        )
        self._state: Any = None
        self._commands = 0

    async def play(self) -> Played:
        """To the end."""
        seats = tuple(SeatTaken(player_id=player_id) for player_id in PLAYERS[:4])
        await self._give(
            OpenTable(self.id, "truco-paulista", {}, seats, ("",) * 4, "ranqueada"), "service:matchmaking"
        )
        while self._state.ended is None:
            await self._step()
        await self._runtime.close()
        return self

    async def events(self) -> list[Recorded]:
        """As the record tells them."""
        seats = {player_actor(player_id): seat for seat, player_id in enumerate(PLAYERS[:4])}
        stored = await self.store.read(self._runtime.stream(self.id))
        return [
            Recorded(one.version, seats.get(one.actor), one.name, bytes_or_text(one.payload))
            for one in stored
        ]

    async def _step(self) -> None:
        clock = self._state.clock
        seat = clock.seats[0]
        moves = [one.move for one in self._state.game.legal_moves(self._state.game_state, seat)]
        cards = [one for one in moves if isinstance(one, PlayCard) and not one.covered]
        if cards and cards[0].trick == 3 and seat == self.sleeper:
            self.now = clock.due_at
            await self._give(RunOutClock(clock.turn), CLOCK_ACTOR)
            return
        self.now += timedelta(seconds=1)
        answers = [one for one in moves if isinstance(one, AcceptRaise | Fold | PlayElevenHand)]
        await self._give(MakeMove(answers[0] if answers else self._card(cards)), player_actor(PLAYERS[seat]))

    def _card(self, cards: list[PlayCard]) -> PlayCard:
        zap = MANILHA_RANK[self._state.game_state.vira[0]] + "P"
        return next((one for one in cards if one.card != zap), cards[0])

    async def _give(self, body: Any, actor: str) -> None:
        self._commands += 1
        answer = await self._runtime.handle(
            self.id, body, command_id=str(uuid5(NAMESPACE_OID, f"{self.id} {self._commands}")), actor=actor
        )
        assert not isinstance(answer, Rejection), answer
        self._state = answer.after


def bytes_or_text(payload: Any) -> str:
    return payload if isinstance(payload, str) else bytes(payload).decode()


async def serve_records(store: MemoryStore, keys: Path, address: str) -> GrpcServer:
    """The table service's face on a log: what it needs to give a record is real, and it is asked for nothing else."""
    server = GrpcServer(
        Credentials("table", keys), ALLOW, GrpcServerMetrics(CollectorRegistry()), structlog.get_logger()
    )
    tables: Any = None
    face = TableFace(tables, Proofs(store, lambda _: SECRET))
    server.register([lambda one: table_service_pb2_grpc.add_TableServiceServicer_to_server(face, one)])
    await server.start(address)
    return server
