"""A player's achievement: a feat in a game, won once, with the match and the event that earned it.

The stream is named by what is won, so it holds one event: a feat that is done again is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from libs.eventlog.decider import Command, Deadline, PublicMessage, Rejection
from services.league.errors import ACHIEVEMENT_ALREADY_WON
from services.league.events import AchievementWon
from services.league.policy import CURRENT, Feat


class HonourFeat(msgspec.Struct, frozen=True):
    """A match's log shows a feat of the player at this version of the table."""

    game: str
    player_id: str
    feat: Feat
    match_id: str
    version: int
    ended_at: datetime


class AchievementState(msgspec.Struct, frozen=True):
    """Whether it is won."""

    is_won: bool = False


class AchievementDecider:
    """Satisfies `libs.eventlog.decider.Decider`. Every method is pure."""

    category = "achievement"

    def initial(self) -> AchievementState:
        """Not won yet."""
        return AchievementState()

    def decide(
        self, state: AchievementState, command: Command[HonourFeat]
    ) -> Sequence[AchievementWon] | Rejection:
        """The first feat that is told wins it."""
        if state.is_won:
            return Rejection(ACHIEVEMENT_ALREADY_WON.code)
        body = command.body
        return (
            AchievementWon(
                game=body.game,
                player_id=body.player_id,
                feat=body.feat,
                match_id=body.match_id,
                version=body.version,
                ended_at=body.ended_at,
                policy=CURRENT.name,
            ),
        )

    def evolve(self, _state: AchievementState, _event: AchievementWon) -> AchievementState:
        """Won."""
        return AchievementState(is_won=True)

    def deadlines(self, _state: AchievementState) -> Sequence[Deadline]:
        """Nothing happens by itself."""
        return ()

    def is_ended(self, state: AchievementState) -> bool:
        """It is won once."""
        return state.is_won

    def state_hash(self, _state: AchievementState) -> bytes:
        """None is kept: there is no game to compare."""
        return b""

    def view(self, state: AchievementState, _viewer: None) -> AchievementState:
        """All of it: it is public."""
        return state

    def observe(
        self, event: AchievementWon, _before: AchievementState, _after: AchievementState, _viewer: None
    ) -> AchievementWon:
        """The event itself."""
        return event

    def publish(
        self, _event: AchievementWon, _before: AchievementState, _after: AchievementState
    ) -> PublicMessage | None:
        """Nothing: it is asked for."""
        return None


ACHIEVEMENT = AchievementDecider()


def achievement_id(game: str, player_id: str, feat: Feat) -> str:
    """The id of a player's achievement."""
    return f"{game}/{player_id}/{feat}"
