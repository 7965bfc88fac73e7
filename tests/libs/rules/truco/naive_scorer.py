"""A second scorer of Truco, written from the rulings alone and as plainly as can be: it reads what was dealt, played,
called and answered, and works out tricks, hands and the match by itself. It shares no line with `libs.rules.truco`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

WEAK_TO_STRONG = "4567QJKA23"
MANILHA_SUITS = "OECP"
BEFORE = {3: 1, 6: 3, 9: 6, 12: 9}
PER_HAND = 3
GOAL = 12


def strength(card: str, vira: str) -> int:
    """How strong an open card is (R-01, R-02)."""
    manilha = WEAK_TO_STRONG[(WEAK_TO_STRONG.index(vira[0]) + 1) % len(WEAK_TO_STRONG)]
    if card[0] == manilha:
        return 100 + MANILHA_SUITS.index(card[1])
    return WEAK_TO_STRONG.index(card[0])


@dataclass
class Hand:
    """What is known of the hand that goes on."""

    vira: str
    value: int
    players: int
    eleven_side: int | None
    is_iron: bool
    plays: list[tuple[int, int]] = field(default_factory=list)
    tricks: list[int | None] = field(default_factory=list)
    calls: list[tuple[int, bool]] = field(default_factory=list)
    is_raised: bool = False

    def played(self, seat: int, card: str, covered: bool) -> tuple[int | None] | None:
        """The winning seat of the trick that this card completes (R-07, R-21), None in it for a tie; else None."""
        self.plays.append((seat, -1 if covered else strength(card, self.vira)))
        if len(self.plays) < self.players:
            return None
        best = max(power for _, power in self.plays)
        holders = [seat for seat, power in self.plays if power == best]
        is_tied = len({seat % 2 for seat in holders}) > 1
        self.plays = []
        self.tricks.append(None if is_tied else holders[0] % 2)
        return (None if is_tied else holders[0],)

    @property
    def outcome(self) -> tuple[int | None] | None:
        """The side that the tricks give the hand to (R-08), None in it when all are tied; None while it goes on."""
        won = [side for side in self.tricks if side is not None]
        for side in (0, 1):
            if won.count(side) == 2:
                return (side,)
        if won and None in self.tricks and len(self.tricks) >= 2:
            return (won[0],)
        if len(self.tricks) == PER_HAND:
            return (won[0] if won else None,)
        return None


def told(events: Iterable[Any], switches: Mapping[str, str], players: int) -> Iterator[tuple[str, Any]]:
    """What the events of a match say of tricks, hands and its end, as (kind, facts) worked out anew.

    The kinds are `trick` (its winning seat), `hand` (side, points, score) and `match` (the winning side, the score).
    """
    score = [0, 0]
    hand: Hand | None = None
    for event in events:
        kind = type(event).__name__
        if kind == "HandDealt":
            hand = Hand(event.vira, 1, players, None, score == [11, 11])
            if 11 in score and not hand.is_iron:
                hand.eleven_side = score.index(11)
                hand.value = 3
            continue
        assert hand is not None
        paid: tuple[int | None, int] | None = None
        match kind:
            case "CardPlayed":
                trick = hand.played(event.seat, event.card, event.covered)
                if trick is not None:
                    yield "trick", trick[0]
                    if hand.outcome is not None:
                        paid = _worth(hand, hand.outcome[0], switches)
            case "RaiseCalled":
                # A call as an answer accepts the value before it.
                hand.value = max(hand.value, BEFORE[event.value])
                hand.is_raised |= hand.value > 1 and hand.eleven_side is None
                hand.calls.append((event.seat % 2, not hand.plays))
            case "RaiseAccepted":
                hand.value, hand.is_raised = event.value, True
            case "RaiseRefused":
                hand.value = BEFORE[event.value]
                paid = (hand.calls[-1][0], 1 if hand.value == 1 else hand.value)
            case "ElevenHandDeclined":
                assert hand.eleven_side is not None
                paid = (1 - hand.eleven_side, 1)
            case "IllegalRaisePunished":
                winner = 1 - event.seat % 2
                if event.consequence == "loses_match":
                    yield "match", (winner, tuple(score))
                    continue
                paid = (winner, 3)
            case _:
                continue
        if paid is None:
            continue
        side, points = paid
        if side is not None:
            score[side] = min(GOAL, score[side] + points)
        yield "hand", (side, tuple(score))
        if GOAL in score:
            yield "match", (score.index(GOAL), tuple(score))


def _worth(hand: Hand, side: int | None, switches: Mapping[str, str]) -> tuple[int | None, int]:
    if side is not None:
        return side, GOAL if hand.is_iron else hand.value
    if hand.eleven_side is not None and switches["triple_tie_eleven_hand"] == "opponents3":
        return 1 - hand.eleven_side, 3
    if not hand.is_raised or switches["triple_tie_raised"] == "none" or hand.is_iron:
        return None, 0
    caller, was_blind = hand.calls[-1]
    if switches["triple_tie_raised"] == "opponent_unless_blind" and was_blind:
        return caller, 3
    return 1 - caller, 3
