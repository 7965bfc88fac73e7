"""A match of Cacheta as a column prints it; docs/notation.md describes it.

Rodada 1  sai b  vira 8♣
  b 5♦ 8♣' J♠ …                                     each seat in the order of the deal
  monte 3♣ K♥' …                                    the stock from its top
  1. b compra 3♣  b descarta J♠  c pega J♠ …        a line each time every seat may have played
  7. d bate descarta 5♣  (4♠ 5♠ 6♠) (9♦ 9♦' 9♥) (A♥ 2♥ 3♥)
  = d ganha  perdem 1  pontos 9 9 9 10
"""

from __future__ import annotations

from typing import assert_never

from libs.rules.cacheta import events as ev
from libs.rules.cacheta.deal import CARDS_PER_SEAT
from libs.rules.cacheta.moves import (
    AnnounceNaBoa,
    CachetaMove,
    Discard,
    DrawStock,
    GoOut,
    JumpQueue,
    PassJump,
    TakeDiscard,
)
from libs.rules.cacheta.state import State
from libs.rules.notation.cards import pack_code, seat_name, shown, shown_all
from libs.rules.notation.draws import RecordedDraws
from libs.rules.notation.language import Notation
from libs.rules.notation.page import Page
from libs.rules.notation.words import Word, Words

_DEAL, _SHUFFLE = "Rodada", "embaralha"
_NOTHING = "nada"
_VOID = {"empty_stock": "monte vazio", "turns": "vezes demais"}


def write(page: Page, event: ev.CachetaEvent, state: State) -> None:
    """Adds an event to the page."""
    match event:
        case ev.RoundDealt():
            _write_deal(page, event)
        case ev.CardDrawn():
            _act(page, state, event.seat, f"compra {shown(event.card)}")
        case ev.StockReshuffled():
            page.begin(f"{_SHUFFLE} {event.round} {state.reshuffles + 1} {shown_all(event.stock)}", indent=1)
            page.close()
        case ev.DiscardTaken():
            _act(page, state, event.seat, f"pega {shown(event.card)}")
        case ev.CardDiscarded():
            _act(page, state, event.seat, f"descarta {shown(event.card)}")
        case ev.NaBoaAnnounced():
            _act(page, state, event.seat, "na-boa")
        case ev.JumpClaimed():
            _act(page, state, event.seat, "fura")
        case ev.JumpPassed():
            _act(page, state, event.seat, "passa")
        case ev.JumpFailed():
            _act(page, state, event.seat, "queima-se" if event.burnt else "não bate")
        case ev.WindowClosed() | ev.MatchEnded():
            pass
        case ev.WentOut():
            _write_out(page, event, state)
        case ev.RoundEnded():
            page.begin(f"= {seat_name(event.winner)} ganha", indent=1)
            page.add(f"perdem {event.lost}")
            page.add(f"pontos {' '.join(map(str, event.points))}")
            page.close()
        case ev.RoundVoided():
            if event.reason == "empty_stock":
                # The draw that finds nothing has no event of its own (C-11).
                _act(page, state, state.to_play, f"compra {_NOTHING}")
            page.begin(f"= anulada {_VOID[event.reason]}", indent=1)
            page.close()
        case _:
            assert_never(event)


def _act(page: Page, state: State, seat: int, what: str) -> None:
    playing = sum(1 for points in state.points if points)
    page.add_to((state.turn - 1) // playing + 1, f"{seat_name(seat)} {what}")


def _write_out(page: Page, event: ev.WentOut, state: State) -> None:
    """The discard and a claimed card come first, since reading needs no more; the melds follow from the rules."""
    claimed = "" if event.claimed is None else f" com {shown(event.claimed)}"
    discard = "" if event.discard is None else f" descarta {shown(event.discard)}"
    _act(page, state, event.seat, f"bate{claimed}{discard}")
    for meld in event.melds:
        page.add(f"({shown_all(meld)})")


def _write_deal(page: Page, event: ev.RoundDealt) -> None:
    page.blank()
    page.begin(f"{_DEAL} {event.round}")
    page.add(f"sai {seat_name(event.starter)}")
    page.add(f"vira {shown(event.vira)}")
    players = len(event.hands)
    for order in range(players):
        seat = (event.starter + order) % players
        if event.hands[seat]:
            page.begin(f"{seat_name(seat)} {shown_all(event.hands[seat])}", indent=1)
    page.begin(f"monte {shown_all(event.stock)}", indent=1)
    page.close()


def read_draw(kind: str, words: Words, draws: RecordedDraws, _state: State) -> None:
    """Reads a deal, or a shuffle of the discard pile."""
    here = words.next
    number = words.number()
    if kind == _SHUFFLE:
        times = words.number()
        draws.write_order(f"reshuffle-{number}-{times}", words.all_cards(), here)
        return
    words.exactly("sai")
    starter_word = words.next
    starter = words.seat()
    if number == 1:
        draws.write_number("starter", starter, starter_word)
    words.exactly("vira")
    vira = words.card()
    cards: list[Word] = []
    while not words.is_next("monte"):
        words.seat()
        cards += words.cards(CARDS_PER_SEAT)
    draws.write_order(f"round-{number}", [*cards, vira, *words.all_cards()], here)


def read_move(words: Words, state: State, _seat: int) -> CachetaMove:
    """Reads a move after its seat."""
    word = words.take()
    number, turn = state.round, state.turn
    match word.text:
        case "compra":
            return DrawStock(number, turn)
        case "pega":
            return TakeDiscard(number, turn)
        case "descarta":
            return Discard(number, turn, pack_code(words.card().text))
        case "bate":
            discard = pack_code(words.card().text) if words.is_next("descarta") else None
            return GoOut(number, turn, discard)
        case "na-boa":
            return AnnounceNaBoa(number)
        case "fura":
            return JumpQueue(number, turn)
        case "passa":
            return PassJump(number, turn)
        case _:
            raise word.wrong("compra, pega, descarta, bate, na-boa, fura or passa")


CACHETA_NOTATION = Notation((_DEAL, _SHUFFLE), write, read_draw, read_move)
