"""What can be done with tables, whatever the call came by: open, act, look, subscribe."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from datetime import datetime

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.eventlog.decider import Rejection
from libs.eventlog.errors import EventLogError
from libs.service.errors import ServiceError
from services.table.answers import accepted, error_of, error_of_log, failed, refused
from services.table.commands import OpenTable, TableCommand
from services.table.decider import TABLE
from services.table.errors import ERRORS
from services.table.intake import intent, uuid_text, viewing_actor
from services.table.live import LiveTables, Subscription, TableRuntime
from services.table.messages import fill_view
from services.table.updates import Frame

_OPENINGS = uuid.UUID("6a4be5c6-18f5-4f0c-9a5f-0f6a4ce0c8d2")


DRAIN_LOOK_S = 0.02


class Tables:
    """The tables, as this replica serves them."""

    def __init__(self, runtime: TableRuntime, live: LiveTables, now: Callable[[], datetime]) -> None:
        """`now` is the database's time."""
        self.live = live
        self.now = now
        self.open_streams: set[Callable[[], None]] = set()
        self._runtime = runtime

    async def drain(self) -> None:
        """Ends every stream once what is under way on it is answered, and waits for that."""
        while self.open_streams:
            for end in tuple(self.open_streams):
                end()
            await asyncio.sleep(DRAIN_LOOK_S)

    async def open(self, body: OpenTable, caller: str) -> int:
        """Opens a table and gives its version; the same request again gets the same answer.

        Raises ServiceError: the decider's refusals, or the log's trouble.
        """
        command_id = str(uuid.uuid5(_OPENINGS, body.table_id))
        answer = await self._handle(body.table_id, body, command_id, f"service:{caller}")
        if isinstance(answer, Rejection):
            raise error_of(answer)
        return answer

    async def outcome(self, actor: pb.Viewer, command: pb.TableCommand, caller: str) -> pb.CommandOutcome:
        """Gives a command to its table. Whatever goes wrong is an outcome, with its code."""
        try:
            wanted = intent(actor, command, caller)
            answer = await self._handle(wanted.table_id, wanted.body, wanted.command_id, wanted.actor)
        except ServiceError as error:
            return failed(error)
        return refused(answer) if isinstance(answer, Rejection) else accepted(answer)

    async def view(self, request: pb.GetViewRequest, caller: str) -> view_pb2.TableView:
        """The table as a viewer may know it, now or, once the match has ended, at an earlier version.

        Raises ServiceError.
        """
        table_id = uuid_text(request.table_id, "table_id")
        actor = viewing_actor(request.viewer, caller)
        try:
            loaded = await self._runtime.load(table_id)
            if not loaded.state.is_open:
                raise ERRORS["TABLE_NOT_FOUND"].error(field="table_id")
            if request.at_version > loaded.version:
                raise ERRORS["VERSION_NOT_FOUND"].error(
                    field="at_version", facts={"newest": str(loaded.version)}
                )
            if request.at_version:
                if loaded.state.ended is None:
                    raise ERRORS["PAST_VIEW_OF_RUNNING_MATCH"].error(field="at_version")
                loaded = await self._runtime.load(table_id, at_version=request.at_version)
        except EventLogError as error:
            raise error_of_log(table_id, error) from error
        message = view_pb2.TableView()
        seat = None if actor is None else loaded.state.seat_of(actor)
        fill_view(message, TABLE.view(loaded.state, seat), loaded.version)
        return message

    def subscription(
        self,
        table_id: str,
        viewer: pb.Viewer,
        last_version: int,
        caller: str,
        deliver: Callable[[Frame], None],
        end: Callable[[str], None],
    ) -> Subscription:
        """A subscription, to be given to `live.attach`; raises ServiceError for what is malformed or not allowed."""
        actor = viewing_actor(viewer, caller)
        return Subscription(uuid_text(table_id, "table_id"), actor, last_version, deliver, end)

    async def _handle(
        self, table_id: str, body: TableCommand, command_id: str, actor: str
    ) -> int | Rejection:
        """The version after the command, or why the table refuses it; the log's trouble as a ServiceError."""
        try:
            answer = await self._runtime.handle(table_id, body, command_id=command_id, actor=actor)
        except EventLogError as error:
            raise error_of_log(table_id, error) from error
        return answer if isinstance(answer, Rejection) else answer.version
