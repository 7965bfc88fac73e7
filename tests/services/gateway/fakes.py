"""The gateway's neighbours, as small real gRPC servers that a test can steer.

They speak the contracts over loopback behind the same guard as the real services; only what is behind the contract is
made up: a table is a list of updates, and a move is whatever the test says.
"""

# ruff: noqa: N802 - gRPC's methods are named as in the contract

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import grpc
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import OKPKey

from carteado.accounts.v1 import accounts_service_pb2 as accounts_pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as accounts_grpc
from carteado.accounts.v1 import sessions_service_pb2 as sessions_pb
from carteado.accounts.v1 import sessions_service_pb2_grpc as sessions_grpc
from carteado.table.v1 import table_service_pb2 as table_pb
from carteado.table.v1 import table_service_pb2_grpc as table_grpc
from carteado.table.v1 import view_pb2
from libs.service.credentials import Credentials
from libs.service.errors import INVALID_ARGUMENT, UNAVAILABLE
from libs.service.grpc_server import GrpcServer
from libs.service.logging import configure_logging
from libs.service.metrics import GrpcServerMetrics, new_registry
from libs.service.tokens import AUDIENCE, LOCAL_ISSUER


def new_id() -> str:
    return str(uuid.uuid4())


HEARTBEAT_S = 0.5


class Issuer:
    """Signs players' tokens and publishes its key."""

    def __init__(self) -> None:
        self._key = OKPKey.generate_key("Ed25519", parameters={"kid": "test"})
        self.url = ""
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application()
        app.add_routes([web.get("/.well-known/jwks.json", self._jwks)])
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/.well-known/jwks.json"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _jwks(self, _request: web.Request) -> web.Response:
        return web.json_response({"keys": [self._key.as_dict(private=False)]})

    def token(self, player_id: str, lives_s: float = 3600) -> str:
        now = int(time.time())
        claims = {
            "iss": LOCAL_ISSUER,
            "aud": AUDIENCE,
            "sub": player_id,
            "sid": "s1",
            "iat": now,
            "exp": int(now + lives_s),
        }
        return jwt.encode({"alg": "Ed25519", "kid": "test"}, claims, self._key, algorithms=["Ed25519"])


class _GrpcFake:
    """A guarded server that serves the gateway alone, and can be stopped and started again on its port."""

    service: str

    def __init__(self, keys: Path) -> None:
        self._keys = keys
        self._server: GrpcServer | None = None
        self.port = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def _start(self, register: Callable[[grpc.aio.Server], None], methods: list[str]) -> None:
        self._server = GrpcServer(
            Credentials(self.service, self._keys),
            dict.fromkeys(methods, ("gateway",)),
            GrpcServerMetrics(new_registry(self.service)),
            configure_logging(self.service, "warning"),
        )
        self._server.register([register])
        self.port = await self._server.start(f"127.0.0.1:{self.port}")

    async def stop(self) -> None:
        if self._server is not None:
            await self._server.drain(0)
            self._server = None


class _Stream:
    """One open Play stream."""

    def __init__(self) -> None:
        self.replies: asyncio.Queue[table_pb.PlayReply | None] = asyncio.Queue()
        self.subscriptions: dict[int, tuple[str, str]] = {}


