"""Answers who may play, and reserves matches: what matchmaking and the gateway ask.

A match id is the natural key: its first outcome stands in the reservation's stream, and answers however often and on
whichever day it is asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

import msgspec
from prometheus_client import CollectorRegistry, Counter

from libs.eventlog.decider import Rejection
from libs.eventlog.decision import hash_body
from libs.eventlog.errors import ContentionError
from libs.eventlog.runtime import Runtime
from libs.eventlog.together import Together
from services.billing.access import Access, access_of, needs_quota, standing_of
from services.billing.account import AccountCommand
from services.billing.account_events import AccountEvent
from services.billing.admission import Admission, AdmissionState, Admit, Return
from services.billing.calendar import day_ends_at, day_of
from services.billing.catalogue import CURRENT
from services.billing.errors import MATCH_ALREADY_OVER, MATCH_ALREADY_RESERVED
from services.billing.events import BillingEvent, PlayerDayEvent, ReservationEvent, Room
from services.billing.player_day import KEPT_FOR, PlayerDayCommand, PlayerDayState, player_day_id
from services.billing.reservation import Bar, ReservationCommand, ReservationState, Settle
from services.billing.state import AccountState

Accounts = Runtime[AccountState, AccountCommand, AccountEvent]
Days = Runtime[PlayerDayState, PlayerDayCommand, PlayerDayEvent]
Reservations = Runtime[ReservationState, ReservationCommand, ReservationEvent]
Admissions = Together[AdmissionState, Admission, BillingEvent]

_IDS: Final = UUID("3f6c2b0e-5a3c-5f0e-9e51-6f0a4d8f7c22")
_TRIES: Final = 4
_ACTOR: Final = "service:billing"


class Answer(msgspec.Struct, frozen=True):
    """One access for each player asked, in that order."""

    is_reserved: bool
    players: tuple[tuple[str, Access], ...]


class DoorMetrics:
    """What was answered."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.access = Counter(
            "carteado_billing_access",
            "Answers about access, by room and reason",
            ["room", "reason"],
            registry=registry,
        )
        self.reservations = Counter(
            "carteado_billing_reservations",
            "Matches: reserved, refused, asked again, released, settled",
            ["outcome"],
            registry=registry,
        )


