"""What happened in a match of Truco. These structs are the storage format: fields are never renamed or removed."""

from __future__ import annotations

import msgspec


class HandDealt(msgspec.Struct, frozen=True, gc=False):
    """A hand was dealt: three cards a seat, in dealt order, and the vira. It names who leads, what it is worth and
    which sides may raise it. Where signals are played `signal_tables` has, for each side, the suits that its gestures
    mean in the order of `signals.GESTURES` (R-23).
    """

    hand: int
    dealer: int
    leader: int
    vira: str
    cards: tuple[tuple[str, ...], ...]
    value: int
    eleven_side: int | None = None
    iron_hand: bool = False
    blind: bool = False
    awaits_eleven_answer: bool = False
    may_raise_sides: tuple[int, ...] = (0, 1)
    signal_tables: tuple[str, ...] = ()


class CardPlayed(msgspec.Struct, frozen=True, gc=False):
    """A seat played a card. `next_seat` is who plays next, None when this card completes the trick."""

    hand: int
    trick: int
    seat: int
    card: str
    covered: bool
    next_seat: int | None


class TrickEnded(msgspec.Struct, frozen=True, gc=False):
    """A trick is over; no winner means a tie (R-07). `next_leader` leads the next trick, if there is one."""

    hand: int
    trick: int
    winner_seat: int | None
    next_leader: int


class RaiseCalled(msgspec.Struct, frozen=True, gc=False):
    """A seat asked to raise the hand to this value; the other side answers. `accepted_value` is what it is worth now."""

    hand: int
    seat: int
    value: int
    accepted_value: int


class RaiseAccepted(msgspec.Struct, frozen=True, gc=False):
    """The hand is worth this value; `may_raise_sides` may ask for the next one."""

    hand: int
    seat: int
    value: int
    may_raise_sides: tuple[int, ...]


class FoldProposed(msgspec.Struct, frozen=True, gc=False):
    """A member of the asked side wants to run, or to decline the mão de onze, which needs every member (R-13)."""

    hand: int
    seat: int


class RaiseRefused(msgspec.Struct, frozen=True, gc=False):
    """The called side ran from this value."""

    hand: int
    seat: int
    value: int


class ElevenHandPlayed(msgspec.Struct, frozen=True, gc=False):
    """The side at eleven plays, for this value; `may_raise_sides` may ask for the next one (R-18)."""

    hand: int
    seat: int
    value: int
    may_raise_sides: tuple[int, ...]


class ElevenHandDeclined(msgspec.Struct, frozen=True, gc=False):
    """The side at eleven declined."""

    hand: int
    seat: int


class IllegalRaisePunished(msgspec.Struct, frozen=True, gc=False):
    """A raise that the rules punish was called (R-18): `consequence` is `loses_match` or `opponents_score_three`."""

    hand: int
    seat: int
    consequence: str


class SignalSent(msgspec.Struct, frozen=True, gc=False):
    """A seat made a gesture to its partners (R-23). What it means stands in the deal."""

    hand: int
    seat: int
    gesture: str


class HandEnded(msgspec.Struct, frozen=True, gc=False):
    """A hand is over: the side that scores (None: nobody), its points, the score after it (capped, R-16)."""

    hand: int
    winner_side: int | None
    points: int
    score: tuple[int, int]


class MatchEnded(msgspec.Struct, frozen=True, gc=False):
    """A side has won."""

    winner_side: int
    score: tuple[int, int]


TrucoEvent = (
    HandDealt
    | CardPlayed
    | TrickEnded
    | RaiseCalled
    | RaiseAccepted
    | FoldProposed
    | RaiseRefused
    | ElevenHandPlayed
    | ElevenHandDeclined
    | IllegalRaisePunished
    | SignalSent
    | HandEnded
    | MatchEnded
)

EVENT_TYPES: dict[str, type[TrucoEvent]] = {
    "truco.hand_dealt": HandDealt,
    "truco.card_played": CardPlayed,
    "truco.trick_ended": TrickEnded,
    "truco.raise_called": RaiseCalled,
    "truco.raise_accepted": RaiseAccepted,
    "truco.fold_proposed": FoldProposed,
    "truco.raise_refused": RaiseRefused,
    "truco.eleven_hand_played": ElevenHandPlayed,
    "truco.eleven_hand_declined": ElevenHandDeclined,
    "truco.illegal_raise_punished": IllegalRaisePunished,
    "truco.signal_sent": SignalSent,
    "truco.hand_ended": HandEnded,
    "truco.match_ended": MatchEnded,
}
"""The registered names of the event types, as stored."""
