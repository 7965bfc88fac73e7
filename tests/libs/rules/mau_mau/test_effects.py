"""Sevens, nines, Queens, Aces, and the last card (M-04 to M-07)."""

import pytest

from libs.rules.mau_mau.events import CardPlayed, CardsDrawn, MatchEnded, PenaltyTaken, PileShuffled
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import DrawAndGo, DrawCard, Pass, TakePenalty
from tests.libs.rules.mau_mau.tables import PLAIN, Table, only, restored, stored


def test_b054_stacked_sevens_are_taken_whole_by_who_has_none():
    table = Table({0: "7C 2P", 1: "7P 2P", 2: "7O 2E", 3: "8C 8E"}, top="4C")
    table.play(0, "7C")
    table.play(1, "7P")
    table.play(2, "7O")
    assert table.state.penalty == 6
    assert table.may(3) == ["take"]
    for move in (DrawCard(13), DrawAndGo(13), Pass(13)):
        assert table.refused(3, move) == "PENALTY_PENDING"
    assert table.refused(3, table.card("8C")) == "PENALTY_PENDING"
    taken = only(table.take(3), PenaltyTaken)
    assert (len(taken.cards), taken.next_seat) == (6, 0)
    assert table.counts == [1, 1, 1, 8]
    assert (table.state.to_play, table.state.penalty, table.state.pile[-1]) == (0, 0, "7O")


def test_b054_who_has_a_seven_and_takes_may_not_play_it_in_this_turn():
    table = Table({0: "7C 2P", 1: "7P 2P", 2: "7O 2E", 3: "7E 8E"}, top="4C")
    for seat, card in enumerate(("7C", "7P", "7O")):
        table.play(seat, card)
    assert table.may(3) == ["7E", "take"]
    table.take(3)
    assert len(table.state.hands[3]) == 8
    assert table.refused(3, table.card("7E")) == "NOT_YOUR_TURN"
    assert table.refused(3, TakePenalty(13)) == "STALE"


def test_m04_a_seven_of_any_suit_answers_and_each_adds_two():
    table = Table({0: "7C 2P", 1: "7E 2P"}, top="4C")
    assert only(table.play(0, "7C"), CardPlayed).penalty == 2
    assert only(table.play(1, "7E"), CardPlayed).penalty == 4
    assert table.state.to_play == 2


def test_m04_once_taken_the_seven_is_an_ordinary_card():
    table = Table({0: "2P", 1: "7E 5O 8C JC 2O"}, top="7O", penalty=2)
    table.take(0)
    assert table.may(1) == ["7E", "5O", "2O", "draw", "go"]
    assert only(table.play(1, "7E"), CardPlayed).penalty == 2


def test_m04_without_a_penalty_there_is_none_to_take():
    assert Table().refused(0, TakePenalty(10)) == "NO_PENALTY_PENDING"


def test_m04_the_penalty_goes_on_in_the_direction_of_play():
    table = Table({0: "7C 2P"}, top="4C", step=-1)
    table.play(0, "7C")
    assert table.state.to_play == 3
    table.take(3)
    assert table.state.to_play == 2


@pytest.mark.parametrize(("step", "draws"), [(1, 3), (-1, 1)])
def test_m05_a_nine_makes_the_seat_one_back_draw_one_and_leaves_its_turn_alone(step, draws):
    table = Table({0: "9O 2P"}, step=step, stock="8E")
    events = table.play(0, "9O")
    drawn = only(events, CardsDrawn)
    assert (drawn.seat, drawn.cards, drawn.reason) == (draws, ("8E",), "nine")
    assert table.state.to_play == step % 4
    assert not table.state.has_drawn


def test_m05_the_seat_one_back_draws_though_it_was_skipped():
    table = Table({0: "AO 2P", 2: "9O 2P"})
    table.play(0, "AO")
    assert table.state.to_play == 2
    assert only(table.play(2, "9O"), CardsDrawn).seat == 1


def test_m05_a_nine_is_not_rebutted_and_finds_what_there_is():
    table = Table({0: "9O 2P"}, rest=3)
    # The card that the nine was played on is all that can be drawn.
    assert only(table.play(0, "9O"), CardsDrawn).cards == ("4O",)
    table = Table({0: "9O 2P"}, stock="", pile="3E", rest=3)
    events = table.play(0, "9O")
    assert sorted(only(events, PileShuffled).order) == ["3E", "4O"]
    assert table.state.pile == ("9O",)


