"""`carteado log`: list matches, tell one as a story, check all of them; rebuild what follows from the log.

Cards of a running match are shown to nobody here: it is told as a spectator sees it. Once it has ended everything is
public, from every seat and at every version.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from libs.cli.expected import EXIT_FAILED, EXIT_REFUSED, ExpectedError
from libs.cli.log_reader import LogReader, log_database, open_reader
from libs.cli.log_rebuild import rebuild_projection
from libs.cli.log_source import LogSource, log_source
from libs.cli.up import DEFAULT_DATA
from libs.eventlog.committed import CommittedCommand
from libs.eventlog.errors import LogCorruptError, UnknownEventError
from libs.eventlog.inspect import Finding, ReplayChecks, verify_log, verify_stream
from libs.eventlog.streams import PARTITIONS, parse_stream

app = typer.Typer(no_args_is_help=True, help="Read the event log: list matches, tell one, check them.")

DataOption = Annotated[
    Path,
    typer.Option("--data", metavar="DIR", help="The stack's data folder; CARTEADO_POSTGRES wins over it."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
TableArgument = Annotated[
    str, typer.Argument(metavar="TABLE", help="The table's id, or the first characters of it.")
]

_SERVICE = "table"

app.command("rebuild")(rebuild_projection)


@app.command("ls")
def list_tables(
    data: DataOption = DEFAULT_DATA,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=10_000, help="How many, the latest first.")
    ] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the matches in the log, the latest begun first."""
    source = log_source(_SERVICE)
    rows = _run(data, source, lambda reader: _list(reader, limit))
    if as_json:
        _print_json(rows)
        return
    if not rows:
        typer.echo("the log is empty: play a match first", err=True)
        return
    wide = max(len(row["what"]) for row in rows)
    typer.echo(f"{'table':36}  {'what':{wide}}  version  began                last event")
    for row in rows:
        began, last = (f"{row[name]:%Y-%m-%d %H:%M:%S}" for name in ("began_at", "last_at"))
        typer.echo(f"{row['table']}  {row['what']:{wide}}  {row['version']:>7}  {began}  {last}")


@app.command("show")
def show_table(
    table: TableArgument,
    data: DataOption = DEFAULT_DATA,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="VERSION", min=1, help="Stop at this version, and look around."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=0, help="Tell only what this seat was told.")
    ] = None,
    clocks: Annotated[bool, typer.Option("--clocks", help="Tell of every clock that starts, too.")] = False,
    as_json: JsonOption = False,
    notation: Annotated[
        bool,
        typer.Option("--notation", help="Print an ended match as a column would (docs/notation.md)."),
    ] = False,
) -> None:
    """Tell a match as a readable story; with --at, also what there was to see at that version."""
    if notation and (seat is not None or clocks or as_json):
        raise ExpectedError("--notation goes with --at alone", "", EXIT_REFUSED)
    source = log_source(_SERVICE)
    commands = _run(data, source, lambda reader: _commands(reader, table))
    is_public = source.is_public(commands[-1].after)
    _check_view(source, commands, at, seat, is_public=is_public, shows_cards=notation)
    if notation:
        typer.echo(source.notation(commands, at), nl=False)
        return
    told = list(_told(source, commands, at, seat, clocks=clocks, is_public=is_public))
    if as_json:
        _print_json(told)
        return
    typer.echo(f"table {parse_stream(commands[0].stream).id}: {source.describe(commands[-1].after)}")
    for line in told:
        typer.echo(
            f"{line['version']:>5}  {line['at']:%H:%M:%S}.{line['at'].microsecond // 1000:03}  {line['text']}"
        )
    if at is not None:
        _print_picture(source, commands, at, seat)


