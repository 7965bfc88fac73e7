"""The platform on one stage: table, robots and gateway as they are, on a real Postgres and NATS, and an ear at every output.

What is heard is judged afterwards by what each receiver may know at the version at which it left (`Stage.leaks`).
"""

import asyncio
import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import msgspec
import nats
import psycopg
import pytest
from google.protobuf import json_format
from prometheus_client import CollectorRegistry
from typer.testing import CliRunner

from carteado.gateway.v1 import gateway_pb2
from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import table_service_pb2_grpc, view_pb2
from libs.cli.log import app as log_commands
from libs.eventlog.streams import stream_id
from libs.service.app import Context, Parts
from libs.service.config import ServiceConfig
from libs.service.credentials import Credentials, Metadata, create_key_pair
from libs.service.grpc_client import channel
from libs.service.grpc_server import GrpcServer
from libs.service.http import HttpServer
from libs.service.logging import Log, configure_logging
from libs.service.metrics import GrpcServerMetrics, new_registry
from libs.service.nats import connect
from libs.service.tokens import TokenVerifier
from services.gateway.app import assemble
from services.gateway.limits import Limits
from services.robots import app as robots_app
from services.table import app as table_app
from tests.leaks.deck import Deck
from tests.leaks.knowledge import Knowledge
from tests.leaks.scanner import tokens_in
from tests.services.gateway.fakes import FakeAccounts, Issuer

PROTOBUF = "carteado.v1.protobuf"
JSON = "carteado.v1.json"
TIMEOUT_S = 30.0
SPECTATOR = pb.Viewer(spectator=pb.Spectator())

SOCKETS = ((0, PROTOBUF), (1, JSON), (2, PROTOBUF), (3, JSON), (None, PROTOBUF), (None, JSON))
"""Who listens over the gateway, and in which form."""

OUTSIDE = "outside"
"""The receiver of what may never hold a card, not even after the end: logs, metrics, messages between services."""

ANSWER = 0
"""The version of what is no view of the table, such as a refusal: it may hold the cards that were sent with the question."""


class Heard(msgspec.Struct, frozen=True):
    """Something that left: over which channel, to whom (a seat, None for a spectator, or OUTSIDE), at which version."""

    channel: str
    receiver: int | str | None
    version: int
    payload: Any
    asked: Any = b""


class Leak(msgspec.Struct, frozen=True):
    """A payload that holds tokens which its receiver may not know."""

    channel: str
    receiver: int | str | None
    version: int
    tokens: frozenset[str]


