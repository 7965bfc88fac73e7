"""What surrounds every gRPC call: who may call, deadlines, error details, metrics, health, reflection, drain."""

import asyncio

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from carteado.accounts.v1 import accounts_service_pb2 as pb
from carteado.accounts.v1 import accounts_service_pb2_grpc as rpc
from libs.eventlog.errors import LogCorruptError, LogUnavailableError, UnstorableError
from libs.service import grpc_server
from libs.service.config import ConfigError
from libs.service.credentials import Credentials
from libs.service.errors import INVALID_ARGUMENT
from libs.service.grpc_client import error_code
from libs.service.grpc_server import GrpcServer, current_caller
from libs.service.metrics import GrpcServerMetrics

SERVICE = "/carteado.accounts.v1.AccountsService/"


@pytest.fixture
def credential(keys):
    return lambda caller, audience="accounts": Credentials(caller, keys).metadata(audience)


async def get_names(channel, metadata=None, timeout_s=30):
    return await rpc.AccountsServiceStub(channel).GetNames(
        pb.GetNamesRequest(), metadata=metadata, timeout=timeout_s
    )


async def refusal(call):
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    return failed.value.code().name, error_code(failed.value)


async def test_a_servicer_knows_the_calling_service(start, servicer, credential):
    async def answer(_request, _context):
        return pb.GetNamesResponse(names=[pb.PlayerName(player_id=current_caller())])

    servicer.get_names = answer
    _, channel = await start()
    assert (await get_names(channel, credential("gateway"))).names[0].player_id == "gateway"


async def test_a_call_without_a_credential_is_refused_before_the_servicer(start, servicer):
    called = []

    async def answer(request, _context):
        called.append(request)
        return pb.GetNamesResponse()

    servicer.get_names = answer
    _, channel = await start()
    assert await refusal(get_names(channel)) == ("UNAUTHENTICATED", "UNAUTHENTICATED")
    assert called == []


async def test_a_users_token_is_refused(start, credential):
    _, channel = await start()
    token = credential("gateway")[0][1].removeprefix("Service ")
    bearer = (("authorization", f"Bearer {token}"),)
    assert await refusal(get_names(channel, bearer)) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


async def test_two_authorization_headers_are_refused(start, credential):
    _, channel = await start()
    twice = credential("gateway") * 2
    assert await refusal(get_names(channel, twice)) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


async def test_a_credential_for_another_service_is_refused(start, credential):
    _, channel = await start()
    metadata = credential("gateway", "table")
    assert await refusal(get_names(channel, metadata)) == ("UNAUTHENTICATED", "UNAUTHENTICATED")


async def test_each_method_serves_the_services_that_it_names(start, credential):
    _, channel = await start()
    metadata = credential("robots")
    assert await refusal(get_names(channel, metadata)) == ("PERMISSION_DENIED", "CALLER_NOT_ALLOWED")
    renew = rpc.AccountsServiceStub(channel).RenewToken(pb.RenewTokenRequest(), metadata=metadata, timeout=30)
    code, _ = await refusal(renew)  # the base servicer's own answer: the guard let it pass
    assert code != "PERMISSION_DENIED"


async def test_a_unary_call_needs_a_deadline(start, credential):
    _, channel = await start()
    call = get_names(channel, credential("gateway"), timeout_s=None)
    assert await refusal(call) == ("INVALID_ARGUMENT", "DEADLINE_REQUIRED")


async def test_a_long_deadline_is_capped(start, servicer, credential, monkeypatch):
    monkeypatch.setattr(grpc_server, "MAX_DEADLINE_S", 0.05)
    ended = asyncio.Event()

    async def answer(_request, _context):
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    servicer.get_names = answer
    _, channel = await start()
    call = get_names(channel, credential("gateway"), timeout_s=60)
    assert await refusal(call) == ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")
    assert ended.is_set()


async def test_a_timeout_inside_the_servicer_is_not_the_callers_deadline(start, servicer, credential):
    async def answer(_request, _context):
        raise TimeoutError

    servicer.get_names = answer
    _, channel = await start()
    assert await refusal(get_names(channel, credential("gateway"))) == ("INTERNAL", "INTERNAL")


