"""Billing as the gateway sees it: the access that a test puts into it, one passport a player, and what it was asked."""

# ruff: noqa: N802 - gRPC's methods are named as in the contract

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc

from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import access_service_pb2_grpc as rpc
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.billing.v1 import passport_service_pb2_grpc as money_rpc
from tests.services.gateway.fakes import _GrpcFake

TRIAL_UNTIL = datetime(2026, 12, 7, 15, tzinfo=UTC)


class FakeBilling(_GrpcFake, rpc.AccessServiceServicer, money_rpc.PassportServiceServicer):
    """Answers everybody with `access`."""

    service = "billing"

    def __init__(self, keys: Path) -> None:
        super().__init__(keys)
        self.access = pb.Access(is_allowed=True, reason=pb.ACCESS_REASON_TRIAL, rule="catalogue-1/trial")
        self.access.valid_until.FromDatetime(datetime.now(UTC) + timedelta(hours=1))
        self.asked: list[Any] = []
        self.passports: dict[str, money_pb.Passport] = {}

    async def start(self) -> None:
        services = (
            pb.DESCRIPTOR.services_by_name["AccessService"],
            money_pb.DESCRIPTOR.services_by_name["PassportService"],
        )
        names = [f"/{service.full_name}/{method.name}" for service in services for method in service.methods]

        def register(server: grpc.aio.Server) -> None:
            rpc.add_AccessServiceServicer_to_server(self, server)
            money_rpc.add_PassportServiceServicer_to_server(self, server)

        await self._start(register, names)

    async def CheckAccess(
        self, request: pb.CheckAccessRequest, context: grpc.aio.ServicerContext
    ) -> pb.CheckAccessResponse:
        self.asked.append(request)
        return pb.CheckAccessResponse(access=self.access)

    async def GetAccount(
        self, request: money_pb.GetAccountRequest, context: grpc.aio.ServicerContext
    ) -> money_pb.GetAccountResponse:
        answer = money_pb.GetAccountResponse(
            passport=self.passports.get(request.player_id),
            matches_left=3,
            matches_a_day=3,
            catalogue="catalogue-1",
        )
        answer.trial_until.FromDatetime(TRIAL_UNTIL)
        return answer

    async def ListPlans(
        self, request: money_pb.ListPlansRequest, context: grpc.aio.ServicerContext
    ) -> money_pb.ListPlansResponse:
        plan = money_pb.Plan(name="vip", text="Passaporte VIP", price_centavos=1990, months=1)
        return money_pb.ListPlansResponse(catalogue="catalogue-1", plans=[plan])

    async def BuyPassport(
        self, request: money_pb.BuyPassportRequest, context: grpc.aio.ServicerContext
    ) -> money_pb.BuyPassportResponse:
        self.asked.append(request)
        passport = money_pb.Passport(
            passport_id=request.command_id,
            plan=request.plan,
            status=money_pb.PASSPORT_STATUS_ACTIVE,
            price_centavos=1990,
        )
        self.passports[request.player_id] = passport
        return money_pb.BuyPassportResponse(passport=passport)

    async def CancelPassport(
        self, request: money_pb.CancelPassportRequest, context: grpc.aio.ServicerContext
    ) -> money_pb.CancelPassportResponse:
        self.asked.append(request)
        passport = self.passports[request.player_id]
        passport.status = (
            money_pb.PASSPORT_STATUS_ENDED if request.is_withdrawal else money_pb.PASSPORT_STATUS_CANCELLED
        )
        return money_pb.CancelPassportResponse(passport=passport)
