"""Friends and blocks: what two players do about each other, and the lists that come of it.

Whoever asks for what is so already is answered that it is so. The bounds are looked up in the lists just before: two
requests at the same time may go one beyond them.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

import msgspec

from libs.eventlog.committed import Committed
from libs.eventlog.runtime import Runtime
from services.accounts.edge import accepted, refuse_unknown
from services.accounts.errors import (
    ALREADY_BLOCKED,
    ALREADY_FRIENDS,
    NO_FRIENDSHIP,
    NOT_BLOCKED,
    NOTHING_WITH_ONESELF,
    TOO_MANY_BLOCKS,
    TOO_MANY_FRIENDS,
)
from services.accounts.events import PairEvent
from services.accounts.pair import Befriend, Block, PairCommand, PairState, Unblock, Unfriend, pair_id
from services.accounts.relations import Blocked, Friend, Relations, Status
from services.accounts.sessions import Players

MOST_FRIENDS = 300
"""Friends of one player; as many requests of others may wait for an answer."""
MOST_ASKED = 100
MOST_BLOCKS = 1_000

Pairs = Runtime[PairState, PairCommand, PairEvent]


class _Counts(msgspec.Struct, frozen=True):
    friends: int
    asked: int
    asked_by_other: int


class Social:
    """Everything raises ServiceError for a refusal, and the log's errors when it cannot be reached."""

    def __init__(self, players: Players, pairs: Pairs, relations: Relations) -> None:
        self._players = players
        self._pairs = pairs
        self._relations = relations

    async def friends(self, player_id: str) -> Sequence[Friend]:
        """A player's friends and requests, the latest first."""
        return await self._relations.friends(player_id)

    async def blocks(self, player_id: str) -> Sequence[Blocked]:
        """Whom a player blocks, the latest first."""
        return await self._relations.blocks(player_id)

    async def befriend(self, player_id: str, other_id: str) -> Status:
        """Asks for friendship, or accepts the other's request; how the two stand now."""
        await self._check(player_id, other_id)
        before = (await self._pairs.load(pair_id(player_id, other_id))).state
        if not before.are_friends and before.asked_by != player_id:
            await self._check_room(player_id, other_id, is_answer=before.asked_by == other_id)
        await self._do(player_id, other_id, Befriend(player_id, other_id), ALREADY_FRIENDS.code)
        state = (await self._pairs.load(pair_id(player_id, other_id))).state
        return "friends" if state.are_friends else "asked"

    async def unfriend(self, player_id: str, other_id: str) -> None:
        """Ends a friendship, declines a request, or takes one back."""
        _not_oneself(player_id, other_id)
        await self._do(player_id, other_id, Unfriend(player_id, other_id), NO_FRIENDSHIP.code)

    async def block(self, player_id: str, other_id: str) -> None:
        """Blocks the other; what was between the two ends."""
        await self._check(player_id, other_id)
        before = (await self._pairs.load(pair_id(player_id, other_id))).state
        if player_id not in before.blocked_by and len(await self.blocks(player_id)) >= MOST_BLOCKS:
            raise TOO_MANY_BLOCKS.error()
        await self._do(player_id, other_id, Block(player_id, other_id), ALREADY_BLOCKED.code)

    async def unblock(self, player_id: str, other_id: str) -> None:
        """Takes a block back."""
        _not_oneself(player_id, other_id)
        await self._do(player_id, other_id, Unblock(player_id, other_id), NOT_BLOCKED.code)

    async def _do(self, player_id: str, other_id: str, body: PairCommand, already: str) -> None:
        outcome = await self._pairs.handle(
            pair_id(player_id, other_id), body, command_id=str(uuid4()), actor=f"player:{player_id}"
        )
        done = accepted(outcome, already)
        if isinstance(done, Committed):
            await self._relations.follow(player_id, other_id, done.version)

    async def _check(self, player_id: str, other_id: str) -> None:
        _not_oneself(player_id, other_id)
        refuse_unknown((await self._players.load(player_id)).state)
        refuse_unknown((await self._players.load(other_id)).state)

    async def _check_room(self, player_id: str, other_id: str, *, is_answer: bool) -> None:
        """Raises TOO_MANY_FRIENDS. An answer makes a friend and one request less: requests of others never stand in its way."""
        mine, theirs = await self._counts(player_id), await self._counts(other_id)
        is_full = max(mine.friends, theirs.friends) >= MOST_FRIENDS
        if not is_answer:
            is_full = is_full or mine.asked >= MOST_ASKED or theirs.asked_by_other >= MOST_FRIENDS
        if is_full:
            raise TOO_MANY_FRIENDS.error()

    async def _counts(self, player_id: str) -> _Counts:
        statuses = [friend.status for friend in await self._relations.friends(player_id)]
        return _Counts(statuses.count("friends"), statuses.count("asked"), statuses.count("asked_by_other"))


def _not_oneself(player_id: str, other_id: str) -> None:
    if player_id == other_id:
        raise NOTHING_WITH_ONESELF.error(field="other_id")