class FakeTables(_GrpcFake, table_grpc.TableServiceServicer):
    """A table service whose tables are lists of updates."""

    service = "table"

    def __init__(self, keys: Path) -> None:
        super().__init__(keys)
        self.updates: dict[str, list[view_pb2.TableUpdate]] = {}
        self.attaches: list[table_pb.Attach] = []
        self.detaches: list[int] = []
        self.commands: list[table_pb.PlayCommand] = []
        self.committed: list[str] = []
        self.is_answering = True
        self.is_silent = False
        self.checks: list[table_pb.CheckMoveRequest] = []
        self._streams: set[_Stream] = set()
        self._changed = asyncio.Condition()

    async def start(self) -> None:
        methods = [f"/carteado.table.v1.TableService/{name}" for name in table_pb_methods()]
        await self._start(lambda server: table_grpc.add_TableServiceServicer_to_server(self, server), methods)

    @property
    def stream_count(self) -> int:
        return len(self._streams)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until something that the gateway sends makes the condition true."""
        async with asyncio.timeout(30), self._changed:
            await self._changed.wait_for(condition)

    def open(self, table_id: str, versions: int = 1) -> None:
        self.updates[table_id] = [_update(table_id, number) for number in range(versions)]

    def move(self, table_id: str, padding: int = 0) -> None:
        """Makes one more update and sends it to all who follow the table."""
        updates = self.updates[table_id]
        updates.append(_update(table_id, len(updates), padding))
        for stream in self._streams:
            by_player: dict[str, list[int]] = {}
            for number, (followed, player_id) in stream.subscriptions.items():
                if followed == table_id:
                    by_player.setdefault(player_id, []).append(number)
            for player_id, numbers in by_player.items():
                reply = _frame(numbers[0], updates[-1], player_id)
                reply.update.also.extend(numbers[1:])
                stream.replies.put_nowait(reply)

    def end_subscriptions(self, code: str) -> None:
        for stream in self._streams:
            for number in stream.subscriptions:
                ended = table_pb.SubscriptionEnded(subscription=number, code=code)
                stream.replies.put_nowait(table_pb.PlayReply(ended=ended))
            stream.subscriptions.clear()

    def sever(self) -> None:
        """Breaks every stream, as a replica that dies would."""
        for stream in self._streams:
            stream.replies.put_nowait(None)

    async def Play(
        self, request_iterator: AsyncIterator[table_pb.PlayRequest], context: grpc.aio.ServicerContext
    ) -> AsyncIterator[table_pb.PlayResponse]:
        stream = _Stream()
        self._streams.add(stream)
        await self._tell()
        reader = asyncio.create_task(self._read(stream, request_iterator))
        try:
            while True:
                items = []
                with suppress(TimeoutError):
                    reply = await asyncio.wait_for(stream.replies.get(), HEARTBEAT_S)
                    if reply is None:
                        break
                    items = [reply]
                if not self.is_silent:
                    yield table_pb.PlayResponse(items=items)
            raise UNAVAILABLE.error()
        finally:
            self._streams.discard(stream)
            reader.cancel()
            await self._tell()

    async def _read(self, stream: _Stream, requests: AsyncIterator[table_pb.PlayRequest]) -> None:
        async for request in requests:
            for item in request.items:
                kind = item.WhichOneof("item")
                if kind == "attach":
                    self._attach(stream, item.attach)
                elif kind == "detach":
                    self.detaches.append(item.detach.subscription)
                    stream.subscriptions.pop(item.detach.subscription, None)
                elif kind == "command":
                    self._command(stream, item.command)
            await self._tell()

    def _attach(self, stream: _Stream, attach: table_pb.Attach) -> None:
        self.attaches.append(attach)
        updates = self.updates.get(attach.table_id)
        if updates is None:
            ended = table_pb.SubscriptionEnded(subscription=attach.subscription, code="TABLE_NOT_FOUND")
            stream.replies.put_nowait(table_pb.PlayReply(ended=ended))
            return
        stream.subscriptions[attach.subscription] = (attach.table_id, attach.viewer.player_id)
        for update in updates[attach.last_version :]:
            stream.replies.put_nowait(_frame(attach.subscription, update, attach.viewer.player_id))

    def _command(self, stream: _Stream, command: table_pb.PlayCommand) -> None:
        self.commands.append(command)
        if self.is_answering:
            outcome = table_pb.CommandOutcome(accepted=table_pb.Accepted(version=len(self.commands)))
            answer = table_pb.CommandAnswer(tag=command.tag, outcome=outcome)
            stream.replies.put_nowait(table_pb.PlayReply(answer=answer))

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def GetCommitment(
        self, request: table_pb.GetCommitmentRequest, context: grpc.aio.ServicerContext
    ) -> table_pb.GetCommitmentResponse:
        self.committed.append(request.table_id)
        return table_pb.GetCommitmentResponse(commitment=bytes(32))

    async def Submit(
        self, request: table_pb.SubmitRequest, context: grpc.aio.ServicerContext
    ) -> table_pb.SubmitResponse:
        raise UNAVAILABLE.error()

    async def CheckMove(
        self, request: table_pb.CheckMoveRequest, context: grpc.aio.ServicerContext
    ) -> table_pb.CheckMoveResponse:
        self.checks.append(request)
        outcome = table_pb.CommandOutcome(accepted=table_pb.Accepted(version=41))
        return table_pb.CheckMoveResponse(outcome=outcome)

    async def GetView(
        self, request: table_pb.GetViewRequest, context: grpc.aio.ServicerContext
    ) -> table_pb.GetViewResponse:
        raise UNAVAILABLE.error()

    async def Watch(
        self, request: table_pb.WatchRequest, context: grpc.aio.ServicerContext
    ) -> AsyncIterator[table_pb.WatchResponse]:
        raise UNAVAILABLE.error()
        yield


def table_pb_methods() -> list[str]:
    return [method.name for method in table_pb.DESCRIPTOR.services_by_name["TableService"].methods]


def _update(table_id: str, before: int, padding: int = 0) -> view_pb2.TableUpdate:
    return view_pb2.TableUpdate(
        table_id=table_id,
        from_version=before,
        to_version=before + 1,
        view=view_pb2.TableView(table_id=table_id, version=before + 1, commitment=b"x" * padding),
    )


def _frame(number: int, update: view_pb2.TableUpdate, player_id: str) -> table_pb.PlayReply:
    seen = view_pb2.TableUpdate()
    seen.CopyFrom(update)
    seen.view.seats.add(player_id=player_id)  # So that a test sees for whom an update was made.
    return table_pb.PlayReply(
        update=table_pb.UpdateFrame(
            subscription=number,
            update=seen.SerializeToString(),
            from_version=update.from_version,
            to_version=update.to_version,
        )
    )


class FakeAccounts(_GrpcFake, accounts_grpc.AccountsServiceServicer, sessions_grpc.SessionsServiceServicer):
    """Registers whoever asks, and refuses the empty name as the real one does; keeps nobody out."""

    service = "accounts"

    def __init__(self, keys: Path, issuer: Issuer) -> None:
        super().__init__(keys)
        self._issuer = issuer
        self._guests: dict[str, accounts_pb.RegisterGuestResponse] = {}

    async def start(self) -> None:
        services = (
            accounts_pb.DESCRIPTOR.services_by_name["AccountsService"],
            sessions_pb.DESCRIPTOR.services_by_name["SessionsService"],
        )
        names = [f"/{service.full_name}/{method.name}" for service in services for method in service.methods]

        def register(server: grpc.aio.Server) -> None:
            accounts_grpc.add_AccountsServiceServicer_to_server(self, server)
            sessions_grpc.add_SessionsServiceServicer_to_server(self, server)

        await self._start(register, names)

    async def ListBarred(
        self, request: sessions_pb.ListBarredRequest, context: grpc.aio.ServicerContext
    ) -> sessions_pb.ListBarredResponse:
        return sessions_pb.ListBarredResponse(cursor=1)

    async def RegisterGuest(
        self, request: accounts_pb.RegisterGuestRequest, context: grpc.aio.ServicerContext
    ) -> accounts_pb.RegisterGuestResponse:
        if not request.name:
            raise INVALID_ARGUMENT.error(field="name")
        if request.command_id not in self._guests:
            player_id = new_id()
            self._guests[request.command_id] = accounts_pb.RegisterGuestResponse(
                player_id=player_id, name=request.name, session=self._session(player_id)
            )
        return self._guests[request.command_id]

    async def RenewToken(
        self, request: accounts_pb.RenewTokenRequest, context: grpc.aio.ServicerContext
    ) -> accounts_pb.RenewTokenResponse:
        if not request.token.startswith("refresh "):
            raise INVALID_ARGUMENT.error(field="token")
        return accounts_pb.RenewTokenResponse(session=self._session(request.token.removeprefix("refresh ")))

    async def GetNames(
        self, request: accounts_pb.GetNamesRequest, context: grpc.aio.ServicerContext
    ) -> accounts_pb.GetNamesResponse:
        known = {guest.player_id: guest.name for guest in self._guests.values()}
        names = [
            accounts_pb.PlayerName(player_id=player_id, name=known[player_id])
            for player_id in request.player_ids
            if player_id in known
        ]
        return accounts_pb.GetNamesResponse(names=names)

    def _session(self, player_id: str) -> accounts_pb.SessionToken:
        session = accounts_pb.SessionToken(
            token=self._issuer.token(player_id), refresh_token=f"refresh {player_id}"
        )
        session.refresh_expires_at.FromSeconds(int(time.time()) + 86_400)
        session.expires_at.FromSeconds(int(time.time()) + 3600)
        return session
