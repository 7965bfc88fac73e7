"""A match of Mau Mau as a column prints it; docs/notation.md describes it.

Cartas  dá b  vira 7♥
  c 5♦ 8♣ J♠ 9♠ 2♦ …                          each seat in the order of the deal
  monte 3♣ K♥ …                               the stock from its top
  1. c leva 3♣ K♥  d J♦=♠  a compra 4♣ …      a line each time every seat may have played
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from libs.rules.mau_mau import events as ev
from libs.rules.mau_mau.cards import RANK, SUIT, Suit
from libs.rules.mau_mau.deal import CARDS_PER_SEAT
from libs.rules.mau_mau.moves import Accuse, DrawCard, MauMauMove, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.state import State
from libs.rules.notation.cards import LETTERS, SUITS, code, is_card, seat_name, shown, shown_all
from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.language import Notation
from libs.rules.notation.page import Page
from libs.rules.notation.words import Word, Words

_DEAL, _SHUFFLE = "Cartas", "embaralha"
_NOTHING = "nada"
_CALL = "mau-mau"
_SUITS: Mapping[str, Suit] = {SUITS[suit]: suit for suit in SUIT.values()}


def write(page: Page, event: ev.MauMauEvent, state: State) -> None:
    """Adds an event to the page."""
    match event:
        case ev.CardsDealt():
            _write_deal(page, event)
        case ev.CardPlayed():
            suit = f"={SUITS[event.suit]}" if RANK[event.card] == "J" else ""
            _act(page, state, event.seat, f"{shown(event.card)}{suit}")
        case ev.CardsDrawn():
            # Only what is drawn in turn is a seat's own doing.
            verb = "compra" if event.reason == "turn" else "recebe"
            _act(page, state, event.seat, f"{verb} {_cards(event.cards)}")
        case ev.PenaltyTaken():
            _act(page, state, event.seat, f"leva {_cards(event.cards)}")
        case ev.TurnPassed():
            _act(page, state, event.seat, "passa")
        case ev.PileShuffled():
            page.begin(f"{_SHUFFLE} {event.number} {shown_all(event.order)}", indent=1)
            page.close()
        case ev.MauMauCalled():
            _act(page, state, event.seat, f"{_CALL} falso" if event.is_false else _CALL)
        case ev.Accused():
            falsely = " falso" if event.is_false else ""
            _act(page, state, event.seat, f"acusa {seat_name(event.accused_seat)}{falsely}")
        case ev.MatchEnded():
            page.begin(f"= restam {' '.join(map(str, event.cards_left))}", indent=1)
            page.close()
        case _:
            assert_never(event)


def _act(page: Page, state: State, seat: int, what: str) -> None:
    # A nine's card may be drawn right after the deal, before the first turn.
    page.add_to((max(state.turn, 1) - 1) // state.players + 1, f"{seat_name(seat)} {what}")


def _cards(cards: tuple[str, ...]) -> str:
    return shown_all(cards) or _NOTHING


def _write_deal(page: Page, event: ev.CardsDealt) -> None:
    page.blank()
    page.begin(_DEAL)
    page.add(f"dá {seat_name(event.dealer)}")
    page.add(f"vira {shown(event.turned)}")
    players = len(event.cards)
    for order in range(1, players + 1):
        seat = (event.dealer + order) % players
        page.begin(f"{seat_name(seat)} {shown_all(event.cards[seat])}", indent=1)
    page.begin(f"monte {shown_all(event.stock)}", indent=1)
    page.close()


def read_draw(kind: str, words: Words, draws: RecordedDraws, state: State) -> None:
    """Reads the deal, or a shuffle of the pile."""
    here = words.next
    if kind == _SHUFFLE:
        number = words.number()
        draws.write_order(f"pile-{number}", words.all_cards(), here)
        return
    words.exactly("dá")
    dealer_word = words.next
    dealer = words.seat()
    draws.write_number("dealer", dealer, dealer_word)
    words.exactly("vira")
    turned = words.card()
    cards: list[Word] = []
    for order in range(1, state.players + 1):
        words.exactly(seat_name((dealer + order) % state.players))
        cards += words.cards(CARDS_PER_SEAT)
    words.exactly("monte")
    draws.write_order("deal", [*cards, turned, *words.all_cards()], here)


def read_move(words: Words, state: State, seat: int) -> MauMauMove:
    """Reads a move after its seat."""
    call = words.is_next(_CALL)
    if call:
        _pass_to_called_card(words)
    word = words.take()
    face, _, suit = word.text.partition("=")
    if is_card(face):
        return _played(word, state, seat, code(face), suit, call=call)
    if not call:
        match word.text:
            case "compra":
                return DrawCard(state.turn)
            case "leva":
                return TakePenalty(state.turn)
            case "passa":
                return Pass(state.turn)
            case "acusa":
                return Accuse(state.turn, words.seat())
    raise word.wrong(f"a card, compra, leva, passa, acusa or {_CALL}")


def _pass_to_called_card(words: Words) -> None:
    """On to the card that was played with a call; what a false one costs is drawn before it (M-08)."""
    if words.is_next("falso"):
        words.pass_to_act()
        words.seat()
        words.exactly("recebe")
        words.is_next(_NOTHING)
        words.all_cards()
    words.pass_to_act()
    words.seat()


def _played(word: Word, state: State, seat: int, card: str, suit: str, *, call: bool) -> PlayCard:
    """A card; a Jack's suit is named unless it is the last card (M-03, M-07), and printed all the same."""
    if RANK.get(card) != "J":
        if suit:
            raise word.wrong("a suit with a Jack only")
        return PlayCard(state.turn, card, call=call)
    if suit not in LETTERS:
        raise word.wrong("a Jack with the suit that it names, such as J♣=♥")
    is_last = len(state.hands[seat]) == 1 and not call
    return PlayCard(state.turn, card, None if is_last else _SUITS[suit], call)


MAU_MAU_NOTATION = Notation((_DEAL, _SHUFFLE), write, read_draw, read_move)
