"""A match of the family told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from typing import assert_never

from libs.rules.buraco import events as ev
from libs.rules.buraco import view as vw
from libs.rules.buraco.cards import JOKER_RANK, RANK
from libs.rules.buraco.melds import Shape

_SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}


def tell(event: ev.BuracoEvent | vw.BuracoSeen) -> str:
    """One line for an event, or for what a viewer was told of it: it says no more than its argument holds."""
    match event:
        case ev.DealStarted():
            hands = "; ".join(f"seat {seat} {_cards(cards)}" for seat, cards in enumerate(event.hands))
            mortos = "; ".join(f"a morto {_cards(cards)}" for cards in event.mortos)
            return f"{_dealt(event.deal, event.starter, event.lixo)}: {hands}; {mortos}"
        case vw.DealStartedSeen():
            return f"{_dealt(event.deal, event.starter, event.lixo)}: {event.stock_count} in the stock"
        case ev.StockDrawn() | vw.StockDrawnSeen():
            return f"seat {event.seat} draws{_unless_unseen(event.card)}"
        case ev.RedThreeLaid():
            return f"seat {event.seat} lays the red three {_card(event.card)}"
        case ev.RedThreeReplaced() | vw.RedThreeReplacedSeen():
            return f"seat {event.seat} draws{_unless_unseen(event.card)} for it"
        case ev.LixoTaken():
            return f"seat {event.seat} takes the lixo: {_cards(event.cards)}"
        case vw.LixoTakenSeen():
            seen = f": {_cards(event.cards)}" if event.cards else ""
            return f"seat {event.seat} takes the lixo of {event.count}{seen}"
        case ev.MeldLaid():
            return f"seat {event.seat} lays meld {event.number}: {_shape(event.shape)}"
        case ev.MeldExtended():
            return (
                f"seat {event.seat} adds {_cards(event.added)} to meld {event.number}: {_shape(event.shape)}"
            )
        case ev.CardDiscarded():
            return f"seat {event.seat} discards {_card(event.card)}"
        case ev.MortoTaken() | vw.MortoTakenSeen():
            how = "and plays on" if event.direct else "for the next turn"
            cards = f": {_cards(event.cards)}" if event.cards else ""
            return f"seat {event.seat} takes a morto {how}{cards}"
        case ev.MortoTurned():
            return f"a morto becomes the stock: {_cards(event.cards)}"
        case vw.MortoTurnedSeen():
            return f"a morto of {event.count} becomes the stock"
        case ev.TurnEnded():
            return f"turn {event.turn} of seat {event.seat} is over, seat {event.next_seat} is next"
        case ev.DealEnded():
            return _ended(event)
        case ev.MatchEnded():
            score = " to ".join(map(str, event.score))
            if not event.winners:
                return f"the match is a draw, {score}"
            return f"side {event.winners[0]} wins the match {score}"
        case _:
            assert_never(event)


def picture(view: vw.BuracoView) -> list[str]:
    """A view in lines: what this viewer has before its eyes."""
    turn = "the match is over" if view.to_play is None else f"seat {view.to_play} to {view.phase}"
    hidden = view.lixo_count - len(view.lixo)
    under = f", {hidden} more under it" if view.lixo and hidden else ""
    lines = [
        f"score {view.score[0]} to {view.score[1]}; deal {view.deal}, turn {view.turn}, {turn}",
        f"stock {view.stock_count}, mortos {view.mortos_left}; lixo {_cards(view.lixo) or 'empty'}{under}",
    ]
    for side in view.sides:
        parts = [f"side {side.side}: {side.card_points} in cards, {side.canastra_points} in canastras"]
        if side.morto_taker is not None:
            parts.append(f"morto taken by seat {side.morto_taker}")
        if side.red_threes:
            parts.append(f"red threes {_cards(side.red_threes)}")
        lines.append("; ".join(parts))
    for meld in view.melds:
        kind = "" if not meld.is_canastra else f", canastra {'limpa' if meld.is_clean else 'suja'}"
        points = f" {meld.points}" if meld.points else ""
        lines.append(f"meld {meld.number} of side {meld.side}: {_cards(meld.cards)}{kind}{points}")
    for hand in view.hands:
        you = " (you)" if hand.seat == view.seat else ""
        shown = f": {_cards(hand.cards)}" if hand.cards else ""
        lines.append(f"seat {hand.seat}{you}: {hand.count} cards{shown}")
    return lines


def _dealt(deal: int, starter: int, lixo: tuple[str, ...]) -> str:
    turned = f", {_cards(lixo)} turned" if lixo else ""
    return f"deal {deal}, seat {starter} begins{turned}"


def _ended(event: ev.DealEnded) -> str:
    how = "the stock is at its end" if event.out_seat is None else f"seat {event.out_seat} goes out"
    sides = "; ".join(
        f"side {side} {score.total} (cards {score.cards}, canastras {score.canastras}, batida {score.batida},"
        f" red threes {score.red_threes}, in hand {score.in_hand}, morto {score.morto})"
        for side, score in enumerate(event.sides)
    )
    return f"deal {event.deal}: {how}; {sides}; {' to '.join(map(str, event.score))}"


def _shape(shape: Shape) -> str:
    return " ".join(f"({_card(card)})" if card in shape.wilds else _card(card) for card in shape.cards)


def _unless_unseen(card: str | None) -> str:
    return " a card" if card is None else f" {_card(card)}"


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(_card(card) for card in cards)


def _card(card: str) -> str:
    if RANK[card] == JOKER_RANK:
        return "joker"
    return card[0].replace("T", "10") + _SUITS[card[1]]
