"""A second scorer of Sueca, written from the rulings alone and as plainly as can be: it reads what was dealt and played and
works out tricks, hands and the match by itself. It shares no line with `libs.rules.sueca`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

STRONG_TO_WEAK = "A7KJQ65432"
WORTH = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}


def winner(plays: list[tuple[int, str]], trump: str) -> int:
    """The seat that wins a trick (S-03)."""
    suit = trump if any(card[1] == trump for _, card in plays) else plays[0][1][1]
    able = [(STRONG_TO_WEAK.index(card[0]), seat) for seat, card in plays if card[1] == suit]
    return min(able)[1]


def told(events: Iterable[Any], switches: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """What the events of a match say of tricks, hands and its end, as (kind, facts) worked out anew.

    The kinds are `lead` (the seat), `trick` (winner, points), `hand` (side, points, score, carry), `match` (side, score).
    """
    score, carry = [0, 0], 0
    hands: dict[int, set[str]] = {}
    plays: list[tuple[int, str]] = []
    won: list[tuple[int, int]] = []
    trump, turn = "", 0
    for event in events:
        kind = type(event).__name__
        if kind == "HandDealt":
            hands = {seat: set(cards) for seat, cards in enumerate(event.cards)}
            trump, turn, won = event.cards[event.dealer][-1][1], (event.dealer + 1) % 4, []
        if kind != "CardPlayed":
            continue
        assert event.seat == turn, "out of turn"
        if not plays:
            yield "lead", event.seat
        else:
            led = plays[0][1][1]
            could = any(card[1] == led for card in hands[event.seat])
            assert event.card[1] == led or not could, "a renúncia"
        hands[event.seat].remove(event.card)
        plays.append((event.seat, event.card))
        turn = (turn + 1) % 4
        if len(plays) < 4:
            continue
        turn, points = winner(plays, trump), sum(WORTH.get(card[0], 0) for _, card in plays)
        won.append((turn, points))
        plays = []
        yield "trick", (turn, points)
        if len(won) < 10:
            continue
        totals = [sum(points for seat, points in won if seat % 2 == side) for side in (0, 1)]
        if totals[0] == totals[1]:
            carry = carry + 1 if switches["tie_carry"] == "cumulative" else 1
            yield "hand", (None, 0, tuple(score), carry)
            continue
        side = totals.index(max(totals))
        worth = (1 if totals[side] <= 90 else 2) + carry
        if len({seat % 2 for seat, _ in won}) == 1:
            worth = 4
        carry = 0
        score[side] = min(4, score[side] + worth)
        yield "hand", (side, worth, tuple(score), carry)
        if score[side] == 4:
            yield "match", (side, tuple(score))
