"""Na boa, jumping the queue, and being burnt (C-08, C-09, C-10, G-10)."""

import pytest

from libs.rules.cacheta.events import (
    CardDiscarded,
    JumpFailed,
    NaBoaAnnounced,
    RoundDealt,
    RoundEnded,
    WentOut,
    WindowClosed,
)
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import AnnounceNaBoa, DrawStock, JumpQueue, PassJump, TakeDiscard
from libs.rules.game import Seat
from tests.libs.rules.cacheta.tables import NA_BOA, SEATS, Table, only

WANTS_KO = NA_BOA
WANTS_KO_TOO = "2Oa 3Oa 4Oa 6Ea 7Ea 8Ea JOb QOb 4Pb"
"""Another hand that goes out with KO (or 10O)."""


def with_window(*announced, hands=None, **switches):
    """Seat 0 has discarded KO after these seats announced."""
    table = Table(hands or {}, stock="KO", **switches)
    table.announce(*announced)
    table.turn(0)
    return table


def test_c08_anybody_may_announce_once_at_any_time_of_the_round_and_nobody_checks_it():
    table = Table()
    announced = only(table.move(3, AnnounceNaBoa(1)), NaBoaAnnounced)
    assert announced.seat == 3
    table.draw(0)
    table.announce(0, 2)
    assert table.state.announced == (3, 0, 2)
    assert table.refused(3, AnnounceNaBoa(1)) == "ALREADY_ANNOUNCED"
    assert AnnounceNaBoa(1) in table.legal(1)
    assert AnnounceNaBoa(1) not in table.legal(3)
    for viewer in (*SEATS, None):
        assert GAME.view(table.state, viewer).announced == (3, 0, 2)


def test_c08_an_announcement_changes_nobodys_turn_or_clock():
    table = Table()
    before = GAME.awaited(table.state)
    table.announce(2)
    assert GAME.awaited(table.state) == before


def test_c08_it_lasts_to_the_end_of_the_round():
    table = with_window(3, hands={3: WANTS_KO})
    table.pass_jump(1)
    events = table.jump(3)
    only(events, RoundDealt)
    assert table.state.announced == ()
    table.announce(3)


def test_c08_one_made_while_a_discard_is_asked_for_counts_from_the_next_one():
    table = with_window(3)
    table.announce(2)
    assert table.refused(2, JumpQueue(1, 1)) == "NOT_NA_BOA"
    table.pass_jump(1)
    table.pass_jump(3)
    table.turn(1)
    assert table.state.may_claim == (2, 3)


def test_c08_it_is_not_needed_to_go_out_in_turn():
    table = Table({1: WANTS_KO}, stock="KO")
    table.turn(0)
    table.take(1)
    assert only(table.out(1, "4E"), RoundEnded).winner == 1


def test_c09_without_another_announced_player_there_is_no_window():
    table = Table(stock="KO")
    table.announce(0)
    discarded = only(table.turn(0), CardDiscarded)
    assert discarded.may_claim == ()
    assert table.refused(3, JumpQueue(1, 1)) == "STALE"
    assert table.refused(3, JumpQueue(1, 2)) == "WRONG_PHASE"
    table.draw(1)


def test_b062_c09_who_has_not_announced_may_not_jump():
    table = with_window(2)
    assert table.refused(3, JumpQueue(1, 1)) == "NOT_NA_BOA"
    assert table.refused(0, JumpQueue(1, 1)) == "NOT_YOUR_TURN"
    assert table.legal(0).keys().isdisjoint({JumpQueue(1, 1), PassJump(1, 1)})


@pytest.mark.parametrize("jump_window_seconds", ["5", "2", "60"])
def test_c09_the_window_waits_for_all_who_are_entitled_each_for_itself(jump_window_seconds):
    table = with_window(2, 3, jump_window_seconds=jump_window_seconds)
    awaited = GAME.awaited(table.state)
    assert awaited is not None
    assert awaited.seats == (1, 2, 3)
    assert awaited.seconds == int(jump_window_seconds)
    assert awaited.is_answer
    assert awaited.each_answers
    table.pass_jump(2)
    after = GAME.awaited(table.state)
    assert after is not None
    assert (after.moment, after.seats) == (awaited.moment, (1, 3))


def test_c09_the_window_closes_with_the_last_answer_and_claims_are_judged_only_then():
    table = with_window(2, 3, hands={2: WANTS_KO})
    assert not [event for event in table.jump(2) if isinstance(event, WentOut)]
    assert table.refused(2, PassJump(1, 1)) == "STALE"
    table.pass_jump(3)
    events = table.pass_jump(1)
    out = only(events, WentOut)
    assert (out.seat, out.claimed, out.discard) == (2, "KOa", "4Eb")
    assert only(events, RoundEnded).points == (9, 9, 10, 9)


def test_c09_the_first_claimant_in_turn_order_from_the_discarder_wins():
    table = Table({0: WANTS_KO, 3: WANTS_KO_TOO}, starter=2, stock="KO")
    table.announce(0, 3)
    table.turn(2)
    assert table.state.may_claim == (3, 0)
    table.jump(0)
    assert only(table.jump(3), WentOut).seat == 3


def test_c09_of_the_cards_that_leave_nine_the_last_that_came_is_the_claims_discard():
    table = with_window(3, hands={3: "2Ca 3Ca 4Ca 4Cb 6Pa 7Pa 8Pa JOa QOa"})
    table.pass_jump(1)
    out = only(table.jump(3), WentOut)
    assert (out.claimed, out.discard) == ("KOa", "4Cb")


