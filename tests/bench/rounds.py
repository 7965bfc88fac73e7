"""Rounds of measurements on servers that stand: each section measures its own rows in turns."""

from __future__ import annotations

import sys
import urllib.request
from collections.abc import Callable, Mapping

import msgspec
from prometheus_client.parser import text_string_to_metric_families

from tests.bench import rows, worker
from tests.bench.interruption import Interruption
from tests.bench.jobs import AppendJob, EchoJob, LogJob, PlayJob, RulesJob
from tests.bench.measurement import Measurement
from tests.bench.report import Settings
from tests.bench.servers import Servers

_PREPARING_S = 60.0
_HTTP_TIMEOUT_S = 5.0
_MOST_RULES_S = 1.0
_LOG_SHARE = 0.5
_PEER_THREADS = 8
_GROUPS = ("carteado_append_group_commands_sum", "carteado_append_group_commands_count")

Round = Mapping[str, Measurement]


class Rounds:
    """Gives out the work, one measurement at a time."""

    def __init__(self, where: Servers, settings: Settings, interruption: Interruption) -> None:
        self.where = where
        self.settings = settings
        self._interruption = interruption
        self._seed = 0

    def play(self, number: int) -> Round:
        """The play stream beside the echo, the append function and the rules. Raises BenchError."""
        results: dict[str, Measurement] = {}
        results[rows.PLAY] = play = self.told(number, rows.PLAY, self.play_stream(has_viewers=True))
        results[rows.PLAY_ALONE] = self.told(number, rows.PLAY_ALONE, self.play_stream(has_viewers=False))
        results[rows.ECHO] = self.told(number, rows.ECHO, self._echo(round(play.facts["message_bytes"])))
        group = max(1, round(play.facts["commands_a_statement"]))
        results[rows.APPEND] = self.told(number, rows.APPEND, self._append(group))
        results[rows.RULES] = self.told(number, rows.RULES, self._rules())
        return results

    def log(self, number: int) -> Round:
        """The runtime's append and rebuild beside the bare function and the peer. Raises BenchError."""
        results: dict[str, Measurement] = {}

        def measure(name: str, module: str, database: str, waiting: int) -> None:
            seconds = self.settings.seconds * _LOG_SHARE
            job = LogJob(
                self.where.postgres,
                database,
                seconds,
                waiting,
                self.next_seed(),
                {"postgres": self.where.processes["postgres"].pid},
            )
            results[name] = self.told(number, name, self.work(module, job, seconds))

        for waiting in rows.WAITING:
            measure(rows.runtime(waiting), "runtime_append", "carteado_bench_runtime", waiting)
            measure(rows.bare(waiting), "bare_append", "carteado_bench_bare", waiting)
        measure(rows.PEER_APPEND, "peers.append", "carteado_bench_peer", _PEER_THREADS)
        measure(rows.REBUILD, "rebuild", "carteado_bench_runtime", 1)
        measure(rows.PEER_REBUILD, "peers.rebuild", "carteado_bench_peer", 1)
        return results

    def play_stream(self, *, has_viewers: bool, is_profiled: bool = False) -> Measurement:
        """The play stream with or without viewers. Raises BenchError."""
        settings, where = self.settings, self.where
        job = PlayJob(
            address=where.table.grpc,
            keys=str(where.data.keys),
            table_secret=str(where.data.table_secret),
            seconds=settings.seconds,
            tables=settings.tables,
            streams=settings.streams,
            has_viewers=has_viewers,
            seed=self.next_seed(),
            watched={name: where.processes[name].pid for name in ("table", "postgres", "nats")},
            profiled=where.processes["table"].pid if is_profiled else None,
        )
        commands, groups = self._appended()
        result = self.work("play", job, settings.seconds)
        commands, groups = (
            now - before for now, before in zip(self._appended(), (commands, groups), strict=True)
        )
        facts = {**result.facts, "commands_a_statement": commands / groups}
        return msgspec.structs.replace(result, facts=facts)

    def told(self, number: int, name: str, result: Measurement) -> Measurement:
        """Say a result while the run goes on, and give it back."""
        row = rows.ROWS[name]
        say(f"round {number} of {self.settings.rounds}: {row.title}, {result.rate:,.0f} {row.unit}")
        return result

    def work(self, module: str, job: msgspec.Struct, seconds: float) -> Measurement:
        """Have a worker do a job. Raises BenchError."""
        self._interruption.check()
        result = worker.run(self.where.work, module, job, _PREPARING_S + 2 * seconds)
        self._interruption.check()
        return result

    def next_seed(self) -> int:
        """A number that no other measurement of this run has."""
        self._seed += 1
        return self._seed

    def _echo(self, message_bytes: int) -> Measurement:
        settings = self.settings
        watched = {"echo": self.where.processes["echo"].pid}
        job = EchoJob(
            self.where.echo, settings.seconds, settings.tables, settings.streams, message_bytes, watched
        )
        return self.work("echo", job, settings.seconds)

    def _append(self, group: int) -> Measurement:
        seconds = self.settings.seconds
        job = AppendJob(self.where.postgres, "carteado_bench", seconds, group, self.next_seed())
        return self.work("append", job, seconds)

    def _rules(self) -> Measurement:
        seconds = min(self.settings.seconds, _MOST_RULES_S)
        return self.work("rules", RulesJob(seconds, self.next_seed()), seconds)

    def _appended(self) -> tuple[float, float]:
        """Commands that the table service has appended since its start, and the statements that took."""
        address = self.where.table.http
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            f"http://{address}/metrics", timeout=_HTTP_TIMEOUT_S
        ) as answer:
            families = text_string_to_metric_families(answer.read().decode())
            found = {sample.name: sample.value for family in families for sample in family.samples}
        return found[_GROUPS[0]], found[_GROUPS[1]]


SECTIONS: Mapping[str, Callable[[Rounds, int], Round]] = {"play": Rounds.play, "append": Rounds.log}
"""What `--only` chooses from."""


def say(line: str) -> None:
    """Progress, on stderr."""
    print(line, file=sys.stderr, flush=True)
