"""`carteado accounts`: what operators do about players. Every act says who did it and why, and can be read from the log.

The words of a reason stand in a plain table of accounts, which an erasure empties; the log has the reason's code.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from carteado.accounts.v1 import events_pb2, operators_service_pb2
from carteado.accounts.v1.operators_service_pb2_grpc import OperatorsServiceStub
from libs.cli.desk import Desk, OperatorOption, at_desk, operator_login
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.up import DEFAULT_DATA

app = typer.Typer(
    no_args_is_help=True, help="Players' accounts: show one, ban and unban, export and erase what is known."
)

Answer = TypeVar("Answer")
_Desk = Desk[OperatorsServiceStub]

_DURATION = re.compile(r"(\d{1,5})([dhm])")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


class Reason(StrEnum):
    """Why somebody is banned."""

    abusive_chat = "abusive-chat"
    cheating = "cheating"
    multiple_accounts = "multiple-accounts"
    offensive_name = "offensive-name"
    payment_fraud = "payment-fraud"
    other = "other"

    @property
    def code(self) -> events_pb2.BanReason.ValueType:
        """Its number in the contract."""
        return events_pb2.BanReason.Value(f"BAN_REASON_{self.name.upper()}")


DataOption = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The stack's data folder; CARTEADO_ACCOUNTS_REPLICAS and CARTEADO_KEYS win over it.",
    ),
]
PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="The player's id, or their display name.")
]
NoteOption = Annotated[
    str, typer.Option("--note", metavar="TEXT", help="Why, in words, for the operators after you.")
]


@app.command("show")
def show(player: PlayerArgument, data: DataOption = DEFAULT_DATA) -> None:
    """Show what is known of a player."""

    async def ask(desk: _Desk) -> operators_service_pb2.ShowPlayerResponse:
        return await _show(desk, player)

    shown = _run(data, ask)
    typer.echo(f"player      {shown.player_id}")
    typer.echo(f"name        {shown.name or ('(erased)' if shown.is_erased else '(none yet)')}")
    typer.echo(f"registered  {_time(shown.registered_at.ToDatetime(UTC))}")
    typer.echo(f"sessions    {shown.open_sessions}")
    typer.echo(f"friends     {shown.friends}")
    typer.echo(f"banned      {_ban(shown)}")


@app.command("ban")
def ban(
    player: PlayerArgument,
    reason: Annotated[Reason, typer.Option("--reason", help="What for; stands in the log.")],
    note: NoteOption,
    duration: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="How long, such as 7d, 12h or 30m.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--until", help="Until when, in this machine's time.")
    ] = None,
    for_ever: Annotated[bool, typer.Option("--for-ever", help="Until an operator lifts it.")] = False,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Keep a player out: sockets close at once, and nobody gets in until the ban ends. A running ban is replaced."""
    ends_at = _end(duration, until, for_ever=for_ever)

    async def do(desk: _Desk) -> str:
        player_id = (await _show(desk, player)).player_id
        request = operators_service_pb2.BanPlayerRequest(
            player_id=player_id,
            operator=operator_login(operator),
            reason=reason.code,
            note=note,
            command_id=str(uuid.uuid4()),
        )
        if ends_at is not None:
            request.until.FromDatetime(ends_at)
        await desk.call(lambda stub: stub.BanPlayer, request)
        return player_id

    typer.echo(f"{_run(data, do)} is banned {'for ever' if ends_at is None else f'until {_time(ends_at)}'}")


@app.command("unban")
def unban(
    player: PlayerArgument,
    note: NoteOption,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Let a banned player in again."""

    async def do(desk: _Desk) -> str:
        player_id = (await _show(desk, player)).player_id
        request = operators_service_pb2.UnbanPlayerRequest(
            player_id=player_id, operator=operator_login(operator), note=note, command_id=str(uuid.uuid4())
        )
        await desk.call(lambda stub: stub.UnbanPlayer, request)
        return player_id

    typer.echo(f"{_run(data, do)} may come in again")


@app.command("export")
def export(
    player: PlayerArgument,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Print all personal data of a player as JSON, to be given to them."""

    async def do(desk: _Desk) -> bytes:
        player_id = (await _show(desk, player)).player_id
        request = operators_service_pb2.ExportAccountRequest(
            player_id=player_id, operator=operator_login(operator)
        )
        return (await desk.call(lambda stub: stub.ExportAccount, request)).json

    typer.echo(json.dumps(json.loads(_run(data, do)), indent=2, ensure_ascii=False))


@app.command("erase")
def erase(
    player: PlayerArgument,
    is_sure: Annotated[bool, typer.Option("--yes", help="Do it; without this nothing is done.")] = False,
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Delete all personal data of a player for ever, at the player's wish. Matches stay, under an id that leads to nobody."""

    async def do(desk: _Desk) -> str:
        shown = await _show(desk, player)
        if not is_sure:
            raise ExpectedError(
                f"{shown.player_id} ({shown.name or 'no name'}) is not erased",
                "this cannot be undone: say --yes",
                EXIT_REFUSED,
            )
        request = operators_service_pb2.EraseAccountRequest(
            player_id=shown.player_id, operator=operator_login(operator)
        )
        await desk.call(lambda stub: stub.EraseAccount, request)
        return shown.player_id

    typer.echo(f"{_run(data, do)} is erased")


async def _show(desk: _Desk, player: str) -> operators_service_pb2.ShowPlayerResponse:
    named = {"player_id": player.lower()} if _is_uuid(player) else {"name": player}
    return await desk.call(lambda stub: stub.ShowPlayer, operators_service_pb2.ShowPlayerRequest(**named))


def _run(data: Path, work: Callable[[_Desk], Awaitable[Answer]]) -> Answer:
    return at_desk("accounts", OperatorsServiceStub, data, work)


def _end(duration: str | None, until: datetime | None, *, for_ever: bool) -> datetime | None:
    if (duration is not None) + (until is not None) + for_ever != 1:
        raise ExpectedError("how long?", "say one of --for 7d, --until DATE and --for-ever", EXIT_REFUSED)
    if until is not None:
        try:
            return until.astimezone(UTC)
        except (ValueError, OverflowError):
            raise ExpectedError(
                f"--until {until:%Y-%m-%d} is no time that a ban can end", "say --for-ever", EXIT_REFUSED
            ) from None
    if duration is None:
        return None
    found = _DURATION.fullmatch(duration)
    if found is None:
        raise ExpectedError(f"--for {duration} is not understood", "say 7d, 12h or 30m", EXIT_REFUSED)
    return datetime.now(UTC) + timedelta(**{_UNITS[found[2]]: int(found[1])})


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def _ban(shown: operators_service_pb2.ShowPlayerResponse) -> str:
    if not shown.HasField("ban"):
        return "no"
    ban_ = shown.ban
    until = f"until {_time(ban_.until.ToDatetime(UTC))}" if ban_.HasField("until") else "for ever"
    reason = events_pb2.BanReason.Name(ban_.reason).removeprefix("BAN_REASON_").lower().replace("_", "-")
    by = f" by {ban_.banned_by.removeprefix('operator:')}: {ban_.note}" if ban_.banned_by else ""
    return f"{until}, {reason}{by}"


def _time(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S %Z}"
