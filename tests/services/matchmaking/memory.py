"""Matchmaking on a log in memory, between neighbours that answer as a test wants."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from prometheus_client import CollectorRegistry

from libs.eventlog.memory import MemoryStore, utc_now
from libs.eventlog.runtime import Runtime
from libs.eventlog.streams import stream_id
from libs.eventlog.together import Together
from services.matchmaking.errors import ACCESS_REFUSED
from services.matchmaking.events import REGISTRY
from services.matchmaking.match import MATCH
from services.matchmaking.matcher import Matcher
from services.matchmaking.metrics import MatchmakingMetrics
from services.matchmaking.open_table import OPEN_TABLE
from services.matchmaking.outside import AwayError
from services.matchmaking.place_changes import PlaceChanges
from services.matchmaking.places import Places
from services.matchmaking.player import PLAYER
from services.matchmaking.queue import Ticket
from services.matchmaking.reads import ListedTable
from services.matchmaking.seating import decide_seating
from services.matchmaking.starter import Starter
from services.matchmaking.whereabouts import Whereabouts

GAME = "truco-paulista"


class Others:
    """Billing and the table service in one; what was asked is kept. `running` are the tables at which a match goes on, `out` who is out of it."""

    def __init__(self) -> None:
        self.barred: set[str] = set()
        self.refused: tuple[str, ...] = ()
        self.away: set[str] = set()
        self.code: str | None = None
        self.asked: list[str] = []
        self.running: set[str] = set()
        self.out: set[str] = set()

    def _ask(self, name: str) -> None:
        self.asked.append(name)
        if name in self.away:
            raise AwayError(name)

    async def require(self, player_id: str, _preset: str, _room: str) -> None:
        if player_id in self.barred:
            raise ACCESS_REFUSED.error(facts={"reason": "PASSPORT_NEEDED"})

    async def reserve(self, _match: Any) -> tuple[str, ...]:
        self._ask("reserve")
        return self.refused

    async def release(self, _match: Any) -> None:
        self._ask("release")

    async def create(self, match: Any) -> str | None:
        self._ask("create")
        if self.code is None:
            self.running.add(match.match_id)
        return self.code

    async def is_running(self, table_id: str, _player_id: str) -> bool:
        self._ask("is_running")
        return table_id in self.running

    async def is_out(self, _table_id: str, player_id: str) -> bool:
        self._ask("is_out")
        return player_id in self.out


class Listed:
    """The projection, as a test wants it."""

    def __init__(self) -> None:
        self.tables: list[ListedTable] = []
        self.waiting: list[Ticket] = []

    async def open_tables(self, _preset: str, _limit: int) -> list[ListedTable]:
        return self.tables

    async def tickets(self) -> list[Ticket]:
        return self.waiting

    async def counts(self) -> tuple[int, int, int]:
        return len(self.tables), len(self.waiting), 0


class MemoryMatchmaking:
    """Matchmaking as `services.matchmaking.app` composes it; `late` moves its clock."""

    def __init__(self, billing: Any = None, tables: Any = None, beside: Any = None) -> None:
        """Without `billing` and `tables` they are `others`. A replica `beside` another one shares its log with it."""
        self.late = timedelta(0)
        self.wakes = 0
        self.noted: list[str] = []
        self.others: Others = beside.others if beside else Others()
        self.reads: Listed = beside.reads if beside else Listed()
        self.store: MemoryStore = beside.store if beside else MemoryStore()
        self.changes = PlaceChanges()
        self.players, self.open_tables, self.matches = (
            Runtime(decider, REGISTRY, self.store, on_committed=self._hears_of(decider.category))
            for decider in (PLAYER, OPEN_TABLE, MATCH)
        )
        self.seating: Any = Together(decide_seating, self.players, self.open_tables, self.matches)
        billing, tables, reads = billing or self.others, tables or self.others, self.reads
        self.starter = Starter(self.matches, self.players, billing, tables, reads, self.now)
        self.whereabouts = Whereabouts(self.players, self.matches, self.starter, billing, tables)
        self.places = Places(
            self.players,
            self.open_tables,
            self.seating,
            self.whereabouts,
            self.starter,
            reads,
            self._wake,
            self.now,
        )
        self.registry = CollectorRegistry()
        self.metrics = MatchmakingMetrics(self.registry, reads, self.now)
        self.matcher = Matcher("", reads, self.seating, self.starter, self.metrics, self.now)

    def _hears_of(self, category: str) -> Any:
        return lambda aggregate_id, _: self.changes.changed(stream_id(category, aggregate_id))

    def _wake(self) -> None:
        self.wakes += 1

    async def note(self, player_id: str) -> None:
        """Somebody asks for a player who waits."""
        self.noted.append(player_id)

    def now(self) -> Any:
        return utc_now() + self.late

    async def train(self, player_id: str, command_id: str | None = None, table_id: str = "") -> Any:
        """Begins a match against robots."""
        return await self.places.start_training(
            player_id,
            command_id or str(uuid4()),
            GAME,
            strength="simple",
            seats=0,
            entropy="",
            switches={},
            table_id=table_id,
        )

    async def kind(self, player_id: str) -> str:
        return (await self.places.place(player_id)).kind
