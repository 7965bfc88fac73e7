"""The bench's aggregate as the `eventsourcing` library would have it, with its Postgres recorder."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from psycopg.conninfo import conninfo_to_dict

_POOL = 20


class PeerTrick(Aggregate):
    """The same fields as `tests.bench.tricks`."""

    @event("Started")
    def __init__(self) -> None:
        self.played = 0
        self.last = ""
        self.due_at: datetime | None = None

    @event("CardPlayed")
    def play(self, seat: int, card: str, due_at: datetime) -> None:
        """One more is played."""
        self.played += 1
        self.last = card
        self.due_at = due_at


class PeerTricks(Application[UUID]):
    """An application as the library's tutorial writes it."""


def open_application(postgres: str, database: str) -> PeerTricks:
    """The application on a database that is there."""
    where = conninfo_to_dict(postgres)
    return PeerTricks(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": database,
            "POSTGRES_HOST": str(where["host"]),
            "POSTGRES_PORT": str(where["port"]),
            "POSTGRES_USER": str(where["user"]),
            "POSTGRES_PASSWORD": str(where["password"]),
            "POSTGRES_POOL_SIZE": str(_POOL),
            "POSTGRES_MAX_OVERFLOW": "0",
        }
    )
