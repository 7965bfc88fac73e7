"""`carteado billing`: what operators do about money. Every act says who did it, and can be read from the log of billing."""

from __future__ import annotations

import asyncio
import getpass
import os
import re
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC
from pathlib import Path
from typing import Annotated, TypeVar

import grpc
import msgspec
import typer
from google.protobuf.timestamp_pb2 import Timestamp

from carteado.billing.v1 import passport_service_pb2 as pb
from carteado.billing.v1.passport_service_pb2_grpc import PassportServiceStub
from deploy.local import discover
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.up import DEFAULT_DATA
from libs.service.config import ConfigError
from libs.service.credentials import Credentials
from libs.service.errors import ServiceError
from libs.service.grpc_client import Channels, error_code

app = typer.Typer(
    no_args_is_help=True,
    help="Access and money: show an account, return a payment, write a chargeback down.",
)

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Call = Callable[[PassportServiceStub], "grpc.aio.UnaryUnaryMultiCallable[Request, Answer]"]

NAME = "cli"
"""The service credential that this command calls with."""

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
OperatorOption = Annotated[
    str | None,
    typer.Option("--operator", metavar="LOGIN", help="Who does it; by default who is logged in here."),
]


@app.command("show")
def show(player: PlayerArgument, data: DataOption = DEFAULT_DATA) -> None:
    """Show a player's trial, passports and payments, the newest first."""

    async def ask(desk: _Desk) -> pb.GetAccountResponse:
        return await desk.call(lambda stub: stub.GetAccount, pb.GetAccountRequest(player_id=player))

    account = _run(data, ask)
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
        operator=_operator(operator),
    )

    async def do(desk: _Desk) -> pb.RefundPaymentResponse:
        return await desk.call(lambda stub: stub.RefundPayment, request)

    _tell(_run(data, do).passport)


@app.command("chargeback")
def chargeback(
    player: PlayerArgument,
    payment: PaymentArgument,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Write down that the payer's bank took a payment back. It ends the passport at once."""
    request = pb.RecordChargebackRequest(
        command_id=str(uuid.uuid4()), player_id=player, payment_id=payment, operator=_operator(operator)
    )

    async def do(desk: _Desk) -> pb.RecordChargebackResponse:
        return await desk.call(lambda stub: stub.RecordChargeback, request)

    _tell(_run(data, do).passport)


class _Place(msgspec.Struct, frozen=True):
    addresses: tuple[str, ...]
    keys: Path


class _Desk:
    """The operators' face of billing, of whichever replica answers."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels

    async def call(self, method: Call[Request, Answer], request: Request) -> Answer:
        return await self._channels.call(
            "billing", NAME, lambda channel: method(PassportServiceStub(channel)), request
        )


def _run(data: Path, work: Callable[[_Desk], Awaitable[Answer]]) -> Answer:
    place = _place(data)
    try:
        credentials = Credentials(NAME, place.keys)
    except ConfigError as error:
        raise ExpectedError(str(error), "start the stack once with this version", EXIT_REFUSED) from error

    async def run() -> Answer:
        channels = Channels({"billing": place.addresses}, credentials)
        try:
            return await work(_Desk(channels))
        except grpc.aio.AioRpcError as error:
            code = error_code(error) or error.code().name
            raise ExpectedError(f"{code}: {error.details()}", "docs/errors.md lists the codes") from error
        except ServiceError as error:
            raise ExpectedError(f"billing does not answer at {', '.join(place.addresses)}") from error
        finally:
            await channels.close()

    return asyncio.run(run())


def _place(data: Path) -> _Place:
    """Where billing is and which keys to call it with: what the environment says, else the stack in `data`."""
    addresses, keys = os.environ.get("CARTEADO_BILLING_REPLICAS", ""), os.environ.get("CARTEADO_KEYS", "")
    if addresses and keys:
        return _Place(tuple(filter(None, addresses.split(","))), Path(keys))
    info = discover(data)
    if not info.is_running:
        raise ExpectedError(f"no stack runs in {info.data}", "start it with `carteado up`", EXIT_REFUSED)
    replicas = [
        address["grpc"]
        for name, address in info.services.items()
        if name == "billing" or name.startswith("billing-")
    ]
    return _Place(tuple(replicas), info.data / "keys")


def _centavos(reais: str) -> int:
    found = _REAIS.fullmatch(reais)
    if found is None or not int(found[1] + found[2]):
        raise ExpectedError(f"--amount {reais} is not understood", "say reais, such as 5,00", EXIT_REFUSED)
    return int(found[1] + found[2])


def _operator(given: str | None) -> str:
    return given or os.environ.get("CARTEADO_OPERATOR") or getpass.getuser().lower()


def _tell(passport: pb.Passport) -> None:
    status = (
        pb.PassportStatus.Name(passport.status).removeprefix("PASSPORT_STATUS_").lower().replace("_", " ")
    )
    typer.echo(f"passport     {passport.plan}, {status}, valid until {_time(passport.valid_until)}")
    for payment in passport.payments:
        back = f", {_reais(payment.returned_centavos)} returned" if payment.returned_centavos else ""
        typer.echo(f"payment      {payment.payment_id}  {_reais(payment.amount_centavos)}{back}")


def _reais(centavos: int) -> str:
    return f"R$ {centavos // 100},{centavos % 100:02}"


def _time(moment: Timestamp) -> str:
    return f"{moment.ToDatetime(UTC).astimezone():%Y-%m-%d %H:%M:%S %Z}"
