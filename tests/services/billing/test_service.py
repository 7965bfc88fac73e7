"""Billing as it is composed, on real Postgres and NATS: from a registration to a passport that is renewed."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.accounts.v1.events_pb2 import PlayerErased, PlayerRegistered
from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import access_service_pb2_grpc as rpc
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.billing.v1 import passport_service_pb2_grpc as money_rpc
from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed
from libs.service.app import Context
from libs.service.config import ConfigError, load_config
from libs.service.credentials import Credentials
from libs.service.grpc_client import channel, error_code
from libs.service.grpc_server import GrpcServer
from libs.service.metrics import GrpcServerMetrics
from services.billing.app import build, compose
from services.billing.payments import Sandbox
from services.billing.react import CLOSED_SUBJECT, ERASED_SUBJECT, REGISTERED_SUBJECT
from services.billing.reservation import HELD_FOR

pytestmark = pytest.mark.integration

SENT = count(1)
NOW = datetime.now(UTC).replace(microsecond=0)


class Billing:
    """A running billing, its neighbours' ways to it, and its time."""

    def __init__(self, opened: grpc.aio.Channel, keys: Path, jetstream: Any, address: str) -> None:
        self.address = address
        self.access = rpc.AccessServiceStub(opened)
        self.money = money_rpc.PassportServiceStub(opened)
        self.jetstream = jetstream
        self.ahead = timedelta()
        self._keys = keys

    async def call(self, stub: Any, method: str, request: Any, caller: str = "gateway") -> Any:
        metadata = Credentials(caller, self._keys).metadata("billing")
        return await getattr(stub, method)(request, timeout=10, metadata=metadata)

    async def check(self, player_id: str, room: int = pb.ROOM_RANQUEADA, preset: str = "tranca") -> pb.Access:
        request = pb.CheckAccessRequest(player_id=player_id, preset=preset, room=room)  # type: ignore[arg-type]  # an enum's number
        answer: pb.CheckAccessResponse = await self.call(self.access, "CheckAccess", request)
        return answer.access

    async def reserve(self, player_ids: list[str], match_id: str) -> pb.ReserveMatchResponse:
        request = pb.ReserveMatchRequest(
            match_id=match_id, player_ids=player_ids, preset="tranca", room=pb.ROOM_LIVRE
        )
        answer: pb.ReserveMatchResponse = await self.call(
            self.access, "ReserveMatch", request, caller="matchmaking"
        )
        return answer

    async def account(self, player_id: str) -> money_pb.GetAccountResponse:
        answer: money_pb.GetAccountResponse = await self.call(
            self.money, "GetAccount", money_pb.GetAccountRequest(player_id=player_id)
        )
        return answer

    async def operate(self, *words: str) -> tuple[int | None, str, str]:
        """`carteado billing` with these words: exit code, stdout, stderr."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from libs.cli.main import main; main()", "billing", *words),
            env={
                **os.environ,
                "CARTEADO_BILLING_REPLICAS": self.address,
                "CARTEADO_KEYS": str(self._keys),
                "CARTEADO_OPERATOR": "zica",
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()

    async def tell(self, subject: str, message: Any, at: datetime = NOW, id: str | None = None) -> None:
        headers = {"ce-id": id or f"told-0-{next(SENT)}", "ce-time": at.isoformat()}
        await self.jetstream.publish(subject, message.SerializeToString(), headers=headers)

    async def register(self, days_ago: int = 0) -> str:
        player_id = str(uuid4())
        await self.tell(
            REGISTERED_SUBJECT, PlayerRegistered(player_id=player_id), NOW - timedelta(days=days_ago)
        )

        async def is_known() -> bool:
            return (await self.check(player_id)).reason != pb.ACCESS_REASON_UNKNOWN_PLAYER

        await until(is_known)
        return player_id


async def until(condition: Any) -> None:
    for _ in range(500):
        if await condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not become so in time")


@pytest.fixture
async def billing(environ: dict[str, str], jetstream: Any) -> AsyncIterator[Billing]:
    keys = Path(environ["CARTEADO_KEYS"])
    config, credentials = load_config("billing", environ), Credentials("billing", keys)
    log, registry = structlog.get_logger(), CollectorRegistry()
    running: list[Billing] = []
    parts = await compose(
        Context(config, credentials, log, registry),
        Sandbox(),
        lambda now: now + (running[0].ahead if running else timedelta()),
    )
    server = GrpcServer(credentials, parts.allow, GrpcServerMetrics(registry), log)
    server.register(parts.grpc)
    port = await server.start("127.0.0.1:0")
    background = [asyncio.create_task(work) for work in parts.background]
    address = f"127.0.0.1:{port}"
    async with channel(address) as opened:
        running.append(Billing(opened, keys, jetstream, address))
        assert await parts.ready()
        yield running[0]
    await server.drain(0)
    for task in background:
        task.cancel()
    await asyncio.gather(*background, return_exceptions=True)
    await parts.close()


async def test_a_registration_opens_the_trial_and_an_erasure_ends_everything(billing: Billing) -> None:
    ana = await billing.register()
    assert (await billing.check(ana)).reason == pb.ACCESS_REASON_TRIAL
    assert (await billing.account(ana)).trial_until.ToDatetime(UTC) == NOW + timedelta(days=7)
    await billing.tell(ERASED_SUBJECT, PlayerErased(player_id=ana))

    async def is_erased() -> bool:
        return not (await billing.check(ana, preset="truco-paulista")).is_allowed

    await until(is_erased)


async def test_the_quota_of_a_void_match_comes_back_and_of_a_played_one_stays_used(billing: Billing) -> None:
    ana, bia = await billing.register(8), await billing.register(8)
    void, played = str(uuid4()), str(uuid4())
    for match_id in (void, void, played):
        assert (await billing.reserve([ana, bia], match_id)).is_reserved
    assert (await billing.account(ana)).matches_left == 1
    closed = TableClosed(table_id=void)
    for _ in range(2):
        await billing.tell(CLOSED_SUBJECT, closed)
    finished = view_pb2.Result(reason=view_pb2.END_REASON_FINISHED)
    await billing.tell(CLOSED_SUBJECT, TableClosed(table_id=played, result=finished))

    async def came_back() -> bool:
        return (await billing.account(ana)).matches_left == 2

    await until(came_back)
    with pytest.raises(grpc.aio.AioRpcError) as over:
        await billing.reserve([ana, bia], void)
    assert error_code(over.value) == "MATCH_ALREADY_OVER"
    assert (await billing.account(bia)).matches_left == 2


async def test_a_match_that_is_never_heard_of_again_gives_its_quota_back(billing: Billing) -> None:
    ana = await billing.register(8)
    request = pb.ReleaseMatchRequest(match_id=str(uuid4()), player_ids=[ana])
    await billing.call(billing.access, "ReleaseMatch", request, caller="matchmaking")
    with pytest.raises(grpc.aio.AioRpcError) as barred:
        await billing.reserve([ana], request.match_id)
    assert error_code(barred.value) == "MATCH_ALREADY_OVER"
    forgotten = str(uuid4())
    assert (await billing.reserve([ana], forgotten)).is_reserved
    billing.ahead = HELD_FOR + timedelta(seconds=1)

    async def is_over() -> bool:
        try:
            await billing.reserve([ana], forgotten)
        except grpc.aio.AioRpcError as error:
            return error_code(error) == "MATCH_ALREADY_OVER"
        return False

    await until(is_over)
    assert (await billing.account(ana)).matches_left == 3


async def test_a_passport_is_bought_once_and_renewed_at_its_paid_end(billing: Billing) -> None:
    ana = await billing.register(8)
    request = money_pb.BuyPassportRequest(command_id=str(uuid4()), player_id=ana, plan="pro")
    answers = await asyncio.gather(*(billing.call(billing.money, "BuyPassport", request) for _ in range(4)))
    assert {answer.passport.passport_id for answer in answers} == {request.command_id}
    (passport,) = {answer.passport.SerializeToString() for answer in answers}
    bought = money_pb.Passport.FromString(passport)
    assert bought.status == money_pb.PASSPORT_STATUS_ACTIVE
    assert (await billing.check(ana)).reason == pb.ACCESS_REASON_PASSPORT
    billing.ahead = bought.paid_until.ToDatetime(UTC) - datetime.now(UTC) + timedelta(seconds=2)

    async def is_renewed() -> bool:
        account = await billing.account(ana)
        return [one.period for one in account.passport.payments] == [1, 2]

    await until(is_renewed)
    assert (await billing.check(ana)).is_allowed


async def test_operators_return_money_and_access_ends(billing: Billing) -> None:
    ana = await billing.register(8)
    request = money_pb.BuyPassportRequest(command_id=str(uuid4()), player_id=ana, plan="vip")
    bought = (await billing.call(billing.money, "BuyPassport", request)).passport
    refund = money_pb.RefundPaymentRequest(
        command_id=str(uuid4()),
        player_id=ana,
        payment_id=bought.payments[0].payment_id,
        operator="zica",
    )
    for _ in range(2):
        ended = (await billing.call(billing.money, "RefundPayment", refund, caller="cli")).passport
        assert ended.status == money_pb.PASSPORT_STATUS_ENDED
        assert ended.payments[0].returned_centavos == 1990
    assert (await billing.check(ana)).reason == pb.ACCESS_REASON_PASSPORT_NEEDED


async def test_an_operator_sees_payments_and_returns_them_by_the_command(
    billing: Billing, environ: dict[str, str]
) -> None:
    ana = await billing.register(8)
    request = money_pb.BuyPassportRequest(command_id=str(uuid4()), player_id=ana, plan="vip")
    bought = (await billing.call(billing.money, "BuyPassport", request)).passport
    payment_id = bought.payments[0].payment_id
    code, shown, _ = await billing.operate("show", ana)
    assert code == 0
    assert "3 of 3 matches left" in shown
    assert "vip, active" in shown
    assert f"{payment_id}  R$ 19,90\n" in shown
    code, part, _ = await billing.operate("refund", ana, payment_id, "--amount", "5,00")
    assert code == 0
    assert "vip, active" in part
    assert "R$ 19,90, R$ 5,00 returned" in part
    code, taken, _ = await billing.operate("chargeback", ana, payment_id)
    assert code == 0
    assert "vip, ended" in taken
    code, out, wrong = await billing.operate("refund", ana, payment_id)
    assert (code, out) == (1, "")
    assert wrong.startswith("carteado: ALREADY_RETURNED: ")
    # What was paid for an earlier passport is shown below the last one's, and can be taken back, too.
    request = money_pb.BuyPassportRequest(command_id=str(uuid4()), player_id=ana, plan="pro")
    await billing.call(billing.money, "BuyPassport", request)
    _, shown, _ = await billing.operate("show", ana)
    assert shown.index("pro, active") < shown.index("vip, ended") < shown.index(payment_id)
    async with await psycopg.AsyncConnection.connect(
        f"{environ['CARTEADO_POSTGRES']} dbname=carteado_billing"
    ) as connection:
        cursor = await connection.execute(
            "SELECT type, actor FROM events WHERE actor LIKE 'operator:%' ORDER BY recorded_at, version"
        )
        assert await cursor.fetchall() == [
            ("billing.return_due", "operator:zica"),
            ("billing.passport_revoked", "operator:zica"),
        ]


@pytest.mark.parametrize(
    ("stub", "method", "request_", "field"),
    [
        ("access", "CheckAccess", pb.CheckAccessRequest(player_id="ana"), "player_id"),
        ("access", "CheckAccess", pb.CheckAccessRequest(player_id=str(uuid4()), preset="tranca"), "room"),
        ("money", "BuyPassport", money_pb.BuyPassportRequest(player_id=str(uuid4())), "plan"),
        ("money", "GetAccount", money_pb.GetAccountRequest(player_id="A" * 36), "player_id"),
    ],
)
async def test_what_is_malformed_is_refused_with_its_field(
    billing: Billing, stub: str, method: str, request_: Any, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await billing.call(getattr(billing, stub), method, request_)
    assert error_code(refused.value) == "INVALID_ARGUMENT"


async def test_the_sandbox_does_not_start_outside_development(environ: dict[str, str]) -> None:
    keys = Path(environ["CARTEADO_KEYS"])
    config = load_config("billing", {**environ, "CARTEADO_ENVIRONMENT": "production"})
    context = Context(config, Credentials("billing", keys), structlog.get_logger(), CollectorRegistry())
    with pytest.raises(ConfigError):
        await build(context)
