"""`make bench`: the play stream beside a bare gRPC echo and the append function alone, all in one run.

Figures of a machine say little; what is compared is measured in turns, round by round, on the same machine in the same
minute. See docs/performance.md.
"""

from __future__ import annotations

import argparse
import signal
import sys
import urllib.request
from collections.abc import Callable, Sequence
from types import FrameType

import msgspec
from prometheus_client.parser import text_string_to_metric_families

from deploy.local.failure import StackError
from tests.bench import machine, profile, servers, worker
from tests.bench.jobs import AppendJob, EchoJob, PlayJob, RulesJob
from tests.bench.measurement import Measurement
from tests.bench.report import (
    APPEND,
    ECHO,
    PLAY,
    PLAY_ALONE,
    RULES,
    TITLES,
    UNITS,
    Report,
    Settings,
    report,
    text,
)

_PREPARING_S = 60.0
_HTTP_TIMEOUT_S = 5.0
_MOST_RULES_S = 1.0
_BUSY = 0.5
_EXIT_FAILED, _EXIT_INTERRUPTED = 1, 130
_GROUPS = ("carteado_append_group_commands_sum", "carteado_append_group_commands_count")


class _Interruption:
    """Ctrl-C and its like. What Python runs around a fork may swallow the exception, so it is also remembered."""

    def __init__(self) -> None:
        self._was_asked = False

    def listen(self) -> None:
        """From now on these signals end the bench."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup stays nohup
                signal.signal(number, self._ask)

    def check(self) -> None:
        """Raises KeyboardInterrupt if one of them has come."""
        if self._was_asked:
            raise KeyboardInterrupt

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self._was_asked = True
        raise KeyboardInterrupt


class _Run:
    """Rounds on servers that stand."""

    def __init__(self, where: servers.Servers, settings: Settings, interruption: _Interruption) -> None:
        self._where = where
        self._settings = settings
        self._interruption = interruption
        self._seed = 0

    def round(self, number: int) -> dict[str, Measurement]:
        """One measurement of each row. Raises BenchError."""
        results: dict[str, Measurement] = {}
        results[PLAY] = play = self._told(number, PLAY, self.play(has_viewers=True))
        results[PLAY_ALONE] = self._told(number, PLAY_ALONE, self.play(has_viewers=False))
        results[ECHO] = self._told(number, ECHO, self._echo(round(play.facts["message_bytes"])))
        group = max(1, round(play.facts["commands_a_statement"]))
        results[APPEND] = self._told(number, APPEND, self._append(group))
        results[RULES] = self._told(number, RULES, self._rules())
        return results

    def _told(self, number: int, name: str, result: Measurement) -> Measurement:
        _say(f"round {number} of {self._settings.rounds}: {TITLES[name]}, {result.rate:,.0f} {UNITS[name]}")
        return result

    def play(self, *, has_viewers: bool, is_profiled: bool = False) -> Measurement:
        """The play stream with or without viewers. Raises BenchError."""
        settings, where = self._settings, self._where
        job = PlayJob(
            address=where.table.grpc,
            keys=str(where.data.keys),
            table_secret=str(where.data.table_secret),
            seconds=settings.seconds,
            tables=settings.tables,
            streams=settings.streams,
            has_viewers=has_viewers,
            seed=self._next_seed(),
            watched={name: where.processes[name].pid for name in ("table", "postgres", "nats")},
            profiled=where.processes["table"].pid if is_profiled else None,
        )
        commands, groups = self._appended()
        result = self._work("play", job, settings.seconds)
        commands, groups = (
            now - before for now, before in zip(self._appended(), (commands, groups), strict=True)
        )
        facts = {**result.facts, "commands_a_statement": commands / groups}
        return msgspec.structs.replace(result, facts=facts)

    def _echo(self, message_bytes: int) -> Measurement:
        settings = self._settings
        watched = {"echo": self._where.processes["echo"].pid}
        job = EchoJob(
            self._where.echo, settings.seconds, settings.tables, settings.streams, message_bytes, watched
        )
        return self._work("echo", job, settings.seconds)

    def _append(self, group: int) -> Measurement:
        seconds = self._settings.seconds
        job = AppendJob(self._where.postgres, "carteado_bench", seconds, group, self._next_seed())
        return self._work("append", job, seconds)

    def _rules(self) -> Measurement:
        seconds = min(self._settings.seconds, _MOST_RULES_S)
        return self._work("rules", RulesJob(seconds, self._next_seed()), seconds)

    def _work(self, module: str, job: msgspec.Struct, seconds: float) -> Measurement:
        self._interruption.check()
        result = worker.run(self._where.work, module, job, _PREPARING_S + 2 * seconds)
        self._interruption.check()
        return result

    def _next_seed(self) -> int:
        self._seed += 1
        return self._seed

    def _appended(self) -> tuple[float, float]:
        """Commands that the table service has appended since its start, and the statements that took."""
        address = self._where.table.http
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            f"http://{address}/metrics", timeout=_HTTP_TIMEOUT_S
        ) as answer:
            families = text_string_to_metric_families(answer.read().decode())
            found = {sample.name: sample.value for family in families for sample in family.samples}
        return found[_GROUPS[0]], found[_GROUPS[1]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the bench; gives the exit code."""
    options = _parser().parse_args(arguments)
    settings = Settings(options.seconds, options.rounds, options.tables, options.streams)
    interruption = _Interruption()
    interruption.listen()
    try:
        if options.profile:
            said = _profile(settings, interruption)
        else:
            result = _measure(settings, interruption)
            said = msgspec.json.encode(result).decode() if options.json else text(result)
    except KeyboardInterrupt:
        _say("interrupted; everything that was started has been stopped")
        return _EXIT_INTERRUPTED
    except (worker.BenchError, StackError) as error:
        _say(f"failed: {error}")
        return _EXIT_FAILED
    print(said)
    return 0


def _measure(settings: Settings, interruption: _Interruption) -> Report:
    with servers.running() as where:
        described = machine.look(where.postgres, where.nats_binary, where.work)
        if described.load_average > _BUSY:
            _say(f"this machine is busy (load average {described.load_average:.1f}): ratios may be off")
        run = _Run(where, settings, interruption)
        rounds = [run.round(number) for number in range(1, settings.rounds + 1)]
    return report(described, settings, rounds)


def _profile(settings: Settings, interruption: _Interruption) -> str:
    profiles = []
    with servers.running(is_profiled=True) as where:
        run = _Run(where, settings, interruption)
        for name in (PLAY, PLAY_ALONE):
            run.play(has_viewers=name == PLAY, is_profiled=True)
            profiles.append(profile.read(where.work / servers.PROFILE, TITLES[name]))
    return "\n\n".join(profiles)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make bench", description="Speed as ratios against peers and limits of the same run."
    )
    parser.add_argument("--seconds", type=_positive(float), default=4.0, help="for each measurement (4)")
    parser.add_argument("--rounds", type=_positive(int), default=3, help="times that all is measured (3)")
    parser.add_argument(
        "--tables", type=_positive(int), default=64, help="tables, a move in flight each (64)"
    )
    parser.add_argument("--streams", type=_positive(int), default=8, help="streams that carry them (8)")
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    parser.add_argument(
        "--profile", action="store_true", help="say where the table service's time goes instead"
    )
    return parser


def _positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    def parse(value: str) -> float:
        number = kind(value)
        if not 0 < number < 100_000:
            raise ValueError(value)
        return number

    parse.__name__ = "positive number"
    return parse


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
