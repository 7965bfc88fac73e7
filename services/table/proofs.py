"""What lets anybody check a match: the commitment before its first card, and the whole record after its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from carteado.table.v1 import record_pb2
from carteado.table.v1 import table_service_pb2 as pb
from libs.eventlog.committed import CommittedCommand, replay_commands
from libs.eventlog.errors import EventLogError
from libs.eventlog.store import EventStore, StoredEvent
from libs.eventlog.streams import stream_id
from libs.rules.shuffle import commitment
from services.table.answers import error_of_log
from services.table.decider import TABLE
from services.table.errors import ERRORS
from services.table.events import SeatClaimed, TableEvent, TableOpened
from services.table.intake import uuid_text, viewing_actor
from services.table.messages import fill_record, timestamp
from services.table.registry import REGISTRY
from services.table.state import TableState
from services.table.view import Viewer, pseudonym

PAGE_EVENTS = 1_000
"""Events of a page: some 300 KiB."""

_READ_AT_ONCE = 1_000


class Proofs:
    """Serves commitments and records of one log."""

    def __init__(self, store: EventStore, secret_for: Callable[[str], bytes]) -> None:
        """`secret_for` gives the secret of a table, whether it exists or not."""
        self._store = store
        self._secret_for = secret_for

    def commitment(self, request: pb.GetCommitmentRequest) -> bytes:
        """SHA-256 of the secret that deals, or will deal, this table. Raises ServiceError."""
        return commitment(self._secret_for(uuid_text(request.table_id, "table_id")))

    async def record(self, request: pb.GetRecordRequest, caller: str) -> record_pb2.MatchRecord:
        """A page of a finished match: with player ids for its players, with pseudonyms for everybody else.

        Raises ServiceError: TABLE_NOT_FOUND, RECORD_OF_RUNNING_MATCH, or the log's trouble.
        """
        table_id = uuid_text(request.table_id, "table_id")
        actor = viewing_actor(request.viewer, caller)
        try:
            stored = await self._read(stream_id(TABLE.category, table_id))
            commands = replay_commands(TABLE, REGISTRY, stored, TABLE.initial(), 0)
        except EventLogError as error:
            raise error_of_log(table_id, error) from error
        if not commands:
            raise ERRORS["TABLE_NOT_FOUND"].error(field="table_id")
        state = commands[-1].after
        if state.ended is None:
            raise ERRORS["RECORD_OF_RUNNING_MATCH"].error(field="table_id")
        seat = None if actor is None else state.seat_of(actor)
        record = record_pb2.MatchRecord(last_version=commands[-1].to_version)
        fill_record(record, TABLE.view(state, seat))
        hashes = {event.version: event.state_hash for event in stored if event.state_hash is not None}
        record.events.extend(_events(commands, hashes, request.after_version, seat))
        return record

    async def _read(self, stream: str) -> Sequence[StoredEvent]:
        stored: list[StoredEvent] = []
        while page := await self._store.read(stream, len(stored), None, _READ_AT_ONCE):
            stored.extend(page)
        return stored


def _events(
    commands: Sequence[CommittedCommand[TableState, TableEvent]],
    hashes: dict[int, bytes],
    after_version: int,
    viewer: Viewer,
) -> Iterator[record_pb2.RecordedEvent]:
    for command in commands:
        seat = command.after.seat_of(command.actor)
        for step in command.steps:
            if not after_version < step.version <= after_version + PAGE_EVENTS:
                continue
            # Encoded anew, so that an old match is told in today's form.
            name, schema_version, payload = REGISTRY.encode(_told(step.event, viewer))
            yield record_pb2.RecordedEvent(
                version=step.version,
                recorded_at=timestamp(command.recorded_at),
                by_seat=seat,
                type=name,
                schema_version=schema_version,
                payload=payload.decode(),
                state_hash=hashes.get(step.version, b""),
            )


def _told(event: TableEvent, viewer: Viewer) -> TableEvent:
    """The event of a finished match: everything of the game, but no ids for strangers and no devices of others."""
    if isinstance(event, SeatClaimed) and event.seat != viewer:
        return SeatClaimed(event.seat, "")
    if isinstance(event, TableOpened) and viewer is None:
        taken = [pseudonym(index) if one.player_id else one for index, one in enumerate(event.seats)]
        return msgspec.structs.replace(event, seats=tuple(taken))
    return event
