"""What a run says: every figure as median, least and most of its rounds, and the ratios, made round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from tests.bench.machine import Machine
from tests.bench.measurement import Measurement
from tests.bench.rows import APPEND, CALM, COMPARISONS, HOSTILE, MEMORY, PLAY, PLAY_ALONE, ROWS, Comparison


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
    """One row over another, in each round; `reach` is what is wanted of the median, if anything is."""

    rounds: Sequence[float]
    median: float
    reach: float | None = None
    is_reached: bool | None = None


class Settings(msgspec.Struct, frozen=True):
    """What was asked for."""

    seconds: float
    rounds: int
    tables: int
    streams: int
    limits_rounds: int = 5
    stalled: int = 1_000


class Report(msgspec.Struct, frozen=True):
    """A whole run."""

    machine: Machine
    settings: Settings
    rows: Mapping[str, Summary]
    ratios: Mapping[str, Ratio]


def report(machine: Machine, settings: Settings, rounds: Sequence[Mapping[str, Measurement]]) -> Report:
    """The summary of rounds. Not every round needs every row; a ratio is made of the rounds that have both."""
    measured = [name for name in ROWS if any(name in measurements for measurements in rounds)]
    ratios = {comparison.name: _ratio(rounds, comparison) for comparison in COMPARISONS}
    return Report(
        machine,
        settings,
        {
            name: _summary(
                ROWS[name].unit, [measurements[name] for measurements in rounds if name in measurements]
            )
            for name in measured
        },
        {name: ratio for name, ratio in ratios.items() if ratio is not None},
    )


def _summary(unit: str, measurements: Sequence[Measurement]) -> Summary:
    rates = [measurement.rate for measurement in measurements]
    facts = {
        name: median(measurement.facts[name] for measurement in measurements)
        for name in measurements[0].facts
    }
    for name in [name for name in facts if name.endswith("_mib")]:
        # Whether memory grows is seen in the order of the rounds, not in their median.
        stem = name.removesuffix("_mib")
        facts[f"{stem}_first_mib"] = measurements[0].facts[name]
        facts[f"{stem}_last_mib"] = measurements[-1].facts[name]
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


def _ratio(rounds: Sequence[Mapping[str, Measurement]], comparison: Comparison) -> Ratio | None:
    ratios = [
        _figure(measurements[comparison.over], comparison)
        / _figure(measurements[comparison.under], comparison)
        for measurements in rounds
        if comparison.over in measurements and comparison.under in measurements
    ]
    if not ratios:
        return None
    middle = median(ratios)
    if comparison.reach is None:
        return Ratio(ratios, middle)
    is_reached = middle <= comparison.reach if comparison.is_most else middle >= comparison.reach
    return Ratio(ratios, middle, comparison.reach, is_reached)


def _figure(measurement: Measurement, comparison: Comparison) -> float:
    if comparison.by == "rate":
        return measurement.rate
    assert measurement.p99_ms is not None, f"{comparison.name} compares times that were not taken"
    return measurement.p99_ms


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
        f"{'':44}{'median':>9} {'least':>9} {'most':>9}             {'p50 ms':>8} {'p99 ms':>8}",
    ]
    for name, row in result.rows.items():
        times = "".join(
            f" {'' if value is None else f'{value:.2f}':>8}" for value in (row.p50_ms, row.p99_ms)
        )
        lines.append(
            f"{ROWS[name].title:44}{row.median:9,.0f} {row.least:9,.0f} {row.most:9,.0f} {row.unit:11}{times}"
        )
    lines += ["", "ratios, which are what counts: figures of another machine or run do not compare"]
    for comparison in COMPARISONS:
        if comparison.name in result.ratios:
            lines.append(_ratio_line(comparison, result.ratios[comparison.name]))
    lines += ["", *_notes(result)]
    return "\n".join(lines)


def _ratio_line(comparison: Comparison, ratio: Ratio) -> str:
    each = "  ".join(f"{value:.3f}" for value in ratio.rounds)
    title = f"  {ROWS[comparison.over].title} / {ROWS[comparison.under].title}"
    if comparison.by == "p99_ms":
        title += ", p99"
    wanted = ""
    if ratio.reach is not None:
        word = "at most" if comparison.is_most else "at least"
        wanted = f"{word} {ratio.reach:g}: {'yes' if ratio.is_reached else 'NO'}"
    return f"{title:82}{ratio.median:7.3f}   {wanted:18} ({each})"


def _notes(result: Report) -> list[str]:
    notes = []
    if APPEND in result.rows:
        append = result.rows[APPEND].facts
        notes += [
            f"append function: {append['commands_a_statement']:.0f} commands a statement, as in play's group commits,",
            f"  of {append['events_a_command']:.1f} events each; its times are those of a statement, as the bare loop's are",
        ]
    for name, row in result.rows.items():
        spent = ", ".join(
            f"{fact.removesuffix('_cpu_us')} {value:.0f}"
            for fact, value in row.facts.items()
            if fact.endswith("_cpu_us")
        )
        if spent:
            others = row.facts.get("other_cores")
            busy = "" if others is None else f"; other processes took {others:.2f} cores"
            notes.append(f"{ROWS[name].title}: CPU microseconds each: {spent}{busy}")
    for name in (PLAY, PLAY_ALONE):
        if name in result.rows and result.rows[name].facts["frames_s"]:
            frames = result.rows[name].facts["frames_s"]
            notes.append(
                f"{ROWS[name].title}: {frames:,.0f} frames a second to viewers, every one contiguous"
            )
    if HOSTILE in result.rows:
        notes += _on_limits(result.rows[CALM].facts, result.rows[HOSTILE].facts)
    if MEMORY in result.rows:
        facts = result.rows[MEMORY].facts
        notes.append(
            f"memory: {facts['table_kib']:.0f} KiB of the table service for each live table, "
            f"{facts['connection_kib']:.0f} KiB of the gateway for each idle connection"
        )
    return notes


def _on_limits(calm: Mapping[str, float], hostile: Mapping[str, float]) -> list[str]:
    lines = [
        f"hostile clients: {hostile['stalled']:.0f} readers that do not read, and a flood",
        f"  of {hostile['flood_messages']:,.0f} messages a round, thrown out {hostile['flood_closes']:.0f} times",
    ]
    for name in ("gateway", "table"):
        first, last = (calm[f"{name}_{which}_mib"] for which in ("first", "last"))
        lines.append(
            f"{name}: {calm[f'{name}_mib']:.0f} MiB without and {hostile[f'{name}_mib']:.0f} MiB with them (medians); "
            f"without them {first:.0f} MiB in the first round and {last:.0f} MiB in the last"
        )
    return lines
