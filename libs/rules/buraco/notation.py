"""A match of the Buraco family as a column prints it; docs/notation.md describes it.

Rodada 1  sai b
  b 5♦ 8♣' J♠ …                                 each seat in the order of the deal
  morto 3♣ K♥' …                                twice, the one that is taken first before the other
  monte 9♠ 2♥ …                                 the stock in the order of drawing
  1. b compra 9♠  b baixa #1 4♥ 5♥ 6♥  b descarta K♦
  2. c pega K♦  c junta #2 K♦' K♦  c descarta 3♠
  = b bate
  ac cartas 120 canastras 200 batida 0 três 0 mão -35 morto -100 total 185
"""

from __future__ import annotations

from typing import assert_never

from libs.rules.buraco import events as ev
from libs.rules.buraco.deal import CARDS_PER_SEAT, MORTOS
from libs.rules.buraco.moves import BuracoMove, Discard, DrawStock, EndTurn, ExtendMeld, LayMeld, TakeLixo
from libs.rules.buraco.state import State
from libs.rules.notation.cards import pack_code, score_text, seat_name, shown, shown_all
from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.language import Notation
from libs.rules.notation.page import Page
from libs.rules.notation.words import Word, Words

_DEAL = "Rodada"


def write(page: Page, event: ev.BuracoEvent, state: State) -> None:
    """Adds an event to the page."""
    match event:
        case ev.DealStarted():
            _write_deal(page, event)
        case ev.StockDrawn():
            _act(page, state, event.seat, f"compra {shown(event.card)}")
        case ev.RedThreeLaid():
            morto = " do morto" if event.from_morto else ""
            _act(page, state, event.seat, f"mostra {shown(event.card)}{morto}")
        case ev.RedThreeReplaced():
            _act(page, state, event.seat, f"repõe {shown(event.card)}")
        case ev.LixoTaken():
            _act(page, state, event.seat, f"pega {shown_all(event.cards)}")
        case ev.MeldLaid():
            _act(page, state, event.seat, f"baixa #{event.number + 1} {shown_all(event.shape.cards)}")
        case ev.MeldExtended():
            _act(page, state, event.seat, f"junta #{event.number + 1} {shown_all(event.added)}")
        case ev.CardDiscarded():
            _act(page, state, event.seat, f"descarta {shown(event.card)}")
        case ev.MortoTaken():
            _act(page, state, event.seat, "morto")
        case ev.MortoTurned():
            page.begin("o morto vira monte", indent=1)
            page.close()
        case ev.TurnEnded():
            _write_end_of_turn(page, state)
        case ev.DealEnded():
            _write_end(page, event, state)
        case ev.MatchEnded():
            page.close()
        case _:
            assert_never(event)


def _act(page: Page, state: State, seat: int, what: str) -> None:
    page.add_to(state.turn, f"{seat_name(seat)} {what}")


def _write_end_of_turn(page: Page, state: State) -> None:
    """A turn that ended without a discard, which is a move without an event of its own (T-05)."""
    took_morto = any(morto.seat == state.to_play for morto in state.unplayed)
    if not took_morto and not isinstance(page.previous, ev.CardDiscarded):
        _act(page, state, state.to_play, "encerra")


def _write_end(page: Page, event: ev.DealEnded, state: State) -> None:
    is_drawn = isinstance(page.previous, ev.StockDrawn | ev.RedThreeLaid | ev.RedThreeReplaced)
    if event.out_seat is None and not (is_drawn and state.rules.stock_end == "immediate"):
        _write_end_of_turn(page, state)
    out = "acabam as cartas" if event.out_seat is None else f"{seat_name(event.out_seat)} bate"
    page.begin(f"= {out}", indent=1)
    for side, score in enumerate(event.sides):
        page.begin(page.side(side), indent=1)
        page.add(f"cartas {score.cards}")
        page.add(f"canastras {score.canastras}")
        page.add(f"batida {score.batida}")
        page.add(f"três {score.red_threes}")
        page.add(f"mão {score.in_hand}")
        page.add(f"morto {score.morto}")
        page.add(f"total {score.total}")
    page.begin(score_text(event.score), indent=1)
    page.close()


def _write_deal(page: Page, event: ev.DealStarted) -> None:
    page.blank()
    page.begin(f"{_DEAL} {event.deal}")
    page.add(f"sai {seat_name(event.starter)}")
    players = len(event.hands)
    for order in range(players):
        seat = (event.starter + order) % players
        page.begin(f"{seat_name(seat)} {shown_all(event.hands[seat])}", indent=1)
    for morto in event.mortos:
        page.begin(f"morto {shown_all(morto)}", indent=1)
    if event.lixo:
        page.begin(f"lixo {shown_all(event.lixo)}", indent=1)
    page.begin(f"monte {shown_all(event.stock)}", indent=1)
    page.close()


def read_draw(_kind: str, words: Words, draws: RecordedDraws, state: State) -> None:
    """Reads a deal: hands, mortos, the turned card if there is one, and the stock."""
    here = words.next
    number = words.number()
    words.exactly("sai")
    starter_word = words.next
    starter = words.seat()
    if number == 1:
        draws.write_number("starter", starter, starter_word)
    cards: list[Word] = []
    for order in range(state.players):
        words.exactly(seat_name((starter + order) % state.players))
        cards += words.cards(CARDS_PER_SEAT)
    for _ in range(MORTOS):
        words.exactly("morto")
        cards += words.cards(CARDS_PER_SEAT)
    if words.is_next("lixo"):
        cards.append(words.card())
    words.exactly("monte")
    draws.write_order(f"deal-{number}", [*cards, *words.all_cards()], here)


def read_move(words: Words, state: State, seat: int) -> BuracoMove:
    """Reads a move after its seat."""
    word = words.take()
    turn = state.turn
    match word.text:
        case "compra":
            return DrawStock(turn)
        case "pega":
            return _taken(words, state, seat)
        case "baixa":
            _meld_number(words)
            return LayMeld(turn, _codes(words))
        case "junta":
            return ExtendMeld(turn, _meld_number(words), _codes(words))
        case "descarta":
            return Discard(turn, pack_code(words.card().text))
        case "encerra":
            return EndTurn(turn)
        case _:
            raise word.wrong("compra, pega, baixa, junta, descarta or encerra")


def _taken(words: Words, state: State, seat: int) -> TakeLixo:
    """Where the lixo's top must be justified, what is laid with it belongs to the move (B-29)."""
    words.all_cards()
    if not state.rules.justify_top or not state.lixo:
        return TakeLixo(state.turn)
    words.exactly(seat_name(seat))
    word = words.take()
    if word.text not in ("baixa", "junta"):
        raise word.wrong("baixa or junta, with the top card of the lixo")
    number = _meld_number(words)
    cards = tuple(card for card in _codes(words) if card != state.lixo[-1])
    return TakeLixo(state.turn, cards, number if word.text == "junta" else None)


def _meld_number(words: Words) -> int:
    word = words.take()
    digits = word.text.removeprefix("#")
    if digits == word.text or not (digits.isascii() and digits.isdigit() and 0 < len(digits) <= 3):
        raise word.wrong("the number of a meld, such as #1")
    return int(digits) - 1


def _codes(words: Words) -> tuple[str, ...]:
    return tuple(pack_code(word.text) for word in words.all_cards())


BURACO_NOTATION = Notation((_DEAL,), write, read_draw, read_move)
