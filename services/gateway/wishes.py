"""The bodies of the requests with which a player comes to a table: form only, what they mean is matchmaking's to say."""

from __future__ import annotations

import msgspec


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/quick-play` and `POST /api/v1/queue`; `entropy` is base64 of 32 bytes for the shuffle."""

    command_id: str
    preset: str
    entropy: str = ""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/open-tables`; without `seats` it is the game's usual number."""

    command_id: str
    preset: str
    seats: int = 0
    entropy: str = ""


class TakeSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/open-tables/{table_id}/sit`."""

    command_id: str
    seat: int
    entropy: str = ""


class GiveBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/open-tables/{table_id}/stand`."""

    command_id: str


class NewTraining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/training`; `switches` are those that are to differ from the preset's."""

    command_id: str
    preset: str
    strength: str
    seats: int = 0
    entropy: str = ""
    switches: dict[str, str] = {}
