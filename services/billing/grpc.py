"""The gRPC faces of billing: requests checked for form, and answered in the contracts' words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import grpc

from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import access_service_pb2_grpc as rpc
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.billing.v1 import passport_service_pb2_grpc as money_rpc
from libs.service.errors import INVALID_ARGUMENT
from services.billing.access import Access
from services.billing.account_events import ReturnDue
from services.billing.catalogue import CURRENT
from services.billing.doors import Doors
from services.billing.errors import ACCOUNT_ERASED, ACCOUNT_NOT_FOUND
from services.billing.events import Reason, Room
from services.billing.passport import Passport
from services.billing.passports import Passports

MOST_PLAYERS: Final = 16
_LONGEST_NAME: Final = 64
_MOST_EARLIER: Final = 100
_MOST_CENTAVOS: Final = 100_000_000
_OPERATOR: Final = re.compile(r"[a-z0-9._-]{1,32}")

_ACCESS: Final = "/carteado.billing.v1.AccessService/"
_PASSPORT: Final = "/carteado.billing.v1.PassportService/"
_GATEWAY, _MATCHMAKING, _OPERATORS = frozenset({"gateway"}), frozenset({"matchmaking"}), frozenset({"cli"})

ALLOW: Mapping[str, Collection[str]] = {
    f"{_ACCESS}CheckAccess": _GATEWAY | _MATCHMAKING,
    f"{_ACCESS}ReserveMatch": _MATCHMAKING,
    f"{_ACCESS}ReleaseMatch": _MATCHMAKING,
    f"{_PASSPORT}GetAccount": _GATEWAY | _OPERATORS,
    f"{_PASSPORT}ListPlans": _GATEWAY,
    f"{_PASSPORT}BuyPassport": _GATEWAY,
    f"{_PASSPORT}CancelPassport": _GATEWAY,
    f"{_PASSPORT}RefundPayment": _OPERATORS,
    f"{_PASSPORT}RecordChargeback": _OPERATORS,
}
"""Which services each method serves."""

Context = grpc.aio.ServicerContext[Any, Any]

ROOMS: Mapping[int, Room] = {
    pb.ROOM_LIVRE: "livre",
    pb.ROOM_TREINO: "treino",
    pb.ROOM_RANQUEADA: "ranqueada",
    pb.ROOM_TORNEIO: "torneio",
}
REASONS: Mapping[Reason, pb.AccessReason.ValueType] = {
    "free_game": pb.ACCESS_REASON_FREE_GAME,
    "trial": pb.ACCESS_REASON_TRIAL,
    "passport": pb.ACCESS_REASON_PASSPORT,
    "within_daily_limit": pb.ACCESS_REASON_WITHIN_DAILY_LIMIT,
    "daily_limit_reached": pb.ACCESS_REASON_DAILY_LIMIT_REACHED,
    "passport_needed": pb.ACCESS_REASON_PASSPORT_NEEDED,
    "house_preset": pb.ACCESS_REASON_HOUSE_PRESET,
    "unknown_game": pb.ACCESS_REASON_UNKNOWN_GAME,
    "unknown_player": pb.ACCESS_REASON_UNKNOWN_PLAYER,
}
"""The reasons as the contract numbers them."""


class AccessServicer(rpc.AccessServiceServicer):
    """Answers the calls of `carteado.billing.v1.AccessService`; see its proto for what they mean."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors

    async def CheckAccess(self, request: pb.CheckAccessRequest, _context: Context) -> pb.CheckAccessResponse:
        """Whether a player may play."""
        at = _moment(request) if request.HasField("at") else None
        access = await self._doors.check(
            _uuid(request.player_id, "player_id"), _name(request.preset, "preset"), _room(request.room), at
        )
        return pb.CheckAccessResponse(access=_access(access))

    async def ReserveMatch(
        self, request: pb.ReserveMatchRequest, _context: Context
    ) -> pb.ReserveMatchResponse:
        """Takes the players' quota, all or nothing."""
        player_ids = _players(request.player_ids)
        if not player_ids:
            raise INVALID_ARGUMENT.error(field="player_ids")
        answer = await self._doors.reserve(
            _uuid(request.match_id, "match_id"),
            player_ids,
            _name(request.preset, "preset"),
            _room(request.room),
        )
        return pb.ReserveMatchResponse(
            is_reserved=answer.is_reserved,
            players=[
                pb.PlayerAccess(player_id=player_id, access=_access(access))
                for player_id, access in answer.players
            ],
        )

    async def ReleaseMatch(
        self, request: pb.ReleaseMatchRequest, _context: Context
    ) -> pb.ReleaseMatchResponse:
        """Gives the quota back."""
        await self._doors.release(_uuid(request.match_id, "match_id"), _players(request.player_ids))
        return pb.ReleaseMatchResponse()


