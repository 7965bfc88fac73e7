"""What a Dominó player does: play a tile. One passes exactly when nothing fits, and by the server's hand (D-04)."""

from __future__ import annotations

from typing import Literal

import msgspec

End = Literal["left", "right"]


class PlayTile(msgspec.Struct, frozen=True, gc=False, tag="play_tile"):
    """Plays a tile ("3-5") to an end of the line; the round's first tile names no end, every other does (D-10).

    `turn` is the place of this tile in the round, counted from 1.
    """

    round: int
    turn: int
    tile: str
    end: End | None = None


DominoMove = PlayTile
