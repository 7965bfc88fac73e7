"""A seat at one table over the gateway's WebSocket, that survives every break of the connection.

After a loss it connects again with growing, jittered pauses, attaches from the version it has, and sends the unanswered
command again under the same id. It checks what the contract promises: updates are contiguous.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator

import aiohttp

from carteado.gateway.v1 import gateway_pb2
from carteado.table.v1 import table_service_pb2, view_pb2
from libs.client.http_api import GatewayApi, Guest

SUBPROTOCOL = "carteado.v1.protobuf"
FIRST_PAUSE_S = 0.05
MAX_PAUSE_S = 1.0
ANSWER_TIMEOUT_S = 6.0
RETRY_CODES = frozenset(
    {"UNAVAILABLE", "OVERLOADED", "RATE_LIMITED", "TOO_MANY_COMMANDS", "DEADLINE_EXCEEDED"}
)
"""Codes after which the same command, under the same id, is sent again."""

_KEPT_OUT = frozenset({"SIGN_IN_REQUIRED", "SESSION_REVOKED", "SESSION_EXPIRED", "PLAYER_BANNED"})
"""Codes after which the same token is refused again, however often it comes."""

_TOO_MANY_SOCKETS = 4431
"""Closed so: one that came back at once would close another of the same player."""


class GapError(Exception):
    """An update does not begin where the one before it ended."""


class SignInError(Exception):
    """The gateway does not accept the token, or its player; the message is the code."""


class TableClient:
    """One player's connection to one table. `run` must be running for the rest to work."""

    def __init__(self, api: GatewayApi, guest: Guest, table_id: str) -> None:
        self.table_id = table_id
        self.view: view_pb2.TableView | None = None
        self.version = 0
        self.reconnects = 0
        self._submitting = 0
        self._api = api
        self._guest = guest
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._changed = asyncio.Condition()
        self._answers: dict[str, asyncio.Future[table_service_pb2.CommandOutcome | None]] = {}

    async def run(self) -> None:
        """Keeps the connection until the table has ended and every command is answered.

        Raises GapError and SignInError.
        """
        pause_s = FIRST_PAUSE_S
        while not self._is_done:
            try:
                async with self._api.http.ws_connect(
                    f"{self._api.url}/ws",
                    protocols=[SUBPROTOCOL],
                    timeout=aiohttp.ClientWSTimeout(ws_close=1.0),
                ) as socket:
                    await self._greet(socket)
                    pause_s = FIRST_PAUSE_S
                    await self._read(socket)
                    if socket.close_code == _TOO_MANY_SOCKETS:
                        pause_s = MAX_PAUSE_S
            except (aiohttp.ClientError, TimeoutError):
                pass  # the gateway is away: it is tried again below
            finally:
                self._socket = None
            self._forget_answers()
            if not self._is_done:
                self.reconnects += 1
                await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311 -- jitter
                pause_s = min(MAX_PAUSE_S, pause_s * 2)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.view is not None and self.view.HasField("result")

    @property
    def _is_done(self) -> bool:
        return self.is_over and not self._submitting

    async def views(self) -> AsyncIterator[view_pb2.TableView]:
        """The newest view whenever there is a newer one, to the end of the match."""
        seen = 0
        while True:
            async with self._changed:
                while self.version <= seen:
                    await self._changed.wait()
            view, seen = self.view, self.version
            assert view is not None
            yield view
            if view.HasField("result"):
                return

    async def submit(self, command: table_service_pb2.TableCommand) -> table_service_pb2.CommandOutcome:
        """Gives a command until it is answered, however often the connection breaks; makes its id if it has none."""
        command.table_id = self.table_id
        command.command_id = command.command_id or str(uuid.uuid4())
        message = gateway_pb2.ClientMessage(command=command).SerializeToString()
        pause_s = FIRST_PAUSE_S
        self._submitting += 1
        try:
            while True:
                outcome = await self._submit_once(command.command_id, message)
                if outcome is not None and outcome.refused.code not in RETRY_CODES:
                    return outcome
                await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311 -- jitter
                pause_s = min(MAX_PAUSE_S, pause_s * 2)
        finally:
            self._submitting -= 1
            if self._is_done and self._socket is not None:
                await self._socket.close()

    async def _submit_once(self, command_id: str, message: bytes) -> table_service_pb2.CommandOutcome | None:
        """The outcome, or None when it is not known: no connection, a lost one, or no answer in time."""
        socket = self._socket
        if socket is None or socket.closed:
            return None
        answer = self._answers[command_id] = asyncio.get_running_loop().create_future()
        try:
            await socket.send_bytes(message)
            return await asyncio.wait_for(answer, ANSWER_TIMEOUT_S)
        except (aiohttp.ClientError, TimeoutError):
            return None
        finally:
            self._answers.pop(command_id, None)

    async def _greet(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        hello = gateway_pb2.ClientMessage(hello=gateway_pb2.Hello(token=self._guest.token))
        await socket.send_bytes(hello.SerializeToString())
        attach = gateway_pb2.AttachTable(table_id=self.table_id, last_version=self.version)
        await socket.send_bytes(gateway_pb2.ClientMessage(attach_table=attach).SerializeToString())

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            if frame.type is not aiohttp.WSMsgType.BINARY:
                return
            message = gateway_pb2.ServerMessage.FromString(frame.data)
            match message.WhichOneof("message"):
                case "welcome":
                    self._socket = socket
                case "update":
                    await self._take(message.update)
                case "command_result":
                    self._answer(message.command_result.command_id, message.command_result.outcome)
                case "error":
                    if message.error.code in _KEPT_OUT:
                        raise SignInError(message.error.code)
                    self._answer(message.error.command_id, None)
                case "table_detached":
                    return
                case _:
                    continue
            if self._is_done:
                return

    async def _take(self, update: view_pb2.TableUpdate) -> None:
        if update.from_version != self.version and not update.is_resync:
            raise GapError(f"an update from {update.from_version} follows version {self.version}")
        async with self._changed:
            self.view, self.version = update.view, update.to_version
            self._changed.notify_all()

    def _answer(self, command_id: str, outcome: table_service_pb2.CommandOutcome | None) -> None:
        answer = self._answers.get(command_id)
        if answer is not None and not answer.done():
            answer.set_result(outcome)

    def _forget_answers(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(None)
