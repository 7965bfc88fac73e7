"""A match of Cacheta told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from typing import assert_never

from libs.rules.cacheta import events as ev
from libs.rules.cacheta import view as vw

_SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}
_REASONS = {"empty_stock": "the stock is empty", "turns": "it has gone on for too long"}


def tell(event: ev.CachetaEvent | vw.CachetaSeen) -> str:
    """One line for an event, or for what a viewer was told of it: it says no more than its argument holds."""
    match event:
        case ev.RoundDealt():
            hands = "; ".join(
                f"seat {seat} {_cards(cards)}" for seat, cards in enumerate(event.hands) if cards
            )
            return f"{_dealt(event)}: {hands}; stock {_cards(event.stock)}"
        case vw.RoundDealtSeen():
            return _dealt(event)
        case ev.CardDrawn() | vw.CardDrawnSeen():
            return f"seat {event.seat} draws {'a card' if event.card is None else _card(event.card)}"
        case ev.StockReshuffled():
            return f"the discard pile becomes the stock: {_cards(event.stock)}"
        case vw.StockReshuffledSeen():
            return f"the discard pile becomes the stock: {event.stock_count} cards"
        case ev.DiscardTaken():
            return f"seat {event.seat} takes the discard {_card(event.card)}"
        case ev.CardDiscarded():
            asked = f"; {_seats(event.may_claim)} may claim it" if event.may_claim else ""
            return f"seat {event.seat} discards {_card(event.card)}{asked}"
        case ev.NaBoaAnnounced():
            return f"seat {event.seat} is na boa"
        case ev.JumpClaimed():
            return f"seat {event.seat} claims the discard"
        case ev.JumpPassed():
            return f"seat {event.seat} does not claim the discard"
        case ev.JumpFailed():
            return f"seat {event.seat} cannot go out with it{' and is burnt' if event.burnt else ''}"
        case ev.WindowClosed():
            return f"nobody goes out with the discard: seat {event.next_seat} draws"
        case ev.WentOut():
            return _went_out(event)
        case ev.RoundEnded():
            fallen = f"; {_seats(event.fallen)} out" if event.fallen else ""
            return (
                f"round {event.round} is seat {event.winner}'s, the others lose {event.lost}: "
                f"{_points(event.points)}{fallen}"
            )
        case ev.RoundVoided():
            return f"round {event.round} is void, the {event.running}. in a row: {_REASONS[event.reason]}"
        case ev.MatchEnded():
            end = "the match is a draw" if event.winner is None else f"seat {event.winner} wins the match"
            return f"{end}: {_points(event.points)}"
        case _:
            assert_never(event)


def picture(view: vw.CachetaView) -> list[str]:
    """A view in lines: what this viewer has before its eyes."""
    top = "nothing" if view.discard_top is None else _card(view.discard_top)
    lines = [
        f"points {_points(view.points)}; round {view.round} begun by seat {view.starter}, turn {view.turn}",
        f"vira {_card(view.vira)}, wild {' '.join(map(_face, view.wilds))}; {_phase(view)}",
        f"stock {view.stock_count} cards, discard pile {view.discard_count} with {top} on top",
    ]
    if view.announced:
        lines.append(f"na boa: {_seats(view.announced)}")
    if view.burnt:
        lines.append(f"burnt: {_seats(view.burnt)}")
    for hand in view.hands:
        if hand.count:
            you = " (you)" if hand.seat == view.seat else ""
            held = _cards(hand.cards) if hand.cards else f"{hand.count} cards"
            lines.append(f"seat {hand.seat}{you}: {held}")
    if view.laid:
        lines.append(f"laid down: {_melds(view.laid)}")
    return lines


def _phase(view: vw.CachetaView) -> str:
    if view.window is not None:
        answered = {*view.window.claimed, *view.window.passed}
        asked = tuple(seat for seat in view.window.may_claim if seat not in answered)
        return f"the discard of seat {view.window.discarder} waits for {_seats(asked)}"
    return "over" if view.phase == "over" else f"seat {view.to_play} to {view.phase}"


def _dealt(event: ev.RoundDealt | vw.RoundDealtSeen) -> str:
    return f"round {event.round} is dealt, vira {_card(event.vira)}, seat {event.starter} begins"


def _went_out(event: ev.WentOut) -> str:
    claimed = "" if event.claimed is None else f" with the discard {_card(event.claimed)}"
    discard = "" if event.discard is None else f", discarding {_card(event.discard)}"
    return f"seat {event.seat} goes out{claimed}{discard}: {_melds(event.melds)}"


def _melds(melds: tuple[tuple[str, ...], ...]) -> str:
    return " | ".join(map(_cards, melds))


def _points(points: tuple[int, ...]) -> str:
    return " ".join(map(str, points))


def _seats(seats: tuple[int, ...]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(map(_card, cards))


def _card(card: str) -> str:
    return _face(card[:2])


def _face(face: str) -> str:
    return ("10" if face[0] == "T" else face[0]) + _SUITS[face[1]]
