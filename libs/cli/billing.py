"""`carteado billing`: what operators do about money. Every act says who did it, and can be read from the log of billing."""

from __future__ import annotations

import re
import uuid
from datetime import UTC
from pathlib import Path
from typing import Annotated

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.billing.v1 import passport_service_pb2 as pb
from carteado.billing.v1.passport_service_pb2_grpc import PassportServiceStub
from libs.cli.desk import Desk, OperatorOption, at_desk, operator_login
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.up import DEFAULT_DATA

app = typer.Typer(
    no_args_is_help=True,
    help="Access and money: show an account, return a payment, write a chargeback down.",
)

_REAIS = re.compile(r"(\d{1,6})[.,](\d{2})")

DataOption = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The stack's data folder; CARTEADO_BILLING_REPLICAS and CARTEADO_KEYS win over it.",
    ),
]
PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="The player's id; `carteado accounts show NAME` tells it.")
]
PaymentArgument = Annotated[
    str, typer.Argument(metavar="PAYMENT", help="The payment's id, as `show` lists it.")
]


@app.command("show")
def show(player: PlayerArgument, data: DataOption = DEFAULT_DATA) -> None:
    """Show a player's trial, passports and payments, the newest first."""

    async def ask(desk: Desk[PassportServiceStub]) -> pb.GetAccountResponse:
        return await desk.call(lambda stub: stub.GetAccount, pb.GetAccountRequest(player_id=player))

    account = at_desk("billing", PassportServiceStub, data, ask)
    typer.echo(f"trial until  {_time(account.trial_until)}")
    typer.echo(f"today        {account.matches_left} of {account.matches_a_day} matches left")
    if account.HasField("passport"):
        _tell(account.passport)
    else:
        typer.echo("passport     none")
    for earlier in account.earlier:
        _tell(earlier)


@app.command("refund")
def refund(
    player: PlayerArgument,
    payment: PaymentArgument,
    amount: Annotated[
        str | None,
        typer.Option("--amount", metavar="REAIS", help="A part, such as 5,00; by default all that is left."),
    ] = None,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Return a payment. All of it ends the passport at once; a part leaves it."""
    request = pb.RefundPaymentRequest(
        command_id=str(uuid.uuid4()),
        player_id=player,
        payment_id=payment,
        amount_centavos=0 if amount is None else _centavos(amount),
        operator=operator_login(operator),
    )

    async def do(desk: Desk[PassportServiceStub]) -> pb.RefundPaymentResponse:
        return await desk.call(lambda stub: stub.RefundPayment, request)

    _tell(at_desk("billing", PassportServiceStub, data, do).passport)


@app.command("chargeback")
def chargeback(
    player: PlayerArgument,
    payment: PaymentArgument,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Write down that the payer's bank took a payment back. It ends the passport at once."""
    request = pb.RecordChargebackRequest(
        command_id=str(uuid.uuid4()), player_id=player, payment_id=payment, operator=operator_login(operator)
    )

    async def do(desk: Desk[PassportServiceStub]) -> pb.RecordChargebackResponse:
        return await desk.call(lambda stub: stub.RecordChargeback, request)

    _tell(at_desk("billing", PassportServiceStub, data, do).passport)


def _centavos(reais: str) -> int:
    found = _REAIS.fullmatch(reais)
    if found is None or not int(found[1] + found[2]):
        raise ExpectedError(f"--amount {reais} is not understood", "say reais, such as 5,00", EXIT_REFUSED)
    return int(found[1] + found[2])


def _tell(passport: pb.Passport) -> None:
    status = (
        pb.PassportStatus.Name(passport.status).removeprefix("PASSPORT_STATUS_").lower().replace("_", " ")
    )
    # One that has ended opens nothing, whatever it was once paid for.
    is_over = passport.status == pb.PASSPORT_STATUS_ENDED
    until = "" if is_over else f", valid until {_time(passport.valid_until)}"
    typer.echo(f"passport     {passport.plan}, {status}{until}")
    for payment in passport.payments:
        back = f", {_reais(payment.returned_centavos)} returned" if payment.returned_centavos else ""
        typer.echo(f"payment      {payment.payment_id}  {_reais(payment.amount_centavos)}{back}")


def _reais(centavos: int) -> str:
    return f"R$ {centavos // 100},{centavos % 100:02}"


def _time(moment: Timestamp) -> str:
    return f"{moment.ToDatetime(UTC).astimezone():%Y-%m-%d %H:%M:%S %Z}"
