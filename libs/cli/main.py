"""The command `carteado`: a map of what a newcomer, an operator or an analyst can do.

Only the subcommand that is asked for is imported, so that `carteado up` does not wait for the games, nor
`carteado play` for the servers. What a person can put right is one line on stderr and exit code 1 or 2;
anything else is a bug and shows its traceback.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from libs.cli.expected import EXIT_INTERRUPTED, EXIT_REFUSED, ExpectedError

_HELP = "An open backend for card tables: start it, play on the rules alone, read any match from its log."
_EPILOG = (
    "Examples: carteado up --port 9000 · carteado play truco-paulista --matches 10 --seed 1 --json · "
    "carteado log ls · carteado log show TABLE --at 40 --seat 2 · carteado log verify"
)


@dataclass(frozen=True)
class _Entry:
    """A subcommand: where it is, as `module:name` of a function or a typer app, and what the map says of it."""

    target: str
    summary: str
    panel: str


_COMMANDS = {
    "up": _Entry("libs.cli.up:up", "Start everything on this machine; Ctrl-C stops it.", "Run it"),
    "play": _Entry(
        "libs.cli.play:play",
        "Robots play matches against each other on the rules alone, without a server.",
        "Rules",
    ),
    "arena": _Entry(
        "libs.cli.arena:arena",
        "Two robots over many matches, each deal played twice with the seats swapped: which is stronger, how surely.",
        "Rules",
    ),
    "log": _Entry(
        "libs.cli.log:app",
        "List matches (ls), tell one (show), check them (verify), rebuild what follows from them (rebuild).",
        "The event log",
    ),
    "accounts": _Entry(
        "libs.cli.accounts:app",
        "Show a player (show), keep one out (ban, unban), give or delete personal data (export, erase).",
        "Players",
    ),
    "billing": _Entry(
        "libs.cli.billing:app",
        "Show a player's passport and payments (show), return one (refund), write a chargeback down (chargeback).",
        "Players",
    ),
    "league": _Entry(
        "libs.cli.league:app",
        "The Liga's weeks: list them (weeks), close one that is over and has not closed by itself (close).",
        "Players",
    ),
    "relay": _Entry(
        "libs.cli.relay:app",
        "How far each log's public messages have come (status); publish some again (rewind).",
        "Between services",
    ),
    "parked": _Entry(
        "libs.cli.parked:app",
        "Messages that no consumer could handle (ls); drive them again (redrive).",
        "Between services",
    ),
}


def build(arguments: Sequence[str]) -> typer.Typer:
    """The command for these arguments: whole for the subcommand that they name, a line of help for the others."""
    app = typer.Typer(
        name="carteado",
        help=_HELP,
        epilog=_EPILOG,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    named = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, entry in _COMMANDS.items():
        if name != named:
            app.command(name, help=entry.summary, rich_help_panel=entry.panel)(_only_shown)
            continue
        found = _load(name, entry)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, help=entry.summary, rich_help_panel=entry.panel)
        else:
            app.command(name, rich_help_panel=entry.panel)(found)
    return app


def _load(name: str, entry: _Entry) -> typer.Typer | Callable[..., object]:
    module, _, attribute = entry.target.partition(":")
    try:
        found: typer.Typer | Callable[..., object] = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise ExpectedError(
            f"`carteado {name}` needs the Python module {error.name}, which is not installed",
            "run `make setup` (or pip install 'carteado[local]')",
            EXIT_REFUSED,
        ) from error
    return found


def _only_shown() -> None:
    """Stands in the map for a subcommand that was not asked for."""


def _show_version(is_asked: bool) -> None:
    if is_asked:
        try:
            number = version("carteado")
        except PackageNotFoundError:
            number = "(not installed)"
        typer.echo(f"carteado {number}")
        raise typer.Exit


def _options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass


def report(error: ExpectedError) -> int:
    """Show an expected error on stderr; gives the exit code."""
    for line in error.detail:
        typer.echo(f"  {line}", err=True)
    typer.echo(f"carteado: {error}", err=True)
    return error.exit_code


def main() -> None:
    """The entry point of the command `carteado`."""
    try:
        build(sys.argv[1:])()
    except ExpectedError as error:
        sys.exit(report(error))
    except KeyboardInterrupt:
        # Ctrl-C while the subcommand is still being loaded; later on typer gives the same exit code.
        sys.exit(EXIT_INTERRUPTED)
