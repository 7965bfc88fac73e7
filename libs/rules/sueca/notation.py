"""A match of Sueca as a column prints it; docs/notation.md describes it.

Mão 1  dá b  trunfo 7♥
  c K♠ 4♦ 7♠ …                         each seat in the order of the deal
  1. c K♠  d 2♠  a A♠  b 3♠  > a 15     who takes the trick, and its points
  = ac +2  cartas 96 x 24  2 x 0        what the hand is worth, and the score
"""

from __future__ import annotations

from typing import assert_never

from libs.rules.notation.cards import score_text, seat_name, shown, shown_all
from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.language import Notation
from libs.rules.notation.page import Page
from libs.rules.notation.words import Word, Words
from libs.rules.sueca import events as ev
from libs.rules.sueca.moves import PlayCard, SuecaMove
from libs.rules.sueca.scoring import TRICKS
from libs.rules.sueca.state import SEATS, State


def write(page: Page, event: ev.SuecaEvent, _state: State) -> None:
    """Adds an event to the page."""
    match event:
        case ev.HandDealt():
            page.blank()
            page.begin(f"Mão {event.hand}")
            page.add(f"dá {seat_name(event.dealer)}")
            page.add(f"trunfo {shown(event.trump_card)}")
            for order in range(SEATS):
                seat = (event.leader + order) % SEATS
                page.begin(f"{seat_name(seat)} {shown_all(event.cards[seat])}", indent=1)
            page.close()
        case ev.CardPlayed():
            page.add_to(event.trick, f"{seat_name(event.seat)} {shown(event.card)}")
        case ev.TrickEnded():
            page.add(f"> {seat_name(event.winner_seat)} {event.points}")
            page.close()
        case ev.HandEnded():
            _write_end(page, event)
        case ev.MatchEnded():
            page.close()
        case _:
            assert_never(event)


def _write_end(page: Page, event: ev.HandEnded) -> None:
    side = "ninguém" if event.winner_side is None else page.side(event.winner_side)
    page.begin(f"= {side} +{event.points}", indent=1)
    if event.is_bandeira:
        page.add("bandeira")
    page.add(f"cartas {score_text(event.card_points)}")
    page.add(score_text(event.score))
    if event.carry:
        page.add(f"acumula {event.carry}")
    page.close()


def read_draw(_kind: str, words: Words, draws: RecordedDraws, _state: State) -> None:
    """Reads a deal: who deals, the trump, and the cards of each seat, the trump last."""
    here = words.next
    hand = words.number()
    words.exactly("dá")
    dealer_word = words.next
    dealer = words.seat()
    if hand == 1:
        draws.write_number("dealer", dealer, dealer_word)
    words.exactly("trunfo")
    words.card()
    cards: list[Word] = []
    for order in range(SEATS):
        words.exactly(seat_name((dealer + 1 + order) % SEATS))
        cards += words.cards(TRICKS)
    draws.write_order(f"hand-{hand}", cards, here)


def read_move(words: Words, state: State, _seat: int) -> SuecaMove:
    """Reads a card after its seat."""
    return PlayCard(state.deal.hand, state.trick, words.card_code())


SUECA_NOTATION = Notation(("Mão",), write, read_draw, read_move)
