"""How two players stand: friendship is asked and accepted, a block ends it, and one stream settles both."""

from uuid import uuid4

import pytest

from libs.eventlog.decider import Command
from libs.eventlog.testing import NOON, assert_laws, given
from services.accounts.events import (
    FriendshipBegan,
    FriendshipEnded,
    FriendshipRequested,
    PlayerBlocked,
    PlayerUnblocked,
    pair_events,
)
from services.accounts.pair import PAIR, Befriend, Block, Unblock, Unfriend, pair_id

ANA, BIA = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
ASKED = FriendshipRequested(ANA, BIA)
FRIENDS = (ASKED, FriendshipBegan(BIA, ANA))


def test_a_pair_is_the_same_from_both_sides():
    assert pair_id(ANA, BIA) == pair_id(BIA, ANA)
    assert pair_id(ANA, BIA) != pair_id(ANA, str(uuid4()))


def test_friendship_is_asked_and_accepted():
    asked = given(PAIR).when(Befriend(ANA, BIA)).then(ASKED)
    assert asked.state.asked_by == ANA
    friends = asked.when(Befriend(BIA, ANA)).then(FriendshipBegan(BIA, ANA))
    assert friends.state.are_friends
    assert friends.state.asked_by is None


@pytest.mark.parametrize("by", [ANA, BIA])
def test_either_ends_a_friendship_or_a_request(by):
    other = BIA if by == ANA else ANA
    for before in ((ASKED,), FRIENDS):
        after = given(PAIR, *before).when(Unfriend(by, other)).then(FriendshipEnded(by, other))
        assert (after.state.are_friends, after.state.asked_by) == (False, None)
        after.when(Unfriend(by, other)).then_rejected("NO_FRIENDSHIP")


def test_what_was_asked_is_not_asked_again():
    given(PAIR, ASKED).when(Befriend(ANA, BIA)).then_rejected("ALREADY_FRIENDS")
    given(PAIR, *FRIENDS).when(Befriend(ANA, BIA)).then_rejected("ALREADY_FRIENDS")
    given(PAIR, *FRIENDS).when(Befriend(BIA, ANA)).then_rejected("ALREADY_FRIENDS")


@pytest.mark.parametrize("before", [(ASKED,), FRIENDS])
def test_a_block_ends_what_was_between_them(before):
    after = (
        given(PAIR, *before).when(Block(BIA, ANA)).then(FriendshipEnded(BIA, ANA), PlayerBlocked(BIA, ANA))
    )
    assert not after.state.are_friends
    after.when(Befriend(ANA, BIA)).then_rejected("FRIENDSHIP_REFUSED")
    after.when(Befriend(BIA, ANA)).then_rejected("OTHER_IS_BLOCKED")


def test_both_may_block_and_each_takes_back_their_own():
    both = given(PAIR, PlayerBlocked(ANA, BIA)).when(Block(BIA, ANA)).then(PlayerBlocked(BIA, ANA))
    both.when(Block(ANA, BIA)).then_rejected("ALREADY_BLOCKED")
    one = both.when(Unblock(ANA, BIA)).then(PlayerUnblocked(ANA, BIA))
    assert one.state.blocked_by == (BIA,)
    one.when(Unblock(ANA, BIA)).then_rejected("NOT_BLOCKED")
    one.when(Befriend(ANA, BIA)).then_rejected("FRIENDSHIP_REFUSED")
    one.when(Unblock(BIA, ANA)).accepted().when(Befriend(ANA, BIA)).then(ASKED)


def test_it_keeps_the_laws_of_every_decider():
    bodies = [
        Befriend(ANA, BIA),
        Befriend(ANA, BIA),
        Befriend(BIA, ANA),
        Unfriend(ANA, BIA),
        Block(ANA, BIA),
        Block(ANA, BIA),
        Befriend(BIA, ANA),
        Unblock(ANA, BIA),
    ]
    assert_laws(PAIR, [Command(str(uuid4()), "player:x", NOON, body) for body in bodies])


def test_the_stored_form_of_an_event_is_this_for_ever():
    registry = pair_events()
    payload = f'{{"by":"{ANA}","other":"{BIA}"}}'.encode()
    for event_type in (
        FriendshipRequested,
        FriendshipBegan,
        FriendshipEnded,
        PlayerBlocked,
        PlayerUnblocked,
    ):
        stored = (event_type.__name__, 1, payload)
        assert registry.encode(event_type(ANA, BIA)) == stored
        assert registry.decode(*stored) == event_type(ANA, BIA)
    assert len(registry.names) == 5


def test_who_likes_whom_is_told_to_nobody():
    state = PAIR.initial()
    assert PAIR.publish(ASKED, state, PAIR.evolve(state, ASKED)) is None
