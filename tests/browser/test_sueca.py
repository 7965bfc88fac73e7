"""Sueca's table: trump, suit that must be followed, points taken, the end of tricks and hands, and a training match."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from carteado.games.sueca.v1 import sueca_pb2 as sueca
from carteado.table.v1.view_pb2 import END_REASON_FINISHED, Result
from tests.browser.player import CARDS, Player
from tests.browser.scripted import ScriptedTable, card

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

HAND = ("2P", "AP", "7P", "KC", "JC", "QE", "5E", "3O", "AO", "7O")


def view(cards: tuple[str, ...] = HAND, trick: int = 1, **more: Any) -> sueca.View:
    """The second hand; Tonho dealt, and holds the trump card, the six of ouros."""
    others = [sueca.HandOfCards(seat=seat, count=11 - trick) for seat in (1, 2, 3)]
    others[2].cards.append(card("6O"))
    mine = sueca.HandOfCards(seat=0, count=len(cards), cards=[card(code) for code in cards])
    told: dict[str, Any] = {
        "phase": sueca.PHASE_PLAY,
        "score": [1, 2],
        "hand": 2,
        "dealer": 3,
        "trump_card": card("6O"),
        "is_trump_held": True,
        "card_points": [0, 0],
        "trick": trick,
        "hands": [mine, *others],
    }
    return sueca.View(**{**told, **more})


def trick(leader: int, *codes: str, winner: int | None = None, points: int = 0) -> sueca.Trick:
    played = [
        sueca.PlayedCard(seat=(leader + index) % 4, card=card(code)) for index, code in enumerate(codes)
    ]
    return sueca.Trick(leader=leader, cards=played, winner_seat=winner, points=points)


def plays(*codes: str, number: int) -> list[sueca.LegalMove]:
    return [
        sueca.LegalMove(move=sueca.Move(play_card=sueca.PlayCard(hand=2, trick=number, card=card(code))))
        for code in codes
    ]


def scripted(player: Player, **more: Any) -> ScriptedTable:
    return ScriptedTable(player.page, player.url, game="sueca", preset="sueca", **more)


def test_s03_only_cards_that_follow_suit_can_be_played(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    table, page = scripted(player), player.page
    first = trick(0, "4P", "5P", "KP", "QP", winner=2, points=6)
    led = trick(2, "4C", "6C")
    seen = view(HAND, 2, tricks=[first, led], card_points=[6, 0], carry=1)
    seen.legal_moves.extend(plays("KC", "JC", number=2))
    table.open(seen)
    expect(page.locator(CARDS)).to_have_count(2)
    expect(page.locator("#prompt")).to_have_text("Sua vez: jogue copas.")
    labels = [str(one.get_attribute("aria-label")) for one in page.locator(".hand-card").all()]
    # Suit by suit from weak to strong, the trump last.
    assert labels[:3] == ["dois de paus", "sete de paus", "ás de paus"]
    assert labels[-3:] == ["três de ouros, trunfo", "sete de ouros, trunfo", "ás de ouros, trunfo"]
    # Who plays after me sits to my left.
    expect(page.locator(".at-left")).to_contain_text("Zeca")
    trump = page.get_by_role("region", name="Trunfo")
    expect(trump.get_by_role("img")).to_have_attribute("aria-label", "Trunfo: seis de ouros")
    expect(trump).to_contain_text("na mão de Tonho")
    taken = page.get_by_role("region", name="Nesta mão")
    expect(taken).to_contain_text("nós: 6 pontos, 1 vaza")
    expect(taken).to_contain_text("+1 acumulado")
    expect(page.locator("#last-trick")).to_contain_text("Última vaza: Bia, 6 pontos")
    player.look(screenshots, f"sueca-{size[0]}", "jpeg")
    page.keyboard.press("1")
    assert table.moves == []
    page.get_by_role("button", name="rei de copas").click()
    assert [move["playCard"]["card"] for move in table.moves] == [{"rank": "RANK_KING", "suit": "SUIT_COPAS"}]


def test_g02_a_house_may_play_anticlockwise(desktop_player: Player) -> None:
    scripted(desktop_player, switches={"direction": "ccw"}).open(view())
    expect(desktop_player.page.locator(".at-right")).to_contain_text("Zeca")


def test_a_trick_and_a_hand_end_in_words_and_are_kept(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    table = scripted(player)
    led = trick(1, "7C", "2C", "AC")
    seen = view(("KC", "AO"), 9, tricks=[led], card_points=[60, 25])
    seen.legal_moves.extend(plays("KC", number=9))
    table.open(seen)
    expect(page.locator(CARDS)).to_have_count(1)
    # The first card of the hand as it is shown.
    page.keyboard.press("1")
    assert len(table.moves) == 1
    played = sueca.Event(card_played=sueca.CardPlayed(hand=2, trick=9, seat=0, card=card("KC")))
    won = sueca.Event(trick_ended=sueca.TrickEnded(hand=2, trick=9, winner_seat=3, points=25))
    over = trick(1, "7C", "2C", "AC", "KC", winner=3, points=25)
    table.show(view(("AO",), 10, tricks=[over], card_points=[60, 50]), played, won, waits_for=(3,))
    expect(page.locator("#prompt")).to_have_text("Tonho levou a 9ª vaza: 25 pontos.")
    expect(page.locator(".played.winner")).to_have_attribute("aria-label", "Tonho: ás de copas, levou a vaza")
    expect(page.locator("#prompt")).to_have_text("Vez de Tonho.")
    tied = sueca.Event(
        hand_ended=sueca.HandEnded(hand=2, card_points=[60, 60], points=0, score=[1, 2], carry=1)
    )
    dealt = sueca.Event(hand_dealt=sueca.HandDealt(hand=3, dealer=0, leader=1, trump_card=card("2E")))
    mine = (*HAND[:9], "2E")
    table.show(view(mine, hand=3, dealer=0, trump_card=card("2E"), carry=1), tied, dealt, waits_for=(1,))
    log = page.get_by_role("log")
    expect(log).to_contain_text("60 a 60: ninguém pontua, e a próxima mão decidida vale 1 a mais.")
    expect(log.locator("p").last).to_have_text(
        "3ª mão: você deu as cartas. Trunfo: dois de espadas. Zeca abre a primeira vaza."
    )
    expect(page.get_by_role("region", name="Trunfo")).to_contain_text("na sua mão")
    expect(page.locator(".history summary")).to_contain_text("60 a 60")


def test_g06_who_is_absent_is_told_so_and_comes_back_without_having_to_play_in_a_moment(
    player: Player,
) -> None:
    table, page = scripted(player), player.page
    table.open(view(), waits_for=(1,))
    away = page.locator("#elsewhere")
    expect(away).to_be_hidden()
    table.is_absent = True
    table.show(view(), waits_for=(1,))
    expect(away).to_contain_text("Você está ausente: a mesa joga no seu lugar.")
    page.get_by_role("button", name="Voltar a jogar").click()
    expect(away).to_be_hidden()
    assert table.moves == []


def test_who_watches_reads_the_sides_names_and_is_no_side(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    table, page = scripted(player, watching=True), player.page
    taken = [trick(0, "4P", "5P", "KP", "QP", winner=2, points=6)]
    table.open(view((), 2, tricks=taken, card_points=[6, 0]), waits_for=(2,))
    expect(page.locator("#score")).to_have_text("Dona Bia e Bia12Zeca e Tonho")
    expect(page.get_by_role("region", name="Nesta mão")).to_contain_text("Dona Bia e Bia: 6 pontos, 1 vaza")
    expect(page.get_by_role("log")).to_contain_text("Dona Bia e Bia 1; Zeca e Tonho 2.")
    player.look(screenshots, f"sueca-watching-{size[0]}")
    page.get_by_label("Jogar sem pausas").check()
    ended = sueca.HandEnded(hand=2, card_points=[20, 100], winner_side=1, points=2, score=[1, 4])
    table.result = Result(reason=END_REASON_FINISHED, winners=[1], score=[1, 4])
    table.show(
        view((), 10, score=[1, 4], phase=sueca.PHASE_OVER, winner=1),
        sueca.Event(hand_ended=ended),
        sueca.Event(match_ended=sueca.MatchEnded(winner_side=1, score=[1, 4])),
        waits_for=(),
    )
    expect(page.get_by_role("dialog", name="Zeca e Tonho ganharam.")).to_contain_text("1 × 4")
    expect(page.locator(".history summary").last).to_have_text("2ª mãoZeca e Tonho, 100 a 20: 2 pontos")


def test_a_training_match_is_begun_played_and_told_in_english(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    player.open()
    page.get_by_label("Como quer ser chamado?").fill(player.name)
    page.get_by_role("button", name="Escolher sala e jogo").click()
    page.get_by_label("Treino com Robôs").check()
    page.get_by_label("Jogo").select_option("sueca")
    page.get_by_role("button", name="Treinar").click()
    expect(page.locator("#trump .card")).to_be_visible()
    expect(page.locator(".hand-card")).to_have_count(10)
    page.get_by_label("Jogar sem pausas").check()
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_label("English").check()
    page.get_by_role("button", name="Close").click()
    for left in range(10, 7, -1):
        page.locator(CARDS).first.click()
        expect(page.locator(".hand-card")).to_have_count(left - 1)
    expect(page.get_by_role("log")).to_contain_text("won the 1st trick")
    expect(page.locator("#taken")).to_contain_text(re.compile("[1-3] trick"))
