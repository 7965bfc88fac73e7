"""Ratios are made round by round, and the table says so."""

from tests.bench.machine import Machine
from tests.bench.measurement import Measurement, measured
from tests.bench.report import Settings, report, text
from tests.bench.rows import APPEND, ECHO, PEER_REBUILD, PLAY, PLAY_ALONE, REBUILD, RULES

MACHINE = Machine("a processor", 2, "a system", 0.1, 0.2, True, {"python": "3"})
CPU = {"table_cpu_us": 1.0, "postgres_cpu_us": 2.0, "load_cpu_us": 3.0, "frames_s": 40.0, "other_cores": 0.1}


def round_of(play: float, echo: float) -> dict[str, Measurement]:
    return {
        PLAY: measured(int(play), 1.0, [0.001, 0.002], CPU),
        PLAY_ALONE: measured(int(play), 1.0, [0.001], CPU),
        ECHO: measured(int(echo), 1.0, [0.001]),
        APPEND: measured(1000, 1.0, [0.001], {"commands_a_statement": 24.0, "events_a_command": 2.4}),
        RULES: measured(5000, 1.0),
    }


def test_the_ratio_is_the_median_of_the_rounds_ratios_not_the_ratio_of_the_medians() -> None:
    rounds = [round_of(100, 1000), round_of(300, 600), round_of(200, 500)]
    result = report(MACHINE, Settings(1.0, 3, 8, 2), rounds)
    assert result.ratios["play/echo"].rounds == [0.1, 0.5, 0.4]
    assert result.ratios["play/echo"].median == 0.4
    assert result.rows[PLAY].median == 200
    assert (result.rows[ECHO].least, result.rows[ECHO].most) == (500, 1000)


def test_the_table_names_every_row_and_a_database_that_is_not_durable() -> None:
    result = report(MACHINE, Settings(1.0, 1, 8, 2), [round_of(100, 1000)])
    said = text(result)
    assert "bare bidirectional gRPC echo" in said
    assert "NOT DURABLE" not in said
    unsafe = Machine("a processor", 2, "a system", 0.1, 0.2, False, {"python": "3"})
    assert "NOT DURABLE" in text(report(unsafe, Settings(1.0, 1, 8, 2), [round_of(100, 1000)]))


def test_a_ratio_says_whether_it_is_what_was_wanted_and_is_left_out_where_nothing_was_measured() -> None:
    rounds = [
        {REBUILD: measured(700, 1.0), PEER_REBUILD: measured(100, 1.0)},
        {PLAY: measured(1, 1.0, facts=CPU)},
    ]
    result = report(MACHINE, Settings(1.0, 1, 8, 2), rounds)
    assert list(result.ratios) == ["rebuild/peer_rebuild"]
    assert result.ratios["rebuild/peer_rebuild"].is_reached
    assert "at least 6: yes" in text(result)
    slow = report(
        MACHINE,
        Settings(1.0, 1, 8, 2),
        [{REBUILD: measured(500, 1.0), PEER_REBUILD: measured(100, 1.0)}],
    )
    assert "at least 6: NO" in text(slow)


def test_quantiles_are_times_that_were_measured() -> None:
    times = [number / 1000 for number in range(1, 101)]
    result = measured(100, 2.0, times)
    assert result.rate == 50
    assert result.p50_ms == 51.0
    assert result.p99_ms == 100.0
    assert measured(1, 1.0).p50_ms is None
