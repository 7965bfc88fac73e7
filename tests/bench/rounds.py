"""Rounds of measurements on servers that stand: each section measures its own rows in turns."""

from __future__ import annotations

import asyncio
import sys
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from prometheus_client.parser import text_string_to_metric_families

from tests.bench import machine, rows, worker
from tests.bench.front import guests, hostile_clients
from tests.bench.interruption import Interruption
from tests.bench.jobs import (
    AppendJob,
    BoardgameJob,
    EchoJob,
    GatewayJob,
    HostileJob,
    LogJob,
    PlayJob,
    RulesJob,
)
from tests.bench.measurement import Measurement
from tests.bench.peers import npm
from tests.bench.report import Settings
from tests.bench.servers import Servers

_PREPARING_S = 60.0
_HTTP_TIMEOUT_S = 5.0
_MOST_RULES_S = 1.0
_LOG_SHARE = 0.5
_PEER_THREADS = 8
_LIMITS_SHARE = 2.0
"""So much longer than other rounds: of few moves, three late ones make the p99."""
_CALM_TABLES, _CALM_INTERVAL_S = 16, 0.1
_STALLED_TABLES = 20
_MEMORY_TABLES, _FEW_TABLES = 1_000, 50
_GROUPS = ("carteado_append_group_commands_sum", "carteado_append_group_commands_count")

Round = Mapping[str, Measurement]


class Rounds:
    """Gives out the work, one measurement at a time."""

    def __init__(self, where: Servers, settings: Settings, interruption: Interruption) -> None:
        self.where = where
        self.settings = settings
        self._interruption = interruption
        self._seed = 0
        self._players: list[tuple[str, str]] = []

    def play(self, number: int, _so_far: Round) -> Round:
        """The play stream beside the echo, the append function and the rules. Raises BenchError."""
        results: dict[str, Measurement] = {}
        results[rows.PLAY] = play = self.told(number, rows.PLAY, self.play_stream(has_viewers=True))
        results[rows.PLAY_ALONE] = self.told(number, rows.PLAY_ALONE, self.play_stream(has_viewers=False))
        results[rows.ECHO] = self.told(number, rows.ECHO, self._echo(round(play.facts["message_bytes"])))
        group = max(1, round(play.facts["commands_a_statement"]))
        results[rows.APPEND] = self.told(number, rows.APPEND, self._append(group))
        results[rows.RULES] = self.told(number, rows.RULES, self._rules())
        return results

    def log(self, number: int, _so_far: Round) -> Round:
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

    def gateway(self, number: int, so_far: Round) -> Round:
        """The play stream, unary calls and the gateway's WebSocket, at full and at half load. Raises BenchError."""
        results: dict[str, Measurement] = {}
        for name, has_viewers in ((rows.PLAY, True), (rows.PLAY_ALONE, False)):
            results[name] = so_far.get(name) or self.told(
                number, name, self.play_stream(has_viewers=has_viewers)
            )
        play = results[rows.PLAY]
        results[rows.UNARY] = self.told(number, rows.UNARY, self._table_work("unary", self._play_job(False)))
        half = self.play_stream(has_viewers=True, interval_s=self._half_load_s(play))
        results[rows.PLAY_HALF] = self.told(number, rows.PLAY_HALF, half)
        full = self._through_gateway(self.settings.tables, 0.0, self.settings.seconds)
        results[rows.GATEWAY] = self.told(number, rows.GATEWAY, full)
        half = self._through_gateway(self.settings.tables, self._half_load_s(full), self.settings.seconds)
        results[rows.GATEWAY_HALF] = self.told(number, rows.GATEWAY_HALF, half)
        return results

    def rules(self, number: int, _so_far: Round) -> Round:
        """Random matches by the rules alone, beside other libraries' games. Raises BenchError."""
        results: dict[str, Measurement] = {}
        for name, module, preset in (
            (rows.PLAYOUT, "playout", "truco-paulista"),
            (rows.PYTRUCO, "peers.pytruco_playout", ""),
            (rows.SPADES, "peers.spiel_playout", "spades"),
            (rows.SUECA, "playout", "sueca"),
            (rows.DOMINO, "playout", "domino"),
            (rows.DOMINOES, "peers.dominoes_playout", ""),
            (rows.MAU_MAU, "playout", "mau-mau"),
            (rows.UNO, "peers.rlcard_playout", "uno"),
            (rows.BURACO, "playout", "buraco-aberto"),
            (rows.SPIEL_GIN, "peers.spiel_playout", "gin_rummy"),
            (rows.RLCARD_GIN, "peers.rlcard_playout", "gin-rummy"),
        ):
            job = RulesJob(self.settings.seconds, self.next_seed(), preset)
            results[name] = self.told(number, name, self.work(module, job, self.settings.seconds))
        return results

    def boardgame(self, number: int, so_far: Round) -> Round:
        """boardgame.io beside the gateway's WebSocket, which is measured here unless it was. Raises BenchError."""
        npm.install(say)
        results: dict[str, Measurement] = {}
        if rows.GATEWAY not in so_far:
            full = self._through_gateway(self.settings.tables, 0.0, self.settings.seconds)
            results[rows.GATEWAY] = self.told(number, rows.GATEWAY, full)
        postgres = {"postgres": self.where.processes["postgres"].pid}
        job = BoardgameJob(
            self.where.postgres,
            "carteado_bench_boardgame",
            self.settings.seconds,
            self.settings.tables,
            postgres,
        )
        result = self.work("peers.boardgame", job, self.settings.seconds)
        return {**results, rows.BOARDGAME: self.told(number, rows.BOARDGAME, result)}

    def limits(self, number: int, _so_far: Round) -> Round:
        """The gateway at a fixed pace, with and without hostile clients beside it. Raises BenchError."""
        seconds = self.settings.seconds * _LIMITS_SHARE
        tables = min(_CALM_TABLES, self.settings.tables)
        results = {rows.CALM: self.told(number, rows.CALM, self._at_a_pace(tables, seconds))}
        job = HostileJob(
            **self._front(), tables=_STALLED_TABLES, stalled=self.settings.stalled, seed=self.next_seed()
        )
        with hostile_clients(self.where.work, job) as state:
            result = self._at_a_pace(tables, seconds)
            facts = {**result.facts, **state()}
        if facts["flood_closes"] < 1 or facts["stalled"] < 1:
            raise worker.BenchError(f"the hostile clients were none: {facts}")
        results[rows.HOSTILE] = self.told(number, rows.HOSTILE, msgspec.structs.replace(result, facts=facts))
        return results

    def memory(self, number: int, _so_far: Round) -> Round:
        """What a live table and an idle connection cost; the tables stay, so this comes last. Raises BenchError."""
        tables = _MEMORY_TABLES if self.settings.seconds >= 1 else _FEW_TABLES
        job = self._gateway_job(tables, 0.0, 0.0)
        return {rows.MEMORY: self.told(number, rows.MEMORY, self.work("memory", job, 0.0))}

    def _at_a_pace(self, tables: int, seconds: float) -> Measurement:
        """Through the gateway at the fixed pace, with the memory that its services have at the end."""
        result = self._through_gateway(tables, _CALM_INTERVAL_S, seconds)
        resident = {
            f"{name}_mib": machine.resident_bytes(self.where.processes[name].pid) / 1024**2
            for name in ("gateway", "table")
        }
        return msgspec.structs.replace(result, facts={**result.facts, **resident})

    def _half_load_s(self, full: Measurement) -> float:
        """The interval of a table's moves at which all of them come to half of what was measured."""
        return self.settings.tables / (full.rate / 2)

    def _through_gateway(self, tables: int, interval_s: float, seconds: float) -> Measurement:
        return self.work("gateway", self._gateway_job(tables, interval_s, seconds), seconds)

    def _gateway_job(self, tables: int, interval_s: float, seconds: float) -> GatewayJob:
        watched = {name: self.where.processes[name].pid for name in ("gateway", "table", "postgres")}
        return GatewayJob(
            **self._front(),
            seconds=seconds,
            tables=tables,
            interval_s=interval_s,
            seed=self.next_seed(),
            watched=watched,
        )

    def _front(self) -> dict[str, Any]:
        """Where those who come through the gateway find everything."""
        if not self._players:
            self._players = asyncio.run(guests(self.where.front))
        return {
            "url": self.where.front,
            "table": self.where.table.grpc,
            "keys": str(self.where.data.keys),
            "table_secret": str(self.where.data.table_secret),
            "players": self._players,
        }

    def play_stream(
        self, *, has_viewers: bool, is_profiled: bool = False, interval_s: float = 0.0
    ) -> Measurement:
        """The play stream with or without viewers. Raises BenchError."""
        return self._table_work("play", self._play_job(has_viewers, is_profiled, interval_s))

    def _play_job(self, has_viewers: bool, is_profiled: bool = False, interval_s: float = 0.0) -> PlayJob:
        settings, where = self.settings, self.where
        return PlayJob(
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
            interval_s=interval_s,
        )

    def _table_work(self, module: str, job: PlayJob) -> Measurement:
        """A load on the table service, with the sizes of the group commits that it led to."""
        commands, groups = self._appended()
        result = self.work(module, job, job.seconds)
        commands, groups = (
            now - before for now, before in zip(self._appended(), (commands, groups), strict=True)
        )
        facts = {**result.facts, "commands_a_statement": commands / groups}
        return msgspec.structs.replace(result, facts=facts)

    def told(self, number: int, name: str, result: Measurement) -> Measurement:
        """Say a result while the run goes on, and give it back."""
        row = rows.ROWS[name]
        say(f"round {number}: {row.title}, {result.rate:,.0f} {row.unit}")
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