async def test_an_error_carries_its_code_its_texts_its_facts_and_the_field(start, servicer, credential):
    async def answer(_request, _context):
        raise INVALID_ARGUMENT.error(field="player_ids", facts={"most": "100"})

    servicer.get_names = answer
    _, channel = await start()
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await get_names(channel, credential("gateway"))
    assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    (value,) = [value for key, value in failed.value.trailing_metadata() if key == "grpc-status-details-bin"]
    status = status_pb2.Status.FromString(value)
    assert (status.code, status.message) == (3, failed.value.details())
    info, portuguese, english = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.LocalizedMessage(),
        error_details_pb2.LocalizedMessage(),
    )
    field = error_details_pb2.BadRequest()
    for detail, message in zip(status.details, (info, portuguese, english, field), strict=True):
        assert detail.Unpack(message)
    assert (info.reason, info.domain, dict(info.metadata)) == (
        "INVALID_ARGUMENT",
        "carteado",
        {"most": "100"},
    )
    assert (portuguese.locale, portuguese.message) == ("pt-BR", INVALID_ARGUMENT.text_pt)
    assert (english.locale, english.message) == ("en", INVALID_ARGUMENT.text_en)
    assert [violation.field for violation in field.field_violations] == ["player_ids"]


async def test_an_unexpected_error_tells_the_caller_nothing_and_the_log_everything(
    start, servicer, credential, log_lines
):
    async def answer(_request, _context):
        raise KeyError("the ace of spades")

    servicer.get_names = answer
    _, channel = await start()
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await get_names(channel, credential("gateway"))
    assert failed.value.code() is grpc.StatusCode.INTERNAL
    assert "spades" not in failed.value.debug_error_string() + failed.value.details()
    (line,) = [line for line in log_lines() if line["level"] == "error"]
    assert "the ace of spades" in line["exception"]
    assert line["method"] == f"{SERVICE}GetNames"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (LogUnavailableError("x"), ("UNAVAILABLE", "UNAVAILABLE")),
        (UnstorableError("x"), ("INVALID_ARGUMENT", "INVALID_ARGUMENT")),
        (LogCorruptError("x"), ("INTERNAL", "INTERNAL")),
    ],
)
async def test_what_the_log_raises_becomes_a_code(start, servicer, credential, error, expected):
    async def answer(_request, _context):
        raise error

    servicer.get_names = answer
    _, channel = await start()
    assert await refusal(get_names(channel, credential("gateway"))) == expected


async def test_calls_are_counted_by_method_and_code(start, credential, registry):
    _, channel = await start()
    await get_names(channel, credential("gateway"))
    await refusal(get_names(channel))

    def count(code):
        labels = {"method": f"{SERVICE}GetNames", "code": code}
        return registry.get_sample_value("carteado_grpc_requests_total", labels)

    # A call is counted once it is over, which is a moment after its caller has the answer.
    for _ in range(500):
        if count("UNAUTHENTICATED"):
            break
        await asyncio.sleep(0.01)
    assert (count("OK"), count("UNAUTHENTICATED")) == (1, 1)
    seconds = registry.get_sample_value(
        "carteado_grpc_request_seconds_count", {"method": f"{SERVICE}GetNames"}
    )
    assert seconds == 2


async def test_a_message_over_the_limit_is_refused(start, credential):
    _, channel = await start()
    call = channel.unary_unary(f"{SERVICE}GetNames")
    request = pb.GetNamesRequest(player_ids=["x" * 2_000_000]).SerializeToString()
    assert (await refusal(call(request, timeout=30, metadata=credential("gateway"))))[
        0
    ] == "RESOURCE_EXHAUSTED"


async def test_a_request_is_read_once_its_caller_is_known(start, credential):
    """Fault B129: what is no message is an invalid request of a known caller, and nothing of a stranger's."""
    _, channel = await start()
    call = channel.unary_unary(f"{SERVICE}GetNames")
    assert await refusal(call(b"\xff" * 100, timeout=30)) == ("UNAUTHENTICATED", "UNAUTHENTICATED")
    answer = await refusal(call(b"\xff" * 100, timeout=30, metadata=credential("gateway")))
    assert answer == ("INVALID_ARGUMENT", "INVALID_ARGUMENT")


async def test_an_unknown_method_is_unimplemented(start, credential):
    _, channel = await start()
    call = channel.unary_unary(f"{SERVICE}Nothing")
    assert (await refusal(call(b"", timeout=30, metadata=credential("gateway"))))[0] == "UNIMPLEMENTED"


def guarded(keys, service_log, registry, allow):
    return GrpcServer(Credentials("accounts", keys), allow, GrpcServerMetrics(registry), service_log)


async def test_a_method_without_callers_is_refused_at_start(keys, service_log, registry):
    server = guarded(keys, service_log, registry, {f"{SERVICE}GetNames": {"gateway"}})
    with pytest.raises(ConfigError, match=r"RegisterGuest, .*RenewToken"):
        server.register([lambda add: rpc.add_AccountsServiceServicer_to_server(object_of(rpc), add)])