def test_m06_a_queen_turns_the_direction_and_does_nothing_else():
    table = Table({0: "QO 2P"}, to_play=0)
    events = table.play(0, "QO")
    assert len(events) == 1
    assert (table.state.step, table.state.to_play) == (-1, 3)
    table = Table({0: "QO 2P"}, step=-1)
    table.play(0, "QO")
    assert (table.state.step, table.state.to_play) == (1, 1)


def test_m06_with_two_a_queen_gives_the_other_the_turn_and_an_ace_the_same():
    table = Table({0: "QO 2P"}, players=2)
    table.play(0, "QO")
    assert table.state.to_play == 1
    table = Table({0: "AO 2P"}, players=2)
    table.play(0, "AO")
    assert table.state.to_play == 0


@pytest.mark.parametrize("players", [4, 5, 8])
@pytest.mark.parametrize("step", [1, -1])
def test_m06_an_ace_skips_one_seat_which_draws_nothing(players, step):
    table = Table({0: "AO 2P"}, players=players, step=step)
    before = table.counts
    assert len(table.play(0, "AO")) == 1
    assert table.state.to_play == 2 * step % players
    assert table.counts == [before[0] - 1, *before[1:]]


def test_m06_aces_in_a_row_skip_one_seat_each_and_the_skipped_cannot_answer():
    table = Table({0: "AO .", 1: "AC .", 2: "AE ."}, players=5)
    table.play(0, "AO")
    assert table.refused(1, table.card("AC")) == "NOT_YOUR_TURN"
    table.play(2, "AE")
    assert table.state.to_play == 4


@pytest.mark.parametrize("rank", PLAIN)
def test_a_plain_card_has_no_effect(rank):
    table = Table({0: f"{rank}O 2P"}, top="6O" if rank != "6" else "5O")
    assert len(table.play(0, f"{rank}O")) == 1
    assert (table.state.to_play, table.state.step, table.state.penalty) == (1, 1, 0)


@pytest.mark.parametrize("card", ["7O", "9O", "QO", "AO", "JO", "4C"])
def test_m07_any_card_may_be_the_last_and_its_effect_is_not_carried_out(card):
    table = Table({0: "2P", 1: "2E 2E", 2: card, 3: "3P"}, to_play=2)
    events = table.play(2, card)
    assert [type(event) for event in events] == [CardPlayed, MatchEnded]
    assert events[1] == MatchEnded(2, (1, 2, 0, 1))
    assert events[0].penalty == 0
    assert table.state.step == 1
    assert GAME.awaited(table.state) is None


def test_b058_an_effect_card_ends_the_match_and_a_jack_is_asked_no_suit():
    table = Table({2: "7E"}, to_play=2, top="4E")
    assert table.may(2) == ["7E", "draw", "go"]
    table.play(2, "7E")
    assert GAME.result(table.state).winners == (2,)
    table = Table({2: "JE"}, to_play=2, top="4C")
    assert table.may(2) == ["JE", "draw", "go"]
    assert table.refused(2, table.card("JE", "C")) == "SUIT_NOT_ASKED"
    table.play(2, "JE")
    assert GAME.result(table.state).winners == (2,)


def test_m07_a_seven_that_answers_may_be_the_last_card():
    table = Table({0: "7C"}, top="7O", penalty=4)
    assert table.play(0, "7C")[1] == MatchEnded(0, (0, 2, 2, 2))


def test_b058_a_short_stock_is_filled_from_the_pile_in_an_order_that_the_log_keeps():
    table = Table(
        {0: "2P"}, stock="8P", pile="3E 3C 8C 8E KP KE KC KO", top="7O", penalty=6, rest=3
    )  # fmt: skip
    before = table.state
    events = table.take(0)
    assert [type(event) for event in events] == [PileShuffled, PenaltyTaken]
    assert table.state.pile == ("7O",)
    assert len(table.state.hands[0]) == 7
    assert len(table.state.stock) == 3
    replayed = before
    for event in events:
        replayed = GAME.evolve(replayed, restored(*stored(event)))
    assert replayed == table.state


def test_b098_a_restart_in_the_middle_of_a_shuffle_keeps_the_order():
    """After the shuffle and before the cards that it was for: the state has the order, and draws nothing anew."""
    table = Table({0: "2P"}, stock="8P", pile="3E 3C 8C 8E KP KE", top="7O", penalty=4, rest=3)
    before = table.state
    shuffled, taken = table.take(0)
    middle = GAME.evolve(before, restored(*stored(shuffled)))
    assert middle.stock == ("8P", *shuffled.order)
    assert middle.stock[:4] == taken.cards
    assert GAME.evolve(middle, taken) == table.state