class PassportServicer(money_rpc.PassportServiceServicer):
    """Answers the calls of `carteado.billing.v1.PassportService`; see its proto for what they mean."""

    def __init__(self, passports: Passports, doors: Doors, now: Callable[[], datetime]) -> None:
        self._passports = passports
        self._doors = doors
        self._now = now

    async def GetAccount(
        self, request: money_pb.GetAccountRequest, _context: Context
    ) -> money_pb.GetAccountResponse:
        """An account."""
        player_id = _uuid(request.player_id, "player_id")
        state = await self._passports.account(player_id)
        if state.is_erased:
            raise ACCOUNT_ERASED.error()
        if state.trial_until is None:
            raise ACCOUNT_NOT_FOUND.error()
        answer = money_pb.GetAccountResponse(
            passport=None if state.passport is None else self._passport(state.passport, state.returns),
            matches_left=await self._doors.matches_left(player_id),
            matches_a_day=CURRENT.matches_a_day,
            catalogue=CURRENT.name,
            earlier=[self._passport(one, state.returns) for one in state.earlier[: -_MOST_EARLIER - 1 : -1]],
        )
        answer.trial_until.FromDatetime(state.trial_until)
        return answer

    async def ListPlans(
        self, request: money_pb.ListPlansRequest, _context: Context
    ) -> money_pb.ListPlansResponse:
        """What is for sale."""
        return money_pb.ListPlansResponse(
            catalogue=CURRENT.name,
            plans=[
                money_pb.Plan(
                    name=plan.name, text=plan.text_pt, price_centavos=plan.price_centavos, months=plan.months
                )
                for plan in CURRENT.plans
            ],
        )

    async def BuyPassport(
        self, request: money_pb.BuyPassportRequest, _context: Context
    ) -> money_pb.BuyPassportResponse:
        """Begins a passport."""
        bought = await self._passports.buy(
            _uuid(request.player_id, "player_id"),
            _name(request.plan, "plan"),
            _uuid(request.command_id, "command_id"),
        )
        return money_pb.BuyPassportResponse(passport=self._passport(bought))

    async def CancelPassport(
        self, request: money_pb.CancelPassportRequest, _context: Context
    ) -> money_pb.CancelPassportResponse:
        """Ends the renewal, or withdraws."""
        end = self._passports.withdraw if request.is_withdrawal else self._passports.cancel
        ended = await end(_uuid(request.player_id, "player_id"), _uuid(request.command_id, "command_id"))
        return money_pb.CancelPassportResponse(passport=self._passport(ended))

    async def RefundPayment(
        self, request: money_pb.RefundPaymentRequest, _context: Context
    ) -> money_pb.RefundPaymentResponse:
        """Gives money back."""
        if not 0 <= request.amount_centavos <= _MOST_CENTAVOS:
            raise INVALID_ARGUMENT.error(field="amount_centavos")
        refunded = await self._passports.refund(
            _uuid(request.player_id, "player_id"),
            _name(request.payment_id, "payment_id"),
            request.amount_centavos,
            _uuid(request.command_id, "command_id"),
            _operator(request.operator),
        )
        return money_pb.RefundPaymentResponse(passport=self._passport(refunded))

    async def RecordChargeback(
        self, request: money_pb.RecordChargebackRequest, _context: Context
    ) -> money_pb.RecordChargebackResponse:
        """Writes a chargeback down."""
        ended = await self._passports.charge_back(
            _uuid(request.player_id, "player_id"),
            _name(request.payment_id, "payment_id"),
            _uuid(request.command_id, "command_id"),
            _operator(request.operator),
        )
        return money_pb.RecordChargebackResponse(passport=self._passport(ended))

    def _passport(self, passport: Passport, returns: Sequence[ReturnDue] = ()) -> money_pb.Passport:
        """`returns` are those that the provider has not made yet: their money counts as gone."""
        message = money_pb.Passport(
            passport_id=passport.id,
            plan=passport.plan,
            status=_status(passport, self._now()),
            price_centavos=passport.price_centavos,
            payments=[
                money_pb.Payment(
                    payment_id=one.id,
                    period=one.period,
                    amount_centavos=one.amount_centavos,
                    returned_centavos=one.returned_centavos
                    + sum(due.amount_centavos for due in returns if due.payment_id == one.id),
                )
                for one in passport.payments
            ],
        )
        message.bought_at.FromDatetime(passport.bought_at)
        message.paid_until.FromDatetime(passport.paid_until)
        message.valid_until.FromDatetime(passport.opens_until)
        message.withdraw_until.FromDatetime(passport.withdraw_until)
        return message


