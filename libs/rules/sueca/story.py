"""A match of Sueca told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from typing import assert_never

from libs.rules.sueca import events as ev
from libs.rules.sueca import view as vw

_SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}


def tell(event: ev.SuecaEvent | vw.SuecaSeen) -> str:
    """One line for an event, or for what a viewer was told of it: it says no more than its argument holds."""
    match event:
        case ev.HandDealt():
            hands = "; ".join(f"seat {seat} {_cards(cards)}" for seat, cards in enumerate(event.cards))
            return f"{_dealt(event)}: {hands}"
        case vw.HandDealtSeen():
            return _dealt(event)
        case ev.CardPlayed():
            return f"seat {event.seat} plays {_card(event.card)}"
        case ev.TrickEnded():
            return f"trick {event.trick} goes to seat {event.winner_seat}, with {event.points}"
        case ev.HandEnded():
            return f"hand {event.hand}: {_won(event)}: {' to '.join(map(str, event.score))}"
        case ev.MatchEnded():
            return f"side {event.winner_side} wins the match {' to '.join(map(str, event.score))}"
        case _:
            assert_never(event)


def picture(view: vw.SuecaView) -> list[str]:
    """A view in lines: what this viewer has before its eyes."""
    carry = f", {view.carry} carried" if view.carry else ""
    holder = f"held by seat {view.dealer}" if view.is_trump_held else "played"
    points = " to ".join(map(str, view.card_points))
    lines = [
        f"score {view.score[0]} to {view.score[1]}{carry}; hand {view.hand} dealt by seat {view.dealer}",
        f"trump {_card(view.trump_card)}, {holder}; card points {points}; {view.phase}",
    ]
    for number, trick in enumerate(view.tricks, start=1):
        plays = ", ".join(f"seat {play.seat} {_card(play.card)}" for play in trick.cards) or "no card yet"
        end = "" if trick.winner_seat is None else f"; seat {trick.winner_seat} wins {trick.points}"
        lines.append(f"trick {number}: {plays}{end}")
    for hand in view.hands:
        you = " (you)" if hand.seat == view.seat else ""
        shown = f": {_cards(hand.cards)}" if hand.cards else ""
        lines.append(f"seat {hand.seat}{you}: {hand.count} cards{shown}")
    return lines


def _dealt(event: ev.HandDealt | vw.HandDealtSeen) -> str:
    return f"hand {event.hand} is dealt by seat {event.dealer}, trump {_card(event.trump_card)}"


def _won(event: ev.HandEnded) -> str:
    points = f"{event.card_points[0]} to {event.card_points[1]}"
    if event.winner_side is None:
        return f"{points} is nobody's, {event.carry} carried"
    how = "a bandeira" if event.is_bandeira else points
    return f"{how}, {event.points} to side {event.winner_side}"


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(_card(card) for card in cards)


def _card(card: str) -> str:
    return card[:-1] + _SUITS[card[-1]]
