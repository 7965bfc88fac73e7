"""A player's commands stand in the log under ids of their own, whatever ids the player makes up."""

import uuid

import pytest

from carteado.games.truco.v1 import truco_pb2
from carteado.table.v1 import events_pb2, view_pb2
from carteado.table.v1 import table_service_pb2 as pb
from libs.wire.games import set_move
from services.robots.thinking import choose_move, command_id
from services.table.intake import intent
from tests.services.table.conftest import Serving

ANA, BIA = pb.Viewer(player_id="ana"), pb.Viewer(player_id="bia")
DERIVED = str(uuid.uuid5(uuid.NAMESPACE_DNS, "what everybody can compute"))


def logged(given: str, actor: pb.Viewer = ANA, caller: str = "gateway") -> str:
    command = pb.TableCommand(command_id=given, table_id=str(uuid.UUID(int=1)), leave=pb.Leave())
    return intent(actor, command, caller).command_id


@pytest.mark.parametrize(
    "given", ["b74f67f4-fe86-424e-adeb-26fa4bcf171b", "0192e4a0-0000-7000-8000-000000000001"]
)
def test_a_random_id_is_kept(given: str) -> None:
    assert logged(given) == given


def test_a_derived_id_becomes_one_that_only_this_player_can_give() -> None:
    mine = logged(DERIVED)
    assert mine == logged(DERIVED)
    assert len({DERIVED, mine, logged(DERIVED, BIA), logged(mine)}) == 4


def test_a_robots_derived_id_is_kept() -> None:
    assert logged(DERIVED, pb.Viewer(robot_seat=1), "robots") == DERIVED


async def test_a_player_cannot_use_up_the_id_of_a_robots_next_turn(serving: Serving) -> None:
    table_id = await serving.create("ana")
    while not is_followed_by_seat_one(view := await serving.view(table_id, ANA)):
        assert await serving.play(table_id, moves=1) == 1
    robot = events_pb2.RobotTurn(
        table_id=table_id, seat=1, turn=view.clock.turn + 1, strength="simple", preset=view.preset
    )
    card = next(legal.move for legal in view.truco.legal_moves if legal.move.HasField("play_card"))
    # A card and the clock after it: the version at which the robot will look.
    foreseen = command_id(robot, view.version + 2)
    mine = pb.TableCommand(command_id=foreseen, table_id=table_id, truco=card)
    assert (await serving.submit(ANA, mine)).HasField("accepted")
    seat = pb.Viewer(robot_seat=1)
    robots_view = await serving.view(table_id, seat)
    assert command_id(robot, robots_view.version) == foreseen
    assert (list(robots_view.clock.seats), robots_view.clock.turn) == ([1], robot.turn)
    answer = pb.TableCommand(command_id=foreseen, table_id=table_id)
    set_move(answer, choose_move(robot, robots_view, b"a test's key"))
    assert (await serving.submit(seat, answer)).HasField("accepted")


def is_followed_by_seat_one(view: view_pb2.TableView) -> bool:
    """Whether seat 0 is to play a card, and seat 1 after it."""
    trick = view.truco.tricks[-1]
    begins = trick.is_over or len(trick.cards) < 3
    return list(view.clock.seats) == [0] and view.truco.phase == truco_pb2.PHASE_PLAY and begins
