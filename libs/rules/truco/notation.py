"""A match of Truco as a column prints it; docs/notation.md describes it.

Mão 3  dá c  vira Q♦
  d K♠ 4♦ 7♠
  a 4♠ 4♣ 2♣
  b K♥ Q♣ 3♥
  c A♦ 7♣ 5♠
  sinais  da ♠♥♣♦  bc ♠♦♣♥
  1. d truco  a aceita  d K♠  a 2♣  b K♥  c (5♠)  > a
"""

from __future__ import annotations

from typing import assert_never

from libs.rules.notation.cards import LETTERS, SUITS, code, is_card, score_text, seat_name, shown, shown_all
from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.language import Notation
from libs.rules.notation.page import Page
from libs.rules.notation.words import Word, Words
from libs.rules.truco import events as ev
from libs.rules.truco.deal import CARDS_PER_SEAT
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
    TrucoMove,
)
from libs.rules.truco.raising import punished_steps
from libs.rules.truco.signals import GESTURES, ORDERS
from libs.rules.truco.state import State

CALLS = {3: "truco", 6: "seis", 9: "nove", 12: "doze"}
VALUES = {call: value for value, call in CALLS.items()}
_EXPECTED = f"a card, {', '.join(VALUES)}, aceita, corre, joga, recusa, {', '.join(GESTURES)}"


def write(page: Page, event: ev.TrucoEvent, state: State) -> None:
    """Adds an event to the page."""
    match event:
        case ev.HandDealt():
            _write_deal(page, event)
        case ev.CardPlayed():
            card = shown(event.card)
            _act(page, state, event.seat, f"({card})" if event.covered else card)
        case ev.TrickEnded():
            page.add("> empate" if event.winner_seat is None else f"> {seat_name(event.winner_seat)}")
            page.close()
        case ev.RaiseCalled():
            _act(page, state, event.seat, CALLS[event.value])
        case ev.RaiseAccepted():
            _act(page, state, event.seat, "aceita")
        case ev.RaiseRefused():
            _act(page, state, event.seat, "corre")
        case ev.FoldProposed():
            # Running and declining are proposed alike where both partners must say so.
            _act(page, state, event.seat, "recusa" if state.pending is None else "corre")
        case ev.ElevenHandPlayed():
            _act(page, state, event.seat, "joga")
        case ev.ElevenHandDeclined():
            _act(page, state, event.seat, "recusa")
        case ev.IllegalRaisePunished():
            # Which step was called is not kept: the lowest is as forbidden as the others.
            _act(page, state, event.seat, f"{CALLS[punished_steps(state)[0]]} proibido")
        case ev.SignalSent():
            _act(page, state, event.seat, event.gesture)
        case ev.HandEnded():
            side = "ninguém" if event.winner_side is None else page.side(event.winner_side)
            page.begin(f"= {side} +{event.points}", indent=1)
            page.add(score_text(event.score))
            page.close()
        case ev.MatchEnded():
            page.close()
        case _:
            assert_never(event)


def _act(page: Page, state: State, seat: int, what: str) -> None:
    """Something that a seat does in a trick, whose number begins the line."""
    page.add_to(len(state.tricks) + 1, f"{seat_name(seat)} {what}")


def _write_deal(page: Page, event: ev.HandDealt) -> None:
    page.blank()
    page.begin(f"Mão {event.hand}")
    page.add(f"dá {seat_name(event.dealer)}")
    page.add(f"vira {shown(event.vira)}")
    if event.eleven_side is not None:
        page.add(f"onze {page.side(event.eleven_side)}")
    if event.iron_hand:
        page.add("ferro")
    players = len(event.cards)
    for order in range(players):
        seat = (event.leader + order) % players
        page.begin(f"{seat_name(seat)} {shown_all(event.cards[seat])}", indent=1)
    if event.signal_tables:
        page.begin("sinais", indent=1)
        for side, suits in enumerate(event.signal_tables):
            page.add(f"{page.side(side)} {''.join(map(SUITS.__getitem__, suits))}")
    page.close()


def read_draw(_kind: str, words: Words, draws: RecordedDraws, state: State) -> None:
    """Reads a deal: who deals, the vira, the cards of each seat, and the meanings of the signals."""
    here = words.next
    hand = words.number()
    words.exactly("dá")
    dealer_word = words.next
    dealer = words.seat()
    if hand == 1:
        draws.write_number("dealer", dealer, dealer_word)
    words.exactly("vira")
    vira = words.card()
    if words.is_next("onze"):
        words.take()
    else:
        words.is_next("ferro")
    cards: list[Word] = []
    for order in range(state.players):
        words.exactly(seat_name((dealer + 1 + order) % state.players))
        cards += words.cards(CARDS_PER_SEAT)
    draws.write_order(f"hand-{hand}", [*cards, vira], here)
    if words.is_next("sinais"):
        _read_signals(words, draws, hand)


def _read_signals(words: Words, draws: RecordedDraws, hand: int) -> None:
    """The meanings of both sides as the one number that they are drawn by (see `signals`)."""
    words.take()
    here = words.next
    first = _order(words.take(), ORDERS)
    words.take()
    second = _order(words.take(), [order for order in ORDERS if order != ORDERS[first]])
    draws.write_number(f"signals-{hand}", first * (len(ORDERS) - 1) + second, here)


def _order(word: Word, orders: list[str] | tuple[str, ...]) -> int:
    suits = "".join(LETTERS.get(symbol, "?") for symbol in word.text)
    if suits not in orders:
        raise word.wrong("the four suits in an order that the other side does not have, such as ♠♥♣♦")
    return orders.index(suits)


def read_move(words: Words, state: State, seat: int) -> TrucoMove:
    """Reads a move after its seat."""
    word = words.take()
    text, hand = word.text, state.hand
    covered = text.startswith("(") and text.endswith(")")
    face = text[1:-1] if covered else text
    if is_card(face):
        return _played(state, seat, code(face), covered=covered)
    if text in VALUES:
        words.is_next("proibido")
        return Raise(hand, VALUES[text])
    if text in GESTURES:
        return Signal(hand, next(gesture for gesture in GESTURES if gesture == text))
    asked = 0 if state.pending is None else state.pending.value
    match text:
        case "aceita":
            return AcceptRaise(hand, asked)
        case "corre":
            return Fold(hand, asked)
        case "joga":
            return PlayElevenHand(hand)
        case "recusa":
            return DeclineElevenHand(hand)
        case _:
            raise word.wrong(_EXPECTED)


def _played(state: State, seat: int, card: str, *, covered: bool) -> PlayCard:
    """The card by its code, or by its place where nobody sees it (R-20)."""
    trick = len(state.tricks) + 1
    dealt = state.dealt[seat]
    if state.blind and card in dealt:
        return PlayCard(state.hand, trick, position=dealt.index(card), covered=covered)
    return PlayCard(state.hand, trick, card, covered=covered)


TRUCO_NOTATION = Notation(("Mão",), write, read_draw, read_move)
