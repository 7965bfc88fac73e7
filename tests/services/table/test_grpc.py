"""The table's gRPC face: who may do what, what is refused and how, and what a finished match shows."""

import uuid

import grpc
import pytest
from google.protobuf.json_format import MessageToJson

from carteado.cards.v1 import cards_pb2
from carteado.games.truco.v1 import truco_pb2
from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.service.grpc_client import error_code
from tests.services.table.conftest import ROBOT, TIMEOUT_S, Serving, secret_of

ANA = pb.Viewer(player_id="ana")
SPECTATOR = pb.Viewer(spectator=pb.Spectator())


def request(**changes: object) -> pb.CreateTableRequest:
    fields = {"table_id": str(uuid.uuid4()), "preset": "truco-paulista", "seats": [ROBOT] * 4, **changes}
    return pb.CreateTableRequest(**fields)


async def refusal(serving: Serving, asked: pb.CreateTableRequest) -> tuple[grpc.StatusCode, str | None]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.CreateTable(asked, timeout=TIMEOUT_S, metadata=serving.credential("gateway"))
    return caught.value.code(), error_code(caught.value)


async def test_the_same_creation_again_gets_the_same_table(serving: Serving) -> None:
    asked = request()
    first, second = [
        await serving.stub.CreateTable(asked, timeout=TIMEOUT_S, metadata=serving.credential("gateway"))
        for _ in range(2)
    ]
    assert first == second


async def test_another_creation_under_the_same_id_is_refused(serving: Serving) -> None:
    asked = request()
    await serving.stub.CreateTable(asked, timeout=TIMEOUT_S, metadata=serving.credential("gateway"))
    asked.seats[0].player_id = "ana"
    assert await refusal(serving, asked) == (grpc.StatusCode.ALREADY_EXISTS, "COMMAND_ID_REUSED")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"table_id": "not-a-uuid"}, "INVALID_ARGUMENT"),
        ({"table_id": ""}, "INVALID_ARGUMENT"),
        ({"preset": "poker"}, "UNKNOWN_GAME"),
        ({"preset": "truco\x00"}, "INVALID_ARGUMENT"),
        ({"seats": [ROBOT] * 5}, "WRONG_PLAYER_COUNT"),
        ({"seats": [ROBOT] * 50}, "INVALID_ARGUMENT"),
        ({"seats": [*[ROBOT] * 3, pb.SeatRequest()]}, "INVALID_ARGUMENT"),
        (
            {"seats": [*[ROBOT] * 3, pb.SeatRequest(robot=pb.RobotSeat(strength="genius"))]},
            "INVALID_ARGUMENT",
        ),
        ({"entropy": [b"short"]}, "INVALID_ARGUMENT"),
        ({"switches": [view_pb2.Switch(name="cover", value="maybe")]}, "INVALID_RULE_SET"),
    ],
)
async def test_b129_what_is_malformed_is_refused_with_its_code(
    serving: Serving, changes: dict[str, object], code: str
) -> None:
    assert (await refusal(serving, request(**changes)))[1] == code


@pytest.mark.parametrize("caller", ["robots", "accounts"])
async def test_a_service_that_the_method_does_not_serve_is_refused(serving: Serving, caller: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.stub.CreateTable(request(), timeout=TIMEOUT_S, metadata=serving.credential(caller))
    assert error_code(caught.value) == "CALLER_NOT_ALLOWED"


async def test_b124_the_gateway_cannot_act_for_a_robot_nor_the_robots_for_a_person(serving: Serving) -> None:
    table_id = await serving.create("ana")
    command = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, leave=pb.Leave())
    for caller, actor in (("gateway", pb.Viewer(robot_seat=1)), ("robots", ANA)):
        response = await serving.stub.Submit(
            pb.SubmitRequest(actor=actor, command=command),
            timeout=TIMEOUT_S,
            metadata=serving.credential(caller),
        )
        assert response.outcome.refused.code == "CALLER_NOT_ALLOWED"


async def test_b067_the_robots_service_sees_no_persons_seat(serving: Serving) -> None:
    table_id = await serving.create("ana")
    for viewer in (ANA, SPECTATOR):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await serving.stub.GetView(
                pb.GetViewRequest(table_id=table_id, viewer=viewer),
                timeout=TIMEOUT_S,
                metadata=serving.credential("robots"),
            )
        assert error_code(caught.value) == "CALLER_NOT_ALLOWED"
    persons_seat = await serving.view(table_id, pb.Viewer(robot_seat=0))
    assert not persons_seat.HasField("your_seat")
    assert not any(hand.cards for hand in persons_seat.truco.hands)