class Doors:
    """Every method may run on every replica, and again. All raise EventLogError when the log cannot answer."""

    def __init__(
        self,
        accounts: Accounts,
        days: Days,
        reservations: Reservations,
        admissions: Admissions,
        now: Callable[[], datetime],
        metrics: DoorMetrics,
    ) -> None:
        self._accounts = accounts
        self._days = days
        self._reservations = reservations
        self._admissions = admissions
        self._now = now
        self._metrics = metrics

    async def check(self, player_id: str, preset: str, room: Room, at: datetime | None) -> Access:
        """Whether a player may play; changes nothing."""
        access = await self._access(player_id, preset, room, at or self._now())
        self._metrics.access.labels(room, access.reason).inc()
        return access

    async def matches_left(self, player_id: str) -> int:
        """How many matches of today are left to a player without trial and passport."""
        return max(0, CURRENT.matches_a_day - await self._used(player_id, self._now()))

    async def reserve(self, match_id: str, player_ids: Sequence[str], preset: str, room: Room) -> Answer:
        """Takes the players' quota, all or nothing. Raises ServiceError if it is reserved otherwise, or released."""
        for _ in range(_TRIES):
            known = (await self._reservations.load(match_id)).state
            if known.is_barred:
                raise MATCH_ALREADY_OVER.error(field="match_id")
            if known.is_known:
                self._metrics.reservations.labels("again").inc()
                return _known(known, player_ids, preset, room)
            now = self._now()
            answers = await asyncio.gather(*(self._access(one, preset, room, now) for one in player_ids))
            if not all(access.is_allowed for access in answers):
                self._metrics.reservations.labels("refused").inc()
                return Answer(False, tuple(zip(player_ids, answers, strict=True)))
            if await self._admit(match_id, player_ids, preset, room, now):
                self._metrics.reservations.labels("reserved").inc()
                return _known((await self._reservations.load(match_id)).state, player_ids, preset, room)
        raise ContentionError(f"{match_id}: {_TRIES} reservations were overtaken")

    async def release(self, match_id: str, player_ids: Sequence[str] = ()) -> bool:
        """Gives the quota back; nobody named: to all. One that is not reserved never will be: this may have overtaken
        its reservation. Whether there was anything to give back.
        """
        for _ in range(_TRIES):
            known = (await self._reservations.load(match_id)).state
            if known.is_known or known.is_barred:
                return await self.give_back(match_id, player_ids)
            barred = await self._reservations.handle(
                match_id,
                Bar(match_id),
                command_id=str(uuid5(_IDS, f"bar {match_id}")),
                actor=_ACTOR,
                correlation_id=match_id,
            )
            if not isinstance(barred, Rejection):
                return False
        raise ContentionError(f"{match_id}: {_TRIES} releases were overtaken")

    async def give_back(self, match_id: str, player_ids: Sequence[str] = ()) -> bool:
        """Gives the quota of a reserved match back; nobody named: to all. Whether there was anything to give back."""
        known = (await self._reservations.load(match_id)).state
        if known.is_over:
            return False
        named = set(player_ids) or {player.player_id for player in known.players}
        released = [
            one for one in known.players if one.player_id in named and one.player_id not in known.released
        ]
        if not released:
            return False
        is_kept = self._now() < day_ends_at(known.day) + KEPT_FOR
        body = Return(
            match_id,
            known.day,
            tuple(one.player_id for one in released),
            tuple(one.player_id for one in released if one.reason == "within_daily_limit" and is_kept),
        )
        command_id = str(uuid5(_IDS, f"release {match_id} {sorted(body.player_ids)}"))
        answer = await self._admissions.handle(
            body.members(), body, command_id=command_id, actor=_ACTOR, correlation_id=match_id
        )
        is_released = not isinstance(answer, Rejection) and not answer.duplicate
        if is_released:
            self._metrics.reservations.labels("released").inc()
        return is_released

    async def settle(self, match_id: str, command_id: str) -> bool:
        """The match was played: what was taken stays taken. Whether it was reserved and not over."""
        known = (await self._reservations.load(match_id)).state
        if not known.is_known or known.is_over:
            return False
        answer = await self._reservations.handle(
            match_id, Settle(match_id), command_id=command_id, actor="service:table", correlation_id=match_id
        )
        is_settled = not isinstance(answer, Rejection) and not answer.duplicate
        if is_settled:
            self._metrics.reservations.labels("settled").inc()
        return is_settled

    async def _access(self, player_id: str, preset: str, room: Room, at: datetime) -> Access:
        standing = standing_of((await self._accounts.load(player_id)).state, at)
        used = await self._used(player_id, at) if needs_quota(standing, preset, room) else 0
        return access_of(standing, used, preset, room, at)

    async def _used(self, player_id: str, at: datetime) -> int:
        return (await self._days.load(player_day_id(player_id, day_of(at)))).state.used

    async def _admit(
        self, match_id: str, player_ids: Sequence[str], preset: str, room: Room, now: datetime
    ) -> bool:
        """Whether the match is reserved now; False: look again, something has changed in between."""
        accounts = await asyncio.gather(*(self._accounts.load(one) for one in player_ids))
        standings = tuple(
            (player_id, standing_of(loaded.state, now))
            for player_id, loaded in zip(player_ids, accounts, strict=True)
        )
        body = Admit(match_id, preset, room, day_of(now), standings)
        answer: Any = await self._admissions.handle(
            body.members(),
            body,
            command_id=str(uuid5(_IDS, f"reserve {match_id}")),
            # What was asked, not what the accounts were: that may have changed when it is asked again.
            body_hash=hash_body((match_id, preset, room, tuple(player_ids))),
            actor=_ACTOR,
            correlation_id=match_id,
            at=now,
        )
        return not isinstance(answer, Rejection)


def _known(known: ReservationState, player_ids: Sequence[str], preset: str, room: Room) -> Answer:
    """The first outcome. Raises ServiceError for another question under the same match."""
    by_player = {one.player_id: one for one in known.players}
    if (known.preset, known.room) != (preset, room) or by_player.keys() != set(player_ids):
        raise MATCH_ALREADY_RESERVED.error(field="match_id")
    if known.released:
        raise MATCH_ALREADY_OVER.error(field="match_id")
    return Answer(
        True,
        tuple(
            (one.player_id, Access(True, one.reason, one.rule, one.valid_until, one.matches_left))
            for one in (by_player[player_id] for player_id in player_ids)
        ),
    )
