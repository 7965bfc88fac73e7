"""A player's WebSocket at the gateway, as a client that speaks protobuf has it, without anything a person would see."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import aiohttp

from carteado.gateway.v1 import gateway_pb2 as pb
from tests.bench.window import Window

SUBPROTOCOL = "carteado.v1.protobuf"
_PATIENCE_S = 20.0


class SocketError(Exception):
    """The gateway did not do what it must."""


class PlayerSocket:
    """One open socket. Updates of the table that it follows are checked to be contiguous, and counted."""

    def __init__(
        self, http: aiohttp.ClientSession, url: str, token: str, window: Window | None = None
    ) -> None:
        self._http = http
        self._url = url
        self._token = token
        self._window = window
        self._version = 0
        self._came = asyncio.Event()
        self._answers: dict[str, asyncio.Future[int]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connected, and known as the player."""
        self.socket = await greet(self._http, self._url, self._token)
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed. Raises SocketError for what came and should not have."""
        await self.socket.close()
        assert self._reading is not None
        await self._reading

    async def attach(self, table_id: str) -> None:
        """Follow a table from its beginning."""
        self._version = 0
        message = pb.ClientMessage(attach_table=pb.AttachTable(table_id=table_id))
        await self.socket.send_bytes(message.SerializeToString())

    async def detach(self, table_id: str, version: int) -> None:
        """Follow it no more, once everything up to a version has come."""
        async with asyncio.timeout(_PATIENCE_S):
            while self._version < version:
                self._came.clear()
                await self._came.wait()
        message = pb.ClientMessage(detach_table=pb.DetachTable(table_id=table_id))
        await self.socket.send_bytes(message.SerializeToString())

    async def command(self, command_id: str, message: bytes) -> int:
        """Give a command and wait for its outcome: the table's version after it."""
        answer = self._answers[command_id] = asyncio.get_running_loop().create_future()
        await self.socket.send_bytes(message)
        async with asyncio.timeout(_PATIENCE_S):
            version: int = await answer
        return version

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                self._take(pb.ServerMessage.FromString(frame.data))
        except SocketError as error:
            self._fail(error)
            raise
        self._fail(SocketError(f"the gateway closed the socket: {self.socket.close_code}"))

    def _fail(self, error: SocketError) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(error)

    def _take(self, message: pb.ServerMessage) -> None:
        kind = message.WhichOneof("message")
        if kind == "update":
            update = message.update
            if update.from_version != self._version:
                raise SocketError(f"an update from {update.from_version} follows version {self._version}")
            self._version = update.to_version
            self._came.set()
            if self._window is not None:
                self._window.note_frame()
        elif kind == "command_result":
            result = message.command_result
            if not result.outcome.HasField("accepted"):
                raise SocketError(f"a command was refused: {result.outcome.refused.code}")
            answer = self._answers.pop(result.command_id)
            # Nobody waits any more when another socket has failed: that is what is to be told.
            if not answer.done():
                answer.set_result(result.outcome.accepted.version)
        else:
            raise SocketError(f"unexpected: {kind} {message.error.code}{message.table_detached.code}")


async def greet(
    http: aiohttp.ClientSession, url: str, token: str, *, autoclose: bool = True
) -> aiohttp.ClientWebSocketResponse:
    """An open socket on which the gateway has said Welcome; `autoclose`: it answers a close by itself."""
    socket = await http.ws_connect(f"{url}/ws", protocols=[SUBPROTOCOL], max_msg_size=0, autoclose=autoclose)
    await socket.send_bytes(pb.ClientMessage(hello=pb.Hello(token=token)).SerializeToString())
    welcome = pb.ServerMessage.FromString(await socket.receive_bytes(timeout=_PATIENCE_S))
    if welcome.WhichOneof("message") != "welcome":
        raise SocketError(f"no welcome: {welcome.error.code}")
    return socket


def session(connections: int) -> aiohttp.ClientSession:
    """What opens so many sockets."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=connections), timeout=aiohttp.ClientTimeout(total=_PATIENCE_S)
    )


async def greet_many(
    http: aiohttp.ClientSession, url: str, tokens: Sequence[str], at_once: int = 32
) -> list[aiohttp.ClientWebSocketResponse]:
    """A socket for each token, a few at a time."""
    doors = asyncio.Semaphore(at_once)

    async def one(token: str) -> aiohttp.ClientWebSocketResponse:
        async with doors:
            return await greet(http, url, token)

    return await asyncio.gather(*map(one, tokens))