class Section(msgspec.Struct, frozen=True):
    """Rows that are measured together, in so many rounds. `has_front`: through the gateway.

    `measure` is told the round's number and what other sections have measured in it.
    """

    measure: Callable[[Rounds, int, Round], Round]
    rounds: Callable[[Settings], int] = lambda settings: settings.rounds
    has_front: bool = False
    is_last: bool = False


SECTIONS: Mapping[str, Section] = {
    "play": Section(Rounds.play),
    "append": Section(Rounds.log),
    "limits": Section(Rounds.limits, rounds=lambda settings: settings.limits_rounds, has_front=True),
    "gateway": Section(Rounds.gateway, has_front=True),
    "rules": Section(Rounds.rules),
    "boardgame": Section(Rounds.boardgame, has_front=True),
    "memory": Section(Rounds.memory, rounds=lambda _: 1, has_front=True, is_last=True),
}
"""What `--only` chooses from, in the order in which it is measured."""


def run_all(run: Rounds, sections: Sequence[Section], settings: Settings) -> list[Round]:
    """Round by round, each section as often as it wants. What leaves something behind comes last, after all rounds."""
    most = max(section.rounds(settings) for section in sections)
    rounds: list[dict[str, Measurement]] = [{} for _ in range(most)]
    for number, results in enumerate(rounds, start=1):
        for section in sections:
            if number <= section.rounds(settings) and not section.is_last:
                results.update(section.measure(run, number, results))
    for section in sections:
        if section.is_last:
            rounds[0].update(section.measure(run, 1, rounds[0]))
    return list(rounds)


def say(line: str) -> None:
    """Progress, on stderr."""
    print(line, file=sys.stderr, flush=True)
