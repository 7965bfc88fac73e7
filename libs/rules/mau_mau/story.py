"""A match of Mau Mau told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from typing import assert_never

from libs.rules.mau_mau import events as ev
from libs.rules.mau_mau import view as vw
from libs.rules.mau_mau.cards import RANK, SUIT

_SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}
_REASONS = {
    "turn": "",
    "nine": " for the nine",
    "false_call": " for a false call",
    "forgotten_call": " for the call that was forgotten",
    "false_accusation": " for a false accusation",
}


def tell(event: ev.MauMauEvent | vw.MauMauSeen) -> str:
    """One line for an event, or for what a viewer was told of it: it says no more than its argument holds."""
    match event:
        case ev.CardsDealt():
            hands = "; ".join(f"seat {seat} {_cards(cards)}" for seat, cards in enumerate(event.cards))
            return f"{_dealt(event)}: {hands}"
        case vw.CardsDealtSeen():
            return _dealt(event)
        case ev.CardPlayed():
            return f"seat {event.seat} plays {_card(event.card)}{_effect(event)}"
        case ev.CardsDrawn():
            return f"seat {event.seat} draws {_drawn(len(event.cards), event.cards)}{_REASONS[event.reason]}"
        case vw.CardsDrawnSeen():
            return f"seat {event.seat} draws {_drawn(event.count, event.cards)}{_REASONS[event.reason]}"
        case ev.PenaltyTaken():
            return f"seat {event.seat} takes the penalty: {_drawn(len(event.cards), event.cards)}"
        case vw.PenaltyTakenSeen():
            return f"seat {event.seat} takes the penalty: {_drawn(event.count, event.cards)}"
        case ev.TurnPassed():
            return f"seat {event.seat} passes"
        case ev.PileShuffled():
            return f"the pile is shuffled under the stock: {_cards(event.order)}"
        case vw.PileShuffledSeen():
            return f"the pile is shuffled under the stock: {event.count} cards"
        case ev.MauMauCalled():
            return f"seat {event.seat} says mau-mau{', falsely' if event.is_false else ''}"
        case ev.Accused():
            false = ", falsely" if event.is_false else ""
            return f"seat {event.seat} accuses seat {event.accused_seat} of a forgotten call{false}"
        case ev.MatchEnded():
            left = " ".join(map(str, event.cards_left))
            if event.winner_seat is None:
                return f"the match is a draw; cards left {left}"
            return f"seat {event.winner_seat} wins the match; cards left {left}"
        case _:
            assert_never(event)


def picture(view: vw.MauMauView) -> list[str]:
    """A view in lines: what this viewer has before its eyes."""
    way = "in the order of the seats" if view.step == 1 else "against the order of the seats"
    lines = [
        f"turn {view.turn}, {way}; stock {view.stock_count}, pile {view.pile_count}",
        f"on top {_card(view.top)}, {_SUITS[view.suit]} counts",
    ]
    if view.is_over:
        end = "the match is a draw" if view.winner is None else f"seat {view.winner} has won"
        lines.append(end)
    else:
        drawn = ", has drawn" if view.has_drawn else ""
        owes = f", owes {view.penalty}" if view.penalty else ""
        lines.append(f"seat {view.to_play} is to play{drawn}{owes}")
    if view.forgot_seat is not None:
        lines.append(f"seat {view.forgot_seat} has forgotten to say mau-mau")
    for hand in view.hands:
        you = " (you)" if hand.seat == view.seat else ""
        lines.append(f"seat {hand.seat}{you}: {_cards(hand.cards) if hand.cards else f'{hand.count} cards'}")
    return lines


def _effect(event: ev.CardPlayed) -> str:
    """What a card has brought about, as far as its event tells."""
    if RANK[event.card] == "J" and event.suit != SUIT[event.card]:
        return f" and names {_SUITS[event.suit]}"
    return f"; {event.penalty} are owed" if event.penalty else ""


def _dealt(event: ev.CardsDealt | vw.CardsDealtSeen) -> str:
    owed = f", who owes {event.penalty}" if event.penalty else ""
    return f"seat {event.dealer} deals and turns {_card(event.turned)}; seat {event.first_seat} begins{owed}"


def _drawn(count: int, cards: tuple[str, ...]) -> str:
    told = "nothing" if not count else "a card" if count == 1 else f"{count} cards"
    return f"{told} ({_cards(cards)})" if cards else told


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(_card(card) for card in cards)


def _card(card: str) -> str:
    return card[:-1] + _SUITS[card[-1]]
