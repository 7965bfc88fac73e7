"""The WebSocket's door: who may open one, how many there are, and how all of them are told to move on."""

from __future__ import annotations

import asyncio
import socket as socket_options
from collections.abc import Collection
from functools import partial

from aiohttp import web

from libs.service.errors import ErrorCode
from services.gateway.codec import CODECS
from services.gateway.deaf import deafen
from services.gateway.errors import (
    FOREIGN_ORIGIN,
    SERVER_FULL,
    SERVER_RESTARTING,
    TOO_MANY_SOCKETS,
    UNSUPPORTED_SUBPROTOCOL,
)
from services.gateway.limits import Limits
from services.gateway.metrics import GatewayMetrics
from services.gateway.outbox import Budget
from services.gateway.rate import Pauses
from services.gateway.requests import Verify
from services.gateway.session import Session
from services.gateway.tables import Tables


class Sockets:
    """Every open socket of this process."""

    def __init__(
        self,
        tables: Tables,
        verify: Verify,
        limits: Limits,
        metrics: GatewayMetrics,
        origins: Collection[str] = (),
    ) -> None:
        """`origins` are allowed besides the page's own, as `https://host`."""
        self._tables = tables
        self._verify = verify
        self._limits = limits
        self._metrics = metrics
        self._origins = frozenset(origins)
        self._budget = Budget(limits.outboxes_bytes)
        self._pauses = Pauses(limits.flood_pause_s)
        self._sessions: set[Session] = set()
        self._by_player: dict[str, dict[Session, None]] = {}
        self._is_draining = False
        self._is_empty = asyncio.Event()
        self._is_empty.set()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """`GET /ws`: answers until the socket is closed."""
        self._admit(request)
        socket = web.WebSocketResponse(
            protocols=tuple(CODECS),
            max_msg_size=self._limits.message_bytes,
            timeout=self._limits.close_timeout_s / 2,
            compress=False,
            autoping=False,
        )
        offer = socket.can_prepare(request)
        if not offer.ok or offer.protocol not in CODECS:
            raise UNSUPPORTED_SUBPROTOCOL.error("Sec-WebSocket-Protocol")
        await socket.prepare(request)
        transport = request.transport
        if transport is None:
            return socket  # Gone again.
        _bound_what_waits(transport, self._limits.receive_bytes)
        session = Session(
            socket,
            transport.abort,
            partial(deafen, transport),
            CODECS[offer.protocol],
            tables=self._tables,
            verify=self._verify,
            limits=self._limits,
            metrics=self._metrics,
            budget=self._budget,
            pauses=self._pauses,
            on_known=self._know,
        )
        self._enter(session)
        try:
            await session.run()
        finally:
            self._leave(session)
            _forget_how(socket.exception())
        return socket

    def players(self) -> frozenset[str]:
        """Who has a socket open here."""
        return frozenset(self._by_player)

    def end_for(self, subject_id: str, reason: ErrorCode) -> None:
        """Closes the sockets of a session or a player, and tells them why."""
        for session in tuple(self._sessions):
            player = session.player
            if player is not None and subject_id in (player.player_id, player.session_id):
                session.end(reason)

    async def drain(self) -> None:
        """Lets nobody in any more, tells every client to connect again, and waits until all are gone."""
        self._is_draining = True
        for session in tuple(self._sessions):
            session.end(SERVER_RESTARTING)
        await self._is_empty.wait()

    def _admit(self, request: web.Request) -> None:
        if self._is_draining:
            raise SERVER_RESTARTING.error()
        if len(self._sessions) >= self._limits.sockets:
            raise SERVER_FULL.error()
        # Browsers always send it; other clients have no user whose cookies or network place could be abused.
        origin = request.headers.get("Origin")
        own = (f"http://{request.host}", f"https://{request.host}")
        if origin is not None and origin not in self._origins and origin not in own:
            raise FOREIGN_ORIGIN.error("Origin")

    def _enter(self, session: Session) -> None:
        self._sessions.add(session)
        self._is_empty.clear()
        self._metrics.sockets_open.inc()

    def _know(self, session: Session) -> None:
        """Counts a socket as its player's. What a lost connection leaves lives for a while, so it is the oldest that goes."""
        if session.player is None:
            raise AssertionError("a socket is known by its Hello")
        mine = self._by_player.setdefault(session.player.player_id, {})
        mine[session] = None
        if len(mine) > self._limits.sockets_per_player:
            oldest = next(iter(mine))
            del mine[oldest]
            oldest.end(TOO_MANY_SOCKETS)

    def _forget(self, session: Session) -> None:
        if session.player is None:
            return
        mine = self._by_player.get(session.player.player_id, {})
        mine.pop(session, None)
        if not mine:
            self._by_player.pop(session.player.player_id, None)

    def _leave(self, session: Session) -> None:
        self._sessions.discard(session)
        self._forget(session)
        self._metrics.sockets_open.dec()
        if not self._sessions:
            self._is_empty.set()


def _forget_how(error: BaseException | None) -> None:
    """Drops where an error was raised: the frames hold the socket that holds the error, and none would be freed."""
    while error is not None:
        error.__traceback__ = None
        error = error.__context__


def _bound_what_waits(transport: asyncio.Transport, size: int) -> None:
    """Has the kernel keep less of what a client sends: all that waits is taken apart in one turn of the loop."""
    transport.get_extra_info("socket").setsockopt(socket_options.SOL_SOCKET, socket_options.SO_RCVBUF, size)
