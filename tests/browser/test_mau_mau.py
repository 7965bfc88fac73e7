"""Mau Mau's table: states written by the test, and a match with robots that is begun and played for real."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from carteado.cards.v1 import cards_pb2 as cards
from carteado.games.mau_mau.v1 import mau_mau_pb2 as mau_mau
from tests.browser.player import CARDS, Player
from tests.browser.scripted import SUITS, ScriptedTable, card

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

OFFERED = f"{CARDS}, #actions [data-key=draw], #actions [data-key=take], #actions [data-key=pass], #result"
DRAW = mau_mau.LegalMove(move=mau_mau.Move(draw_card=mau_mau.DrawCard(turn=3)))
TAKE = mau_mau.LegalMove(move=mau_mau.Move(take_penalty=mau_mau.TakePenalty(turn=3)))
JACK = [("JO", suit) for suit in "PCEO"]
THIRTY = [rank + suit for suit in "PCEO" for rank in ("A", "2", "4", "5", "7", "9", "10", "K")][:29]


def play(code: str, suit: str = "", *, call: bool = False) -> mau_mau.LegalMove:
    """A card may be played; a Jack with its suit."""
    move = mau_mau.PlayCard(turn=3, card=card(code), suit=SUITS.get(suit, cards.SUIT_UNSPECIFIED), call=call)
    return mau_mau.LegalMove(move=mau_mau.Move(play_card=move))


def view(hand: Sequence[str], seats: int = 4, **more: Any) -> mau_mau.View:
    """The third turn, mine, on a seven of copas; whatever is given is otherwise."""
    others = [mau_mau.HandOfCards(seat=seat, count=seat) for seat in range(1, seats)]
    told: dict[str, Any] = {
        "turn": 3,
        "dealer": 3,
        "top": card("7C"),
        "suit": cards.SUIT_COPAS,
        "direction": mau_mau.DIRECTION_FORWARD,
        "to_play": 0,
        "stock_count": 61,
        "pile_count": 3,
        "hands": [mau_mau.HandOfCards(seat=0, count=len(hand), cards=map(card, hand)), *others],
    }
    return mau_mau.View(**{**told, **more})


def table_of(player: Player, seats: int = 4) -> ScriptedTable:
    return ScriptedTable(player.page, player.url, seats, game="mau_mau", preset="mau-mau")


def test_m03_thirty_cards_are_read_among_eight_and_a_jack_asks_for_its_suit(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page, table = player.page, table_of(player, 8)
    legal = [play(code) for code in THIRTY if code.endswith("C")] + [play(*one) for one in JACK]
    backward = mau_mau.DIRECTION_BACKWARD
    table.open(view([*THIRTY, "JO"], 8, direction=backward, legal_moves=[*legal, DRAW]))
    expect(page.locator(".hand-card")).to_have_count(30)
    expect(page.locator(".seat")).to_have_count(8)
    expect(page.get_by_role("img", name="Joga-se no sentido anti-horário")).to_be_visible()
    expect(page.get_by_role("region", name="Zeca")).to_contain_text("1 carta")
    player.look(screenshots, f"mau-mau-{size[0]}", "jpeg")
    # A card's corner is in sight and can be touched, however many there are.
    for one in page.locator(".hand-card").all():
        box = one.bounding_box()
        assert box is not None
        hit = "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.ariaLabel"
        at = [box["x"] + 12, box["y"] + 16]
        assert page.evaluate(hit, at) == one.get_attribute("aria-label")
    page.get_by_role("button", name="valete de ouros, serve").click(position={"x": 10, "y": 16})
    expect(page.locator("#prompt")).to_have_text("Escolha o naipe que passa a valer.")
    page.get_by_role("button", name="Espadas", exact=True).click()
    jack = {"rank": "RANK_JACK", "suit": "SUIT_OUROS"}
    assert table.moves == [{"playCard": {"turn": 3, "card": jack, "suit": "SUIT_ESPADAS"}}]


def test_m04_what_the_sevens_heap_up_is_shown_told_and_taken(desktop_player: Player) -> None:
    page, table = desktop_player.page, table_of(desktop_player)
    table.open(view(["7O", "2P"], penalty=4, legal_moves=[play("7O"), TAKE]))
    expect(page.locator("#prompt")).to_have_text("Responda com um sete, ou compre 4.")
    expect(page.get_by_role("img", name="A comprar: 4")).to_have_text("+4")
    page.get_by_role("button", name="Comprar 4").click()
    assert table.moves == [{"takePenalty": {"turn": 3}}]
    taken = mau_mau.PenaltyTaken(
        turn=3, seat=0, count=4, next_seat=1, cards=map(card, ("2O", "3O", "4O", "AC"))
    )
    nine = mau_mau.CardPlayed(turn=4, seat=1, card=card("9C"), suit=cards.SUIT_COPAS, next_seat=2)
    drawn = mau_mau.CardsDrawn(turn=4, seat=0, count=1, reason=mau_mau.DRAW_REASON_NINE, cards=[card("KP")])
    table.show(
        view(["7O", "2P", "2O", "3O", "4O", "AC", "KP"], top=card("9C"), to_play=2),
        *(
            mau_mau.Event(penalty_taken=taken),
            mau_mau.Event(card_played=nine),
            mau_mau.Event(cards_drawn=drawn),
        ),
        waits_for=(2,),
    )
    lines = page.get_by_role("log").locator("p")
    expect(lines.nth(-3)).to_have_text(
        "Você comprou 4 cartas e perdeu a vez. São: dois de ouros, três de ouros, quatro de ouros, ás de copas."
    )
    expect(lines.nth(-2)).to_have_text("Zeca jogou nove de copas: quem vem antes compra uma.")
    expect(lines.nth(-1)).to_have_text("Você comprou uma carta pelo nove. É: rei de paus.")
    expect(page.locator("#prompt")).to_have_text("Vez de Bia.")
    # The cards that were played lie side by side, as many as a row holds.
    expect(page.locator(".played-cards")).to_have_css("display", "flex")


def test_m08_single_keys_call_play_name_a_suit_and_accuse_is_offered_where_it_is_right(
    desktop_player: Player,
) -> None:
    page, table = desktop_player.page, table_of(desktop_player)
    both = [play(*one, call=call) for one in JACK for call in (False, True)]
    accuse = mau_mau.LegalMove(move=mau_mau.Move(accuse=mau_mau.Accuse(turn=3, seat=3)))
    false = mau_mau.LegalMove(
        move=mau_mau.Move(accuse=mau_mau.Accuse(turn=3, seat=1)),
        consequence=mau_mau.CONSEQUENCE_DRAWS_FIVE,
    )
    table.open(view(["JO", "2P"], top=card("5C"), forgot_seat=3, legal_moves=[*both, DRAW, accuse, false]))
    expect(page.get_by_role("button", name="Tonho não disse “mau-mau”!")).to_be_visible()
    expect(page.get_by_role("button", name="Zeca não disse")).to_have_count(0)
    page.keyboard.press("m")
    page.keyboard.press("1")
    page.keyboard.press("e")
    jack = {"rank": "RANK_JACK", "suit": "SUIT_OUROS"}
    assert table.moves == [{"playCard": {"turn": 3, "card": jack, "suit": "SUIT_ESPADAS", "call": True}}]
    called = mau_mau.Event(mau_mau_called=mau_mau.MauMauCalled(turn=3, seat=0))
    table.show(view(["2P"], to_play=1), called, waits_for=(1,))
    expect(page.locator(".speech")).to_have_text("Mau-mau!")


def act(page: Page) -> None:
    """Plays what fits, else draws, takes or passes, as soon as something is offered or the match is over."""
    page.locator(OFFERED).first.wait_for()
    for key in "1cp":
        page.keyboard.press(key)
        if key == "1" and page.locator(".suit-choice").count():
            page.keyboard.press("e")


def test_a_training_match_of_four_is_played_by_single_keys_to_its_end_and_checked(
    desktop_player: Player,
) -> None:
    player, page = desktop_player, desktop_player.page
    player.open()
    page.get_by_label("Como quer ser chamado?").fill(player.name)
    page.get_by_role("button", name="Escolher sala e jogo").click()
    page.get_by_label("Treino com Robôs").check()
    page.get_by_label("Jogo").select_option("mau-mau")
    page.get_by_label("Lugares").select_option("4 jogadores")
    page.get_by_role("button", name="Treinar").click()
    expect(page.locator(".hand-card")).to_have_count(5)
    expect(page.locator(".seat")).to_have_count(4)
    page.get_by_label("Jogar sem pausas").check()
    page.locator("#log").focus()
    for _ in range(400):
        if page.locator("#result").count():
            break
        act(page)
    expect(page.locator("#result")).to_contain_text("Cartas na mão")
    page.get_by_role("button", name="Conferir esta partida").click()
    expect(page.locator("#check.fair")).to_be_visible()
    expect(page.locator("#check-hands")).to_contain_text("O que você viu jogar e comprar está no registro")
