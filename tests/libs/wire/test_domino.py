"""Dominó between the rules and the contract: nothing is lost either way, and what has no meaning is named."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.games.domino.v1 import domino_pb2
from libs.rules.domino.game import DOMINO
from libs.rules.domino.moves import PlayTile
from libs.rules.domino.robots import ROBOTS
from libs.rules.domino.tiles import NAMES
from libs.rules.game import Seat
from libs.rules.shuffle import Draws
from libs.wire.domino import CODEC, tile_from_proto
from libs.wire.errors import WireError

numbers = st.integers(0, 2**32 - 1)
moves = st.builds(
    PlayTile, numbers, numbers, st.sampled_from(NAMES), st.sampled_from([None, "left", "right"])
)


@given(moves)
def test_a_move_survives_the_way_there_and_back(move: PlayTile) -> None:
    wired = domino_pb2.Move.FromString(CODEC.move_to_proto(move).SerializeToString())
    assert CODEC.move_from_proto(wired) == move


@pytest.mark.parametrize(("low", "high"), [(5, 3), (0, 7), (7, 7), (2**32 - 1, 0)])
def test_what_is_no_tile_is_named(low: int, high: int) -> None:
    with pytest.raises(WireError) as caught:
        tile_from_proto(domino_pb2.Tile(low=low, high=high), "somewhere.tile")
    assert caught.value.field == "somewhere.tile"


@pytest.mark.parametrize(
    "move",
    [
        domino_pb2.Move(),
        domino_pb2.Move(play_tile=domino_pb2.PlayTile(round=1, turn=1)),
        domino_pb2.Move(play_tile=domino_pb2.PlayTile(tile=domino_pb2.Tile(low=1, high=2), end=9)),
    ],
)
def test_what_is_no_move_is_refused(move: domino_pb2.Move) -> None:
    """Nor is there a move to pass with (D-04)."""
    with pytest.raises(WireError):
        CODEC.move_from_proto(move)
    assert [field.name for field in domino_pb2.Move.DESCRIPTOR.fields] == ["play_tile"]


@pytest.mark.parametrize("seed", range(6))
def test_every_view_and_event_of_a_match_survives_for_every_viewer(seed: int) -> None:
    draws, chance = Draws(bytes([seed]) * 32, "match"), random.Random(seed)
    state = DOMINO.initial(DOMINO.rule_set({}), 4)
    events = DOMINO.start(state, draws)
    told = set()
    while True:
        for event in events:
            before, state = state, DOMINO.evolve(state, event)
            seen = DOMINO.observe(event, before, state, None)
            told.add(CODEC.seen_to_proto(seen).WhichOneof("event"))
        for viewer in (None, 0, 1, 2, 3):
            view = DOMINO.view(state, viewer)
            message = domino_pb2.View()
            CODEC.fill_shared_view(message, view)
            message.MergeFromString(CODEC.own_view(view))
            assert (
                CODEC.view_from_proto(domino_pb2.View.FromString(message.SerializeToString()), viewer) == view
            )
        awaited = DOMINO.awaited(state)
        if awaited is None:
            break
        seat = Seat(awaited.seats[0])
        events = DOMINO.decide(state, seat, ROBOTS["random"](DOMINO.view(state, seat), chance), draws)
    assert told == {"round_dealt", "tile_played", "seat_passed", "round_ended", "match_ended"}