def test_c09_turn_order_goes_round_the_table_and_not_by_seats_or_announcements():
    table = Table({0: WANTS_KO, 3: WANTS_KO_TOO}, starter=1, stock="KO")
    table.announce(0, 3)
    table.turn(1)
    assert table.state.may_claim == (2, 3, 0)
    table.jump(0)
    table.jump(3)
    assert only(table.pass_jump(2), WentOut).seat == 3


def test_c09_the_next_players_claim_goes_first_and_needs_no_announcement():
    table = with_window(3, hands={1: WANTS_KO, 3: WANTS_KO_TOO})
    table.jump(3)
    out = only(table.jump(1), WentOut)
    assert out.seat == 1


def test_c09_a_claim_goes_before_the_next_players_ordinary_take_which_is_held():
    table = with_window(3, hands={3: WANTS_KO})
    assert table.refused(1, TakeDiscard(1, 1)) == "WRONG_PHASE"
    assert table.refused(1, DrawStock(1, 1)) == "WRONG_PHASE"
    assert table.refused(1, TakeDiscard(1, 2)) == "NOT_YET"
    table.pass_jump(1)
    assert only(table.jump(3), WentOut).seat == 3


def test_c09_the_next_player_is_not_burnt_by_a_claim_in_vain():
    table = with_window(3)
    table.jump(1)
    events = table.pass_jump(3)
    assert only(events, JumpFailed) == JumpFailed(1, 1, 1, burnt=False)
    assert table.state.burnt == ()
    assert table.state.to_play == 1
    table.take(1)


def test_c09_with_all_ten_a_claim_pays_ten():
    table = with_window(3, hands={3: "2Ca 3Ca 4Ca 6Pa 7Pa 8Pa TOa JOa QOa"})
    table.pass_jump(1)
    events = table.jump(3)
    assert only(events, WentOut).discard is None
    assert only(events, RoundEnded).points == (8, 8, 8, 10)


def test_c09_a_claim_that_would_burn_is_listed_with_its_consequence_and_the_next_players_is_harmless():
    table = with_window(2, 3, hands={3: WANTS_KO})
    assert table.legal(1)[JumpQueue(1, 1)] == ""
    assert table.legal(2)[JumpQueue(1, 1)] == "burns"
    assert table.legal(3)[JumpQueue(1, 1)] == ""


def test_c10_every_claim_in_vain_burns_not_the_first_alone():
    table = with_window(2, 3)
    table.jump(3)
    table.jump(2)
    events = table.pass_jump(1)
    assert [event.seat for event in events if isinstance(event, JumpFailed)] == [2, 3]
    assert sorted(table.state.burnt) == [2, 3]
    table.turn(1)
    assert table.state.may_claim == (), "nobody is left who may jump"


def test_c10_b062_a_claim_in_vain_burns_to_the_end_of_the_round_and_the_turn_stays():
    table = with_window(3)
    table.jump(3)
    events = table.pass_jump(1)
    assert only(events, JumpFailed) == JumpFailed(1, 1, 3, burnt=True)
    assert only(events, WindowClosed).next_seat == 1
    assert table.state.discards == ("KOa",)
    assert (table.state.to_play, table.state.turn) == (1, 2)
    # Seat 3 is burnt, so that its announcement opens no window any more; another one's does, but not for seat 3.
    assert only(table.turn(1), CardDiscarded).may_claim == ()
    table.announce(0)
    assert only(table.turn(2), CardDiscarded).may_claim == (3, 0)
    table.pass_jump(3)
    table.pass_jump(0)
    table.turn(3)
    table.pass_jump(0)
    table.turn(0)
    table.announce(2)
    table.turn(1)
    assert table.refused(3, JumpQueue(*table.at)) == "BURNT"


def test_c10_burnt_players_claim_again_in_the_next_round():
    table = with_window(2, 3, hands={2: WANTS_KO})
    table.jump(3)
    table.jump(2)
    events = table.pass_jump(1)
    # The vain claim burns although another one wins.
    assert only(events, JumpFailed).seat == 3
    assert only(events, RoundEnded).winner == 2
    assert table.state.burnt == ()
    table.announce(3)
    assert table.state.to_play == 1
    assert only(table.turn(1), CardDiscarded).may_claim == (2, 3)


def test_c10_a_burnt_player_may_still_go_out_in_turn():
    table = Table({3: WANTS_KO}, stock="9Eb 8Oa 8Ob KO")
    table.announce(3)
    table.turn(0)
    table.jump(3)
    table.pass_jump(1)
    assert table.state.burnt == (3,)
    table.turn(1)
    table.turn(2)
    table.draw(3)
    assert only(table.out(3, "4E"), RoundEnded).winner == 3


def test_c10_the_burnt_next_player_may_claim_as_in_its_own_turn():
    table = Table({3: WANTS_KO}, stock="9Eb 8Oa KO")
    table.announce(2, 3)
    table.turn(0)
    table.jump(3)
    table.pass_jump(1)
    table.pass_jump(2)
    assert table.state.burnt == (3,)
    table.turn(1)
    table.pass_jump(2)
    table.announce(1)
    assert only(table.turn(2), CardDiscarded).may_claim == (3, 1)
    table.pass_jump(1)
    assert only(table.jump(3), WentOut).seat == 3


def test_g10_the_next_draw_clock_starts_when_the_window_has_closed():
    table = with_window(3)
    window = GAME.awaited(table.state)
    table.pass_jump(3)
    table.pass_jump(1)
    drawing = GAME.awaited(table.state)
    assert window is not None
    assert drawing is not None
    assert window.moment != drawing.moment
    assert (drawing.seats, drawing.seconds) == ((1,), 30)
    assert not drawing.is_answer


def test_g08_silence_claims_nothing():
    table = with_window(3, hands={3: WANTS_KO})
    for seat in (1, 3):
        assert GAME.automatic_move(table.state, Seat(seat)) == PassJump(1, 1)
