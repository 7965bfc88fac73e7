"""A player's account: a decider whose events hold ids and never a name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from libs.service.tokens import LONGEST_TOKEN_LIFE, SESSION_REVOKED
from services.accounts.errors import (
    ALREADY_REGISTERED,
    BAN_END_IN_THE_PAST,
    NOT_BANNED,
    PLAYER_ERASED,
    PLAYER_NOT_FOUND,
)
from services.accounts.events import (
    BanReason,
    PlayerBanned,
    PlayerErased,
    PlayerEvent,
    PlayerRegistered,
    PlayerUnbanned,
    RevocationReason,
    SessionRevoked,
)
from services.accounts.public import public_message

_REVOKED_REMEMBERED = 64
"""More than a player can have open at a time: what was revoked before these has ended in the table too."""

_SKEW = timedelta(minutes=1)
"""How far the clocks of issuers, verifiers and the database may lie apart."""


class RegisterPlayer(msgspec.Struct, frozen=True):
    """Makes the player with this id."""

    player_id: str


class RevokeSession(msgspec.Struct, frozen=True):
    """Ends one of the player's sessions."""

    session_id: str
    reason: RevocationReason


class BanPlayer(msgspec.Struct, frozen=True):
    """Keeps the player out until a time, or for ever (None); a ban that runs is replaced."""

    reason: BanReason
    note_id: str
    until: datetime | None


class UnbanPlayer(msgspec.Struct, frozen=True):
    """Lets the player in again before the ban's time."""

    note_id: str


class ErasePlayer(msgspec.Struct, frozen=True):
    """Ends the account: whatever is known of the person is deleted."""


PlayerCommand = RegisterPlayer | RevokeSession | BanPlayer | UnbanPlayer | ErasePlayer


class BanState(msgspec.Struct, frozen=True):
    """A ban as it was given; whether it still runs is a question of time."""

    reason: BanReason
    note_id: str
    until: datetime | None

    def is_running(self, at: datetime) -> bool:
        """Whether it keeps the player out at this moment."""
        return self.until is None or at < self.until


class PlayerState(msgspec.Struct, frozen=True):
    """What the log knows of a player; `player_id` is empty before the registration."""

    player_id: str = ""
    is_erased: bool = False
    ban: BanState | None = None
    revoked: tuple[str, ...] = ()

    @property
    def is_registered(self) -> bool:
        """Whether the player exists, or has existed and was erased."""
        return self.player_id != ""

    def running_ban(self, at: datetime) -> BanState | None:
        """The ban that keeps the player out at this moment."""
        return self.ban if self.ban is not None and self.ban.is_running(at) else None


class PlayerDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "player"

    def initial(self) -> PlayerState:
        """Nobody yet."""
        return PlayerState()

    def decide(
        self, state: PlayerState, command: Command[PlayerCommand]
    ) -> Sequence[PlayerEvent] | Rejection:
        """What a command does to this account."""
        body, player_id = command.body, state.player_id
        if isinstance(body, RegisterPlayer):
            if state.is_registered:
                return Rejection(PLAYER_ERASED.code if state.is_erased else ALREADY_REGISTERED.code)
            return (PlayerRegistered(body.player_id),)
        if not state.is_registered:
            return Rejection(PLAYER_NOT_FOUND.code)
        if state.is_erased:
            return Rejection(PLAYER_ERASED.code)
        match body:
            case RevokeSession():
                if body.session_id in state.revoked:
                    return Rejection(SESSION_REVOKED.code)
                until = command.at + LONGEST_TOKEN_LIFE + _SKEW
                return (SessionRevoked(player_id, body.session_id, body.reason, until),)
            case BanPlayer():
                if body.until is not None and body.until <= command.at:
                    return Rejection(BAN_END_IN_THE_PAST.code)
                return (PlayerBanned(player_id, body.reason, body.note_id, body.until),)
            case UnbanPlayer():
                if state.running_ban(command.at) is None:
                    return Rejection(NOT_BANNED.code)
                return (PlayerUnbanned(player_id, body.note_id),)
            case ErasePlayer():
                return (PlayerErased(player_id),)
            case _:
                assert_never(body)

    def evolve(self, state: PlayerState, event: PlayerEvent) -> PlayerState:
        """The player after an event."""
        match event:
            case PlayerRegistered():
                return PlayerState(event.player_id)
            case SessionRevoked():
                revoked = (*state.revoked, event.session_id)[-_REVOKED_REMEMBERED:]
                return msgspec.structs.replace(state, revoked=revoked)
            case PlayerBanned():
                ban = BanState(event.reason, event.note_id, event.until)
                return msgspec.structs.replace(state, ban=ban)
            case PlayerUnbanned():
                return msgspec.structs.replace(state, ban=None)
            case PlayerErased():
                return msgspec.structs.replace(state, is_erased=True)
            case _:
                assert_never(event)

    def deadlines(self, _state: PlayerState) -> Sequence[Deadline]:
        """Nothing happens to a player by itself: a ban names its own end."""
        return ()

    def is_ended(self, state: PlayerState) -> bool:
        """A player's stream goes on until the player is erased."""
        return state.is_erased

    def state_hash(self, _state: PlayerState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: PlayerState, _viewer: None) -> PlayerState:
        """All that the log knows; it holds no personal data."""
        return state

    def observe(
        self, event: PlayerEvent, _before: PlayerState, _after: PlayerState, _viewer: None
    ) -> PlayerEvent:
        """The event itself."""
        return event

    def publish(self, event: PlayerEvent, _before: PlayerState, _after: PlayerState) -> PublicMessage | None:
        """Every event is told to the other services, without the operators' notes."""
        return public_message(event)


PLAYER = PlayerDecider()


def ban_facts(until: datetime | None) -> dict[str, str]:
    """What a banned player is told: until when, if it ends."""
    return {} if until is None else {"until": until.isoformat()}
