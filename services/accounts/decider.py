"""A player's account: a decider whose events hold ids and never a name."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.accounts.errors import ALREADY_REGISTERED
from services.accounts.events import PlayerEvent, PlayerRegistered


class RegisterPlayer(msgspec.Struct, frozen=True):
    """Makes the player with this id."""

    player_id: str


PlayerCommand = RegisterPlayer


class PlayerState(msgspec.Struct, frozen=True):
    """What the log knows of a player."""

    is_registered: bool = False


class PlayerDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "player"

    def initial(self) -> PlayerState:
        """Nobody yet."""
        return PlayerState()

    def decide(
        self, state: PlayerState, command: Command[PlayerCommand]
    ) -> Sequence[PlayerEvent] | Rejection:
        """Registers once."""
        if state.is_registered:
            return Rejection(ALREADY_REGISTERED.code)
        return (PlayerRegistered(command.body.player_id),)

    def evolve(self, _state: PlayerState, event: PlayerEvent) -> PlayerState:
        """The player after an event."""
        match event:
            case PlayerRegistered():
                return PlayerState(is_registered=True)

    def deadlines(self, _state: PlayerState) -> Sequence[Deadline]:
        """Nothing happens to a player by itself."""
        return ()

    def is_ended(self, _state: PlayerState) -> bool:
        """A player's stream goes on until the player is erased."""
        return False

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

    def publish(self, _event: PlayerEvent, _before: PlayerState, _after: PlayerState) -> PublicMessage | None:
        """Nothing yet: no service reacts to a guest."""
        return None


PLAYER = PlayerDecider()
