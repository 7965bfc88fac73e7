"""Every RPC of every service of a real stack, found by reflection: who may call it, and that nobody else may.

The table below is the whole of what services let each other do. A method that is added, or served to somebody more,
fails here until it is written down.
"""

import asyncio
import shutil
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, MethodDescriptorProto, ServiceDescriptorProto
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from joserfc import jwt
from joserfc.jwk import OKPKey

from deploy.local import StackInfo, discover
from deploy.local.service import SERVICES
from libs.service.credentials import Credentials, create_key_pair
from libs.service.grpc_client import channel, error_code
from tests.deploy.stack import Stack

pytestmark = [pytest.mark.e2e, pytest.mark.integration, pytest.mark.timeout(180)]

GATEWAY, ROBOTS, OPERATORS = {"gateway"}, {"robots"}, {"cli"}
MATCHMAKING, LEAGUE = {"matchmaking"}, {"league"}

WHO_MAY = {
    "carteado.accounts.v1.AccountsService": {
        "RegisterGuest": GATEWAY,
        "RenewToken": GATEWAY,
        "GetNames": GATEWAY,
    },
    "carteado.accounts.v1.SessionsService": {
        "SignIn": GATEWAY,
        "ListSessions": GATEWAY,
        "RevokeSession": GATEWAY,
        "RevokeOtherSessions": GATEWAY,
        "ListBarred": GATEWAY,
    },
    "carteado.accounts.v1.ProfileService": {
        "GetProfile": GATEWAY,
        "SetName": GATEWAY,
        "FindPlayer": GATEWAY,
        "ExportPlayer": GATEWAY,
        "ErasePlayer": GATEWAY,
    },
    "carteado.accounts.v1.SocialService": {
        "ListFriends": GATEWAY,
        "Befriend": GATEWAY,
        "Unfriend": GATEWAY,
        "ListBlocks": GATEWAY,
        "BlockPlayer": GATEWAY,
        "UnblockPlayer": GATEWAY,
    },
    "carteado.accounts.v1.OperatorsService": {
        "ShowPlayer": OPERATORS,
        "BanPlayer": OPERATORS,
        "UnbanPlayer": OPERATORS,
        "ExportAccount": OPERATORS,
        "EraseAccount": OPERATORS,
    },
    "carteado.billing.v1.AccessService": {
        "CheckAccess": GATEWAY | MATCHMAKING,
        "ReserveMatch": MATCHMAKING,
        "ReleaseMatch": MATCHMAKING,
    },
    "carteado.billing.v1.PassportService": {
        "GetAccount": GATEWAY | OPERATORS,
        "ListPlans": GATEWAY,
        "BuyPassport": GATEWAY,
        "CancelPassport": GATEWAY,
        "RefundPayment": OPERATORS,
        "RecordChargeback": OPERATORS,
    },
    "carteado.league.v1.LeagueService": {
        "GetTable": GATEWAY,
        "GetStanding": GATEWAY,
        "ListWeeks": GATEWAY | OPERATORS,
        "ListTrophies": GATEWAY,
        "GetSkills": MATCHMAKING,
        "CloseWeek": OPERATORS,
    },
    "carteado.matchmaking.v1.MatchmakingService": {
        "GetPlace": GATEWAY,
        "ListOpenTables": GATEWAY,
        "OpenTable": GATEWAY,
        "SitDown": GATEWAY,
        "StandUp": GATEWAY,
        "QuickPlay": GATEWAY,
        "JoinQueue": GATEWAY,
        "LeaveQueue": GATEWAY,
        "StartTraining": GATEWAY,
    },
    "carteado.table.v1.TableService": {
        "CreateTable": GATEWAY | MATCHMAKING,
        "Submit": GATEWAY | ROBOTS,
        "CheckMove": GATEWAY | ROBOTS | MATCHMAKING,
        "GetView": GATEWAY | ROBOTS | MATCHMAKING,
        "Watch": GATEWAY,
        "Play": GATEWAY,
        "GetRecord": GATEWAY | LEAGUE,
        "GetCommitment": GATEWAY,
    },
}
OPEN_TO_ALL = {"grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
"""Health is for orchestrators, reflection for development: neither tells of any player."""

UNAUTHENTICATED = ("UNAUTHENTICATED", "UNAUTHENTICATED")
NOT_ALLOWED = ("PERMISSION_DENIED", "CALLER_NOT_ALLOWED")
DEADLINE_S = 5.0


@pytest.fixture(scope="module")
def stack() -> Iterator[StackInfo]:
    """`carteado up` with every service."""
    parent = Path(tempfile.mkdtemp(prefix="carteado-test-", dir="/tmp"))
    parent.chmod(0o755)
    running = Stack(parent / "data")
    try:
        running.ready()
        yield discover(parent / "data")
    finally:
        running.clean_up()
        shutil.rmtree(parent)


@pytest.fixture
async def token(stack: StackInfo) -> AsyncIterator[str]:
    """A good token of a player of this stack."""
    async with (
        aiohttp.ClientSession(stack.url) as session,
        session.post(
            "/api/v1/guests",
            json={"name": f"Zica {uuid4().hex[:8]}"},
            headers={"Idempotency-Key": str(uuid4())},
        ) as response,
    ):
        assert response.status == 201
        yield (await response.json())["token"]


async def nothing() -> AsyncIterator[bytes]:
    """A client's stream that stays open and says nothing."""
    await asyncio.Event().wait()
    yield b""


class Rpc:
    """One method of a server."""

    def __init__(self, server: str, service: str, method: MethodDescriptorProto) -> None:
        self.server = server
        self.service = service
        self.name = method.name
        self._is_streaming = (method.client_streaming, method.server_streaming)

    def __repr__(self) -> str:
        return f"{self.service}/{self.name}"

    async def answer(self, opened: grpc.aio.Channel, metadata: Any) -> tuple[str, str | None]:
        """Status and our code of an empty call, whatever kind the method is of."""
        path = f"/{self.service}/{self.name}"
        try:
            match self._is_streaming:
                case (False, False):
                    await opened.unary_unary(path)(b"", metadata=metadata, timeout=DEADLINE_S)
                case (False, True):
                    async for _ in opened.unary_stream(path)(b"", metadata=metadata, timeout=DEADLINE_S):
                        break
                case (True, False):
                    await opened.stream_unary(path)(nothing(), metadata=metadata, timeout=DEADLINE_S)
                case _:
                    stream = opened.stream_stream(path)(nothing(), metadata=metadata, timeout=DEADLINE_S)
                    async for _ in stream:
                        break
        except grpc.aio.AioRpcError as error:
            return error.code().name, error_code(error)
        return "OK", None


async def reflected(opened: grpc.aio.Channel, server: str) -> list[Rpc]:
    """Every RPC that a server says it has, health and reflection included."""
    stub = reflection_pb2_grpc.ServerReflectionStub(opened)

    async def ask(request: reflection_pb2.ServerReflectionRequest) -> reflection_pb2.ServerReflectionResponse:
        async for response in stub.ServerReflectionInfo(iter([request]), timeout=DEADLINE_S):
            return response
        raise AssertionError("no answer")

    listed = await ask(reflection_pb2.ServerReflectionRequest(list_services=""))
    rpcs = []
    for service in listed.list_services_response.service:
        described = await ask(reflection_pb2.ServerReflectionRequest(file_containing_symbol=service.name))
        for serialized in described.file_descriptor_response.file_descriptor_proto:
            file = FileDescriptorProto.FromString(serialized)
            rpcs += [
                Rpc(server, service.name, method)
                for proto in file.service
                if _full_name(file, proto) == service.name
                for method in proto.method
            ]
    return rpcs


def _full_name(file: FileDescriptorProto, service: ServiceDescriptorProto) -> str:
    return f"{file.package}.{service.name}"


def listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError:
        return False
    return True


@pytest.fixture
async def servers(stack: StackInfo) -> AsyncIterator[dict[str, grpc.aio.Channel]]:
    """A channel to each service that has a gRPC face."""
    opened = {
        name: channel(addresses["grpc"])
        for name, addresses in stack.services.items()
        if listens(addresses["grpc"])
    }
    yield opened
    await asyncio.gather(*(one.close() for one in opened.values()))


def forged(keys: Path, name: str, audience: str, signed_by: str | None = None, **claims: Any) -> Any:
    """A credential that says it is of the service `name`, with what a test changes."""
    key = OKPKey.import_key((keys / f"{signed_by or name}.pem").read_bytes())
    now = int(time.time())
    body = {"sub": name, "aud": audience, "iat": now, "exp": now + 200, **claims}
    token = jwt.encode({"alg": "Ed25519"}, body, key, algorithms=["Ed25519"])
    return (("authorization", f"Service {token}"),)


async def test_the_table_names_every_rpc_that_there_is(servers: dict[str, grpc.aio.Channel]) -> None:
    assert set(servers) == {service.split(".")[1] for service in WHO_MAY}
    assert set(servers) <= {service.name for service in SERVICES}
    found: dict[str, set[str]] = {}
    for name, opened in servers.items():
        for rpc in await reflected(opened, name):
            if rpc.service not in OPEN_TO_ALL:
                found.setdefault(rpc.service, set()).add(rpc.name)
    assert found == {service: set(methods) for service, methods in WHO_MAY.items()}


async def test_no_rpc_answers_without_one_good_credential_for_this_service(
    stack: StackInfo, servers: dict[str, grpc.aio.Channel], token: str, tmp_path: Path
) -> None:
    """Fault B124: no token, a user's token, another service's credential, a forged, an old or a doubled one."""
    keys = stack.data / "keys"
    create_key_pair("stranger", tmp_path)
    create_key_pair("gateway", tmp_path)
    tried = 0
    for name, opened in servers.items():
        other = "table" if name == "accounts" else "accounts"
        good = Credentials("gateway", keys).metadata(name)
        refused: dict[str, Any] = {
            "nothing": (),
            "a user's token": (("authorization", f"Bearer {token}"),),
            "a user's token as a service's": (("authorization", f"Service {token}"),),
            "a user's token beside a good credential": (*good, ("authorization", f"Bearer {token}")),
            "a good credential twice": (*good, *good),
            "a credential for another service": Credentials("gateway", keys).metadata(other),
            "an unknown service's": forged(tmp_path, "stranger", name),
            "signed with another key under a known name": forged(tmp_path, "gateway", name),
            "signed by one service in another's name": forged(keys, "gateway", name, signed_by="robots"),
            "an expired one": forged(keys, "gateway", name, iat=1, exp=200),
            "one that lives too long": forged(keys, "gateway", name, exp=int(time.time()) + 86_400),
            "one from the future": forged(keys, "gateway", name, iat=int(time.time()) + 600),
            "an empty one": (("authorization", "Service "),),
            "text": (("authorization", "Service eyJhbGciOiJub25lIn0.e30."),),
        }
        for rpc in await reflected(opened, name):
            if rpc.service in OPEN_TO_ALL:
                continue
            for what, metadata in refused.items():
                answer = await rpc.answer(opened, metadata)
                assert answer == UNAUTHENTICATED, f"{rpc} answers {answer} to {what}"
                tried += 1
    assert tried == 14 * sum(len(methods) for methods in WHO_MAY.values())


async def test_each_rpc_serves_those_of_the_table_and_nobody_else(
    stack: StackInfo, servers: dict[str, grpc.aio.Channel]
) -> None:
    keys = stack.data / "keys"
    everybody = sorted(path.stem for path in keys.glob("*.pub"))
    assert {"accounts", "table", "robots", "gateway", "cli"} <= set(everybody)
    credentials = {caller: Credentials(caller, keys) for caller in everybody}
    for name, opened in servers.items():
        for rpc in await reflected(opened, name):
            allowed = WHO_MAY.get(rpc.service, {}).get(rpc.name)
            if allowed is None:
                continue
            for caller in everybody:
                answer = await rpc.answer(opened, credentials[caller].metadata(name))
                if caller in allowed:
                    assert answer[0] not in {"UNAUTHENTICATED", "PERMISSION_DENIED"}, (rpc, caller, answer)
                else:
                    assert answer == NOT_ALLOWED, (rpc, caller, answer)


async def test_a_stranger_is_told_nothing_also_of_what_is_no_message(
    servers: dict[str, grpc.aio.Channel],
) -> None:
    """Fault B129: no stack trace, no path, no name of a type; nothing is read before the caller is known."""
    for name, opened in servers.items():
        for rpc in await reflected(opened, name):
            if rpc.service in OPEN_TO_ALL:
                continue
            call = opened.unary_unary(f"/{rpc.service}/{rpc.name}")(b"\xff" * 100, timeout=DEADLINE_S)
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await call
            assert failed.value.code() is grpc.StatusCode.UNAUTHENTICATED, rpc
            assert failed.value.details() == "Not authorised."
