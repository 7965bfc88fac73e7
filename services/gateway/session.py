"""One client's socket, from its Hello to its close.

Who the client is comes from the token alone; no message has a field for it. Everything that a client can cost is
bounded by `Limits`, and what goes beyond a bound hits this socket only.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime

import structlog
from aiohttp import WebSocketError, WSCloseCode, WSMessage, WSMsgType, web
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.gateway.v1 import gateway_pb2
from carteado.table.v1 import table_service_pb2
from libs.service.errors import OVERLOADED, UNAVAILABLE, ErrorCode, ServiceError
from libs.service.tokens import VerifiedPlayer
from services.gateway.codec import Codec, Malformed
from services.gateway.errors import (
    CLOSE_CODES,
    HELLO_EXPECTED,
    KEPT_OUT,
    MALFORMED_MESSAGE,
    MESSAGE_TOO_BIG,
    OTHER_PLAYER,
    RATE_LIMITED,
    SESSION_EXPIRED,
    SIGN_IN_REQUIRED,
    SLOW_READER,
    TOO_MANY_COMMANDS,
    TOO_MANY_TABLES,
    WRONG_FRAME_TYPE,
)
from services.gateway.heartbeat import Heartbeat
from services.gateway.limits import Limits
from services.gateway.metrics import GatewayMetrics
from services.gateway.outbox import AreYouThere, Budget, Item, Outbox, Update
from services.gateway.play_link import Subscription
from services.gateway.rate import Pauses, TokenBucket
from services.gateway.requests import Verify
from services.gateway.tables import Tables

_CLOSING = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED)


class Session:
    """Serves one accepted WebSocket. `run` returns when it is over; `end` may be called from anywhere."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        cut: Callable[[], None],
        deafen: Callable[[], None],
        codec: Codec,
        *,
        tables: Tables,
        verify: Verify,
        limits: Limits,
        metrics: GatewayMetrics,
        budget: Budget,
        pauses: Pauses,
        on_known: Callable[[Session], None],
    ) -> None:
        """`socket` is prepared and read by nobody else; `verify` gives None for a token that is not valid.

        `on_known` is told once whose socket it is.

        `cut` drops the connection without a word; after `deafen` nothing more is taken from it.
        """
        self._socket = socket
        self._codec = codec
        self._tables = tables
        self._verify = verify
        self._limits = limits
        self._metrics = metrics
        self._pauses = pauses
        self._on_known = on_known
        self._cut = cut
        self._deafen = deafen
        self._loop = asyncio.get_running_loop()
        self._outbox = Outbox(limits.outbox_items, limits.outbox_bytes, budget)
        self._heartbeat = Heartbeat(self._loop, limits.heartbeat_s, lambda: self._put(AreYouThere()), cut)
        self._bucket = TokenBucket(limits.messages_per_s, limits.messages_burst, self._loop.time())
        self._player: VerifiedPlayer | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._subscriptions: dict[str, Subscription] = {}
        self._commands: set[asyncio.Task[None]] = set()
        self._is_over = asyncio.Event()
        self._reason: ErrorCode | None = None
        self._log = structlog.get_logger("session")

    async def run(self) -> None:
        """Reads, answers and forwards until the client goes or the socket is ended."""
        reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._write())
        over = asyncio.create_task(self._is_over.wait())
        try:
            await asyncio.wait({reader, writer, over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._release()
            over.cancel()
            reader.cancel()
            await asyncio.gather(reader, over, return_exceptions=True)
            await self._close(writer, has_failed=_failure(reader) is not None)
        for task in (reader, writer):
            if (error := _failure(task)) is not None:
                self._log.error("a socket's session failed unexpectedly", exc_info=error)

    @property
    def player(self) -> VerifiedPlayer | None:
        """Whose socket it is, once the client has said so."""
        return self._player

    def end(self, reason: ErrorCode) -> None:
        """Closes the socket with this reason, unless it is closing already; the client is told why."""
        if self._is_over.is_set():
            return
        self._reason = reason
        if reason is RATE_LIMITED:
            # Whoever floods goes on while the socket closes; to take that apart would be the others' time.
            self._deafen()
            if self._player is not None:
                self._pauses.begin(self._player.player_id, self._loop.time())
        self._refuse(reason, is_last=True)
        self._is_over.set()

    def on_update(self, update: Update) -> None:
        """Forwards an update."""
        self._put(update)

    def on_ended(self, subscription: Subscription, code: str) -> None:
        """Tells the client that a table sends no more."""
        if self._subscriptions.get(subscription.table_id) is subscription:
            del self._subscriptions[subscription.table_id]
            detached = gateway_pb2.TableDetached(table_id=subscription.table_id, code=code)
            self._put(gateway_pb2.ServerMessage(table_detached=detached))

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(self._limits.hello_timeout_s):
                while self._player is None:
                    if not await self._read_one():
                        return
        except TimeoutError:
            self.end(HELLO_EXPECTED)
            return
        while await self._read_one():
            pass

    async def _read_one(self) -> bool:
        frame = await self._socket.receive()
        if frame.type in _CLOSING or self._is_over.is_set():
            return False
        if frame.type is WSMsgType.ERROR:
            # aiohttp has closed the socket itself, with the code that the error names.
            if isinstance(frame.data, WebSocketError) and frame.data.code == WSCloseCode.MESSAGE_TOO_BIG:
                self._metrics.refused.labels(MESSAGE_TOO_BIG.code).inc()
            return False
        self._heartbeat.heard()
        self._metrics.messages.labels("in").inc()
        if not self._bucket.take(self._loop.time()):
            self.end(RATE_LIMITED)
        elif frame.type is WSMsgType.PING:
            await self._socket.pong(frame.data)
        elif frame.type is not WSMsgType.PONG:
            await self._take(frame)
        return not self._is_over.is_set()

    async def _take(self, frame: WSMessage) -> None:
        if frame.type is not self._codec.frame_type:
            self.end(WRONG_FRAME_TYPE)
            return
        message = self._codec.decode(frame)
        kind = None if isinstance(message, Malformed) else message.WhichOneof("message")
        if self._player is None and kind != "hello":
            self.end(HELLO_EXPECTED)
        elif isinstance(message, Malformed) or kind is None:
            self._refuse(MALFORMED_MESSAGE)
        elif kind == "hello":
            await self._hello(message.hello)
        elif kind == "attach_table":
            self._attach(message.attach_table)
        elif kind == "detach_table":
            self._detach(message.detach_table.table_id)
        elif kind == "command":
            self._command(message.command, self._submit)
        elif kind == "check_move":
            self._command(message.check_move, self._check)
        else:
            self._put(gateway_pb2.ServerMessage(pong=gateway_pb2.Pong(server_time=_stamp(_now()))))

    async def _hello(self, hello: gateway_pb2.Hello) -> None:
        try:
            player = await self._verify(hello.token)
        except ServiceError as error:
            # Kept out; or it can't be known just now who it is: then the client comes again.
            self.end(KEPT_OUT.get(error.code, UNAVAILABLE))
            return
        if player is None:
            self.end(SIGN_IN_REQUIRED)
            return
        if self._player is not None and self._player.player_id != player.player_id:
            self.end(OTHER_PLAYER)
            return
        if self._player is None and self._pauses.has(player.player_id, self._loop.time()):
            self.end(RATE_LIMITED)
            return
        is_first = self._player is None
        self._player = player
        if is_first:
            self._on_known(self)
        if self._expiry is not None:
            self._expiry.cancel()
        left_s = (player.expires_at - _now()).total_seconds() + self._limits.expiry_grace_s
        self._expiry = self._loop.call_later(left_s, self.end, SESSION_EXPIRED)
        welcome = gateway_pb2.Welcome(
            player_id=player.player_id,
            server_time=_stamp(_now()),
            token_expires_at=_stamp(player.expires_at),
        )
        self._put(gateway_pb2.ServerMessage(welcome=welcome))

    def _attach(self, attach: gateway_pb2.AttachTable) -> None:
        table_id = attach.table_id
        if not _is_uuid(table_id):
            self._refuse(MALFORMED_MESSAGE)
            return
        self._detach(table_id)
        if len(self._subscriptions) >= self._limits.tables_per_socket:
            self._refuse(TOO_MANY_TABLES)
            return
        self._subscriptions[table_id] = self._tables.follow(
            table_id, self._viewer(), attach.last_version, self
        )

    def _detach(self, table_id: str) -> None:
        subscription = self._subscriptions.pop(table_id, None)
        if subscription is not None:
            self._tables.unfollow(subscription)

    def _command(
        self,
        command: table_service_pb2.TableCommand,
        work: Callable[[table_service_pb2.TableCommand], Coroutine[None, None, None]],
    ) -> None:
        is_whole = _is_uuid(command.command_id) and _is_uuid(command.table_id)
        if not is_whole or command.WhichOneof("action") is None:
            self._refuse(MALFORMED_MESSAGE, command.command_id)
        elif len(self._commands) >= self._limits.commands_per_socket:
            self._refuse(TOO_MANY_COMMANDS, command.command_id)
        elif self._tables.is_full:
            self._refuse(OVERLOADED, command.command_id)
        else:
            task = self._loop.create_task(work(command))
            self._commands.add(task)
            task.add_done_callback(self._commands.discard)

    async def _submit(self, command: table_service_pb2.TableCommand) -> None:
        outcome = await self._tables.submit(self._viewer(), command)
        if outcome is None:
            self._refuse(UNAVAILABLE, command.command_id)
        else:
            result = gateway_pb2.CommandResult(command_id=command.command_id, outcome=outcome)
            self._put(gateway_pb2.ServerMessage(command_result=result))

    async def _check(self, command: table_service_pb2.TableCommand) -> None:
        outcome = await self._tables.check(self._viewer(), command)
        if outcome is None:
            self._refuse(UNAVAILABLE, command.command_id)
        else:
            result = gateway_pb2.CommandResult(command_id=command.command_id, outcome=outcome)
            self._put(gateway_pb2.ServerMessage(move_checked=result))

    def _viewer(self) -> table_service_pb2.Viewer:
        if self._player is None:
            raise AssertionError("nothing is asked of the tables before Hello")
        return table_service_pb2.Viewer(player_id=self._player.player_id)

    def _refuse(self, error: ErrorCode, command_id: str = "", *, is_last: bool = False) -> None:
        self._metrics.refused.labels(error.code).inc()
        message = gateway_pb2.ServerMessage(
            error=gateway_pb2.ProtocolError(
                code=error.code, text_pt=error.text_pt, text_en=error.text_en, command_id=command_id
            )
        )
        if is_last:
            self._outbox.finish(message, drop_waiting=error is SLOW_READER)
        else:
            self._put(message)

    def _put(self, item: Item) -> None:
        if not self._is_over.is_set() and not self._outbox.put(item):
            self.end(SLOW_READER)

    async def _write(self) -> None:
        while (item := await self._outbox.get()) is not None:
            try:
                if isinstance(item, AreYouThere):
                    await self._socket.ping()
                else:
                    await self._codec.send(self._socket, item)
            except ConnectionError:
                return  # The client is gone; the reader learns it too.
            self._metrics.messages.labels("out").inc()

    def _release(self) -> None:
        """Lets go of everything outside this socket, at once."""
        self._is_over.set()
        self._heartbeat.stop()
        if self._expiry is not None:
            self._expiry.cancel()
        for subscription in self._subscriptions.values():
            self._tables.unfollow(subscription)
        self._subscriptions.clear()
        for task in self._commands:
            task.cancel()

    async def _close(self, writer: asyncio.Task[None], *, has_failed: bool) -> None:
        """Says the last words to whoever listens; cuts the connection of who does not."""
        self._outbox.finish(None, drop_waiting=False)
        code = int(WSCloseCode.INTERNAL_ERROR if has_failed else WSCloseCode.OK)
        if self._reason is not None:
            code = CLOSE_CODES[self._reason.code]
        message = self._reason.code.encode() if self._reason else b""
        try:
            async with asyncio.timeout(self._limits.close_timeout_s):
                await asyncio.wait({writer})
                await self._socket.close(code=code, message=message)
        except TimeoutError:
            self._cut()
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        self._outbox.clear()


def _failure(task: asyncio.Task[None]) -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def _now() -> datetime:
    return datetime.now(UTC)


def _stamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
