"""`carteado league`: what operators do about the Liga. Weeks close by themselves; this is for when one has not."""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path
from typing import Annotated

import typer

from carteado.league.v1 import league_service_pb2 as pb
from carteado.league.v1.league_service_pb2_grpc import LeagueServiceStub
from libs.cli.desk import Desk, OperatorOption, at_desk, operator_login
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.up import DEFAULT_DATA

app = typer.Typer(
    no_args_is_help=True,
    help="The Liga do Rei: which weeks there are (weeks), close one that is over (close).",
)

_WEEK = re.compile(r"\d{4}-\d{2}-\d{2}")

DataOption = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The stack's data folder; CARTEADO_LEAGUE_REPLICAS and CARTEADO_KEYS win over it.",
    ),
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="Such as truco-paulista.")]


@app.command("weeks")
def weeks(
    game: GameArgument,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, max=100, help="How many.")] = 10,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """List the newest weeks of a game: running, ended (about to be closed) or closed."""

    async def ask(desk: Desk[LeagueServiceStub]) -> pb.ListWeeksResponse:
        return await desk.call(lambda stub: stub.ListWeeks, pb.ListWeeksRequest(game=game, limit=limit))

    listed = at_desk("league", LeagueServiceStub, data, ask).weeks
    if not listed:
        typer.echo(f"no match of {game} was counted yet")
    for week in listed:
        status = pb.WeekStatus.Name(week.status).removeprefix("WEEK_STATUS_").lower()
        closes_at = week.closes_at.ToDatetime(UTC).astimezone()
        typer.echo(f"{week.week}  {status:<8} closes {closes_at:%Y-%m-%d %H:%M %Z}")


@app.command("close")
def close(
    game: GameArgument,
    week: Annotated[str, typer.Argument(metavar="WEEK", help="Its Monday, such as 2026-11-30.")],
    operator: OperatorOption = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Close a week that is over: places, promotion, relegation and trophies. Closed already, it stays as it is.

    Earlier weeks of the game that are over are closed first. Results that still wait on the message bus are not waited
    for: they become corrections of points.
    """
    if _WEEK.fullmatch(week) is None:
        raise ExpectedError(f"{week} names no week", "say its Monday, such as 2026-11-30", EXIT_REFUSED)

    request = pb.CloseWeekRequest(game=game, week=week, operator=operator_login(operator))

    async def do(desk: Desk[LeagueServiceStub]) -> pb.CloseWeekResponse:
        return await desk.call(lambda stub: stub.CloseWeek, request)

    players = at_desk("league", LeagueServiceStub, data, do).players
    typer.echo(f"{game}, week of {week}: closed, {players} player{'' if players == 1 else 's'} placed")
