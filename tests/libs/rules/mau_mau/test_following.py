"""What may be played on what, drawing and passing (M-01, M-02, M-03, M-10)."""

import pytest

from libs.rules.mau_mau.cards import FACES, RANK, SUIT
from libs.rules.mau_mau.events import CardsDrawn, MatchEnded, PileShuffled, TurnPassed
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import DrawAndGo, DrawCard, Pass, PlayCard
from libs.rules.mau_mau.state import LAST_TURN
from tests.libs.rules.mau_mau.tables import Table, only


@pytest.mark.parametrize("top", [card for card in FACES if RANK[card] not in ("J", "7")])
def test_m01_a_card_follows_its_suit_or_its_rank_and_m03_a_jack_anything(top):
    """(M-01, M-03)"""
    table = Table(top=top)
    for card in FACES:
        follows = SUIT[card] == SUIT[top] or RANK[card] == RANK[top] or RANK[card] == "J"
        assert (card in Table({0: f"{card} ."}, top=top).may(0)) == (follows and RANK[card] != "J")
        if RANK[card] == "J":
            assert f"{card}:P" in Table({0: f"{card} ."}, top=top).may(0)
    assert table.state.suit == SUIT[top]


def test_m01_twins_are_offered_once():
    assert Table({0: "4C 4C 5O"}).may(0) == ["4C", "5O", "draw", "go"]


def test_m01_a_card_that_does_not_follow_or_is_not_held_is_refused():
    table = Table({0: "5C 5O"}, top="4O")
    assert table.refused(0, table.card("5C")) == "CARD_DOES_NOT_FOLLOW"
    assert table.refused(0, table.card("4P")) == "CARD_NOT_IN_HAND"
    assert table.refused(0, table.card("4X")) == "CARD_NOT_IN_HAND"
    table.play(0, "5O")
    assert table.state.pile[-1] == "5O"
    assert table.state.to_play == 1


def test_m02_one_may_draw_though_one_could_play_and_then_play_anything_legal():
    """draw_rule one."""
    table = Table({0: "5O 2P"}, stock="4P", draw_rule="one")
    assert table.may(0) == ["5O", "draw", "go"]
    drawn = only(table.draw(0), CardsDrawn)
    assert (drawn.cards, drawn.reason) == (("4P",), "turn")
    assert table.may(0) == ["5O", "4P", "pass"]
    table.play(0, "5O")


def test_m02_one_draw_a_turn_and_no_pass_without_it():
    table = Table({0: "2P 3P"}, stock="2E")
    assert table.refused(0, Pass(10)) == "DRAW_FIRST"
    table.draw(0)
    assert table.refused(0, DrawCard(10)) == "ALREADY_DRAWN"
    assert table.refused(0, DrawAndGo(10)) == "ALREADY_DRAWN"
    assert only(table.pass_turn(0), TurnPassed).next_seat == 1
    assert table.refused(1, Pass(11)) == "DRAW_FIRST"


def test_m02_by_switch_one_draws_until_a_card_is_legal():
    """draw_rule until_playable."""
    table = Table({0: "2P 3P"}, stock="2E 3E 8C 6O 5P", draw_rule="until_playable")
    assert only(table.draw(0), CardsDrawn).cards == ("2E", "3E", "8C", "6O")
    assert table.may(0) == ["6O", "pass"]
    table = Table({0: "2P 5O"}, stock="2E 3E 6O", draw_rule="until_playable")
    assert only(table.draw(0), CardsDrawn).cards == ("2E",)


def test_m02_by_switch_one_draws_on_through_a_shuffle_and_stops_when_nothing_is_left():
    """draw_rule until_playable."""
    table = Table({0: "2P"}, stock="2E", pile="3E 3C 5O", rest=3, draw_rule="until_playable")
    events = table.draw(0)
    assert only(events, CardsDrawn).cards[-1] == "5O"
    table = Table({0: "2P"}, stock="2E", pile="3E 3C", rest=3, draw_rule="until_playable")
    assert sorted(only(table.draw(0), CardsDrawn).cards) == ["2E", "3C", "3E"]
    assert table.may(0) == ["pass"]


def test_m02_with_nothing_to_draw_who_holds_a_legal_card_must_play_one():
    table = Table({0: "5O 2P"}, rest=3)
    assert table.state.stock == ()
    assert table.may(0) == ["5O"]
    for move in (DrawCard(10), DrawAndGo(10), Pass(10)):
        assert table.refused(0, move) == "MUST_PLAY"