async def test_a_table_that_does_not_exist_is_not_found(serving: Serving) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.view(str(uuid.uuid4()), SPECTATOR)
    assert (caught.value.code(), error_code(caught.value)) == (grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")


async def test_b083_the_same_command_five_times_is_one_event_and_five_equal_answers(serving: Serving) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    before = (await serving.runtime.load(table_id)).version
    answers = [await serving.submit(*wanted) for _ in range(5)]
    assert len({answer.accepted.version for answer in answers}) == 1
    assert answers[0].accepted.version == (await serving.runtime.load(table_id)).version > before


async def test_a_reused_command_id_with_another_move_is_refused(serving: Serving) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    actor, command = wanted
    await serving.submit(actor, command)
    command.leave.SetInParent()
    assert (await serving.submit(actor, command)).refused.code == "COMMAND_ID_REUSED"


async def test_b086_refused_commands_leave_the_version_alone(serving: Serving) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    before = (await serving.runtime.load(table_id)).version
    card = cards_pb2.Card(rank=cards_pb2.RANK_ACE, suit=cards_pb2.SUIT_PAUS)
    move = truco_pb2.Move(play_card=truco_pb2.PlayCard(hand=9, trick=9, card=card))
    for _ in range(100):
        command = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, truco=move)
        outcome = await serving.submit(pb.Viewer(player_id="eva"), command)
        assert outcome.refused.code == "NOT_SEATED"
        assert outcome.refused.text_pt
    assert (await serving.runtime.load(table_id)).version == before
    assert await serving.play(table_id, moves=1) == 1


@pytest.mark.parametrize(
    "command",
    [
        pb.TableCommand(command_id="nonsense", table_id=str(uuid.uuid4()), leave=pb.Leave()),
        pb.TableCommand(command_id=str(uuid.uuid4()), table_id="x" * 100_000, leave=pb.Leave()),
        pb.TableCommand(command_id=str(uuid.uuid4()), table_id=str(uuid.uuid4())),
        pb.TableCommand(command_id=str(uuid.uuid4()), table_id=str(uuid.uuid4()), truco=truco_pb2.Move()),
        pb.TableCommand(
            command_id=str(uuid.uuid4()),
            table_id=str(uuid.uuid4()),
            truco=truco_pb2.Move(play_card=truco_pb2.PlayCard(card=cards_pb2.Card(rank=99, suit=77))),
        ),
    ],
)
async def test_b129_a_command_without_meaning_is_refused(serving: Serving, command: pb.TableCommand) -> None:
    assert (await serving.submit(ANA, command)).refused.code == "INVALID_ARGUMENT"


async def test_views_of_the_past_open_when_the_match_has_ended(serving: Serving) -> None:
    table_id = await serving.create("ana")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.view(table_id, ANA, at_version=2)
    assert error_code(caught.value) == "PAST_VIEW_OF_RUNNING_MATCH"
    await serving.play(table_id)
    assert (await serving.view(table_id, ANA, at_version=3)).version == 3
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.view(table_id, ANA, at_version=100_000)
    assert error_code(caught.value) == "VERSION_NOT_FOUND"


async def test_a_match_ends_with_a_result_and_the_secret_of_its_commitment(serving: Serving) -> None:
    table_id = await serving.create("ana")
    await serving.play(table_id)
    view = await serving.view(table_id, SPECTATOR)
    assert view.status == view_pb2.TABLE_STATUS_ENDED
    assert view.secret == secret_of(table_id)
    assert max(view.result.score) == 12
    assert MessageToJson(view)


async def test_checking_a_move_says_what_would_become_of_it_and_does_nothing(serving: Serving) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    actor, command = wanted
    before = (await serving.runtime.load(table_id)).version

    async def check(who: pb.Viewer) -> pb.CommandOutcome:
        response = await serving.stub.CheckMove(
            pb.CheckMoveRequest(actor=who, command=command),
            timeout=TIMEOUT_S,
            metadata=serving.credential("gateway"),
        )
        return response.outcome

    assert (await check(actor)).accepted.version == before
    assert (await check(pb.Viewer(player_id="eva"))).refused.code == "NOT_SEATED"
    assert (await serving.runtime.load(table_id)).version == before
    assert (await serving.submit(actor, command)).HasField("accepted")
    assert (await check(actor)).refused.code == "STALE"
