"""The commitment before a match and its record after: complete, for finished matches only, named for players alone."""

import hashlib
import uuid

import grpc
import msgspec
import pytest

from carteado.table.v1 import record_pb2
from carteado.table.v1 import table_service_pb2 as pb
from libs.rules.canonical import state_hash
from libs.service.grpc_client import error_code
from services.table import proofs
from services.table.decider import TABLE
from services.table.registry import REGISTRY
from tests.services.table.conftest import ROBOT, TIMEOUT_S, Serving, secret_of

ANA = pb.Viewer(player_id="ana")
STRANGER = pb.Viewer(player_id="xica")
SPECTATOR = pb.Viewer(spectator=pb.Spectator())


async def get_record(
    serving: Serving, table_id: str, viewer: pb.Viewer, after_version: int = 0
) -> record_pb2.MatchRecord:
    request = pb.GetRecordRequest(table_id=table_id, viewer=viewer, after_version=after_version)
    response = await serving.stub.GetRecord(
        request, timeout=TIMEOUT_S, metadata=serving.credential("gateway")
    )
    return response.record


async def test_a_finished_match_is_recorded_whole_with_every_card_and_hash(serving: Serving) -> None:
    table_id = await serving.create("ana", "bia")
    await serving.play(table_id)
    record = await get_record(serving, table_id, ANA)
    assert [event.version for event in record.events] == list(range(1, record.last_version + 1))
    state = TABLE.initial()
    hashes = 0
    for event in record.events:
        state = TABLE.evolve(state, REGISTRY.decode(event.type, event.schema_version, event.payload.encode()))
        if event.state_hash:
            hashes += 1
            assert event.state_hash == state_hash(state.game.facts(state.game_state))
    assert state.ended is not None
    assert hashes > 20
    assert hashlib.sha256(record.secret).digest() == record.commitment
    assert record.secret == secret_of(table_id)
    dealt = [msgspec.json.decode(e.payload) for e in record.events if e.type == "truco.hand_dealt"]
    assert all(len({card for hand in one["cards"] for card in hand}) == 12 for one in dealt)
    played = [event for event in record.events if event.type == "truco.card_played"]
    assert all(event.by_seat == msgspec.json.decode(event.payload)["seat"] for event in played)
    assert not record.events[0].HasField("by_seat")


async def test_players_are_told_ids_and_everybody_else_pseudonyms(serving: Serving) -> None:
    table_id = await serving.create("ana", "bia")
    await serving.play(table_id)
    mine = await get_record(serving, table_id, ANA)
    assert mine.your_seat == 0
    assert [seat.player_id for seat in mine.seats] == ["ana", "bia", "", ""]
    for viewer in (STRANGER, SPECTATOR):
        others = await get_record(serving, table_id, viewer)
        assert not others.HasField("your_seat")
        assert [seat.player_id for seat in others.seats] == ["pseudonym-0", "pseudonym-1", "", ""]
        assert b"ana" not in others.SerializeToString()
        assert b"bia" not in others.SerializeToString()
        assert [event.payload for event in others.events[1:]] == [event.payload for event in mine.events[1:]]


async def test_a_record_comes_in_pages(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = await serving.create("ana")
    await serving.play(table_id)
    whole = await get_record(serving, table_id, ANA)
    monkeypatch.setattr(proofs, "PAGE_EVENTS", 50)
    monkeypatch.setattr(proofs, "_READ_AT_ONCE", 7)
    events: list[record_pb2.RecordedEvent] = []
    while len(events) < whole.last_version:
        page = await get_record(serving, table_id, ANA, len(events))
        assert len(page.events) <= 50
        events.extend(page.events)
    assert events == list(whole.events)
    assert not (await get_record(serving, table_id, ANA, whole.last_version)).events


@pytest.mark.parametrize("viewer", [ANA, STRANGER, SPECTATOR])
async def test_a_running_match_has_no_record_for_anyone(serving: Serving, viewer: pb.Viewer) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    await serving.play(table_id, moves=3)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await get_record(serving, table_id, viewer)
    assert error_code(caught.value) == "RECORD_OF_RUNNING_MATCH"


async def test_an_abandoned_match_is_recorded_and_its_secret_revealed(serving: Serving) -> None:
    table_id = await serving.create("ana")
    leave = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, leave=pb.Leave())
    assert (await serving.submit(ANA, leave)).HasField("accepted")
    record = await get_record(serving, table_id, ANA)
    assert record.events[-1].type == "table.ended"
    assert hashlib.sha256(record.secret).digest() == record.commitment


@pytest.mark.parametrize(
    ("table_id", "code"),
    [("11111111-1111-4111-8111-111111111111", "TABLE_NOT_FOUND"), ("nonsense", "INVALID_ARGUMENT")],
)
async def test_there_is_no_record_of_no_table(serving: Serving, table_id: str, code: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await get_record(serving, table_id, ANA)
    assert error_code(caught.value) == code


async def test_the_commitment_can_be_had_before_the_table_and_stands_in_every_view(serving: Serving) -> None:
    table_id = str(uuid.uuid4())
    asked = await serving.stub.GetCommitment(
        pb.GetCommitmentRequest(table_id=table_id), timeout=TIMEOUT_S, metadata=serving.credential("gateway")
    )
    assert asked.commitment == hashlib.sha256(secret_of(table_id)).digest()
    request = pb.CreateTableRequest(
        table_id=table_id,
        preset="truco-paulista",
        seats=[pb.SeatRequest(player_id="ana"), ROBOT, ROBOT, ROBOT],
        entropy=[b"e" * 32],
    )
    await serving.stub.CreateTable(request, timeout=TIMEOUT_S, metadata=serving.credential("gateway"))
    for viewer in (ANA, pb.Viewer(robot_seat=1), SPECTATOR):
        view = await serving.view(table_id, viewer)
        assert view.commitment == asked.commitment
        assert list(view.entropy) == [b"e" * 32, b"", b"", b""]
        assert not view.secret
