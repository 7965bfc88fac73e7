"""What callers answer about access while billing is away."""

from datetime import UTC, datetime, timedelta

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata
from prometheus_client import CollectorRegistry

from carteado.billing.v1 import access_service_pb2 as pb
from libs.service.access import GRACE, AccessPolicy, read_preset
from libs.service.errors import INVALID_ARGUMENT, OVERLOADED, UNAVAILABLE

NOON = datetime(2026, 11, 30, 15, tzinfo=UTC)
FULL = AioRpcError(
    grpc.StatusCode.RESOURCE_EXHAUSTED, Metadata(), Metadata(), "Concurrent RPC limit exceeded!"
)


class Billing:
    """Answers what it is told to, or is away; the time stands where a test puts it."""

    def __init__(self) -> None:
        self.now = NOON
        self.error: Exception | None = None
        self.answer = pb.Access(is_allowed=True, reason=pb.ACCESS_REASON_PASSPORT)
        self.answer.valid_until.FromDatetime(NOON + timedelta(hours=1))
        self.registry = CollectorRegistry()
        self.policy = AccessPolicy(self.check, self.reserve, self.registry, lambda: self.now)

    async def check(self, request: pb.CheckAccessRequest) -> pb.CheckAccessResponse:
        if self.error is not None:
            raise self.error
        return pb.CheckAccessResponse(access=self.answer)

    async def reserve(self, request: pb.ReserveMatchRequest) -> pb.ReserveMatchResponse:
        if self.error is not None:
            raise self.error
        players = [pb.PlayerAccess(player_id=one, access=self.answer) for one in request.player_ids]
        return pb.ReserveMatchResponse(is_reserved=self.answer.is_allowed, players=players)

    def counted(self, basis: str, is_allowed: str) -> float:
        labels = {"basis": basis, "is_allowed": is_allowed}
        return self.registry.get_sample_value("carteado_access_without_billing_total", labels) or 0.0


@pytest.fixture
def billing() -> Billing:
    return Billing()


@pytest.mark.parametrize("error", [UNAVAILABLE.error(), OVERLOADED.error(), FULL, LookupError("no replica")])
async def test_the_last_decision_holds_until_its_end_and_fifteen_minutes_more(
    billing: Billing, error: Exception
) -> None:
    await billing.policy.check("ana", "tranca", pb.ROOM_RANQUEADA)
    billing.error = error
    billing.now = NOON + timedelta(hours=1) + GRACE - timedelta(seconds=1)
    assert (await billing.policy.check("ana", "tranca", pb.ROOM_RANQUEADA)).is_allowed
    assert billing.counted("last_decision", "true") == 1
    billing.now += timedelta(seconds=1)
    refused = await billing.policy.check("ana", "tranca", pb.ROOM_RANQUEADA)
    assert (refused.is_allowed, refused.reason) == (False, pb.ACCESS_REASON_NOT_KNOWN)
    assert billing.counted("not_known", "false") == 1


@pytest.mark.parametrize(
    ("preset", "room", "is_allowed"),
    [
        ("truco-paulista", pb.ROOM_RANQUEADA, True),
        ("canastra", pb.ROOM_TORNEIO, True),
        ("truco@004", pb.ROOM_LIVRE, True),
        ("truco@004", pb.ROOM_RANQUEADA, False),
        ("tranca", pb.ROOM_LIVRE, False),
        ("tranca@003", pb.ROOM_TREINO, False),
        ("poker", pb.ROOM_LIVRE, False),
    ],
)
async def test_without_a_decision_free_games_are_allowed_and_others_refused(
    billing: Billing, preset: str, room: pb.Room.ValueType, is_allowed: bool
) -> None:
    billing.error = UNAVAILABLE.error()
    assert (await billing.policy.check("ana", preset, room)).is_allowed is is_allowed
    assert billing.counted("free_game" if is_allowed else "not_known", str(is_allowed).lower()) == 1


async def test_while_billing_answers_its_answer_is_given_and_nothing_is_counted(billing: Billing) -> None:
    billing.answer.is_allowed = False
    assert not (await billing.policy.check("ana", "truco-paulista", pb.ROOM_LIVRE)).is_allowed
    assert billing.counted("last_decision", "false") == 0


async def test_an_error_of_billing_is_no_absence(billing: Billing) -> None:
    billing.error = INVALID_ARGUMENT.error("preset")
    with pytest.raises(type(billing.error)):
        await billing.policy.check("ana", "truco-paulista", pb.ROOM_LIVRE)
    billing.error = grpc.aio.AioRpcError(
        grpc.StatusCode.PERMISSION_DENIED, grpc.aio.Metadata(), grpc.aio.Metadata()
    )
    with pytest.raises(grpc.aio.AioRpcError):
        await billing.policy.reserve(pb.ReserveMatchRequest(player_ids=["ana"], preset="truco-paulista"))


async def test_a_remembered_answer_begins_no_more_matches_than_it_had_left(billing: Billing) -> None:
    billing.answer.reason, billing.answer.matches_left = pb.ACCESS_REASON_WITHIN_DAILY_LIMIT, 1
    await billing.policy.check("ana", "tranca", pb.ROOM_LIVRE)
    billing.error = UNAVAILABLE.error()
    request = pb.ReserveMatchRequest(player_ids=["ana"], preset="tranca", room=pb.ROOM_LIVRE)
    nobody = pb.ReserveMatchRequest(player_ids=["ana", "bia"], preset="tranca", room=pb.ROOM_LIVRE)
    refused = await billing.policy.reserve(nobody)
    assert [player.access.is_allowed for player in refused.players] == [True, False]
    assert (await billing.policy.reserve(request)).is_reserved
    again = await billing.policy.reserve(request)
    assert not again.is_reserved
    assert again.players[0].access.reason == pb.ACCESS_REASON_DAILY_LIMIT_REACHED
    assert not (await billing.policy.check("ana", "tranca", pb.ROOM_LIVRE)).is_allowed


async def test_a_reservation_that_took_the_last_match_is_remembered_as_that(billing: Billing) -> None:
    billing.answer.reason, billing.answer.matches_left = pb.ACCESS_REASON_WITHIN_DAILY_LIMIT, 0
    request = pb.ReserveMatchRequest(player_ids=["ana"], preset="tranca", room=pb.ROOM_LIVRE)
    assert (await billing.policy.reserve(request)).is_reserved
    billing.error = UNAVAILABLE.error()
    refused = await billing.policy.check("ana", "tranca", pb.ROOM_LIVRE)
    assert (refused.is_allowed, refused.reason) == (False, pb.ACCESS_REASON_DAILY_LIMIT_REACHED)


def test_a_house_preset_follows_its_game() -> None:
    tranca, truco = read_preset("tranca@003"), read_preset("truco@003")
    assert tranca is not None
    assert (tranca.game, tranca.game_class, tranca.is_house) == ("tranca", "passport", True)
    assert truco is not None
    assert (truco.game, truco.game_class) == ("truco-paulista", "free")
    assert [read_preset(name) for name in ("", "@003", "truco", "tranca@", "tranca@005", "Tranca")] == [
        None
    ] * 6
