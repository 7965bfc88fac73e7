"""Buraco between the rules and the contract: nothing is lost either way, and what has no meaning is named."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carteado.cards.v1 import cards_pb2
from carteado.games.buraco.v1 import buraco_pb2
from libs.rules.buraco.cards import pack
from libs.rules.buraco.moves import (
    BuracoMove,
    Discard,
    DrawStock,
    EndTurn,
    ExtendMeld,
    LayMeld,
    TakeLixo,
)
from libs.rules.buraco.presets import BURACO_FAMILY
from libs.rules.buraco.robots import ROBOTS
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from libs.wire.buraco import (
    fill_shared_view,
    move_from_proto,
    move_to_proto,
    own_view,
    seen_to_proto,
    view_from_proto,
)
from libs.wire.errors import WireError

VIEWERS = (None, *map(Seat, range(4)))
numbers = st.integers(0, 2**32 - 1)
cards = st.lists(st.sampled_from(pack(4)), max_size=20).map(tuple)
moves = st.one_of(
    st.builds(DrawStock, numbers),
    st.builds(TakeLixo, numbers, cards, st.none() | numbers),
    st.builds(LayMeld, numbers, cards),
    st.builds(ExtendMeld, numbers, numbers, cards),
    st.builds(Discard, numbers, st.sampled_from(pack(4))),
    st.builds(EndTurn, numbers),
)


@settings(max_examples=60)
@given(moves)
def test_a_move_survives_the_way_there_and_back(move: BuracoMove) -> None:
    assert move_from_proto(buraco_pb2.Move.FromString(move_to_proto(move).SerializeToString())) == move


NO_CARD = cards_pb2.Card(rank=cards_pb2.RANK_ACE, suit=cards_pb2.SUIT_COPAS, pack=2)


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (buraco_pb2.Move(), "command.buraco.move"),
        (buraco_pb2.Move(discard=buraco_pb2.Discard(turn=1)), "command.buraco.discard.card"),
        (
            buraco_pb2.Move(lay_meld=buraco_pb2.LayMeld(turn=1, cards=[NO_CARD])),
            "command.buraco.lay_meld.cards",
        ),
        (
            buraco_pb2.Move(extend_meld=buraco_pb2.ExtendMeld(cards=[NO_CARD])),
            "command.buraco.extend_meld.cards",
        ),
        (buraco_pb2.Move(take_lixo=buraco_pb2.TakeLixo(cards=[NO_CARD])), "command.buraco.take_lixo.cards"),
        (
            buraco_pb2.Move(lay_meld=buraco_pb2.LayMeld(turn=1, cards=[cards_pb2.Card()] * 100_000)),
            "command.buraco.lay_meld.cards",
        ),
    ],
)
def test_b129_what_is_no_move_is_refused_by_its_field(move: buraco_pb2.Move, field: str) -> None:
    with pytest.raises(WireError) as caught:
        move_from_proto(move)
    assert caught.value.field == field


@pytest.mark.parametrize("game", BURACO_FAMILY, ids=[game.preset for game in BURACO_FAMILY])
def test_every_view_and_event_of_a_match_survives_for_every_viewer(game) -> None:
    draws, chance = Draws(bytes(32), game.preset), random.Random(game.preset)
    state = game.initial(game.rule_set({}), 4)
    events = game.start(state, draws)
    for number in range(1_000):
        for event in events:
            before, state = state, game.evolve(state, event)
            for viewer in VIEWERS[:2]:
                seen = game.observe(event, before, state, viewer)
                assert seen is not None
                assert seen_to_proto(seen).WhichOneof("event")
        awaited = game.awaited(state)
        if number % 5 == 0 or awaited is None:
            for viewer in VIEWERS:
                view = game.view(state, viewer)
                message = buraco_pb2.View()
                fill_shared_view(message, view)
                message.MergeFromString(own_view(view))
                read = view_from_proto(buraco_pb2.View.FromString(message.SerializeToString()), viewer)
                assert read == view
                assert read.legal_moves == view.legal_moves
        if awaited is None:
            return
        seat = Seat(awaited.seats[0])
        decided = game.decide(state, seat, ROBOTS["random"](game.view(state, seat), chance), draws)
        assert not isinstance(decided, Rejection)
        events = decided
    pytest.fail("the match does not end")