def _status(passport: Passport, at: datetime) -> money_pb.PassportStatus.ValueType:
    if not passport.is_valid(at):
        return money_pb.PASSPORT_STATUS_ENDED
    if passport.is_cancelled:
        return money_pb.PASSPORT_STATUS_CANCELLED
    return money_pb.PASSPORT_STATUS_IN_GRACE if passport.is_in_grace(at) else money_pb.PASSPORT_STATUS_ACTIVE


def _access(access: Access) -> pb.Access:
    message = pb.Access(
        is_allowed=access.is_allowed,
        reason=REASONS[access.reason],
        rule=access.rule,
        matches_left=access.matches_left,
    )
    message.valid_until.FromDatetime(access.valid_until)
    return message


def _moment(request: pb.CheckAccessRequest) -> datetime:
    try:
        at = request.at.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise INVALID_ARGUMENT.error(field="at") from None
    # Far enough from both ends of the calendar that every date derived from it exists.
    if not 2000 <= at.year < 9000:
        raise INVALID_ARGUMENT.error(field="at")
    return at


def _room(number: int) -> Room:
    if number not in ROOMS:
        raise INVALID_ARGUMENT.error(field="room")
    return ROOMS[number]


def _name(text: str, field: str) -> str:
    if not 1 <= len(text) <= _LONGEST_NAME:
        raise INVALID_ARGUMENT.error(field=field)
    return text


def _operator(login: str) -> str:
    if _OPERATOR.fullmatch(login) is None:
        raise INVALID_ARGUMENT.error(
            field="operator", facts={"reason": "a login: a-z, 0-9, '.', '_' and '-', at most 32"}
        )
    return f"operator:{login}"


def _players(player_ids: Collection[str]) -> list[str]:
    if len(player_ids) > MOST_PLAYERS or len(set(player_ids)) != len(player_ids):
        raise INVALID_ARGUMENT.error(field="player_ids", facts={"most": str(MOST_PLAYERS)})
    return [_uuid(one, f"player_ids[{index}]") for index, one in enumerate(player_ids)]


def _uuid(text: str, field: str) -> str:
    try:
        if str(UUID(text)) == text:
            return text
    except ValueError:
        pass
    raise INVALID_ARGUMENT.error(field=field, facts={"reason": "must be a UUID in lower case with hyphens"})
