"""Billing as it is composed, on real Postgres and NATS: from a registration to a passport that is renewed."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
import structlog
from prometheus_client import CollectorRegistry

from carteado.accounts.v1.events_pb2 import PlayerErased
from carteado.billing.v1 import access_service_pb2 as pb
from carteado.billing.v1 import passport_service_pb2 as money_pb
from carteado.table.v1 import view_pb2
from carteado.table.v1.events_pb2 import TableClosed
from libs.service.app import Context
from libs.service.config import ConfigError, load_config
from libs.service.credentials import Credentials
from libs.service.grpc_client import error_code
from services.billing.app import build
from services.billing.react import CLOSED_SUBJECT, ERASED_SUBJECT
from services.billing.reservation import HELD_FOR
from tests.services.billing.running import NOW, Billing, until

pytestmark = pytest.mark.integration


@pytest.fixture
def billing(running_billing: Billing) -> Billing:
    return running_billing


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
    code, _, wrong = await billing.operate("refund", ana, payment_id, "--amount", "19,90")
    assert code == 1
    assert "MORE_THAN_PAID" in wrong
    assert "(left_centavos 1490)" in wrong
    code, taken, _ = await billing.operate("chargeback", ana, payment_id)
    assert code == 0
    assert "vip, ended\n" in taken
    code, out, wrong = await billing.operate("refund", ana, payment_id)
    assert (code, out) == (1, "")
    assert wrong.startswith("carteado: ALREADY_RETURNED: ")
    code, _, wrong = await billing.operate("show", "Ana")
    assert code == 1
    assert "(player_id, must be a UUID" in wrong
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
