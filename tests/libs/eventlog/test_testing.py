"""The given/when/then helper must be able to fail."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest

from libs.eventlog.decider import Command
from libs.eventlog.testing import NOON, assert_laws, given, given_together
from tests.libs.eventlog.counter import COUNTER, Add, Added, Counter, End, Ended, Start, Started
from tests.libs.eventlog.seating import (
    Claim,
    Leave,
    Player,
    Sat,
    SeatFreed,
    SeatTaken,
    Stood,
    Table,
    decide_seating,
    members,
)


def test_the_expected_events_pass_and_give_the_state_to_go_on_from():
    after = given(COUNTER, Started(0, None)).when(Add(2)).then(Added(2))
    assert after.state.total == 2
    after.when(End(), actor="bia").then(Ended(2))


def test_other_events_fail():
    with pytest.raises(AssertionError, match="decided"):
        given(COUNTER, Started(0, None)).when(Add(2)).then(Added(3))
    with pytest.raises(AssertionError, match="refused"):
        given(COUNTER).when(Add(2)).then(Added(2))


def test_the_expected_refusal_passes_with_its_facts():
    refusal = given(COUNTER, Started(0, None)).when(Add(101)).then_rejected("OUT_OF_RANGE", number="101")
    assert refusal.facts == {"number": "101"}


def test_another_refusal_fails():
    when = given(COUNTER, Started(0, None)).when(Add(101))
    with pytest.raises(AssertionError):
        when.then_rejected("STALE")
    with pytest.raises(AssertionError):
        when.then_rejected("OUT_OF_RANGE", number="7")
    with pytest.raises(AssertionError, match="accepted"):
        given(COUNTER).when(Start()).then_rejected("STALE")


def test_time_comes_with_the_command():
    given(COUNTER).when(Start(5), at=NOON).then(Started(5, NOON + timedelta(seconds=5)))


def test_a_decision_that_is_not_a_function_of_its_input_fails():
    numbers = count()

    class Drawing(Counter):
        def decide(self, state, command):
            return [Added(next(numbers))]

    with pytest.raises(AssertionError, match="differently the second time"):
        given(Drawing()).when(Add(1))


def commands(*bodies) -> list[Command]:
    return [Command(str(number), "ana", NOON, body) for number, body in enumerate(bodies)]


def test_the_laws_hold_for_the_counter():
    state = assert_laws(COUNTER, commands(Add(1), Start(9), Add(3, one_by_one=True), Start(), End(), Add(1)))
    assert (state.total, state.ended) == (3, True)


def test_a_decider_that_goes_on_after_its_end_breaks_a_law():
    class Endless(Counter):
        def decide(self, state, command):
            return [Added(1)] if state.ended else super().decide(state, command)

    with pytest.raises(AssertionError, match="ended state"):
        assert_laws(Endless(), commands(Start(), End(), Add(1)))


def test_a_hash_that_is_not_a_function_of_the_state_breaks_a_law():
    numbers = count()

    class Hashing(Counter):
        def state_hash(self, state):
            return str(next(numbers)).encode()

    with pytest.raises(AssertionError, match="hash"):
        assert_laws(Hashing(), commands(Start()))


ANA, TABLE_ONE = members(Claim("ana", "t1", 0))
EMPTY = {ANA: given(Player()), TABLE_ONE: given(Table())}
SEATED = {ANA: [Sat("t1")], TABLE_ONE: [SeatTaken(0, "ana")]}


def test_a_decision_over_several_aggregates_is_told_in_the_same_words():
    seated = given_together(decide_seating, EMPTY).when(Claim("ana", "t1", 0)).then(SEATED)
    seated.when(Claim("ana", "t1", 1)).then_rejected("ALREADY_SEATED", table="t1")
    seated.when(Leave("ana", "t1")).then({ANA: [Stood()], TABLE_ONE: [SeatFreed("ana")]})


@pytest.mark.parametrize(
    "wrong",
    [
        {ANA: [Sat("t2")], TABLE_ONE: [SeatTaken(0, "ana")]},
        {ANA: [Sat("t1")]},
        {ANA: [Sat("t1")], TABLE_ONE: []},
    ],
)
def test_other_events_over_several_aggregates_fail(wrong):
    when = given_together(decide_seating, EMPTY).when(Claim("ana", "t1", 0))
    with pytest.raises(AssertionError):
        when.then(wrong)
    with pytest.raises(AssertionError):
        when.then_rejected("SEAT_TAKEN")


@pytest.mark.parametrize("events", [{ANA: [Sat("t1")]}, {ANA: [Sat("t1")], TABLE_ONE: []}])
def test_a_decision_that_leaves_a_member_out_fails(events):
    when = given_together(lambda states, command: events, EMPTY).when(Claim("ana", "t1", 0))
    with pytest.raises(AssertionError, match="has no event"):
        when.then(events)


def test_a_decision_over_several_aggregates_that_is_no_function_of_its_input_fails():
    numbers = iter(range(9))
    unsure = given_together(lambda states, command: {ANA: [Sat(str(next(numbers)))]}, EMPTY)
    with pytest.raises(AssertionError, match="differently"):
        unsure.when(Claim("ana", "t1", 0))