class Stage:
    """The running platform, its one table, and what was heard."""

    def __init__(self, deck: Deck, postgres: str, keys: Path) -> None:
        self.deck = deck
        self.postgres = postgres
        self.keys = keys
        self.table_id = ""
        self.heard: list[Heard] = []
        self._is_news = asyncio.Event()
        self.players = [str(uuid.uuid4()) for _ in range(4)]
        self.registries: dict[str, CollectorRegistry] = {}
        self.log_lines = StringIO()
        self.issuer = Issuer()
        self._http_ports: dict[str, int] = {}
        self._closing: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._tasks: list[asyncio.Task[Any]] = []

    # Starting

    async def start(self, nats_url: str) -> None:
        await self.issuer.start()
        self.accounts = FakeAccounts(self.keys, self.issuer)
        await self.accounts.start()
        spy = await nats.connect(nats_url)
        await spy.subscribe(">", cb=self._hear_nats)
        self._closing.append(spy.close)
        log = configure_logging("stage", "debug", self.log_lines)
        table_port = await self._serve("table", log, nats_url, table_app.build)
        self.table_address = f"127.0.0.1:{table_port}"
        await self._serve("robots", log, nats_url, robots_app.build)
        await self._serve("gateway", log, nats_url, self._gateway)
        self.http = aiohttp.ClientSession(f"http://127.0.0.1:{self._http_ports['gateway']}")
        self._closing.append(self.http.close)
        self._channel = channel(self.table_address)
        self._closing.append(self._channel.close)
        self.stub = table_service_pb2_grpc.TableServiceStub(self._channel)

    async def _gateway(self, context: Context) -> Parts:
        generous = Limits(messages_per_s=10_000.0, messages_burst=10_000, records_burst=1_000)
        return assemble(
            context, TokenVerifier(self.issuer.url), generous, nats=await connect(context.config, context.log)
        )

    async def _serve(self, name: str, log: Log, nats_url: str, build: Callable[[Context], Any]) -> int:
        replicas = {"accounts": (self.accounts.address,)}
        if name != "table":
            replicas["table"] = (self.table_address,)
        config = ServiceConfig(
            name=name,
            environment="development",
            grpc_address="127.0.0.1:0",
            http_address="127.0.0.1:0",
            postgres=f"{self.postgres} dbname=carteado_{name}",
            nats=nats_url,
            keys=self.keys,
            log_level="debug",
            replicas=replicas,
        )
        registry = self.registries[name] = new_registry(name)
        context = Context(config, Credentials(name, self.keys), log, registry)
        parts: Parts = await build(context)
        port = 0
        if parts.grpc:
            server = GrpcServer(context.credentials, parts.allow, GrpcServerMetrics(registry), log)
            server.register(parts.grpc)
            port = await server.start("127.0.0.1:0")
            self._closing.append(lambda: server.drain(0.2))
        http = HttpServer(registry, parts.ready, parts.routes, parts.middlewares)
        self._http_ports[name] = await http.start("127.0.0.1:0")
        tasks = [asyncio.create_task(work) for work in parts.background]

        async def close() -> None:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await http.close()
            await parts.close()

        # What is begun last ends first: the server's drain is before the parts it serves.
        self._closing.insert(len(self._closing) - (1 if parts.grpc else 0), close)
        return port

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for close in reversed(self._closing):
            await close()
        await self.accounts.stop()
        await self.issuer.stop()

    # Listening

    def hear(
        self, name: str, receiver: int | str | None, version: int, payload: Any, asked: Any = b""
    ) -> None:
        self.heard.append(Heard(name, receiver, version, payload, asked))
        self._is_news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until something that is heard makes the condition true."""
        async with asyncio.timeout(20):
            while not condition():
                self._is_news.clear()
                await self._is_news.wait()

    async def _hear_nats(self, message: Any) -> None:
        self.hear("nats", OUTSIDE, ANSWER, message.subject.encode() + b" " + message.data)
        self.hear("nats", OUTSIDE, ANSWER, json.dumps(message.headers or {}))

    async def hear_metrics(self) -> None:
        for name, port in self._http_ports.items():
            async with self.http.get(f"http://127.0.0.1:{port}/metrics") as response:
                self.hear(f"metrics of {name}", OUTSIDE, ANSWER, await response.read())

    def hear_analysts(self) -> int:
        """What the analysts' role can read of a running match; gives how many views there were."""
        with psycopg.connect(f"{self.postgres} dbname=carteado_table", autocommit=True) as connection:
            connection.execute("SET ROLE carteado_analyst")
            views = connection.execute(
                "SELECT format('%I.%I', schemaname, viewname) FROM pg_views"
                " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
                " AND has_table_privilege(format('%I.%I', schemaname, viewname), 'SELECT')"
            ).fetchall()
            for (view,) in views:
                rows = connection.execute(f"SELECT to_jsonb(v)::text FROM {view} AS v").fetchall()
                self.hear(f"analysts' {view}", OUTSIDE, ANSWER, json.dumps(rows))
        return len(views)

    def hear_operators(self) -> None:
        """What `carteado log` shows of the match: of a running one no more than a spectator sees."""
        version = len(self.events())
        environment = {"CARTEADO_POSTGRES": self.postgres}
        for words in (
            ["show", self.table_id, "--clocks"],
            ["show", self.table_id, "--at", str(version)],
            ["ls"],
        ):
            shown = CliRunner().invoke(log_commands, words, env=environment)
            assert shown.exit_code == 0, shown.output
            self.hear(f"carteado log {words[0]}", None, version, shown.output)
        refused = CliRunner().invoke(log_commands, ["show", self.table_id, "--seat", "1"], env=environment)
        assert refused.exit_code != 0
        self.hear("carteado log show --seat", OUTSIDE, ANSWER, refused.output + str(refused.exception))

    def follow(self, work: Coroutine[Any, Any, Any]) -> None:
        self._tasks.append(asyncio.create_task(work))

    # Calling

    def credential(self, service: str) -> Metadata:
        return Credentials(service, self.keys).metadata("table")

    def viewer(self, seat: int | None) -> pb.Viewer:
        return SPECTATOR if seat is None else pb.Viewer(player_id=self.players[seat])

    async def open_table(self, robots: int = 0, switches: dict[str, str] | None = None) -> None:
        """The stage's table: persons on the first seats, robots on the others."""
        self.table_id = str(uuid.uuid4())
        seats = [pb.SeatRequest(player_id=player) for player in self.players[: 4 - robots]]
        seats += [pb.SeatRequest(robot=pb.RobotSeat(strength="random"))] * robots
        request = pb.CreateTableRequest(
            table_id=self.table_id,
            preset="truco-paulista",
            switches=[view_pb2.Switch(name=name, value=value) for name, value in (switches or {}).items()],
            seats=seats,
            entropy=[b"e" * 32],
        )
        await self.stub.CreateTable(request, timeout=TIMEOUT_S, metadata=self.credential("gateway"))

    async def ask(
        self, name: str, receiver: int | str | None, method: Any, request: Any, caller: str = "gateway"
    ) -> Any:
        """A unary call, whose answer or refusal is heard with all its details; gives the answer or None."""
        try:
            answer = await method(request, timeout=TIMEOUT_S, metadata=self.credential(caller))
        except grpc.aio.AioRpcError as error:
            told = [
                error.code().name,
                error.details(),
                *(str(item) for item in error.trailing_metadata() or ()),
            ]
            raw = b"".join(
                value if isinstance(value, bytes) else value.encode()
                for _, value in error.trailing_metadata() or ()
            )
            self.hear(f"refused {name}", receiver, ANSWER, json.dumps(told), request)
            self.hear(f"refused {name}", receiver, ANSWER, raw, request)
            return None
        version = answer.view.version if isinstance(answer, pb.GetViewResponse) else ANSWER
        self.hear(name, receiver, version, answer, request)
        return answer

    async def view(self, seat: int | None) -> view_pb2.TableView:
        request = pb.GetViewRequest(table_id=self.table_id, viewer=self.viewer(seat))
        answer = await self.ask("GetView", seat, self.stub.GetView, request)
        view: view_pb2.TableView = answer.view
        return view

    async def submit(self, seat: int, command: pb.TableCommand) -> pb.CommandOutcome:
        request = pb.SubmitRequest(actor=self.viewer(seat), command=command)
        answer = await self.ask("Submit", seat, self.stub.Submit, request)
        outcome: pb.CommandOutcome = answer.outcome
        return outcome

    def command(self, **action: Any) -> pb.TableCommand:
        return pb.TableCommand(command_id=str(uuid.uuid4()), table_id=self.table_id, **action)

    async def watch(self, seat: int | None) -> None:
        """Hears a viewer's Watch stream."""
        request = pb.WatchRequest(table_id=self.table_id, viewer=self.viewer(seat))
        async for response in self.stub.Watch(request, metadata=self.credential("gateway")):
            self.hear("Watch", seat, response.update.to_version, response)

    async def play_stream(self, seats: list[int | None]) -> None:
        """Hears the Play stream of several viewers; every frame names its subscription."""
        attaches = [
            pb.PlayItem(
                attach=pb.Attach(subscription=number, table_id=self.table_id, viewer=self.viewer(seat))
            )
            for number, seat in enumerate(seats)
        ]
        done = asyncio.Event()

        async def requests() -> AsyncIterator[pb.PlayRequest]:
            yield pb.PlayRequest(items=attaches)
            await done.wait()

        async for response in self.stub.Play(requests(), metadata=self.credential("gateway")):
            for item in response.items:
                if item.HasField("update"):
                    for number in (item.update.subscription, *item.update.also):
                        self.hear("Play", seats[number], item.update.to_version, item)
                else:
                    self.hear("Play", OUTSIDE, ANSWER, item)

    async def socket(self, seat: int | None, protocol: str, last_version: int = 0) -> "Socket":
        """A gateway's WebSocket of a seat's player, or of somebody without a seat, that follows the table."""
        raw = await self.http.ws_connect("/ws", protocols=[protocol])
        socket = Socket(self, seat, raw)
        player = self.players[seat] if seat is not None else str(uuid.uuid4())
        await socket.send(gateway_pb2.ClientMessage(hello=gateway_pb2.Hello(token=self.issuer.token(player))))
        attach = gateway_pb2.AttachTable(table_id=self.table_id, last_version=last_version)
        await socket.send(gateway_pb2.ClientMessage(attach_table=attach))
        self.follow(socket.read())
        return socket

    async def listen(self) -> None:
        """Everybody follows the table in every way there is."""
        everybody = [None, 0, 1, 2, 3]
        self.follow(self.play_stream(everybody))
        for seat in everybody:
            self.follow(self.watch(seat))
        for seat, protocol in SOCKETS:
            await self.socket(seat, protocol)

    async def until_all_have_heard(self) -> Knowledge:
        """Until everybody who listens has heard of the last version; gives what there is to know at it."""
        knowledge = Knowledge(self.events())
        wanted = {(name, seat) for name in ("Play", "Watch") for seat in (None, 0, 1, 2, 3)}
        wanted |= {(f"WebSocket {protocol}", seat) for seat, protocol in SOCKETS}
        await self.until(
            lambda: (
                wanted
                <= {(one.channel, one.receiver) for one in self.heard if one.version == knowledge.version}
            )
        )
        return knowledge

    # Judging

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """The truth, read from the log behind everybody's back."""
        with psycopg.connect(f"{self.postgres} dbname=carteado_table", autocommit=True) as connection:
            return connection.execute(
                "SELECT type, payload FROM events WHERE stream = %s ORDER BY version",
                (stream_id("table", self.table_id),),
            ).fetchall()

    def leaks(self) -> list[Leak]:
        """Everything that was heard by somebody who may not know it."""
        knowledge = Knowledge(self.events())
        heard = [
            *self.heard,
            *(Heard("log", OUTSIDE, ANSWER, line) for line in self.log_lines.getvalue().splitlines()),
        ]
        leaks = []
        for one in heard:
            found = tokens_in(self.deck, one.payload)
            if not found or self._may_know(knowledge, one, found):
                continue
            leaks.append(Leak(one.channel, one.receiver, one.version, frozenset(found)))
        return leaks

    def _may_know(self, knowledge: Knowledge, one: Heard, found: set[str]) -> bool:
        if one.version == ANSWER:
            return found <= tokens_in(self.deck, one.asked)
        if one.receiver == OUTSIDE:
            return False
        assert isinstance(one.receiver, int | None)
        return knowledge.is_over(one.version) or found <= knowledge.known(one.receiver, one.version)


