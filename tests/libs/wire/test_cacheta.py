"""Cacheta between the rules and the contract: nothing is lost either way, and what has no meaning is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.cards.v1 import cards_pb2
from carteado.games.cacheta.v1 import cacheta_pb2
from libs.rules.cacheta.cards import PACK
from libs.rules.cacheta.game import CACHETA
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.wire.cacheta import CODEC
from libs.wire.errors import WireError
from tests.libs.rules.cacheta.tables import robots_match

numbers = st.integers(0, 2**32 - 1)
moves = st.one_of(
    *(st.builds(kind, numbers, numbers) for kind in (DrawStock, TakeDiscard, JumpQueue, PassJump)),
    st.builds(Discard, numbers, numbers, st.sampled_from(PACK)),
    st.builds(GoOut, numbers, numbers, st.sampled_from([None, *PACK])),
    st.builds(AnnounceNaBoa, numbers),
)


@given(moves)
def test_a_move_survives_the_way_there_and_back(move: object) -> None:
    wired = cacheta_pb2.Move.FromString(CODEC.move_to_proto(move).SerializeToString())
    assert CODEC.move_from_proto(wired) == move


def test_a_move_of_round_and_turn_zero_is_a_move_still() -> None:
    for move in (
        DrawStock(0, 0),
        TakeDiscard(0, 0),
        GoOut(0, 0),
        AnnounceNaBoa(0),
        JumpQueue(0, 0),
        PassJump(0, 0),
    ):
        assert CODEC.move_from_proto(CODEC.move_to_proto(move)) == move


JOKER = cards_pb2.Card(rank=cards_pb2.RANK_JOKER)
THIRD_PACK = cards_pb2.Card(rank=cards_pb2.RANK_SEVEN, suit=cards_pb2.SUIT_PAUS, pack=2)


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (cacheta_pb2.Move(), "command.cacheta.move"),
        (cacheta_pb2.Move(discard=cacheta_pb2.Discard(round=1)), "command.cacheta.discard.card"),
        (cacheta_pb2.Move(discard=cacheta_pb2.Discard(card=JOKER)), "command.cacheta.discard.card"),
        (cacheta_pb2.Move(discard=cacheta_pb2.Discard(card=THIRD_PACK)), "command.cacheta.discard.card"),
        (cacheta_pb2.Move(go_out=cacheta_pb2.GoOut(discard=JOKER)), "command.cacheta.go_out.discard"),
    ],
)
def test_what_is_no_move_is_refused_by_its_field(move: cacheta_pb2.Move, field: str) -> None:
    with pytest.raises(WireError) as caught:
        CODEC.move_from_proto(move)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "switches", [{}, {"cacheta_max_wilds": "1", "four_suit_set": "true", "empty_stock": "void"}]
)
def test_every_view_and_event_of_a_match_survives_for_every_viewer(switches: dict) -> None:
    match = robots_match("wired", switches, points=(3, 2, 3, 2))
    state, told = match.initial, set()
    for number, event in enumerate(match.log):
        before, state = state, CACHETA.evolve(state, event)
        for viewer in (None, 0, 1, 2, 3):
            seen = CACHETA.observe(event, before, state, viewer)
            told.add(CODEC.seen_to_proto(seen).WhichOneof("event"))
            if number % 7 == 0 or state.is_over or state.may_claim:
                view = CACHETA.view(state, viewer)
                shown = cacheta_pb2.View()
                CODEC.fill_shared_view(shown, view)
                shown.MergeFromString(CODEC.own_view(view))
                again = cacheta_pb2.View.FromString(shown.SerializeToString())
                assert CODEC.view_from_proto(again, viewer) == view
    assert {"round_dealt", "card_drawn", "card_discarded", "na_boa_announced", "went_out"} <= told
    assert {"jump_passed", "window_closed", "round_ended", "match_ended"} <= told
