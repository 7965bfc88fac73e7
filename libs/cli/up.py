"""`carteado up`: the whole platform on this machine, for trying it and for developing it."""

from pathlib import Path
from typing import Annotated

import typer

from deploy.local.console import Console
from deploy.local.supervisor import Options, run
from libs.cli.expected import EXIT_REFUSED, ExpectedError

DEFAULT_DATA = Path(".carteado")
DEFAULT_PORT = 8420


def up(
    data: Annotated[
        Path,
        typer.Option("--data", metavar="DIR", help="Folder of everything the stack keeps; made if missing."),
    ] = DEFAULT_DATA,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="Where the page is served; 0 takes any free port."
        ),
    ] = DEFAULT_PORT,
    replicas: Annotated[
        list[str] | None,
        typer.Option(
            "--replicas",
            metavar="SERVICE=N",
            help="Several processes of a service, such as table=3; may be repeated.",
        ),
    ] = None,
) -> None:
    """Start Postgres, NATS and every service on this machine; Ctrl-C stops them all.

    Prints `ready http://127.0.0.1:PORT` on stdout once everything serves. A service that dies is started again.
    With CARTEADO_POSTGRES or CARTEADO_NATS set, those servers are used instead of the embedded ones.
    """
    run(Options(data=data, port=port, replicas=_counts(replicas or [])), Console())


def _counts(words: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        name, _, count = word.partition("=")
        if not count.isdecimal():
            raise ExpectedError(
                f"--replicas {word} is not understood", "say --replicas table=3", EXIT_REFUSED
            )
        counts[name] = int(count)
    return counts
