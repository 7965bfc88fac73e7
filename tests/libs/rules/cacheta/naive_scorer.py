"""A second scorer, written from the rulings alone: it reads what players did and says what must follow.

It keeps its own hands from the deals, draws and discards, and judges who goes out by `naive_melds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from libs.rules.cacheta import events as ev
from tests.libs.rules.cacheta.naive_melds import Hand, is_meld, wilds_of


class Scorer:
    """Reads the log of a match event by event; `pairs` gives what an event says beside what the rulings ask for."""

    def __init__(self, points: Sequence[int], switches: Mapping[str, str]) -> None:
        self.score = list(points)
        self.voids, self.starter = 0, -1
        self.most = {"none": None, "1": 1, "2": 2}[switches.get("cacheta_max_wilds", "none")]
        self.four = switches.get("four_suit_set", "false") == "true"
        self.hands: list[list[str]] = []
        self.pile: list[str] = []
        self.vira = ""
        self.out: ev.WentOut | None = None

    def pairs(self, event: Any) -> Iterator[tuple[Any, Any]]:
        match event:
            case ev.RoundDealt():
                yield from self._dealt(event)
            case ev.CardDrawn():
                self.hands[event.seat].append(event.card)
            case ev.DiscardTaken():
                self.hands[event.seat].append(self.pile.pop())
            case ev.StockReshuffled():
                yield sorted(event.stock), sorted(self.pile[:-1])
                del self.pile[:-1]
            case ev.CardDiscarded():
                self.hands[event.seat].remove(event.card)
                self.pile.append(event.card)
            case ev.JumpFailed():
                yield self._judge([*self.hands[event.seat], self.pile[-1]]).goes_out(), False
            case ev.WentOut():
                yield from self._went_out(event)
            case ev.RoundEnded():
                yield event, self._ended(event.round)
            case ev.RoundVoided():
                self.voids += 1
                yield event.running, self.voids
            case ev.MatchEnded():
                best = [
                    seat
                    for seat in range(4)
                    if (self.score[seat] == max(self.score) if self.voids == 3 else self.score[seat])
                ]
                yield event, ev.MatchEnded(best[0] if len(best) == 1 else None, tuple(self.score))
            case _:
                pass

    def _dealt(self, event: ev.RoundDealt) -> Iterator[tuple[Any, Any]]:
        if self.starter >= 0:
            order = [(self.starter + step) % 4 for step in (1, 2, 3, 4)]
            yield event.starter, next(seat for seat in order if self.score[seat])
        alive = [seat for seat, left in enumerate(self.score) if left]
        yield [seat for seat, hand in enumerate(event.hands) if hand], alive
        self.starter, self.vira, self.pile = event.starter, event.vira, []
        self.hands = [list(hand) for hand in event.hands]

    def _judge(self, cards: Sequence[str]) -> Hand:
        return Hand(cards, self.vira, self.most, self.four)

    def _went_out(self, event: ev.WentOut) -> Iterator[tuple[Any, Any]]:
        self.out = event
        cards = self.hands[event.seat] + ([self.pile[-1]] if event.claimed else [])
        yield event.discard is None, self._judge(cards).whole()
        laid = [card for meld in event.melds for card in meld]
        yield sorted(laid + ([event.discard] if event.discard else [])), sorted(cards)
        for meld in event.melds:
            faces = [card[:2] for card in meld]
            yield is_meld(faces, wilds_of(self.vira), self.most, self.four), True

    def _ended(self, number: int) -> ev.RoundEnded:
        assert self.out is not None
        winner, lost = self.out.seat, 1 if self.out.discard else 2
        before = list(self.score)
        self.score = [left if seat == winner else max(0, left - lost) for seat, left in enumerate(before)]
        self.voids = 0
        fallen = tuple(seat for seat in range(4) if before[seat] and not self.score[seat])
        return ev.RoundEnded(number, winner, lost, tuple(self.score), fallen)


def expected_ends(
    log: Sequence[Any], points: Sequence[int], switches: Mapping[str, str]
) -> Iterator[tuple[Any, Any]]:
    """What the events of a match say, beside what the rulings ask for."""
    scorer = Scorer(points, switches)
    for event in log:
        yield from scorer.pairs(event)
