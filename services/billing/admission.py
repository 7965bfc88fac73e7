"""One match over its reservation and its players' days: all of them change together, or none does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from libs.eventlog.decider import Command, Rejection
from libs.eventlog.together import Member
from services.billing.access import Standing, access_of, needs_quota
from services.billing.catalogue import CURRENT
from services.billing.errors import ACCESS_REFUSED, DAILY_LIMIT_REACHED
from services.billing.events import Admitted, BillingEvent, Room
from services.billing.player_day import PLAYER_DAY, GiveQuotaBack, PlayerDayState, TakeQuota, player_day_id
from services.billing.reservation import RESERVATION, Release, ReservationState, Reserve

AdmissionState = PlayerDayState | ReservationState


class Admit(msgspec.Struct, frozen=True):
    """A match is to begin. `standings` are the players' accounts as they were read: access that ends in the same moment
    is access that ends during the match.
    """

    match_id: str
    preset: str
    room: Room
    day: str
    standings: tuple[tuple[str, Standing], ...]

    def members(self) -> list[Member]:
        """The aggregates that it changes: only players under the daily limit have their day touched."""
        days = [
            _day(player_id, self.day)
            for player_id, standing in self.standings
            if needs_quota(standing, self.preset, self.room)
        ]
        return [_reservation(self.match_id), *days]


class Return(msgspec.Struct, frozen=True):
    """A match came to nothing for these players, of whom `counted` were under the limit of `day`."""

    match_id: str
    day: str
    player_ids: tuple[str, ...]
    counted: tuple[str, ...]

    def members(self) -> list[Member]:
        """The aggregates that it changes."""
        return [_reservation(self.match_id), *(_day(player_id, self.day) for player_id in self.counted)]


Admission = Admit | Return


def decide_admission(
    states: Mapping[Member, AdmissionState], command: Command[Admission]
) -> Mapping[Member, Sequence[BillingEvent]] | Rejection:
    """The events of a match's beginning, or of its coming to nothing; pure."""
    body = command.body
    return _admit(states, command, body) if isinstance(body, Admit) else _return(states, command, body)


def _admit(
    states: Mapping[Member, AdmissionState], command: Command[Admission], body: Admit
) -> Mapping[Member, Sequence[BillingEvent]] | Rejection:
    events: dict[Member, Sequence[BillingEvent]] = {}
    admitted: list[Admitted] = []
    for player_id, standing in body.standings:
        member = _day(player_id, body.day)
        is_counted = needs_quota(standing, body.preset, body.room)
        day = cast("PlayerDayState", states[member]) if is_counted else PlayerDayState()
        access = access_of(standing, day.used, body.preset, body.room, command.at)
        if not access.is_allowed:
            code = DAILY_LIMIT_REACHED if access.reason == "daily_limit_reached" else ACCESS_REFUSED
            return Rejection(code.code, {"player_id": player_id})
        left = None if access.matches_left is None else access.matches_left - 1
        admitted.append(Admitted(player_id, access.reason, access.rule, access.valid_until, left))
        if is_counted:
            taken = PLAYER_DAY.decide(day, _with(command, TakeQuota(player_id, body.day, body.match_id)))
            if isinstance(taken, Rejection):
                return taken
            events[member] = taken
    reserve = Reserve(body.match_id, body.preset, body.room, body.day, tuple(admitted), CURRENT.name)
    return _with_reservation(states, command, body.match_id, reserve, events)


def _return(
    states: Mapping[Member, AdmissionState], command: Command[Admission], body: Return
) -> Mapping[Member, Sequence[BillingEvent]] | Rejection:
    events: dict[Member, Sequence[BillingEvent]] = {}
    for player_id in body.counted:
        member = _day(player_id, body.day)
        given = PLAYER_DAY.decide(
            cast("PlayerDayState", states[member]), _with(command, GiveQuotaBack(body.match_id))
        )
        if isinstance(given, Rejection):
            return given
        events[member] = given
    return _with_reservation(states, command, body.match_id, Release(body.player_ids), events)


def _with_reservation(
    states: Mapping[Member, AdmissionState],
    command: Command[Admission],
    match_id: str,
    body: Reserve | Release,
    events: dict[Member, Sequence[BillingEvent]],
) -> Mapping[Member, Sequence[BillingEvent]] | Rejection:
    member = _reservation(match_id)
    decided = RESERVATION.decide(cast("ReservationState", states[member]), _with(command, body))
    if isinstance(decided, Rejection):
        return decided
    return {**events, member: decided}


def _day(player_id: str, day: str) -> Member:
    return Member(PLAYER_DAY.category, player_day_id(player_id, day))


def _reservation(match_id: str) -> Member:
    return Member(RESERVATION.category, match_id)


def _with(command: Command[Admission], body: object) -> Command[Any]:
    return msgspec.structs.replace(cast("Command[Any]", command), body=body)
