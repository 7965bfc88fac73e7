"""`carteado relay`: how far the public messages of each service's log have come, and to publish some again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import psycopg
import typer

from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.log_reader import database_of, log_server
from libs.cli.up import DEFAULT_DATA
from libs.eventlog.errors import LogUnavailableError
from libs.eventlog.relay_status import MOST_COUNTED, RelayPartition, relay_status, rewind
from libs.eventlog.streams import PARTITIONS

app = typer.Typer(no_args_is_help=True, help="The way from a service's log to NATS.")

_DATABASES = r"SELECT datname FROM pg_database WHERE datname LIKE 'carteado\_%' ORDER BY datname"
_TIMEOUT_S = 5

DataOption = Annotated[
    Path,
    typer.Option("--data", metavar="DIR", help="The stack's data folder; CARTEADO_POSTGRES wins over it."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@app.command("status")
def status(
    service: Annotated[
        str | None,
        typer.Argument(metavar="[SERVICE]", help="Its partitions one by one; without it, all services."),
    ] = None,
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show how many public messages wait in each log, how old the oldest is, and who pumps.

    Messages that wait for minutes in a partition that is pumped mean that NATS does not take them: the log of the
    service says why.
    """
    with log_server(data) as server:
        services = _services(server, service)
        found = _all_status(server, services) if service is None else {service: _status(server, service)}
    if as_json:
        for name, rows in found.items():
            for row in rows:
                typer.echo(msgspec.json.encode({"service": name, **msgspec.structs.asdict(row)}).decode())
    elif service is not None:
        _print_partitions(found[service])
    else:
        _print_services(found)


@app.command("rewind")
def rewind_partition(
    service: Annotated[str, typer.Argument(metavar="SERVICE", help="Whose log, such as `table`.")],
    partition: Annotated[
        int, typer.Argument(metavar="PARTITION", min=0, max=PARTITIONS - 1, help="Which partition of it.")
    ],
    position: Annotated[
        int, typer.Argument(metavar="POSITION", min=0, help="Everything public after it is published again.")
    ],
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Have a part of a log published again, for messages that NATS has lost; consumers know what they have had.

    For ten minutes NATS itself drops a message that it has already.
    """
    with log_server(data) as server:
        _services(server, service)
        with _expected(service):
            before = asyncio.run(rewind(database_of(server, service), partition, position))
        now = _status(server, service)[partition]
    if position >= before:
        typer.echo(f"{service} partition {partition} stands at {before}: nothing is published again")
        return
    typer.echo(
        f"{service} partition {partition}: from {before} back to {position}, "
        f"{_count(now.waiting)} public messages wait to be published"
    )
    if now.pumped_by is None:
        typer.echo(f"nobody pumps it now: they wait until {service} runs", err=True)


def _services(server: str, wanted: str | None) -> list[str]:
    """The services that have a database here. Raises ExpectedError when the wanted one has none."""
    try:
        with psycopg.connect(server, dbname="postgres", connect_timeout=_TIMEOUT_S) as connection:
            rows = connection.execute(_DATABASES).fetchall()
    except psycopg.OperationalError as error:
        raise ExpectedError(f"Postgres does not answer: {str(error).strip()}") from error
    names = [name.removeprefix("carteado_") for (name,) in rows]
    if wanted is None:
        return names
    if wanted not in names:
        raise ExpectedError(
            f"there is no service {wanted!r} here", f"known: {', '.join(names) or 'none'}", EXIT_REFUSED
        )
    return [wanted]


def _status(server: str, service: str) -> Sequence[RelayPartition]:
    with _expected(service):
        return asyncio.run(relay_status(database_of(server, service)))


def _all_status(server: str, services: Sequence[str]) -> dict[str, Sequence[RelayPartition]]:
    """Of each service with a log; a database without one hides no other."""
    found: dict[str, Sequence[RelayPartition]] = {}
    for name in services:
        try:
            found[name] = _status(server, name)
        except ExpectedError as error:
            typer.echo(str(error), err=True)
    return found


@contextmanager
def _expected(service: str) -> Iterator[None]:
    try:
        yield
    except LogUnavailableError as error:
        raise ExpectedError(str(error), f"has the service {service} run here with this release?") from error
    except psycopg.errors.UndefinedTable as error:
        raise ExpectedError(
            f"the database carteado_{service} holds no log",
            f"has the service {service} run here with this release?",
        ) from error


def _print_services(found: dict[str, Sequence[RelayPartition]]) -> None:
    typer.echo(f"{'service':12}  {'waiting':>8}  {'oldest':>9}  pumped partitions")
    for name, rows in found.items():
        waiting = sum(row.waiting for row in rows)
        pumped = sum(row.pumped_by is not None for row in rows)
        oldest_s = max(row.age_s for row in rows)
        typer.echo(f"{name:12}  {_count(waiting):>8}  {_age(oldest_s):>9}  {pumped} of {len(rows)}")


def _print_partitions(rows: Sequence[RelayPartition]) -> None:
    typer.echo(
        f"{'partition':>9}  {'published to':>12}  {'head':>8}  {'waiting':>8}  {'oldest':>9}  pumped by"
    )
    for row in rows:
        pumped_by = "nobody" if row.pumped_by is None else f"session {row.pumped_by}"
        typer.echo(
            f"{row.partition:>9}  {row.position:>12}  {row.head:>8}  {_count(row.waiting):>8}  "
            f"{_age(row.age_s):>9}  {pumped_by}"
        )


def _count(messages: int) -> str:
    return f"{messages}+" if messages == MOST_COUNTED else str(messages)


def _age(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds else "-"
