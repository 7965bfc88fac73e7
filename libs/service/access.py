"""What callers of billing do when it can't be reached, and which games need no billing at all (design: platform rules).

The last decision holds until its valid-until time and fifteen minutes more. After that, or without one, the free games
are allowed and the passport four are refused. Each such answer is counted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

import grpc
import msgspec
from prometheus_client import CollectorRegistry, Counter

from carteado.billing.v1 import access_service_pb2 as pb
from libs.service.errors import ServiceError

GameClass = Literal["free", "passport"]

GAMES: Final[Mapping[str, GameClass]] = {
    "domino": "free",
    "sueca": "free",
    "truco-paulista": "free",
    "canastra": "free",
    "mau-mau": "free",
    "cacheta": "free",
    "buraco-aberto": "passport",
    "buraco-fechado": "passport",
    "buraco-fechado-stbl": "passport",
    "tranca": "passport",
}
"""Every game by its own preset: the free ones, and those that need the trial or a passport outside the Livre."""

HOUSES: Final = frozenset({"003", "004"})
"""Whose house rules there are, as the part of a preset after its `@`."""

ROOMS_OF_HOUSES: Final = frozenset({pb.ROOM_LIVRE, pb.ROOM_TREINO})
"""A house's preset is played in the Livre and its training alone."""

GRACE: Final = timedelta(minutes=15)
"""How long after its valid-until time the last decision still holds while billing can't be reached."""

_GAME_OF_HOUSE: Final[Mapping[str, str]] = {"truco": "truco-paulista"}
_ASK_AGAIN: Final = timedelta(minutes=1)
_MOST_REMEMBERED: Final = 100_000
_AWAY: Final = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED}
)
"""A billing that has more to do than it takes on answers nobody either."""


Check = Callable[[pb.CheckAccessRequest], Awaitable[pb.CheckAccessResponse]]
Reserve = Callable[[pb.ReserveMatchRequest], Awaitable[pb.ReserveMatchResponse]]


class Preset(msgspec.Struct, frozen=True):
    """What a preset's name says: the game that it follows, and whether it is a house's."""

    game: str
    game_class: GameClass
    is_house: bool


def read_preset(name: str) -> Preset | None:
    """The game of a preset such as `tranca` or `tranca@003`; None if there is no such game.

    >>> read_preset("truco@004")
    Preset(game='truco-paulista', game_class='free', is_house=True)
    """
    game, at, house = name.partition("@")
    if at:
        game = _GAME_OF_HOUSE.get(game, game)
    if game not in GAMES or (at and house not in HOUSES):
        return None
    return Preset(game, GAMES[game], bool(at))


class AccessPolicy:
    """Asks billing, and answers by the policy above when it is away. One per process."""

    def __init__(
        self,
        check: Check,
        reserve: Reserve,
        registry: CollectorRegistry,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`check` and `reserve` make the calls, with a deadline; `now` is compared with billing's valid-until times.

        Away is what raises UNAVAILABLE, DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED, and a platform in which billing has no
        address.
        """
        self._check = check
        self._reserve = reserve
        self._now = now
        self._last: OrderedDict[tuple[str, str, int], pb.Access] = OrderedDict()
        self._answers = Counter(
            "carteado_access_without_billing",
            "Answers about access that were given while billing could not be reached, by what they rest on",
            ["basis", "is_allowed"],
            registry=registry,
        )

    async def check(self, player_id: str, preset: str, room: pb.Room.ValueType) -> pb.Access:
        """Whether a player may play. Raises what the call raises when billing answers with an error."""
        try:
            answer = await self._check(pb.CheckAccessRequest(player_id=player_id, preset=preset, room=room))
        except (grpc.aio.AioRpcError, ServiceError, LookupError) as error:
            _raise_unless_away(error)
            return self._without_billing(player_id, preset, room, takes_a_match=False)
        self._remember((player_id, preset, room), answer.access)
        return answer.access

    async def reserve(self, request: pb.ReserveMatchRequest) -> pb.ReserveMatchResponse:
        """Takes the players' quota, all or nothing. While billing is away no quota is taken there, and none is lost here:
        a remembered answer lets a player begin as many matches as it had left. Raises as `check` does.
        """
        try:
            answer = await self._reserve(request)
        except (grpc.aio.AioRpcError, ServiceError, LookupError) as error:
            _raise_unless_away(error)
            return self._reserve_without_billing(request)
        for player in answer.players:
            self._remember((player.player_id, request.preset, request.room), player.access)
        return answer

    def _reserve_without_billing(self, request: pb.ReserveMatchRequest) -> pb.ReserveMatchResponse:
        asked = [
            (one, self._without_billing(one, request.preset, request.room, takes_a_match=True))
            for one in request.player_ids
        ]
        is_reserved = all(access.is_allowed for _, access in asked)
        for player_id, access in asked if is_reserved else ():
            if access.HasField("matches_left"):
                self._last[player_id, request.preset, request.room].matches_left = access.matches_left
        return pb.ReserveMatchResponse(
            is_reserved=is_reserved,
            players=[pb.PlayerAccess(player_id=player_id, access=access) for player_id, access in asked],
        )

    def _without_billing(
        self, player_id: str, preset: str, room: pb.Room.ValueType, *, takes_a_match: bool
    ) -> pb.Access:
        last = self._last.get((player_id, preset, room))
        if last is not None and self._now() < last.valid_until.ToDatetime(UTC) + GRACE:
            access = _of_last(last, takes_a_match=takes_a_match)
            return self._count("last_decision", access)
        read = read_preset(preset)
        is_in_place = read is not None and (not read.is_house or room in ROOMS_OF_HOUSES)
        is_free = is_in_place and read is not None and read.game_class == "free"
        access = pb.Access(
            is_allowed=is_free,
            reason=pb.ACCESS_REASON_FREE_GAME if is_free else pb.ACCESS_REASON_NOT_KNOWN,
            rule="without-billing/free-game" if is_free else "without-billing/not-known",
        )
        access.valid_until.FromDatetime(self._now() + _ASK_AGAIN)
        return self._count("free_game" if is_free else "not_known", access)

    def _count(self, basis: str, access: pb.Access) -> pb.Access:
        self._answers.labels(basis, "true" if access.is_allowed else "false").inc()
        return access

    def _remember(self, key: tuple[str, str, int], access: pb.Access) -> None:
        kept = self._last[key] = pb.Access()
        kept.CopyFrom(access)
        self._last.move_to_end(key)
        if len(self._last) > _MOST_REMEMBERED:
            self._last.popitem(last=False)


def _of_last(last: pb.Access, *, takes_a_match: bool) -> pb.Access:
    """What the last decision says now, after one more match of the day or before it; without matches left it refuses."""
    access = pb.Access()
    access.CopyFrom(last)
    if not last.is_allowed or not last.HasField("matches_left"):
        return access
    if last.matches_left == 0:
        # A reservation took the last one.
        access.is_allowed, access.reason = False, pb.ACCESS_REASON_DAILY_LIMIT_REACHED
    elif takes_a_match:
        access.matches_left = last.matches_left - 1
    return access


def _raise_unless_away(error: grpc.aio.AioRpcError | ServiceError | LookupError) -> None:
    """Goes on for an error that says that billing is away; raises every other one again."""
    if isinstance(error, LookupError):
        return
    status = error.code() if isinstance(error, grpc.aio.AioRpcError) else error.status
    if status not in _AWAY:
        raise error
