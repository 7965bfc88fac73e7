"""Sueca between the rules and the contract: nothing is lost either way, and what has no meaning is named."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.cards.v1 import cards_pb2
from carteado.games.sueca.v1 import sueca_pb2
from libs.rules.game import Seat
from libs.rules.shuffle import Draws
from libs.rules.sueca.cards import PACK
from libs.rules.sueca.game import SUECA
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.rules.sueca.robots import ROBOTS
from libs.wire.errors import WireError
from libs.wire.sueca import (
    fill_shared_view,
    move_from_proto,
    move_to_proto,
    own_view,
    seen_to_proto,
    view_from_proto,
)

VIEWERS = (None, *map(Seat, range(4)))
numbers = st.integers(0, 2**32 - 1)


@given(st.builds(PlayCard, numbers, numbers, st.sampled_from(PACK)))
def test_a_move_survives_the_way_there_and_back(move: SuecaMove) -> None:
    assert move_from_proto(sueca_pb2.Move.FromString(move_to_proto(move).SerializeToString())) == move


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (sueca_pb2.Move(), "command.sueca.move"),
        (sueca_pb2.Move(play_card=sueca_pb2.PlayCard(hand=1)), "command.sueca.play_card.card"),
        (
            sueca_pb2.Move(play_card=sueca_pb2.PlayCard(card=cards_pb2.Card(rank=cards_pb2.RANK_JOKER))),
            "command.sueca.play_card.card",
        ),
    ],
)
def test_what_is_no_move_is_refused_by_its_field(move: sueca_pb2.Move, field: str) -> None:
    with pytest.raises(WireError) as caught:
        move_from_proto(move)
    assert caught.value.field == field


@pytest.mark.parametrize("seed", range(3))
def test_every_view_and_event_of_a_match_survives_for_every_viewer(seed: int) -> None:
    draws, chance = Draws(bytes([seed]) * 32, "match"), random.Random(seed)
    state = SUECA.initial(SUECA.rule_set({}), 4)
    events = SUECA.start(state, draws)
    while True:
        for event in events:
            before, state = state, SUECA.evolve(state, event)
            for viewer in VIEWERS:
                seen = SUECA.observe(event, before, state, viewer)
                assert seen is not None
                assert seen_to_proto(seen).WhichOneof("event")
        for viewer in VIEWERS:
            view = SUECA.view(state, viewer)
            message = sueca_pb2.View()
            fill_shared_view(message, view)
            message.MergeFromString(own_view(view))
            assert view_from_proto(sueca_pb2.View.FromString(message.SerializeToString()), viewer) == view
        awaited = SUECA.awaited(state)
        if awaited is None:
            return
        seat = Seat(awaited.seats[0])
        decided = SUECA.decide(state, seat, ROBOTS["random"](SUECA.view(state, seat), chance), draws)
        assert isinstance(decided, tuple)
        events = decided