@app.command("verify")
def verify(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="One table; all of them without it.")
    ] = None,
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Check that order, replay, state hashes and, of ended matches, every deal are as they must be.

    Exit code 1 when something is not.
    """
    source = log_source(_SERVICE)
    events, matches, hashes, problems = _run(data, source, lambda reader: _verify(reader, table))
    for problem in problems:
        typer.echo(problem)
    verdict = f"{len(problems)} problems" if problems else "all is well"
    typer.echo(
        f"{verdict}: {events} events of {matches} matches, {hashes} state hashes, every deal of ended matches"
    )
    if problems:
        raise typer.Exit(EXIT_FAILED)


def _run(data: Path, source: LogSource, work: Any) -> Any:  # noqa: ANN401 -- whatever the work gives
    async def reading(conninfo: Any) -> Any:  # noqa: ANN401 -- whatever the work gives
        async with open_reader(conninfo, source) as reader:
            return await work(reader)

    with log_database(data, source.name) as conninfo:
        return asyncio.run(reading(conninfo))


async def _list(reader: LogReader, limit: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    summaries = await reader.streams(limit)
    listed = await reader.listed(summaries)
    for summary in summaries:
        table_id = parse_stream(summary.stream).id
        what = listed.get(table_id) or await _described(reader, summary.stream)
        rows.append(
            {
                "table": table_id,
                "what": what,
                "version": summary.version,
                "began_at": summary.began_at,
                "last_at": summary.last_at,
                "has_ended": summary.has_ended,
            }
        )
    return rows


async def _described(reader: LogReader, stream: str) -> str:
    try:
        return reader.source.describe((await reader.commands(stream))[-1].after)
    except UnknownEventError as error:
        return f"cannot be read: {error.name} at version {error.version}"
    except LogCorruptError as error:
        return f"cannot be read: {error}"


async def _commands(reader: LogReader, word: str) -> Sequence[CommittedCommand[Any, Any]]:
    try:
        return await reader.commands(await reader.find(word))
    except (UnknownEventError, LogCorruptError) as error:
        raise ExpectedError(str(error), "`carteado log verify` says what else is wrong") from error


def _check_view(
    source: LogSource,
    commands: Sequence[CommittedCommand[Any, Any]],
    at: int | None,
    seat: int | None,
    *,
    is_public: bool,
    shows_cards: bool,
) -> None:
    last = commands[-1]
    if at is not None and at > last.to_version:
        raise ExpectedError(f"the table has {last.to_version} versions, not {at}", "", EXIT_REFUSED)
    seats = source.seats(last.after)
    if seat is not None and seat >= seats:
        raise ExpectedError(f"the table has seats 0 to {seats - 1}, not {seat}", "", EXIT_REFUSED)
    if not is_public and (seat is not None or shows_cards):
        raise ExpectedError(
            "the match is running: its cards are shown once it has ended",
            f"leave {'--notation' if shows_cards else '--seat'} out",
            EXIT_REFUSED,
        )


def _told(
    source: LogSource,
    commands: Sequence[CommittedCommand[Any, Any]],
    at: int | None,
    seat: int | None,
    *,
    clocks: bool,
    is_public: bool,
) -> Iterable[dict[str, Any]]:
    """The story, line by line: everything of an ended match, else what the seat or a spectator was told."""
    for command in commands:
        for step in command.steps:
            if at is not None and step.version > at:
                return
            event = step.event
            if seat is not None or not is_public:
                event = source.decider.observe(event, step.before, step.after, seat)
            if event is None or (source.is_detail(event) and not clocks):
                continue
            yield {
                "version": step.version,
                "at": command.recorded_at,
                "type": source.registry.name_of(step.event),
                "actor": command.actor,
                "text": source.tell(event),
            }


def _print_picture(
    source: LogSource, commands: Sequence[CommittedCommand[Any, Any]], at: int, seat: int | None
) -> None:
    state = next(step.after for command in commands for step in command.steps if step.version == at)
    who = "a spectator" if seat is None else f"seat {seat}"
    typer.echo(f"\nwhat {who} saw at version {at}:")
    for line in source.picture(source.decider.view(state, seat)):
        typer.echo(f"  {line}")


async def _verify(reader: LogReader, word: str | None) -> tuple[int, int, int, list[str]]:
    checks = ReplayChecks(reader.source.decider, reader.source.registry)
    if word is not None:
        stream = await reader.find(word)
        one = await verify_stream(reader.store, stream, checks)
        problems = [_told_finding(finding) for finding in one.findings]
        if not problems:
            problems = [
                f"{stream} {problem}" for problem in reader.source.problems(await reader.commands(stream))
            ]
        return one.events, one.streams, one.hashes, problems
    return await _verify_all(reader, checks)


async def _verify_all(
    reader: LogReader, checks: ReplayChecks[Any, Any, Any]
) -> tuple[int, int, int, list[str]]:
    events = streams = hashes = 0
    problems: list[str] = []
    broken: set[str] = set()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        replaying = progress.add_task("replaying", total=PARTITIONS)
        for partition in range(PARTITIONS):
            found = await verify_log(reader.store, {reader.source.name: checks}, [partition])
            events, streams, hashes = events + found.events, streams + found.streams, hashes + found.hashes
            problems.extend(_told_finding(finding) for finding in found.findings)
            broken.update(finding.stream for finding in found.findings)
            progress.advance(replaying)
        dealing = progress.add_task("checking deals", total=streams)
        async for summary in reader.all_streams():
            if summary.has_ended and summary.stream not in broken:
                wrong = reader.source.problems(await reader.commands(summary.stream))
                problems.extend(f"{summary.stream} {problem}" for problem in wrong)
            progress.advance(dealing)
    return events, streams, hashes, problems


def _told_finding(finding: Finding) -> str:
    place = f"partition {finding.partition} position {finding.position}"
    return f"{finding.stream or place} version {finding.version}: {finding.problem}"


def _print_json(rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        typer.echo(msgspec.json.encode(row).decode())
