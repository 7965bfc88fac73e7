"""`carteado log rebuild`: a projection is built anew from the log, beside the live one, and takes its place."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Any

import psycopg
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.log_reader import Conninfo, log_database
from libs.cli.log_source import ServiceLog, service_log
from libs.cli.up import DEFAULT_DATA
from libs.eventlog.errors import LogCorruptError, RebuildUnderWayError, UnknownEventError
from libs.eventlog.projection import Projection
from libs.eventlog.rebuild import Rebuilt, rebuild


def rebuild_projection(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The projection, such as matches.")],
    data: Annotated[
        Path,
        typer.Option(
            "--data", metavar="DIR", help="The stack's data folder; CARTEADO_POSTGRES wins over it."
        ),
    ] = DEFAULT_DATA,
    service: Annotated[
        str, typer.Option("--log", metavar="SERVICE", help="The service whose log it follows.")
    ] = "table",
) -> None:
    """Build a projection anew from the log, also while the service runs; readers see the old rows until the new ones stand."""
    projection = _projection(service_log(service), name)
    with log_database(data, service) as conninfo:
        done = _rebuild(conninfo, projection, service)
    typer.echo(f"{name}: {done.events} events in {done.seconds:.1f} s")


def _projection(log: ServiceLog, name: str) -> Projection[Any]:
    for projection in log.projections:
        if projection.name == name:
            return projection
    known = ", ".join(projection.name for projection in log.projections) or "none"
    raise ExpectedError(f"the log of {log.name} has no projection {name!r}", f"known: {known}", EXIT_REFUSED)


def _rebuild(conninfo: Conninfo, projection: Projection[Any], service: str) -> Rebuilt:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("events", total=None)

        def tell(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        try:
            return asyncio.run(rebuild(conninfo, projection, on_progress=tell))
        except (UnknownEventError, LogCorruptError) as error:
            raise ExpectedError(str(error), "the rows are as they were") from error
        except RebuildUnderWayError as error:
            raise ExpectedError(str(error), "wait for it", EXIT_REFUSED) from error
        except (psycopg.OperationalError, psycopg.errors.UndefinedTable) as error:
            told = str(error).partition("\n")[0]
            raise ExpectedError(told, f"has the service {service} ever run here?") from error
