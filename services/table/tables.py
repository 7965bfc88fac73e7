"""What can be done with tables, whatever the call came by: open, act, look, subscribe."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from datetime import datetime

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.eventlog.decider import Command, Rejection
from libs.eventlog.errors import EventLogError
from libs.eventlog.runtime import Loaded
from libs.service.errors import ServiceError
from services.table.answers import accepted, error_of, error_of_log, failed, refused
from services.table.commands import OpenTable, TableCommand
from services.table.decider import TABLE
from services.table.errors import ERRORS
from services.table.intake import intent, uuid_text, viewing_actor
from services.table.live import LiveTables, Subscription, TableRuntime
from services.table.messages import fill_view
from services.table.state import TableState
from services.table.updates import Frame
from services.table.view import with_pseudonyms
from services.table.watching import refusal

_OPENINGS = uuid.UUID("6a4be5c6-18f5-4f0c-9a5f-0f6a4ce0c8d2")


DRAIN_LOOK_S = 0.02


class Tables:
    """The tables, as this replica serves them."""

    def __init__(
        self,
        runtime: TableRuntime,
        live: LiveTables,
        now: Callable[[], datetime],
        secret_for: Callable[[str], bytes],
    ) -> None:
        """`now` is the database's time, `secret_for` gives the secret that deals a table."""
        self._secret_for = secret_for
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

    async def check(self, actor: pb.Viewer, command: pb.TableCommand, caller: str) -> pb.CommandOutcome:
        """What would become of a command now: the same decision, and nothing is appended."""
        try:
            wanted = intent(actor, command, caller)
            loaded = await self._loaded(wanted.table_id)
        except ServiceError as error:
            return failed(error)
        decided = TABLE.decide(
            loaded.state,
            Command(
                wanted.command_id, wanted.actor, self.now(), wanted.body, self._secret_for(wanted.table_id)
            ),
        )
        return refused(decided) if isinstance(decided, Rejection) else accepted(loaded.version)

    async def view(self, request: pb.GetViewRequest, caller: str) -> view_pb2.TableView:
        """The table as a viewer may know it, now or, once the match has ended, at an earlier version.

        Raises ServiceError.
        """
        table_id = uuid_text(request.table_id, "table_id")
        actor = viewing_actor(request.viewer, caller)
        newest = await self._loaded(table_id)
        seat = None if actor is None else newest.state.seat_of(actor)
        if seat is None and (code := refusal(newest.state, 0)):
            raise ERRORS[code].error()
        shown = newest
        if request.at_version:
            if request.at_version > newest.version:
                raise ERRORS["VERSION_NOT_FOUND"].error(
                    field="at_version", facts={"newest": str(newest.version)}
                )
            if newest.state.ended is None:
                raise ERRORS["PAST_VIEW_OF_RUNNING_MATCH"].error(field="at_version")
            shown = await self._loaded(table_id, request.at_version)
        view = TABLE.view(shown.state, seat)
        if seat is None and newest.state.ended is not None:
            view = with_pseudonyms(view)
        message = view_pb2.TableView()
        fill_view(message, view, shown.version)
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

    async def _loaded(self, table_id: str, at_version: int | None = None) -> Loaded[TableState]:
        """An open table's state; raises ServiceError."""
        try:
            loaded = await self._runtime.load(table_id, at_version)
        except EventLogError as error:
            raise error_of_log(table_id, error) from error
        if not loaded.state.is_open:
            raise ERRORS["TABLE_NOT_FOUND"].error(field="table_id")
        return loaded

    async def _handle(
        self, table_id: str, body: TableCommand, command_id: str, actor: str
    ) -> int | Rejection:
        """The version after the command, or why the table refuses it; the log's trouble as a ServiceError."""
        try:
            answer = await self._runtime.handle(table_id, body, command_id=command_id, actor=actor)
        except EventLogError as error:
            raise error_of_log(table_id, error) from error
        return answer if isinstance(answer, Rejection) else answer.version
