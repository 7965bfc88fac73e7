"""Truco between the rules and the contract: nothing is lost either way, and what has no meaning is named."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.cards.v1 import cards_pb2
from carteado.games.truco.v1 import truco_pb2
from libs.rules.game import Seat
from libs.rules.registry import game
from libs.rules.shuffle import Draws
from libs.rules.truco.cards import PACK
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    TrucoMove,
)
from libs.rules.truco.robots import ROBOTS
from libs.wire.cards import card_from_proto, card_to_proto
from libs.wire.errors import WireError
from libs.wire.truco import (
    fill_own_view,
    fill_shared_view,
    move_from_proto,
    move_to_proto,
    seen_to_proto,
    view_from_proto,
)

numbers = st.integers(0, 2**32 - 1)
moves = st.one_of(
    st.builds(PlayCard, numbers, numbers, card=st.sampled_from(PACK), covered=st.booleans()),
    st.builds(PlayCard, numbers, numbers, position=numbers, covered=st.booleans()),
    st.builds(Raise, numbers, numbers),
    st.builds(AcceptRaise, numbers, numbers),
    st.builds(Fold, numbers, numbers),
    st.builds(PlayElevenHand, numbers),
    st.builds(DeclineElevenHand, numbers),
)


@given(moves)
def test_a_move_survives_the_way_there_and_back(move: TrucoMove) -> None:
    wired = truco_pb2.Move.FromString(move_to_proto(move).SerializeToString())
    assert move_from_proto(wired) == move


@pytest.mark.parametrize("code", PACK)
def test_a_card_survives_the_way_there_and_back(code: str) -> None:
    assert card_from_proto(card_to_proto(code), "card") == code


@pytest.mark.parametrize(
    "card",
    [
        cards_pb2.Card(),
        cards_pb2.Card(rank=cards_pb2.RANK_JOKER),
        cards_pb2.Card(rank=cards_pb2.RANK_ACE, suit=99),
        cards_pb2.Card(rank=cards_pb2.RANK_ACE, suit=cards_pb2.SUIT_PAUS, pack=1),
    ],
)
def test_what_is_no_card_is_named(card: cards_pb2.Card) -> None:
    with pytest.raises(WireError) as caught:
        card_from_proto(card, "hand.card")
    assert caught.value.field == "hand.card"


@pytest.mark.parametrize("move", [truco_pb2.Move(), truco_pb2.Move(play_card=truco_pb2.PlayCard(hand=1))])
def test_what_is_no_move_is_refused(move: truco_pb2.Move) -> None:
    with pytest.raises(WireError):
        move_from_proto(move)


@pytest.mark.parametrize("seed", range(12))
def test_every_view_and_event_of_a_match_survives_for_every_viewer(seed: int) -> None:
    truco, draws, chance = game("truco-paulista"), Draws(bytes([seed]) * 32, "match"), random.Random(seed)
    state = truco.initial(truco.rule_set({}), 4)
    events = truco.start(state, draws)
    while True:
        for event in events:
            before, state = state, truco.evolve(state, event)
            for viewer in (None, 0, 1, 2, 3):
                seen = truco.observe(event, before, state, viewer)
                if seen is not None:
                    assert seen_to_proto(seen).WhichOneof("event")
        for viewer in (None, 0, 1, 2, 3):
            view = truco.view(state, viewer)
            message = truco_pb2.View()
            fill_shared_view(message, view)
            fill_own_view(message, view)
            assert view_from_proto(truco_pb2.View.FromString(message.SerializeToString()), viewer) == view
        awaited = truco.awaited(state)
        if awaited is None:
            return
        seat = Seat(awaited.seats[0])
        events = truco.decide(state, seat, ROBOTS["random"](truco.view(state, seat), chance), draws)
