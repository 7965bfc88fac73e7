"""Who is kept out although their tokens are good: revoked sessions, banned players, erased ones.

A gateway knows it by heart, because it must say so to each token within the moment: it asks accounts for all of it
before it lets anybody in, hears of changes at once (core NATS), and asks again for what changed every few seconds, so
that a lost message or a NATS that is away costs seconds and not the rule. Without accounts it goes on with what it knows.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import structlog
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp
from nats.aio.client import Client
from nats.aio.msg import Msg

from carteado.accounts.v1 import events_pb2, sessions_service_pb2
from carteado.accounts.v1.sessions_service_pb2_grpc import SessionsServiceStub
from libs.service.errors import UNAVAILABLE, ErrorCode, ServiceError
from libs.service.tokens import PLAYER_BANNED, SESSION_REVOKED, VerifiedPlayer
from services.gateway.calls import Calls
from services.gateway.limits import Limits

_SUBJECTS: Final = "carteado.accounts.*.v1"
_SESSION_REVOKED: Final = "carteado.accounts.session_revoked.v1"
_BANNED: Final = "carteado.accounts.banned.v1"
_UNBANNED: Final = "carteado.accounts.unbanned.v1"
_ERASED: Final = "carteado.accounts.erased.v1"
_FOR_EVER: Final = datetime.max.replace(tzinfo=UTC)
_FIRST_PAUSE_S: Final = 0.2
_REASONS: Final = {
    sessions_service_pb2.BARRED_CAUSE_SESSION_REVOKED: SESSION_REVOKED,
    sessions_service_pb2.BARRED_CAUSE_BANNED: PLAYER_BANNED,
    sessions_service_pb2.BARRED_CAUSE_ERASED: SESSION_REVOKED,
}

OnBarred = Callable[[str, ErrorCode], None]


def _nobody(_id: str, _reason: ErrorCode) -> None:
    """Until somebody wants to hear of it."""


class Barred:
    """The list. `on_barred(id, reason)` is told of each session or player that is kept out from now on."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Nobody is on it, and nobody is let in before it `is_loaded`."""
        self._now = now
        self._entries: dict[str, tuple[ErrorCode, datetime]] = {}
        self._loaded = asyncio.Event()
        self.on_barred: OnBarred = _nobody

    def __len__(self) -> int:
        """How many are kept out."""
        return len(self._entries)

    @property
    def is_loaded(self) -> bool:
        """Whether it knows all who are kept out."""
        return self._loaded.is_set()

    def set_loaded(self) -> None:
        """From now on it knows."""
        self._loaded.set()

    async def until_loaded(self, timeout_s: float) -> None:
        """Waits until it knows; raises UNAVAILABLE when that takes too long."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._loaded.wait()
        except TimeoutError:
            raise UNAVAILABLE.error() from None

    def refuse(self, player: VerifiedPlayer) -> None:
        """Raises SESSION_REVOKED or PLAYER_BANNED for whom it keeps out."""
        for key in (player.player_id, player.session_id):
            found = self._entries.get(key)
            if found is not None and found[1] > self._now():
                reason, until = found
                is_told = reason is PLAYER_BANNED and until != _FOR_EVER
                raise reason.error(facts={"until": until.isoformat()} if is_told else None)

    def put(self, subject_id: str, reason: ErrorCode, until: datetime) -> None:
        """Keeps a session or a player out until a time; one that has passed lets them in again."""
        if until <= self._now():
            self._entries.pop(subject_id, None)
            return
        # Whose time had passed was let in again, also while the entry is not dropped yet.
        before = self._entries.get(subject_id)
        is_new = before is None or before[1] <= self._now()
        self._entries[subject_id] = (reason, until)
        if is_new:
            self.on_barred(subject_id, reason)

    def let_in(self, subject_id: str) -> None:
        """Lets a player in again."""
        self._entries.pop(subject_id, None)

    def forget_passed(self) -> None:
        """Drops those whose time has passed."""
        now = self._now()
        for subject_id in [key for key, (_, until) in self._entries.items() if until <= now]:
            del self._entries[subject_id]


class BarredFollower:
    """Keeps the list up."""

    def __init__(self, barred: Barred, calls: Calls, limits: Limits, nats: Client | None) -> None:
        """Without NATS changes are seen when accounts is asked again, every `barred_poll_s`."""
        self._barred = barred
        self._calls = calls
        self._limits = limits
        self._nats = nats
        self._cursor = 0
        self._log = structlog.get_logger("barred")

    async def run(self) -> None:
        """Follows until cancelled."""
        if self._nats is not None:
            # First the changes, then the list: what happens in between is in both.
            await self._nats.subscribe(_SUBJECTS, cb=self._take)
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                await self._ask()
                pause_s = self._limits.barred_poll_s
            except ServiceError as error:
                self._log.warning("accounts does not say who is kept out", code=error.code)
                pause_s = min(self._limits.barred_poll_s, pause_s * 2)
            await asyncio.sleep(pause_s * random.uniform(0.8, 1.0))  # noqa: S311 - jitter

    async def _ask(self) -> None:
        """What changed since the last round, all of it in the first."""
        while True:
            page = await self._calls.call(
                "accounts",
                "barred",
                lambda channel: SessionsServiceStub(channel).ListBarred,
                sessions_service_pb2.ListBarredRequest(after=self._cursor),
            )
            for one in page.barred:
                reason = _REASONS.get(one.cause)
                if reason is not None:
                    self._barred.put(one.id, reason, _until(one.until if one.HasField("until") else None))
            self._cursor = page.cursor
            if not page.has_more:
                break
        self._barred.forget_passed()
        self._barred.set_loaded()

    async def _take(self, message: Msg) -> None:
        try:
            self._apply(message.subject, message.data)
        except DecodeError:
            self._log.error("a message of accounts could not be read", subject=message.subject)

    def _apply(self, subject: str, data: bytes) -> None:
        if subject == _SESSION_REVOKED:
            revoked = events_pb2.SessionRevoked.FromString(data)
            until = _until(revoked.until if revoked.HasField("until") else None)
            self._barred.put(revoked.session_id, SESSION_REVOKED, until)
        elif subject == _BANNED:
            banned = events_pb2.PlayerBanned.FromString(data)
            until = _until(banned.until if banned.HasField("until") else None)
            self._barred.put(banned.player_id, PLAYER_BANNED, until)
        elif subject == _UNBANNED:
            self._barred.let_in(events_pb2.PlayerUnbanned.FromString(data).player_id)
        elif subject == _ERASED:
            # How long is for the list to say, which comes within seconds.
            erased = events_pb2.PlayerErased.FromString(data)
            self._barred.put(erased.player_id, SESSION_REVOKED, _FOR_EVER)


def _until(moment: Timestamp | None) -> datetime:
    return _FOR_EVER if moment is None else moment.ToDatetime(UTC)
