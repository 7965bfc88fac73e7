"""What a run says: every figure as median, least and most of its rounds, and the ratios, made round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from tests.bench.machine import Machine
from tests.bench.measurement import Measurement

PLAY, PLAY_ALONE, ECHO, APPEND, RULES = "play", "play_alone", "echo", "append", "rules"
TITLES: Mapping[str, str] = {
    PLAY: "play stream, four viewers a move",
    PLAY_ALONE: "play stream, nobody looks on",
    ECHO: "bare bidirectional gRPC echo",
    APPEND: "append function alone",
    RULES: "rules alone, one process",
}
UNITS: Mapping[str, str] = {
    PLAY: "moves/s",
    PLAY_ALONE: "moves/s",
    ECHO: "echoes/s",
    APPEND: "commands/s",
    RULES: "moves/s",
}
RATIOS: Sequence[tuple[str, str]] = (
    (PLAY, ECHO),
    (PLAY, APPEND),
    (PLAY_ALONE, ECHO),
    (PLAY_ALONE, APPEND),
)


class Summary(msgspec.Struct, frozen=True):
    """One row: its rate in each round, and the medians of everything else."""

    unit: str
    rounds: Sequence[float]
    median: float
    least: float
    most: float
    p50_ms: float | None
    p99_ms: float | None
    facts: Mapping[str, float]


class Ratio(msgspec.Struct, frozen=True):
    """One row over another, in each round."""

    rounds: Sequence[float]
    median: float


class Settings(msgspec.Struct, frozen=True):
    """What was asked for."""

    seconds: float
    rounds: int
    tables: int
    streams: int


class Report(msgspec.Struct, frozen=True):
    """A whole run."""

    machine: Machine
    settings: Settings
    rows: Mapping[str, Summary]
    ratios: Mapping[str, Ratio]


def report(machine: Machine, settings: Settings, rounds: Sequence[Mapping[str, Measurement]]) -> Report:
    """The summary of rounds, each with a measurement of every row."""
    return Report(
        machine,
        settings,
        {name: _summary(UNITS[name], [measurements[name] for measurements in rounds]) for name in TITLES},
        {f"{over}/{under}": _ratio(rounds, over, under) for over, under in RATIOS},
    )


def _summary(unit: str, measurements: Sequence[Measurement]) -> Summary:
    rates = [measurement.rate for measurement in measurements]
    facts = {
        name: median(measurement.facts[name] for measurement in measurements)
        for name in measurements[0].facts
    }
    return Summary(
        unit,
        rates,
        median(rates),
        min(rates),
        max(rates),
        _median_of([measurement.p50_ms for measurement in measurements]),
        _median_of([measurement.p99_ms for measurement in measurements]),
        facts,
    )


def _median_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _ratio(rounds: Sequence[Mapping[str, Measurement]], over: str, under: str) -> Ratio:
    ratios = [measurements[over].rate / measurements[under].rate for measurements in rounds]
    return Ratio(ratios, median(ratios))


def text(result: Report) -> str:
    """The report for a person to read."""
    machine, settings = result.machine, result.settings
    durability = "is durable" if machine.fsync else "IS NOT DURABLE"
    lines = [
        f"{machine.processor}, {machine.cores} cores, {machine.system}",
        ", ".join(f"{name} {number}" for name, number in machine.versions.items()),
        f"a flush to disk takes {machine.flush_ms:.2f} ms; Postgres {durability} (fsync, synchronous_commit)",
        f"{settings.rounds} rounds of {settings.seconds:g} s; {settings.streams} streams, {settings.tables} in flight",
        f"servers and load share the cores; load average {machine.load_average:.1f} before the start",
        "",
        f"{'':34}{'median':>9} {'least':>9} {'most':>9}             {'p50 ms':>8} {'p99 ms':>8}",
    ]
    for name, row in result.rows.items():
        times = "".join(
            f" {'' if value is None else f'{value:.2f}':>8}" for value in (row.p50_ms, row.p99_ms)
        )
        lines.append(
            f"{TITLES[name]:34}{row.median:9,.0f} {row.least:9,.0f} {row.most:9,.0f} {row.unit:11}{times}"
        )
    lines += ["", "ratios, which are what counts: figures of another machine or run do not compare"]
    for (over, under), ratio in zip(RATIOS, result.ratios.values(), strict=True):
        each = "  ".join(f"{value:.3f}" for value in ratio.rounds)
        lines.append(f"  {TITLES[over]} / {TITLES[under]}".ljust(66) + f"{ratio.median:6.3f}   ({each})")
    lines += ["", *_notes(result)]
    return "\n".join(lines)


def _notes(result: Report) -> list[str]:
    play, alone, append = (result.rows[name].facts for name in (PLAY, PLAY_ALONE, APPEND))
    group, events = append["commands_a_statement"], append["events_a_command"]
    notes = [
        f"append: {group:.0f} commands a statement, as in the play stream's group commits, of {events:.1f} events each;",
        "  its times are those of a statement",
        f"play: {play['frames_s']:,.0f} frames a second to viewers, every one contiguous",
        f"processes that are not the bench's took {max(play['other_cores'], alone['other_cores']):.2f} cores (median round)",
    ]
    notes += [
        f"CPU microseconds a move, {TITLES[name]}: table service {facts['table_cpu_us']:.0f}, "
        f"Postgres {facts['postgres_cpu_us']:.0f}, load {facts['load_cpu_us']:.0f}"
        for name, facts in ((PLAY, play), (PLAY_ALONE, alone))
    ]
    return notes
