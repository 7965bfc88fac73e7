"""A second scorer of deals and matches, written from the rulings alone: it reads what happened and believes no judgement.

It uses no rule of the engine: events are read for the cards that moved and for who moved them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.libs.rules.buraco.naive_melds import is_wild_meld, points, readings, worth


@dataclass
class Deal:
    """Where the cards of the running deal lie, as the events tell."""

    hands: list[set[str]]
    melds: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    red_threes: list[list[str]] = field(default_factory=lambda: [[], []])
    takers: list[int | None] = field(default_factory=lambda: [None, None])
    unplayed: dict[int, list[str]] = field(default_factory=dict)
    mortos_left: int = 2

    def follow(self, event: Any) -> None:
        match type(event).__name__:
            case "StockDrawn" | "RedThreeReplaced":
                self.hands[event.seat].add(event.card)
            case "LixoTaken":
                self.hands[event.seat].update(event.cards)
            case "CardDiscarded":
                self.hands[event.seat].remove(event.card)
            case "RedThreeLaid":
                self.hands[event.seat].remove(event.card)
                self.red_threes[event.seat % 2].append(event.card)
                if event.seat in self.unplayed:
                    self.unplayed[event.seat].append(event.card)
            case "MeldLaid":
                self.hands[event.seat] -= set(event.shape.cards)
                self.melds.append((event.seat % 2, event.shape.cards))
            case "MeldExtended":
                self.hands[event.seat] -= set(event.added)
                side, cards = self.melds[event.number]
                assert side == event.seat % 2
                self.melds[event.number] = (side, (*cards, *event.added))
            case "MortoTaken":
                assert self.takers[event.seat % 2] is None, "B-36"
                assert not self.hands[event.seat]
                self.takers[event.seat % 2] = event.seat
                self.hands[event.seat].update(event.cards)
                self.mortos_left -= 1
                if not event.direct:
                    self.unplayed[event.seat] = []
            case "MortoTurned":
                self.mortos_left -= 1
            case "TurnEnded":
                self.unplayed.pop(event.next_seat, None)


def _is_meld(cards: tuple[str, ...], switches: Mapping[str, str]) -> bool:
    runs, as_set = readings(cards, switches)
    return bool(runs) or as_set is not None or is_wild_meld(cards, switches)


def _canastras(deal: Deal, side: int, switches: Mapping[str, str]) -> list[set[int]]:
    return [points(cards, switches) for owner, cards in deal.melds if owner == side]


def _hand_cost(cards: Iterable[str], switches: Mapping[str, str]) -> int:
    cards = list(cards)
    if switches["special_threes"] != "true":
        return worth(cards, switches)
    black = [card for card in cards if card[0] == "3"]
    ordinary = [card for card in cards if card[0] != "3"]
    return worth(ordinary, switches) + int(switches["black_three_in_hand"]) * len(black)


def side_totals(deal: Deal, side: int, out_seat: int | None, switches: Mapping[str, str]) -> set[int]:
    """What a side may have scored: one total, or several where a run of thirteen has a lone ace (B-15)."""
    goes_out = out_seat is not None and out_seat % 2 == side
    others_go_out = out_seat is not None and not goes_out
    void = (
        {seat: laid for seat, laid in deal.unplayed.items() if seat % 2 == side}
        if switches["unplayed_morto_pays"] == "true" and others_go_out
        else {}
    )
    total = sum(worth(cards, switches) for owner, cards in deal.melds if owner == side)
    total += 100 if goes_out else 0
    for seat, hand in enumerate(deal.hands):
        if seat % 2 == side and seat not in void:
            total -= _hand_cost(hand, switches)
    if (deal.takers[side] is None or void) and not (
        goes_out and switches["morto_penalty"] == "not_who_goes_out"
    ):
        total -= 100
    canastras = _canastras(deal, side, switches)
    threes = len(deal.red_threes[side]) - sum(map(len, void.values()))
    each = int(switches["four_red_threes"]) if threes == 4 else 100 * threes
    has_canastra = any(
        len(cards) >= 7 and max(bonus) > 0
        for (_, cards), bonus in zip([meld for meld in deal.melds if meld[0] == side], canastras, strict=True)
    )
    total += each if has_canastra else -each
    totals = {total}
    for bonus in canastras:
        totals = {sum_ + more for sum_ in totals for more in bonus}
    return totals


def may_go_out(deal: Deal, side: int, turned: int, switches: Mapping[str, str]) -> bool:
    """B-37, B-38."""
    if deal.takers[side] is None:
        allowed = {
            "never": False,
            "both_became_stock": turned == 2,
            "if_none_left": deal.mortos_left == 0,
        }
        if not allowed[switches["go_out_without_morto"]]:
            return False
    least = 100 if switches["go_out"] == "any" else 200
    if switches["big_run_needs_clean"] != "true":
        # A dirty run may pay 500 here, and is dirty all the same: this scorer does not tell.
        least = 100
    return any(max(bonus) >= least for bonus in _canastras(deal, side, switches))


def told(events: Iterable[Any], switches: Mapping[str, str], players: int) -> Iterator[tuple[str, Any]]:
    """What must be true of each end: `deal` with the possible totals of both sides, `match` with the winners."""
    deal = Deal([])
    turned = 0
    score = [0, 0]
    out_seat: int | None = None
    for event in events:
        match type(event).__name__:
            case "DealStarted":
                deal, turned = Deal([set(hand) for hand in event.hands]), 0
                assert len(deal.hands) == players
                continue
            case "DealEnded":
                out_seat = event.out_seat
                if out_seat is not None:
                    assert not deal.hands[out_seat]
                    assert may_go_out(deal, out_seat % 2, turned, switches), event
                totals = [side_totals(deal, side, out_seat, switches) for side in (0, 1)]
                yield "deal", (totals, event)
                score = [score[side] + event.sides[side].total for side in (0, 1)]
                assert tuple(score) == event.score
                continue
            case "MatchEnded":
                if score[0] == score[1]:
                    by_batida = switches["tie_break"] == "batida" and out_seat is not None
                    yield "match", ((out_seat % 2,) if by_batida and out_seat is not None else (), event)
                else:
                    yield "match", ((0,) if score[0] > score[1] else (1,), event)
                continue
            case "MortoTurned":
                turned += 1
        deal.follow(event)
        if type(event).__name__ == "MeldLaid":
            assert _is_meld(event.shape.cards, switches), event
        if type(event).__name__ == "MeldExtended":
            assert _is_meld(deal.melds[event.number][1], switches), event