class Socket:
    """One WebSocket of the gateway; every frame that it gets is heard as it came."""

    def __init__(self, stage: Stage, seat: int | None, raw: aiohttp.ClientWebSocketResponse) -> None:
        self._stage = stage
        self._seat = seat
        self._raw = raw
        self._asked: dict[str, pb.TableCommand] = {}

    async def send(self, message: gateway_pb2.ClientMessage) -> None:
        if message.HasField("command"):
            self._asked[message.command.command_id] = message.command
        if self._raw.protocol == PROTOBUF:
            await self._raw.send_bytes(message.SerializeToString())
        else:
            await self._raw.send_str(json_format.MessageToJson(message))

    async def read(self) -> None:
        async for frame in self._raw:
            if frame.type is aiohttp.WSMsgType.BINARY:
                message = gateway_pb2.ServerMessage.FromString(frame.data)
            else:
                message = json_format.Parse(frame.data, gateway_pb2.ServerMessage())
            name = f"WebSocket {self._raw.protocol}"
            if message.HasField("update"):
                self._stage.hear(name, self._seat, message.update.to_version, frame.data)
            else:
                command_id = message.command_result.command_id or message.error.command_id
                asked = self._asked.get(command_id, b"")
                self._stage.hear(name, self._seat, ANSWER, frame.data, asked)


@asynccontextmanager
async def on_stage(deck: Deck, postgres: str, nats_url: str, folder: Path) -> AsyncIterator[Stage]:
    """The platform for as long as the block lasts."""
    keys = folder / "keys"
    keys.mkdir()
    for service in ("table", "gateway", "robots", "accounts"):
        create_key_pair(service, keys)
    secret = folder / "table-secret"
    secret.write_bytes(b"s" * 32)
    secret.chmod(0o600)
    stage = Stage(deck, postgres, keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARTEADO_TABLE_SECRET_FILE", str(secret))
        patch.setenv("CARTEADO_ROBOT_PACE_MS", "0")
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            await stage.start(nats_url)
            yield stage
        finally:
            await stage.stop()
            root.handlers[:] = handlers
            root.setLevel(level)
