"""What stands in the log of accounts: ids, codes and times. Names, texts and subjects are in plain tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from libs.eventlog.registry import EventRegistry

BanReason = Literal[
    "abusive_chat", "cheating", "multiple_accounts", "offensive_name", "payment_fraud", "other"
]
RevocationReason = Literal["signed_out", "refresh_token_reused", "too_many"]


class PlayerRegistered(msgspec.Struct, frozen=True):
    """A player exists from now on."""

    player_id: str


class SessionRevoked(msgspec.Struct, frozen=True):
    """No token of this session is valid any more. After `until` none of them could be alive anyway."""

    player_id: str
    session_id: str
    reason: RevocationReason
    until: datetime


class PlayerBanned(msgspec.Struct, frozen=True):
    """An operator keeps the player out, until a time or for ever (None). The words are the note's."""

    player_id: str
    reason: BanReason
    note_id: str
    until: datetime | None


class PlayerUnbanned(msgspec.Struct, frozen=True):
    """An operator lets the player in again."""

    player_id: str
    note_id: str


class PlayerErased(msgspec.Struct, frozen=True):
    """What was known of the person is deleted; the id stays in old matches and leads to nobody."""

    player_id: str


PlayerEvent = PlayerRegistered | SessionRevoked | PlayerBanned | PlayerUnbanned | PlayerErased


class FriendshipRequested(msgspec.Struct, frozen=True):
    """A player asks another for friendship."""

    by: str
    other: str


class FriendshipBegan(msgspec.Struct, frozen=True):
    """A player accepts the other's request."""

    by: str
    other: str


class FriendshipEnded(msgspec.Struct, frozen=True):
    """A player ends the friendship, declines the other's request or takes back their own."""

    by: str
    other: str


class PlayerBlocked(msgspec.Struct, frozen=True):
    """A player wants nothing to do with another."""

    by: str
    other: str


class PlayerUnblocked(msgspec.Struct, frozen=True):
    """A player takes a block back."""

    by: str
    other: str


PairEvent = FriendshipRequested | FriendshipBegan | FriendshipEnded | PlayerBlocked | PlayerUnblocked


def register_player_events(registry: EventRegistry[Any]) -> None:
    """Puts the stored names and versions of a player's events into a registry."""
    registry.register("PlayerRegistered", PlayerRegistered)
    registry.register("SessionRevoked", SessionRevoked)
    registry.register("PlayerBanned", PlayerBanned)
    registry.register("PlayerUnbanned", PlayerUnbanned)
    registry.register("PlayerErased", PlayerErased)


def register_pair_events(registry: EventRegistry[Any]) -> None:
    """Puts the stored names and versions of the events between two players into a registry."""
    registry.register("FriendshipRequested", FriendshipRequested)
    registry.register("FriendshipBegan", FriendshipBegan)
    registry.register("FriendshipEnded", FriendshipEnded)
    registry.register("PlayerBlocked", PlayerBlocked)
    registry.register("PlayerUnblocked", PlayerUnblocked)


def player_events() -> EventRegistry[PlayerEvent]:
    """The registry of a player's stream."""
    registry: EventRegistry[PlayerEvent] = EventRegistry()
    register_player_events(registry)
    return registry


def pair_events() -> EventRegistry[PairEvent]:
    """The registry of a pair's stream."""
    registry: EventRegistry[PairEvent] = EventRegistry()
    register_pair_events(registry)
    return registry
