"""Cacheta's table: states written by the test, and a match with robots that is begun and played for real."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from carteado.cards.v1 import cards_pb2 as cards
from carteado.games.cacheta.v1 import cacheta_pb2 as cacheta
from tests.browser.player import Player
from tests.browser.scripted import ScriptedTable, card

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def packed(code: str) -> cards.Card:
    """The card of a code such as "9Pa": its pack is the last letter."""
    return card(code[:-1], "ab".index(code[-1]))


def legal(**move: Any) -> cacheta.LegalMove:
    return cacheta.LegalMove(move=cacheta.Move(**move))


HAND = ("9Pa", "9Eb", "10Ca", "JCb", "QCa", "4Oa", "4Pb", "KEa", "2Oa")
TEN = (*HAND, "10Ob")
NA_BOA = legal(announce_na_boa=cacheta.AnnounceNaBoa(round=3))
DRAWS = (
    legal(draw_stock=cacheta.DrawStock(round=3, turn=5)),
    legal(take_discard=cacheta.TakeDiscard(round=3, turn=5)),
)
DISCARDS = [legal(discard=cacheta.Discard(round=3, turn=5, card=packed(code))) for code in TEN]
OUT = legal(go_out=cacheta.GoOut(round=3, turn=5, discard=packed("2Oa")))
CLAIM, PASS = cacheta.JumpQueue(round=3, turn=6), cacheta.PassJump(round=3, turn=6)


def view(hand: Sequence[str] = HAND, **more: Any) -> cacheta.View:
    """The third round, I am to draw; whatever is given is otherwise."""
    others = [cacheta.HandOfCards(seat=seat, count=9) for seat in (1, 2, 3)]
    told: dict[str, Any] = {
        "phase": cacheta.PHASE_DRAW,
        "points": [10, 7, 2, 9],
        "round": 3,
        "turn": 5,
        "starter": 1,
        "to_play": 0,
        "vira": packed("8Pa"),
        "wilds": [packed("9Pa"), packed("9Ea")],
        "stock_count": 58,
        "discard_top": packed("10Oa"),
        "discard_count": 4,
        "hands": [cacheta.HandOfCards(seat=0, count=len(hand), cards=map(packed, hand)), *others],
    }
    return cacheta.View(**{**told, **more})


def window(**more: Any) -> cacheta.View:
    """A nine of paus was discarded by Zeca; Bia has the next turn, and I am na boa."""
    asked = cacheta.Window(discarder=1, may_claim=[2, 0], claimed=[2])
    told: dict[str, Any] = {"phase": cacheta.PHASE_WINDOW, "turn": 6, "to_play": 2, "announced_seats": [0]}
    return view(**{**told, "discard_top": packed("9Pb"), "window": asked, **more})


def table_of(player: Player) -> ScriptedTable:
    return ScriptedTable(player.page, player.url, game="cacheta", preset="cacheta")


def expect_in_hand(page: Page, place: int, name: str) -> None:
    expect(page.locator(".hand-card").nth(place)).to_have_attribute("aria-label", name)


def test_a_hand_is_ordered_dragged_and_moved_and_a_card_is_picked_and_discarded(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page, table = player.page, table_of(player)
    table.open(view(legal_moves=[*DRAWS, NA_BOA]))
    for place, name in enumerate(("quatro de paus", "nove de paus, curinga", "dez de copas")):
        expect_in_hand(page, place, name)
    page.get_by_role("button", name="Monte: 58 cartas. Comprar").click()
    assert table.moves == [{"drawStock": {"round": 3, "turn": 5}}]
    drawn = cacheta.CardDrawn(round=3, turn=5, seat=0, card=packed("10Ob"))
    playing = view(TEN, phase=cacheta.PHASE_PLAY, legal_moves=[*DISCARDS, OUT])
    table.show(playing, cacheta.Event(card_drawn=drawn))
    expect(page.locator(".hand-card")).to_have_count(10)
    expect(page.locator("#prompt")).to_have_text("Sua mão fecha: você pode bater!")
    expect(page.get_by_role("button", name="dez de ouros, acaba de chegar")).to_be_visible()
    player.look(screenshots, f"cacheta-{size[0]}", "jpeg")
    page.get_by_role("button", name="Por número").click()
    expect_in_hand(page, 0, "dois de ouros")
    first, fourth = (page.locator(".hand-card").nth(place).bounding_box() for place in (0, 3))
    assert first is not None
    assert fourth is not None
    page.mouse.move(first["x"] + 10, first["y"] + 40)
    page.mouse.down()
    page.mouse.move(fourth["x"] + 22, first["y"] + 40, steps=4)
    page.mouse.up()
    expect_in_hand(page, 3, "dois de ouros")
    page.get_by_role("button", name="Mover para a esquerda").click()
    expect_in_hand(page, 2, "dois de ouros")
    # The picked card leaves its neighbour's corner in sight and in reach.
    neighbour = page.locator(".hand-card").nth(3)
    box = neighbour.bounding_box()
    assert box is not None
    hit = "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.ariaLabel"
    assert page.evaluate(hit, [box["x"] + 8, box["y"] + 16]) == neighbour.get_attribute("aria-label")
    page.get_by_role("button", name="Descartar").click()
    two = {"rank": "RANK_TWO", "suit": "SUIT_OUROS"}
    assert table.moves[1:] == [{"discard": {"round": 3, "turn": 5, "card": two}}]


def test_c09_the_window_shows_its_order_and_its_time_and_the_claim_that_fits_is_offered(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page, table = player.page, table_of(player)
    table.open(window(legal_moves=[legal(jump_queue=CLAIM), legal(pass_jump=PASS)]))
    expect(page.locator("#prompt")).to_have_text("Zeca descartou nove de paus: bata com ela!")
    queue = page.get_by_role("region", name="Quem pode furar a fila").get_by_role("listitem")
    expect(queue).to_have_text([re.compile("1. Bia.*pediu"), re.compile("2. Você.*pensa")])
    expect(page.locator("#discards .ring")).to_be_visible()
    player.look(screenshots, f"cacheta-window-{size[0]}", "jpeg")
    page.get_by_role("button", name="Furar a fila").click()
    assert table.moves == [{"jumpQueue": {"round": 3, "turn": 6}}]


def test_c10_a_claim_that_burns_is_not_offered_and_who_burnt_is_told_and_marked(
    desktop_player: Player,
) -> None:
    page, table = desktop_player.page, table_of(desktop_player)
    burns = cacheta.LegalMove(move=cacheta.Move(jump_queue=CLAIM), consequence=cacheta.CONSEQUENCE_BURNS)
    table.open(window(legal_moves=[burns, legal(pass_jump=PASS)]))
    expect(page.locator("#prompt")).to_have_text("Zeca descartou nove de paus. Para você não fecha.")
    expect(page.get_by_role("button", name="Furar a fila")).to_have_count(0)
    page.get_by_label("Jogar sem pausas").check()
    page.locator("#log").focus()
    page.keyboard.press("p")
    assert table.moves == [{"passJump": {"round": 3, "turn": 6}}]
    failed = cacheta.JumpFailed(round=3, turn=6, seat=3, burnt=True)
    table.show(view(burnt_seats=[3], to_play=2), cacheta.Event(jump_failed=failed), waits_for=(2,))
    expect(page.get_by_role("region", name="Tonho")).to_contain_text("queimado")
    expect(page.get_by_role("log")).to_contain_text("Tonho não fechou a mão e se queimou")


def test_c12_a_round_ends_with_its_melds_the_points_and_who_fell_in_english_too(
    desktop_player: Player, screenshots: Path
) -> None:
    page, table = desktop_player.page, table_of(desktop_player)
    table.open(view(to_play=3), waits_for=(3,))
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_label("English").check()
    page.get_by_role("button", name="Close").click()
    melds = [("5Ca", "5Pb", "5Oa", "5Ob"), ("10Ea", "JEb", "QEa"), ("2Ca", "9Pb", "4Ca")]
    laid = [cacheta.Meld(cards=map(packed, meld)) for meld in melds]
    out = cacheta.WentOut(round=3, turn=6, seat=3, melds=laid)
    ended = cacheta.RoundEnded(round=3, winner=3, lost=2, points=[8, 5, 0, 9], fallen_seats=[2])
    dealt = cacheta.RoundDealt(round=4, starter=3, vira=packed("KPa"))
    table.show(
        view(round=4, turn=1, points=[8, 5, 0, 9], starter=3),
        *(cacheta.Event(went_out=out), cacheta.Event(round_ended=ended), cacheta.Event(round_dealt=dealt)),
    )
    shown = page.get_by_role("region", name="Melds on the table").get_by_role("img")
    expect(shown).to_have_count(3)
    expect(shown.last).to_have_attribute(
        "aria-label", "Meld: two of hearts, nine of clubs, wild, four of hearts"
    )
    expect(page.locator("#prompt")).to_have_text(
        "The round goes to Tonho: the others lose 2 points. Out of the game: Bia."
    )
    expect(page.get_by_role("region", name="Bia")).to_contain_text("out")
    expect(page.locator("#score")).to_contain_text("8")
    desktop_player.look(screenshots, "cacheta-end-1280", "jpeg")
    expect(page.locator("#centre")).to_be_visible()
    expect(page.get_by_text("Tonho, −2 for the others")).to_be_visible()


def test_c12_who_fell_leaves_without_abandoning_and_the_others_play_on(desktop_player: Player) -> None:
    page, table = desktop_player.page, table_of(desktop_player)
    table.open(view((), points=[0, 7, 2, 9], to_play=1), waits_for=(1,))
    expect(page.locator("#prompt")).to_have_text("Você saiu do jogo e assiste até o fim.")
    page.get_by_role("button", name="Sair").click()
    dialog = page.get_by_role("dialog", name="Sair da partida?")
    expect(dialog).to_contain_text("Você já saiu do jogo: ir embora não conta como abandono.")
    dialog.get_by_role("button", name="Sair").click()
    expect(page.get_by_text("Olá, Zica!")).to_be_visible()
    assert len(table.moves) == 1
    page.reload()
    expect(page.get_by_text("Olá, Zica!")).to_be_visible()


def test_a_training_match_is_begun_and_played_by_single_keys(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    player.open()
    page.get_by_label("Como quer ser chamado?").fill(player.name)
    page.get_by_role("button", name="Escolher sala e jogo").click()
    page.get_by_label("Treino com Robôs").check()
    page.get_by_label("Jogo").select_option("cacheta")
    page.get_by_role("button", name="Treinar").click()
    expect(page.locator(".hand-card")).to_have_count(9)
    page.get_by_label("Jogar sem pausas").check()
    page.locator("#log").focus()
    for _ in range(2):
        page.locator("#actions [data-key=draw]").wait_for()
        page.keyboard.press("c")
        expect(page.locator(".hand-card")).to_have_count(10)
        page.keyboard.press("0")
        page.keyboard.press("d")
        expect(page.locator(".hand-card")).to_have_count(9)
    expect(page.get_by_role("log")).to_contain_text("Você descartou")
