"""`carteado parked`: messages that a consumer could not handle, and to drive them again once the cause is mended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import nats
import nats.errors
import typer
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from deploy.local import discover
from libs.cli.expected import EXIT_REFUSED, ExpectedError
from libs.cli.up import DEFAULT_DATA
from libs.eventlog.parked import ParkedMessage, list_parked, redrive

app = typer.Typer(no_args_is_help=True, help="Messages that were put aside because no delivery succeeded.")

_TIMEOUT_S = 5

DataOption = Annotated[
    Path, typer.Option("--data", metavar="DIR", help="The stack's data folder; CARTEADO_NATS wins over it.")
]
ConsumerOption = Annotated[
    str | None, typer.Option("--consumer", metavar="NAME", help="Only this consumer's, such as `robots`.")
]


@app.command("ls")
def list_messages(
    consumer: ConsumerOption = None,
    data: DataOption = DEFAULT_DATA,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List what is parked, the oldest first: its number, whose it is, since when, what it is and why."""
    found = asyncio.run(_list(_nats_url(data), consumer))
    for parked in found:
        if as_json:
            typer.echo(msgspec.json.encode(parked).decode())
        else:
            typer.echo(
                f"{parked.sequence:>6}  {parked.durable}  {parked.parked_at:%Y-%m-%d %H:%M:%S}  {parked.id}  "
                f"{parked.subject}\n        {parked.reason}"
            )
    if not found:
        typer.echo("nothing is parked", err=True)


@app.command("redrive")
def redrive_messages(
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="[NUMBER]...", help="Which, by the numbers that `ls` shows.")
    ] = None,
    consumer: ConsumerOption = None,
    is_all: Annotated[bool, typer.Option("--all", help="Everything that is parked.")] = False,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Send parked messages to their subjects again. What was handled before is not handled twice."""
    if sum((bool(numbers), consumer is not None, is_all)) != 1:
        raise ExpectedError("say which messages", "give numbers, or --consumer NAME, or --all", EXIT_REFUSED)
    driven = asyncio.run(_redrive(_nats_url(data), numbers or [], consumer))
    missing = sorted(set(numbers or ()) - {parked.sequence for parked in driven})
    typer.echo(f"sent again: {len(driven)}")
    if missing:
        raise ExpectedError(f"not parked: {', '.join(map(str, missing))}", "`carteado parked ls` lists them")


def _nats_url(data: Path) -> str:
    given = os.environ.get("CARTEADO_NATS", "")
    return given or discover(data).nats


async def _not_shown(_error: Exception) -> None:
    """What the client meets on the way; what stops the command is raised, and said in one line."""


@asynccontextmanager
async def _jetstream(url: str) -> AsyncIterator[JetStreamContext]:
    try:
        client = await nats.connect(
            url,
            name="carteado parked",
            connect_timeout=_TIMEOUT_S,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            error_cb=_not_shown,
        )
    except (OSError, nats.errors.Error) as error:
        raise ExpectedError("NATS does not answer", "start the stack, or set CARTEADO_NATS") from error
    try:
        yield client.jetstream(timeout=_TIMEOUT_S)
    except NotFoundError as error:
        raise ExpectedError(
            "nothing has ever been parked here: the stream carteado-parked is missing"
        ) from error
    except nats.errors.Error as error:
        raise ExpectedError(
            f"NATS failed on the way: {error!r}", "run the command again: nothing is lost"
        ) from error
    finally:
        await client.close()


async def _list(url: str, consumer: str | None) -> Sequence[ParkedMessage]:
    async with _jetstream(url) as js:
        return [parked async for parked in list_parked(js, consumer)]


async def _redrive(url: str, numbers: Sequence[int], consumer: str | None) -> Sequence[ParkedMessage]:
    async with _jetstream(url) as js:
        # First the list, then the sending: what fails again at once is parked anew, behind the end of this list.
        chosen = [
            parked async for parked in list_parked(js, consumer) if not numbers or parked.sequence in numbers
        ]
        for parked in chosen:
            await redrive(js, parked)
        return chosen
