"""A match of Truco told in words, a line an event, for operators and analysts."""

from __future__ import annotations

from typing import assert_never

from libs.rules.truco import events as ev
from libs.rules.truco import view as vw
from libs.rules.truco.signals import GESTURES

_SUITS = {"P": "♣", "C": "♥", "E": "♠", "O": "♦"}
_CALLS = {3: "truco", 6: "seis", 9: "nove", 12: "doze"}


def tell(event: ev.TrucoEvent | vw.TrucoSeen) -> str:
    """One line for an event, or for what a viewer was told of it: it says no more than its argument holds."""
    match event:
        case ev.HandDealt():
            hands = "; ".join(f"seat {seat} {_cards(cards)}" for seat, cards in enumerate(event.cards))
            return f"{_dealt(event)}: {hands}{_meanings(event.signal_tables)}"
        case vw.HandDealtSeen():
            return _dealt(event)
        case ev.CardPlayed() | vw.CardPlayedSeen():
            face = "a card" if event.card is None else _card(event.card)
            return f"seat {event.seat} plays {face}{' covered' if event.covered else ''}"
        case ev.TrickEnded():
            winner = "is tied" if event.winner_seat is None else f"goes to seat {event.winner_seat}"
            return f"trick {event.trick} {winner}"
        case ev.RaiseCalled():
            return f"seat {event.seat} calls {_CALLS.get(event.value, event.value)}"
        case ev.RaiseAccepted():
            return f"seat {event.seat} accepts: the hand is worth {event.value}"
        case ev.FoldProposed():
            return f"seat {event.seat} wants to run"
        case ev.RaiseRefused():
            return f"seat {event.seat}'s side runs from {_CALLS.get(event.value, event.value)}"
        case ev.ElevenHandPlayed():
            return f"seat {event.seat}'s side plays its mão de onze, for {event.value}"
        case ev.ElevenHandDeclined():
            return f"seat {event.seat}'s side declines its mão de onze"
        case ev.IllegalRaisePunished():
            return f"seat {event.seat} calls a raise that {event.consequence.replace('_', ' ')}"
        case ev.SignalSent():
            return f"seat {event.seat} signals {event.gesture}"
        case ev.HandEnded():
            score = " to ".join(map(str, event.score))
            if event.winner_side is None:
                return f"hand {event.hand} is nobody's: {score}"
            return f"hand {event.hand}: {event.points} to side {event.winner_side}: {score}"
        case ev.MatchEnded():
            return f"side {event.winner_side} wins the match {' to '.join(map(str, event.score))}"
        case _:
            assert_never(event)


def picture(view: vw.TrucoView) -> list[str]:
    """A view in lines: what this viewer has before its eyes."""
    stake = f"worth {view.value}"
    if view.pending_raise is not None:
        call = _CALLS.get(view.pending_raise.value, view.pending_raise.value)
        stake += f", seat {view.pending_raise.by_seat} calls {call}"
    lines = [
        f"score {view.score[0]} to {view.score[1]}; hand {view.hand} dealt by seat {view.dealer}, {stake}",
        f"vira {_card(view.vira)}, manilha {view.manilha}; {view.phase.replace('_', ' ')}",
    ]
    for number, trick in enumerate(view.tricks, start=1):
        plays = ", ".join(f"seat {play.seat} {_face(play)}" for play in trick.cards) or "no card yet"
        end = (
            ""
            if not trick.is_over
            else "; tied"
            if trick.winner_seat is None
            else f"; seat {trick.winner_seat} wins"
        )
        lines.append(f"trick {number}: {plays}{end}")
    lines += [f"seat {signal.seat} has signalled {signal.gesture}" for signal in view.signals]
    for table in view.signal_tables:
        meanings = ", ".join(f"{one.gesture} {_SUITS[one.suit]}" for one in table.meanings)
        lines.append(f"side {table.side} signals: {meanings}")
    for hand in view.hands:
        you = " (you)" if hand.seat == view.seat else ""
        lines.append(f"seat {hand.seat}{you}: {_cards(hand.cards) if hand.cards else f'{hand.count} cards'}")
    return lines


def _face(play: vw.PlayedCardView) -> str:
    face = "" if play.card is None else _card(play.card)
    return f"{face} covered".strip() if play.covered else face


def _dealt(event: ev.HandDealt | vw.HandDealtSeen) -> str:
    blind = ", blind" if event.blind else ""
    return f"hand {event.hand} is dealt by seat {event.dealer}, vira {_card(event.vira)}, worth {event.value}{blind}"


def _meanings(tables: tuple[str, ...]) -> str:
    told = (
        f"; side {side} signals "
        + " ".join(f"{gesture} {_SUITS[suit]}" for gesture, suit in zip(GESTURES, table, strict=True))
        for side, table in enumerate(tables)
    )
    return "".join(told)


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(_card(card) for card in cards)


def _card(card: str) -> str:
    return card[:-1] + _SUITS[card[-1]]
