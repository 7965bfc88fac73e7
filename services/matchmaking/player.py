"""A player in matchmaking: idle, waiting in a queue, or at a table. One place at a time is a fact of this stream.

The stream never ends, as the player does not; it has two events a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, assert_never

import msgspec

from libs.eventlog.decider import Command, Rejection
from services.matchmaking.errors import ALREADY_WAITING, NOT_AT_TABLE, NOT_WAITING
from services.matchmaking.events import (
    PlayerEvent,
    PlayerFreed,
    PlayerMatched,
    PlayerQueued,
    PlayerSat,
    Room,
)
from services.matchmaking.quiet import Quiet


class JoinQueue(msgspec.Struct, frozen=True):
    """Wait for a ranked match of this game."""

    player_id: str
    preset: str
    entropy: str


class LeaveQueue(msgspec.Struct, frozen=True):
    """Wait no longer."""

    player_id: str


class Free(msgspec.Struct, frozen=True):
    """The match at this table is over, or came to nothing with this code."""

    player_id: str
    table_id: str
    code: str = ""


class Requeue(msgspec.Struct, frozen=True):
    """The ranked match at this table came to nothing by another's fault: wait on with the ticket as it was (B123)."""

    player_id: str
    table_id: str


PlayerCommand = JoinQueue | LeaveQueue | Free | Requeue


class PlayerState(msgspec.Struct, frozen=True):
    """Where the player is. `request` is the id of the command that brought the player there."""

    kind: Literal["idle", "queue", "table"] = "idle"
    table_id: str = ""
    ticket_id: str = ""
    preset: str = ""
    room: Room | Literal[""] = ""
    since: datetime | None = None
    request: str = ""
    entropy: str = ""
    queued_at: datetime | None = None
    last_refusal: str = ""


class PlayerDecider(Quiet[PlayerState, PlayerEvent]):
    """Satisfies `libs.eventlog.decider.Decider`. Sitting down concerns a table too: see `seating`."""

    category = "player"

    def initial(self) -> PlayerState:
        """Idle."""
        return PlayerState()

    def decide(
        self, state: PlayerState, command: Command[PlayerCommand]
    ) -> Sequence[PlayerEvent] | Rejection:
        """What concerns the player alone."""
        body = command.body
        match body:
            case JoinQueue():
                if state.kind != "idle":
                    return Rejection(ALREADY_WAITING.code)
                return (PlayerQueued(body.player_id, command.id, body.preset, body.entropy, command.at),)
            case LeaveQueue():
                if state.kind != "queue":
                    return Rejection(NOT_WAITING.code)
                return (PlayerFreed(body.player_id, "", "left_queue", command.at),)
            case Free():
                if state.kind != "table" or state.table_id != body.table_id:
                    return Rejection(NOT_AT_TABLE.code)
                reason: Literal["match_void", "match_over"] = "match_void" if body.code else "match_over"
                return (PlayerFreed(body.player_id, body.table_id, reason, command.at, body.code),)
            case Requeue():
                if state.table_id != body.table_id or state.queued_at is None:
                    return Rejection(NOT_AT_TABLE.code)
                return (
                    PlayerFreed(body.player_id, body.table_id, "match_void", command.at),
                    PlayerQueued(
                        body.player_id, state.ticket_id, state.preset, state.entropy, state.queued_at
                    ),
                )
            case _:
                assert_never(body)

    def evolve(self, state: PlayerState, event: PlayerEvent) -> PlayerState:
        """Where the player is after an event."""
        match event:
            case PlayerSat():
                return PlayerState(
                    "table", event.table_id, "", event.preset, event.room, event.at, event.request
                )
            case PlayerQueued():
                return PlayerState(
                    "queue",
                    "",
                    event.ticket_id,
                    event.preset,
                    "ranqueada",
                    event.at,
                    event.ticket_id,
                    event.entropy,
                    event.at,
                )
            case PlayerMatched():
                return msgspec.structs.replace(
                    state, kind="table", table_id=event.table_id, ticket_id=event.ticket_id, since=event.at
                )
            case PlayerFreed():
                return PlayerState(since=event.at, last_refusal=event.code)
            case _:
                assert_never(event)

    def is_ended(self, _state: PlayerState) -> bool:
        """A player may always come again."""
        return False


PLAYER = PlayerDecider()
