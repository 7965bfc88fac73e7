"""The tables, wherever they are served: chooses the replica of each and moves on to another when it is lost."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence

from carteado.table.v1 import table_service_pb2 as pb
from libs.service.errors import ServiceError
from services.gateway.limits import Limits
from services.gateway.play_link import Follower, PendingCommand, PlayLink, PlayStream, Subscription

Rank = Callable[[str], Sequence[str]]
Check = Callable[[pb.CheckMoveRequest], Awaitable[pb.CheckMoveResponse]]


class Tables:
    """What sockets need of the table service's streams. Any replica serves any table; the preferred one is warm."""

    def __init__(
        self, open_streams: Mapping[str, Callable[[], PlayStream]], rank: Rank, check: Check, limits: Limits
    ) -> None:
        """`open_streams` begins a stream by replica address; `rank` puts the addresses in order for a table id.

        `check` calls CheckMove; raises ServiceError.
        """
        self._check = check
        self._rank = rank
        self._limits = limits
        self._numbers = itertools.count(1)
        self._links = {
            address: PlayLink(address, open_stream, limits, self._rehome)
            for address, open_stream in open_streams.items()
        }
        self._pending_count = 0

    @property
    def is_up(self) -> bool:
        """Whether at least one replica is reached."""
        return any(link.is_up for link in self._links.values())

    @property
    def up_count(self) -> int:
        """How many replicas are reached."""
        return sum(link.is_up for link in self._links.values())

    async def run(self) -> None:
        """Keeps a stream to each replica open until cancelled."""
        async with asyncio.TaskGroup() as group:
            for link in self._links.values():
                group.create_task(link.run())

    def follow(self, table_id: str, viewer: pb.Viewer, last_version: int, follower: Follower) -> Subscription:
        """Begins to tell `follower` the table's updates after `last_version` (0: beginning with the view)."""
        subscription = Subscription(next(self._numbers), table_id, viewer, last_version, follower)
        self._choose(table_id).follow(subscription)
        return subscription

    def unfollow(self, subscription: Subscription) -> None:
        """Ends the updates; the follower hears nothing more."""
        if subscription.carrier is not None:
            subscription.carrier.unfollow(subscription)

    @property
    def is_full(self) -> bool:
        """Whether as many commands wait for their outcome as may."""
        return self._pending_count >= self._limits.link_commands

    async def submit(self, actor: pb.Viewer, command: pb.TableCommand) -> pb.CommandOutcome | None:
        """The command's outcome, or None when it did not come in time: it may yet be done, at most once."""
        now_s = asyncio.get_running_loop().time()
        pending = PendingCommand(next(self._numbers), actor, command, now_s)
        self._pending_count += 1
        self._choose(command.table_id).send(pending)
        try:
            async with asyncio.timeout(self._limits.command_timeout_s):
                return await pending.outcome
        except TimeoutError:
            if pending.carrier is not None:
                pending.carrier.suspect(pending.sent_at_s)
            return None
        finally:
            self._pending_count -= 1
            if pending.carrier is not None:
                pending.carrier.forget(pending)

    async def check(self, actor: pb.Viewer, command: pb.TableCommand) -> pb.CommandOutcome | None:
        """What would become of a command now, or None when the table service can't say."""
        try:
            return (await self._check(pb.CheckMoveRequest(actor=actor, command=command))).outcome
        except ServiceError:
            return None

    def _choose(self, table_id: str) -> PlayLink:
        ranked = [self._links[address] for address in self._rank(table_id)]
        return next((link for link in ranked if link.is_up), ranked[0])

    def _rehome(self) -> None:
        """What a lost replica carried goes to one that is up; while none is, it stays where it is."""
        if not self.is_up:
            return
        for link in self._links.values():
            if not link.is_up:
                subscriptions, commands = link.surrender()
                for subscription in subscriptions:
                    self._choose(subscription.table_id).follow(subscription)
                for command in commands:
                    self._choose(command.command.table_id).send(command)
