"""Mau Mau between the rules and the contract: nothing is lost either way, and what has no meaning is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.cards.v1 import cards_pb2
from carteado.games.mau_mau.v1 import mau_mau_pb2
from libs.rules.mau_mau.cards import FACES, SUITS
from libs.rules.mau_mau.game import MAU_MAU
from libs.rules.mau_mau.moves import Accuse, DrawAndGo, DrawCard, Pass, PlayCard, TakePenalty
from libs.wire.errors import WireError
from libs.wire.mau_mau import CODEC
from tests.libs.rules.proof.matches import ChanceMatch

numbers = st.integers(0, 2**32 - 1)
moves = st.one_of(
    st.builds(PlayCard, numbers, st.sampled_from(FACES), st.sampled_from([None, *SUITS]), st.booleans()),
    *(st.builds(kind, numbers) for kind in (DrawCard, DrawAndGo, TakePenalty, Pass)),
    st.builds(Accuse, numbers, numbers),
)


@given(moves)
def test_a_move_survives_the_way_there_and_back(move: object) -> None:
    wired = mau_mau_pb2.Move.FromString(CODEC.move_to_proto(move).SerializeToString())
    assert CODEC.move_from_proto(wired) == move


def test_a_move_of_turn_zero_is_a_move_still() -> None:
    for kind in (DrawCard, DrawAndGo, TakePenalty, Pass):
        assert CODEC.move_from_proto(CODEC.move_to_proto(kind(0))) == kind(0)


SEVEN = cards_pb2.Card(rank=cards_pb2.RANK_SEVEN, suit=cards_pb2.SUIT_PAUS)


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (mau_mau_pb2.Move(), "command.mau_mau.move"),
        (mau_mau_pb2.Move(play_card=mau_mau_pb2.PlayCard(turn=1)), "command.mau_mau.play_card.card"),
        (
            mau_mau_pb2.Move(play_card=mau_mau_pb2.PlayCard(card=cards_pb2.Card(rank=cards_pb2.RANK_JOKER))),
            "command.mau_mau.play_card.card",
        ),
        (
            mau_mau_pb2.Move(
                play_card=mau_mau_pb2.PlayCard(
                    card=cards_pb2.Card(rank=cards_pb2.RANK_SEVEN, suit=cards_pb2.SUIT_PAUS, pack=1)
                )
            ),
            "command.mau_mau.play_card.card",
        ),
        (
            mau_mau_pb2.Move(play_card=mau_mau_pb2.PlayCard(card=SEVEN, suit=9)),
            "command.mau_mau.play_card.suit",
        ),
    ],
)
def test_what_is_no_move_is_refused_with_its_field(move: mau_mau_pb2.Move, field: str) -> None:
    with pytest.raises(WireError) as caught:
        CODEC.move_from_proto(move)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("players", "switches"), [(4, {"call": "true"}), (8, {}), (5, {"draw_rule": "until_playable"})]
)
def test_every_view_and_event_of_a_match_survives_for_every_viewer(players: int, switches: dict) -> None:
    match = ChanceMatch(MAU_MAU, players, "wired", switches)
    state, told = match.initial, set()
    match.play()
    for number, event in enumerate(match.log):
        before, state = state, MAU_MAU.evolve(state, event)
        for viewer in match.viewers:
            seen = MAU_MAU.observe(event, before, state, viewer)
            message = CODEC.seen_to_proto(seen)
            told.add(message.WhichOneof("event"))
            if number % 7 == 0 or state.is_over:
                view = MAU_MAU.view(state, viewer)
                shown = mau_mau_pb2.View()
                CODEC.fill_shared_view(shown, view)
                shown.MergeFromString(CODEC.own_view(view))
                assert (
                    CODEC.view_from_proto(mau_mau_pb2.View.FromString(shown.SerializeToString()), viewer)
                    == view
                )
    assert {"cards_dealt", "card_played", "cards_drawn", "turn_passed", "match_ended"} <= told