async def test_an_entry_without_a_method_is_refused_at_start(keys, service_log, registry):
    allow = {f"{SERVICE}{name}": {"gateway"} for name in ("RegisterGuest", "RenewToken", "GetNames", "Ban")}
    server = guarded(keys, service_log, registry, allow)
    with pytest.raises(ConfigError, match=r"not served: .*/Ban"):
        server.register([lambda add: rpc.add_AccountsServiceServicer_to_server(object_of(rpc), add)])


def object_of(module):
    return module.AccountsServiceServicer()


async def test_a_taken_port_is_refused_at_start(start, keys, service_log, registry, servicer):
    taken = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = taken.sockets[0].getsockname()[1]
    server = guarded(keys, service_log, registry, {})
    with pytest.raises(ConfigError, match=f"can't listen for gRPC at 127.0.0.1:{port}"):
        await server.start(f"127.0.0.1:{port}")
    taken.close()
    await taken.wait_closed()


async def test_health_is_told_without_a_credential(start):
    _, channel = await start()
    stub = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=30)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    request = health_pb2.HealthCheckRequest(service="carteado.accounts.v1.AccountsService")
    assert (await stub.Check(request, timeout=30)).status == health_pb2.HealthCheckResponse.SERVING


def held(servicer):
    """Has GetNames answer once it may: each call that runs is counted, and the event lets all of them go on."""
    running, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def answer(_request, _context):
        running.release()
        await go_on.wait()
        return pb.GetNamesResponse()

    servicer.get_names = answer
    return running, go_on


async def test_calls_over_the_limit_are_refused(start, servicer, credential, monkeypatch):
    monkeypatch.setattr(grpc_server, "MAX_CALLS", 2)
    running, go_on = held(servicer)
    _, channel = await start()
    calls = [asyncio.create_task(get_names(channel, credential("gateway"))) for _ in range(2)]
    await running.acquire()
    await running.acquire()
    assert (await refusal(get_names(channel, credential("gateway"))))[0] == "RESOURCE_EXHAUSTED"
    go_on.set()
    await asyncio.gather(*calls)
    await get_names(channel, credential("gateway"))


async def test_calls_that_wait_take_no_place_of_others(start, servicer, credential, monkeypatch):
    monkeypatch.setattr(grpc_server, "MAX_CALLS", 1)
    running, go_on = held(servicer)
    _, channel = await start(waiting_calls=2)
    calls = [asyncio.create_task(get_names(channel, credential("gateway"))) for _ in range(3)]
    for _ in calls:
        await asyncio.wait_for(running.acquire(), 30)
    assert (await refusal(get_names(channel, credential("gateway"))))[0] == "RESOURCE_EXHAUSTED"
    go_on.set()
    await asyncio.gather(*calls)


async def services_by_reflection(channel, metadata=None):
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)

    async def ask():
        yield reflection_pb2.ServerReflectionRequest(list_services="")

    call = stub.ServerReflectionInfo(ask(), timeout=30, metadata=metadata)
    answer = await call.read()
    return [service.name for service in answer.list_services_response.service]


async def test_reflection_is_open_in_development(start):
    _, channel = await start(is_reflection_open=True)
    assert "carteado.accounts.v1.AccountsService" in await services_by_reflection(channel)


async def test_reflection_needs_any_services_credential_elsewhere(start, credential):
    _, channel = await start()
    assert await refusal(services_by_reflection(channel)) == ("UNAUTHENTICATED", "UNAUTHENTICATED")
    services = await services_by_reflection(channel, credential("robots"))
    assert "carteado.accounts.v1.AccountsService" in services


async def test_a_drain_lets_running_calls_end_and_takes_no_new_ones(start, servicer, credential):
    running, go_on = asyncio.Event(), asyncio.Event()

    async def answer(_request, _context):
        running.set()
        await go_on.wait()
        return pb.GetNamesResponse(names=[pb.PlayerName(name="done")])

    servicer.get_names = answer
    server, channel = await start()
    call = asyncio.create_task(get_names(channel, credential("gateway")))
    await running.wait()
    watching = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=30)
    assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
    draining = asyncio.create_task(server.drain(5))
    assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    watching.cancel()
    go_on.set()
    assert (await call).names[0].name == "done"
    await draining
    assert (await refusal(get_names(channel, credential("gateway"), timeout_s=0.5)))[0] in {
        "UNAVAILABLE",
        "DEADLINE_EXCEEDED",
    }


async def test_a_drain_cuts_what_does_not_end(start, servicer, credential):
    running = asyncio.Event()

    async def answer(_request, _context):
        running.set()
        await asyncio.Event().wait()

    servicer.get_names = answer
    server, channel = await start()
    call = asyncio.create_task(get_names(channel, credential("gateway"), timeout_s=30))
    await running.wait()
    async with asyncio.timeout(30):
        await server.drain(0.1)
    assert (await refusal(call))[0] in {"UNAVAILABLE", "CANCELLED"}
