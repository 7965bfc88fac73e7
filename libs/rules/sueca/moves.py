"""What a Sueca player does: plays a card. The move names the hand and trick that it answers."""

from __future__ import annotations

import msgspec


class PlayCard(msgspec.Struct, frozen=True, gc=False, tag="play_card"):
    """Plays a card, such as "7C", to a trick; hands and tricks are counted from 1."""

    hand: int
    trick: int
    card: str


SuecaMove = PlayCard
