"""Tables of every house of Truco: six at a table, each with a view of its own, and signals that stand in nobody's way."""

import uuid

from carteado.games.truco.v1 import truco_pb2
from carteado.table.v1 import table_service_pb2 as pb
from tests.services.table.conftest import Serving, serving

__all__ = ["serving"]

SPECTATOR = pb.Viewer(spectator=pb.Spectator())


async def test_six_players_see_their_own_cards_and_their_sides_signals_alone(serving: Serving) -> None:
    players = [f"player-{seat}" for seat in range(6)]
    table_id = await serving.create(*players, preset="truco@004", count=6)
    views = [await serving.view(table_id, pb.Viewer(player_id=player)) for player in players]
    for seat, view in enumerate(views):
        assert view.your_seat == seat
        assert [len(hand.cards) for hand in view.truco.hands] == [3 * (other == seat) for other in range(6)]
        assert [table.side for table in view.truco.signal_tables] == [seat % 2]
    assert len({view.truco.signal_tables[0].SerializeToString() for view in views}) == 2
    public = await serving.view(table_id, SPECTATOR)
    assert not any(hand.cards for hand in public.truco.hands)
    assert not public.truco.signal_tables


async def test_r23_a_partners_signal_does_not_void_a_card_nor_move_the_clock(serving: Serving) -> None:
    """The card was chosen at the version before the signal."""
    players = ["ana", "bia", "caio", "davi"]
    table_id = await serving.create(*players)
    before = await serving.view(table_id, SPECTATOR)
    seat = before.clock.seats[0]
    actor, partner = (pb.Viewer(player_id=players[place % 4]) for place in (seat, seat + 2))
    seen = await serving.view(table_id, actor)
    card = next(one.move for one in seen.truco.legal_moves if one.move.HasField("play_card"))
    gesture = truco_pb2.Move(signal=truco_pb2.Signal(hand=1, gesture=truco_pb2.GESTURE_LINGUA))
    for who, move in ((partner, gesture), (actor, card)):
        command = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, truco=move)
        if move is card:
            now = await serving.view(table_id, SPECTATOR)
            assert now.version > seen.version
            assert now.clock == before.clock
        assert (await serving.submit(who, command)).HasField("accepted")


async def test_a_signal_of_an_unknown_gesture_names_the_field(serving: Serving) -> None:
    table_id = await serving.create("ana")
    move = truco_pb2.Move(signal=truco_pb2.Signal(hand=1))
    command = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, truco=move)
    refused = (await serving.submit(pb.Viewer(player_id="ana"), command)).refused
    assert refused.code == "INVALID_ARGUMENT"
    assert "command.truco.signal.gesture" in str(refused)