def test_m02_with_nothing_to_draw_who_holds_no_legal_card_passes():
    table = Table({0: "2P"}, rest=3)
    assert table.may(0) == ["draw", "go", "pass"]
    table.pass_turn(0)
    assert table.state.to_play == 1
    table = Table({0: "2P"}, rest=3)
    assert only(table.draw(0), CardsDrawn).cards == ()
    assert table.may(0) == ["pass"]


def test_m02_who_has_drawn_the_last_card_of_all_may_pass():
    table = Table({0: "2P"}, stock="5O", rest=3)
    table.draw(0)
    assert table.may(0) == ["5O", "pass"]
    table.pass_turn(0)


def test_m02_after_six_hundred_turns_the_fewest_cards_win():
    assert LAST_TURN == 600
    table = Table({0: "2P 5O", 1: "3P 3P", 2: "2E 2E 3C", 3: "3C 8C 8E"}, turn=600)
    assert only(table.play(0, "5O"), MatchEnded) == MatchEnded(0, (1, 2, 3, 3))
    assert GAME.result(table.state).winners == (0,)


def test_m02_after_six_hundred_turns_a_tie_is_a_draw():
    table = Table({0: "2P 5O 6P", 1: "3P 3P", 2: "2E 2E 3C", 3: "3C 8C 8E"}, turn=600)
    assert only(table.play(0, "5O"), MatchEnded).winner_seat is None
    result = GAME.result(table.state)
    assert (result.winners, result.score) == ((), (2, 2, 3, 3))
    assert table.refused(0, table.card("6P")) == "MATCH_OVER"


@pytest.mark.parametrize("way", ["pass", "take", "go", "nine"])
def test_m02_the_last_turn_ends_the_match_in_whatever_way_it_ends(way):
    table = Table(
        {0: "2P 9O", 1: "3P", 2: "6E 6E", 3: "3C 8C"},
        stock="2E", turn=600, top="7O" if way == "take" else "4O", penalty=2 if way == "take" else 0,
    )  # fmt: skip
    if way == "pass":
        table.draw(0)
        assert not table.state.is_over
        events = table.pass_turn(0)
    elif way == "take":
        events = table.take(0)
    elif way == "go":
        events = table.draw_and_go(0)
    else:
        events = table.play(0, "9O")
        assert only(events, CardsDrawn).seat == 3
    assert isinstance(events[-1], MatchEnded)
    assert events[-1].cards_left == tuple(table.counts)
    assert table.state.to_play is None
    assert GAME.awaited(table.state) is None


def test_m02_the_turn_before_the_last_ends_nothing():
    table = Table({0: "2P 5O"}, turn=599)
    table.play(0, "5O")
    assert (table.state.turn, table.state.to_play, table.state.is_over) == (600, 1, False)


def test_m03_a_jack_names_a_suit_also_its_own():
    table = Table({0: "JC 2P"}, top="4O")
    assert table.may(0)[:4] == ["JC:P", "JC:C", "JC:E", "JC:O"]
    assert table.refused(0, table.card("JC")) == "SUIT_REQUIRED"
    table.play(0, "JC", "C")
    assert table.state.suit == "C"


def test_m03_only_a_jack_names_a_suit():
    table = Table({0: "5O 2P"}, top="4O")
    assert table.refused(0, table.card("5O", "E")) == "SUIT_NOT_ASKED"


def test_m03_after_a_jack_the_named_suit_or_a_jack_which_names_anew():
    table = Table({0: "JC 2P", 1: "8C 2E JP 2O"}, top="4O")
    table.play(0, "JC", "E")
    assert table.may(1) == ["2E", "JP:P", "JP:C", "JP:E", "JP:O", "draw", "go"]
    assert table.refused(1, table.card("8C")) == "CARD_DOES_NOT_FOLLOW"
    table.play(1, "JP", "O")
    assert table.state.suit == "O"


def test_m03_on_a_seven_a_jack_goes_by_suit_alone():
    table = Table({0: "JC JO 2P"}, top="7O")
    assert table.may(0) == ["JO:P", "JO:C", "JO:E", "JO:O", "draw", "go"]
    assert table.refused(0, table.card("JC", "C")) == "CARD_DOES_NOT_FOLLOW"


