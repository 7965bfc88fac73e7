"""What a Truco player does. Each move names the hand (and trick, or raise) that it answers."""

from __future__ import annotations

import msgspec

from libs.rules.truco.signals import Gesture


class PlayCard(msgspec.Struct, frozen=True, gc=False, tag="play_card"):
    """Plays a card to a trick: by its code ("7C"), or, in a blind mão de ferro, by its place as dealt (R-20)."""

    hand: int
    trick: int
    card: str | None = None
    position: int | None = None
    covered: bool = False


class Raise(msgspec.Struct, frozen=True, gc=False, tag="raise"):
    """Asks to raise to this value; as an answer it accepts the value asked before (R-11)."""

    hand: int
    value: int


class AcceptRaise(msgspec.Struct, frozen=True, gc=False, tag="accept_raise"):
    """Accepts the raise to this value."""

    hand: int
    value: int


class Fold(msgspec.Struct, frozen=True, gc=False, tag="fold"):
    """Runs from the raise to this value (R-12)."""

    hand: int
    value: int


class PlayElevenHand(msgspec.Struct, frozen=True, gc=False, tag="play_eleven_hand"):
    """The side at eleven plays, for 3 (R-17)."""

    hand: int


class DeclineElevenHand(msgspec.Struct, frozen=True, gc=False, tag="decline_eleven_hand"):
    """The side at eleven declines; the other side scores 1 (R-17)."""

    hand: int


class Signal(msgspec.Struct, frozen=True, gc=False, tag="signal"):
    """Makes a gesture to one's partners, in turn or not (R-23). Whether it tells the truth is nobody's business."""

    hand: int
    gesture: Gesture


TrucoMove = PlayCard | Raise | AcceptRaise | Fold | PlayElevenHand | DeclineElevenHand | Signal
