"""What a player asks for: a seat, a place in the queue, a match against robots, or to be free again.

A request is known by its id: asked again it finds the player where it had brought the player, and says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from libs.eventlog.decider import Rejection
from libs.eventlog.together import Together
from libs.rules.game import InvalidRuleSetError
from libs.rules.registry import GAMES, ROBOTS
from libs.service.errors import INVALID_ARGUMENT
from services.matchmaking.errors import (
    ERRORS,
    MATCH_ALREADY_FORMED,
    NOT_RANKED,
    NOT_WAITING,
    OPEN_TABLE_NOT_FOUND,
    PLACE_CHANGED,
    SEAT_TAKEN,
    UNKNOWN_PRESET,
    WRONG_SEATS,
)
from services.matchmaking.events import MatchSeat
from services.matchmaking.open_table import OpenTableState
from services.matchmaking.player import JoinQueue, LeaveQueue, PlayerState
from services.matchmaking.reads import Reads
from services.matchmaking.seating import SeatingCommand, Sit, Stand, Train, members_of
from services.matchmaking.starter import Starter
from services.matchmaking.whereabouts import AnyRuntime, Place, Whereabouts

_IDS: Final = UUID("4f3d4b5e-2f9d-5d0e-9f3d-6b8f0a3f7c52")
_ATTEMPTS: Final = 6
_TABLES_TRIED: Final = 10
_MOMENT_S: Final = 2
"""Longer than the list of open tables is behind the log."""
_TABLES_OF_A_MOMENT: Final = 8
"""How many tables those who come in one moment open together; whoever comes then opens one alone."""
_AGAIN: Final = frozenset({PLACE_CHANGED.code})
_PASSED_BY: Final = frozenset({SEAT_TAKEN.code, OPEN_TABLE_NOT_FOUND.code, PLACE_CHANGED.code})

Seating = Together[Any, SeatingCommand, Any]


class Places:
    """The requests. Each raises ServiceError with a code of `ERRORS`, and EventLogError while the log is away."""

    def __init__(
        self,
        players: AnyRuntime,
        open_tables: AnyRuntime,
        seating: Seating,
        whereabouts: Whereabouts,
        starter: Starter,
        reads: Reads,
        wake_matcher: Callable[[], None],
        now: Callable[[], datetime],
    ) -> None:
        self._players = players
        self._open_tables = open_tables
        self._seating = seating
        self._whereabouts = whereabouts
        self._starter = starter
        self._reads = reads
        self._wake_matcher = wake_matcher
        self._now = now

    async def place(self, player_id: str) -> Place:
        """Where the player is now."""
        return await self._whereabouts.place(player_id)

    async def open_table(
        self, player_id: str, command_id: str, preset: str, seats: int, entropy: str
    ) -> Place:
        """Opens a table in the Livre and sits down on its first seat."""
        count = _seat_count(preset, seats)
        if await self._whereabouts.is_done(player_id, command_id, "livre", preset=preset):
            return await self.place(player_id)
        await self._whereabouts.make_free(player_id, preset, "livre")
        await self._open(player_id, command_id, preset, count, entropy)
        return await self.place(player_id)

    async def sit_down(
        self, player_id: str, command_id: str, table_id: str, seat: int, entropy: str
    ) -> Place:
        """Takes a seat at an open table; with the last one the match begins."""
        if await self._whereabouts.is_done(player_id, command_id, "livre", table_id=table_id):
            return await self.place(player_id)
        table: OpenTableState = (await self._open_tables.load(table_id)).state
        if not table.is_open:
            raise OPEN_TABLE_NOT_FOUND.error()
        await self._whereabouts.make_free(player_id, table.preset, "livre")
        refusal = await self._sit(player_id, command_id, table_id, seat, entropy)
        if refusal is not None:
            raise await self._whereabouts.refused(player_id, refusal)
        return await self.place(player_id)

    async def stand_up(self, player_id: str, command_id: str, table_id: str) -> Place:
        """Gives the seat at an open table back."""
        answer = await self._seat(Stand(player_id, table_id), command_id, player_id)
        if answer is not None:
            state: PlayerState = (await self._players.load(player_id)).state
            # Asked twice: what is wanted is so.
            if state.kind != "idle":
                raise await self._whereabouts.refused(player_id, answer)
        return await self.place(player_id)

    async def quick_play(self, player_id: str, command_id: str, preset: str, entropy: str) -> Place:
        """Sits down at the fullest open table of a game, or opens one: together with others who come at the same moment."""
        count = _seat_count(preset, 0)
        if await self._whereabouts.is_done(player_id, command_id, "livre", preset=preset):
            return await self.place(player_id)
        await self._whereabouts.make_free(player_id, preset, "livre")
        moment = int(self._now().timestamp()) // _MOMENT_S
        is_seated = (
            await self._sit_at_listed(player_id, command_id, preset, entropy)
            # The list is a moment behind: whoever opened a table just now is found by the table's id.
            or await self._sit_at_opened(player_id, command_id, preset, moment - 1, entropy)
            or await self._open_with_others(player_id, command_id, preset, moment, count, entropy)
        )
        if not is_seated:
            await self._open(player_id, command_id, preset, count, entropy)
        return await self.place(player_id)

    async def join_queue(self, player_id: str, command_id: str, preset: str, entropy: str) -> Place:
        """Waits for a ranked match."""
        _seat_count(preset, 0)
        if "@" in preset:
            raise NOT_RANKED.error()
        # Case B118: who asks twice, at once or later, from one device or from two, has one ticket.
        if await self._waits_for(player_id, preset):
            return await self.place(player_id)
        if await self._whereabouts.is_done(player_id, command_id, "ranqueada", preset=preset):
            return await self.place(player_id)
        await self._whereabouts.make_free(player_id, preset, "ranqueada")
        answer = await self._players.handle(
            player_id,
            JoinQueue(player_id, preset, entropy),
            command_id=command_id,
            actor=f"player:{player_id}",
        )
        if isinstance(answer, Rejection) and not await self._waits_for(player_id, preset):
            raise await self._whereabouts.refused(player_id, answer)
        self._wake_matcher()
        return await self.place(player_id)

    async def leave_queue(self, player_id: str, command_id: str) -> Place:
        """Waits no longer. Raises MATCH_ALREADY_FORMED when the match was faster."""
        answer = await self._players.handle(
            player_id, LeaveQueue(player_id), command_id=command_id, actor=f"player:{player_id}"
        )
        place = await self.place(player_id)
        if isinstance(answer, Rejection) and place.kind != "idle":
            if place.room != "ranqueada":
                raise NOT_WAITING.error()
            raise MATCH_ALREADY_FORMED.error(facts={"table_id": place.table_id})
        return place

    async def start_training(
        self,
        player_id: str,
        command_id: str,
        preset: str,
        *,
        strength: str,
        seats: int,
        entropy: str,
        switches: Mapping[str, str],
        table_id: str = "",
    ) -> Place:
        """Forms a match against robots and sets it up at once."""
        count = _seat_count(preset, seats)
        _check_training(preset, strength, switches)
        if not await self._whereabouts.is_done(player_id, command_id, "treino", preset=preset):
            await self._whereabouts.make_free(player_id, preset, "treino")
            taken = (MatchSeat(player_id, "", entropy), *[MatchSeat("", strength)] * (count - 1))
            chosen = table_id or str(uuid5(_IDS, f"training {player_id} {command_id}"))
            train = Train(player_id, chosen, preset, taken, dict(switches))
            refusal = await self._seat(train, command_id, player_id)
            if refusal is not None:
                raise await self._whereabouts.refused(player_id, refusal)
        state: PlayerState = (await self._players.load(player_id)).state
        if state.table_id:
            await self._starter.settle(state.table_id)
        place = await self.place(player_id)
        if place.last_refusal:
            raise ERRORS[place.last_refusal if place.last_refusal in ERRORS else "MATCH_VOID"].error(
                facts={"reason": place.last_refusal}
            )
        return place

    async def leave_waiting(self, player_id: str, command_id: str, actor: str) -> None:
        """Takes a player who is banned, erased or gone out of queue and open table; a match goes on without."""
        state: PlayerState = (await self._players.load(player_id)).state
        if state.kind == "queue":
            await self._players.handle(player_id, LeaveQueue(player_id), command_id=command_id, actor=actor)
        elif state.kind == "table":
            await self._seat(Stand(player_id, state.table_id), command_id, player_id)

    async def _waits_for(self, player_id: str, preset: str) -> bool:
        state: PlayerState = (await self._players.load(player_id)).state
        return (state.kind, state.preset) == ("queue", preset)

    async def _sit_at_listed(self, player_id: str, command_id: str, preset: str, entropy: str) -> bool:
        """Takes a seat at a table of the list, the fullest first."""
        for table in await self._reads.open_tables(preset, _TABLES_TRIED):
            if await self._sit_anywhere(player_id, command_id, table.table_id, entropy):
                return True
        return False

    async def _sit_at_opened(
        self, player_id: str, command_id: str, preset: str, moment: int, entropy: str
    ) -> bool:
        """Takes a seat at a table that was opened in this moment."""
        for number in range(_TABLES_OF_A_MOMENT):
            table_id = _table_of_moment(preset, moment, number)
            table: OpenTableState = (await self._open_tables.load(table_id)).state
            if not table.preset:
                return False
            if await self._sit_anywhere(player_id, command_id, table_id, entropy):
                return True
        return False

    async def _open_with_others(
        self, player_id: str, command_id: str, preset: str, moment: int, seats: int, entropy: str
    ) -> bool:
        """Opens the next table of this moment, or takes a seat at it when somebody was faster."""
        for number in range(_TABLES_OF_A_MOMENT):
            table_id = _table_of_moment(preset, moment, number)
            sit = Sit(player_id, table_id, preset, 0, entropy, opens_with_seats=seats)
            refusal = await self._seat(sit, command_id, player_id)
            if refusal is None:
                return True
            if refusal.code != PLACE_CHANGED.code:
                return await self._is_done_or_refused(player_id, command_id, refusal)
            if await self._sit_anywhere(player_id, command_id, table_id, entropy):
                return True
        return False

    async def _sit_anywhere(self, player_id: str, command_id: str, table_id: str, entropy: str) -> bool:
        """Takes any free seat at an open table; False when it has none."""
        for _ in range(_ATTEMPTS):
            table: OpenTableState = (await self._open_tables.load(table_id)).state
            free = [seat for seat, taken in enumerate(table.seats) if taken is None]
            if not free or not table.is_open:
                return False
            seat = random.choice(free)  # noqa: S311 - any free seat is as good
            refusal = await self._sit(player_id, command_id, table_id, seat, entropy)
            if refusal is None:
                return True
            if refusal.code not in _PASSED_BY:
                return await self._is_done_or_refused(player_id, command_id, refusal)
        return False

    async def _is_done_or_refused(self, player_id: str, command_id: str, refusal: Rejection) -> bool:
        """True if the same wish, asked twice at once, has brought the player to a seat; else raises the refusal."""
        if await self._whereabouts.is_done(player_id, command_id, "livre"):
            return True
        raise await self._whereabouts.refused(player_id, refusal)

    async def _open(self, player_id: str, command_id: str, preset: str, seats: int, entropy: str) -> None:
        table_id = str(uuid5(_IDS, f"open {player_id} {command_id}"))
        sit = Sit(player_id, table_id, preset, 0, entropy, opens_with_seats=seats)
        refusal = await self._seat(sit, command_id, player_id)
        if refusal is not None:
            raise await self._whereabouts.refused(player_id, refusal)

    async def _sit(
        self, player_id: str, command_id: str, table_id: str, seat: int, entropy: str
    ) -> Rejection | None:
        refusal = Rejection(PLACE_CHANGED.code)
        for _ in range(_ATTEMPTS):
            table: OpenTableState = (await self._open_tables.load(table_id)).state
            is_last = table.free_seats == 1
            sit = Sit(player_id, table_id, table.preset, seat, entropy, is_last=is_last)
            answer = await self._seat(sit, command_id, player_id)
            if answer is None:
                if is_last:
                    await self._starter.settle(table_id)
                return None
            refusal = answer
            if answer.code not in _AGAIN:
                break
        return refusal

    async def _seat(self, body: SeatingCommand, command_id: str, player_id: str) -> Rejection | None:
        answer = await self._seating.handle(
            members_of(body), body, command_id=command_id, actor=f"player:{player_id}"
        )
        return answer if isinstance(answer, Rejection) else None


def _table_of_moment(preset: str, moment: int, number: int) -> str:
    return str(uuid5(_IDS, f"quick {preset} {moment} {number}"))


def _seat_count(preset: str, asked: int) -> int:
    game = GAMES.get(preset)
    if game is None:
        raise UNKNOWN_PRESET.error(facts={"presets": ", ".join(sorted(GAMES))})
    count = asked or game.player_counts[0]
    if count not in game.player_counts:
        raise WRONG_SEATS.error(facts={"allowed": ", ".join(map(str, game.player_counts))})
    return count


def _check_training(preset: str, strength: str, switches: Mapping[str, str]) -> None:
    """Raises ServiceError for what no table could be made of: a match of it would come to nothing, and be tried again."""
    strengths = ROBOTS[preset].by_strength
    if strength not in strengths:
        raise INVALID_ARGUMENT.error(field="strength", facts={"allowed": ", ".join(strengths)})
    try:
        GAMES[preset].rule_set(switches)
    except InvalidRuleSetError as error:
        raise INVALID_ARGUMENT.error(field="switches", facts={"reason": str(error)}) from None