def test_m03_while_a_penalty_is_pending_no_jack_goes():
    table = Table({0: "JO 2P"}, top="7O", penalty=2)
    assert table.may(0) == ["take"]
    assert table.refused(0, table.card("JO", "C")) == "PENALTY_PENDING"


def test_b056_a_named_suit_lasts_until_it_is_followed_and_no_longer():
    table = Table(
        {0: "JC 2P", 1: "8P 5C", 2: "9O 9E 3C", 3: "5O 9P"}, stock="6P 10P", top="4C"
    )  # fmt: skip
    table.play(0, "JC", "E")
    table.draw(1)
    table.pass_turn(1)
    # A restart in between is a replay of the log.
    again = GAME.evolve(table.state, TurnPassed(table.state.turn, 2, 3))
    assert again.suit == "E"
    assert table.refused(2, table.card("9O")) == "CARD_DOES_NOT_FOLLOW"
    table.play(2, "9E")
    assert table.state.suit == "E"
    assert table.may(3) == ["9P", "draw", "go"]
    table.play(3, "9P")
    assert table.state.suit == "P"


def test_b056_a_new_match_has_no_named_suit():
    table = Table(turned="4O")
    assert (table.state.suit, table.state.pile) == ("O", ("4O",))


def test_m10_the_pile_without_its_top_is_shuffled_under_what_is_left_of_the_stock():
    table = Table({0: "2P"}, stock="8P", pile="3E 3C 8C 8E", top="7O", penalty=4, rest=3)
    events = table.take(0)
    shuffled = only(events, PileShuffled)
    assert shuffled.number == 1
    assert sorted(shuffled.order) == ["3C", "3E", "8C", "8E"]
    assert table.state.hands[0] == ("2P", "8P", *shuffled.order[:3])
    assert table.state.stock == shuffled.order[3:]
    assert table.state.pile == ("7O",)
    assert GAME.is_fair(
        shuffled, Table({0: "2P"}, stock="8P", pile="3E 3C 8C 8E", top="7O", rest=3).state, table.draws
    )


def test_m10_if_that_is_still_short_one_draws_what_there_is():
    table = Table({0: "2P"}, stock="8P", pile="3E", top="7O", penalty=6, rest=3)
    table.take(0)
    assert sorted(table.state.hands[0]) == ["2P", "3E", "8P"]
    assert (table.state.stock, table.state.pile, table.state.penalty) == ((), ("7O",), 0)
    assert table.state.to_play == 1


def test_m10_a_draw_that_the_stock_has_shuffles_nothing():
    table = Table({0: "2P"}, stock="8P", pile="3E 3C", rest=3)
    assert len(table.draw(0)) == 1
    assert table.state.pile == ("3E", "3C", "4O")


def test_drawn_cards_are_fair_only_if_they_are_the_first_of_the_stock():
    table = Table(stock="8P 3E")
    right = CardsDrawn(10, 0, ("8P",), "turn")
    assert GAME.is_fair(right, table.state, table.draws)
    assert not GAME.is_fair(CardsDrawn(10, 0, ("3E",), "turn"), table.state, table.draws)


def test_a_move_of_another_turn_is_stale_or_too_early():
    table = Table({0: "5O 2P"})
    assert table.refused(0, PlayCard(9, "5O")) == "STALE"
    assert table.refused(0, PlayCard(11, "5O")) == "NOT_YET"
    assert table.refused(1, DrawCard(10)) == "NOT_YOUR_TURN"
    assert table.refused(7, DrawCard(10)) == "NO_SUCH_SEAT"
    assert table.refused(-1, DrawCard(10)) == "NO_SUCH_SEAT"


def test_b083_a_card_that_is_played_twice_is_played_once_though_one_holds_its_twin():
    """With two seats an Ace gives the same seat the turn again; the second click names the turn before."""
    table = Table({0: "AO AO 2P", 1: "2P"}, players=2)
    move = table.card("AO")
    table.do(0, move)
    assert table.state.to_play == 0
    assert table.refused(0, move) == "STALE"
    assert table.state.hands[0] == ("AO", "2P")


def test_nothing_may_be_done_before_the_deal():
    table = Table()
    table.state = GAME.initial(GAME.rule_set({}), 4)
    assert table.refused(0, DrawCard(0)) == "NOT_STARTED"
    assert table.may(0) == []
