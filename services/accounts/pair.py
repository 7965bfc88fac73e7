"""How two players stand to each other: friends, asked, blocked. One stream for each pair, whoever of the two acts.

So a block and a friendship are decided on one state, and two requests that cross each other make a friendship.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never
from uuid import UUID, uuid5

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.accounts.errors import (
    ALREADY_BLOCKED,
    ALREADY_FRIENDS,
    FRIENDSHIP_REFUSED,
    NO_FRIENDSHIP,
    NOT_BLOCKED,
    OTHER_IS_BLOCKED,
)
from services.accounts.events import (
    FriendshipBegan,
    FriendshipEnded,
    FriendshipRequested,
    PairEvent,
    PlayerBlocked,
    PlayerUnblocked,
)

_PAIR_IDS = UUID("a3a7c0a5-3a55-5f0c-9a4f-0f5d2b9f7c61")


def pair_id(one: str, other: str) -> str:
    """The id of the stream of these two, in whichever order they are named."""
    first, second = sorted((one, other))
    return str(uuid5(_PAIR_IDS, f"{first} {second}"))


class Befriend(msgspec.Struct, frozen=True):
    """`by` asks for friendship, or accepts what the other has asked."""

    by: str
    other: str


class Unfriend(msgspec.Struct, frozen=True):
    """`by` ends the friendship, declines the other's request or takes back their own."""

    by: str
    other: str


class Block(msgspec.Struct, frozen=True):
    """`by` wants nothing to do with the other."""

    by: str
    other: str


class Unblock(msgspec.Struct, frozen=True):
    """`by` takes the block back."""

    by: str
    other: str


PairCommand = Befriend | Unfriend | Block | Unblock


class PairState(msgspec.Struct, frozen=True):
    """How the two stand. `asked_by` is who waits for an answer."""

    are_friends: bool = False
    asked_by: str | None = None
    blocked_by: tuple[str, ...] = ()


class PairDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "pair"

    def initial(self) -> PairState:
        """Strangers."""
        return PairState()

    def decide(self, state: PairState, command: Command[PairCommand]) -> Sequence[PairEvent] | Rejection:
        """What one of the two does. What stands already is refused with its own code: the edge takes it for done."""
        body = command.body
        by, other = body.by, body.other
        match body:
            case Befriend():
                return _befriend(state, by, other)
            case Unfriend():
                if not state.are_friends and state.asked_by is None:
                    return Rejection(NO_FRIENDSHIP.code)
                return (FriendshipEnded(by, other),)
            case Block():
                if by in state.blocked_by:
                    return Rejection(ALREADY_BLOCKED.code)
                ends = state.are_friends or state.asked_by is not None
                blocked = PlayerBlocked(by, other)
                return (FriendshipEnded(by, other), blocked) if ends else (blocked,)
            case Unblock():
                if by not in state.blocked_by:
                    return Rejection(NOT_BLOCKED.code)
                return (PlayerUnblocked(by, other),)
            case _:
                assert_never(body)

    def evolve(self, state: PairState, event: PairEvent) -> PairState:
        """How they stand after an event."""
        match event:
            case FriendshipRequested():
                return msgspec.structs.replace(state, asked_by=event.by)
            case FriendshipBegan():
                return msgspec.structs.replace(state, are_friends=True, asked_by=None)
            case FriendshipEnded():
                return msgspec.structs.replace(state, are_friends=False, asked_by=None)
            case PlayerBlocked():
                return msgspec.structs.replace(state, blocked_by=(*state.blocked_by, event.by))
            case PlayerUnblocked():
                left = tuple(by for by in state.blocked_by if by != event.by)
                return msgspec.structs.replace(state, blocked_by=left)
            case _:
                assert_never(event)

    def deadlines(self, _state: PairState) -> Sequence[Deadline]:
        """Nothing happens between them by itself."""
        return ()

    def is_ended(self, _state: PairState) -> bool:
        """They may always act again."""
        return False

    def state_hash(self, _state: PairState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: PairState, _viewer: None) -> PairState:
        """All of it; it holds ids alone."""
        return state

    def observe(self, event: PairEvent, _before: PairState, _after: PairState, _viewer: None) -> PairEvent:
        """The event itself."""
        return event

    def publish(self, _event: PairEvent, _before: PairState, _after: PairState) -> PublicMessage | None:
        """Nothing: who likes whom is told to nobody else."""
        return None


PAIR = PairDecider()


def _befriend(state: PairState, by: str, other: str) -> Sequence[PairEvent] | Rejection:
    if by in state.blocked_by:
        return Rejection(OTHER_IS_BLOCKED.code)
    if other in state.blocked_by:
        return Rejection(FRIENDSHIP_REFUSED.code)
    if state.are_friends or state.asked_by == by:
        return Rejection(ALREADY_FRIENDS.code)
    if state.asked_by == other:
        return (FriendshipBegan(by, other),)
    return (FriendshipRequested(by, other),)
