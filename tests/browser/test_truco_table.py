"""Truco's table in the states that a real match comes to rarely: written by the test, drawn and played by the page."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from carteado.games.truco.v1 import truco_pb2 as truco
from carteado.table.v1.view_pb2 import (
    END_REASON_ABANDONED,
    END_REASON_FINISHED,
    END_REASON_WALKOVER,
    Result,
)
from tests.browser.conftest import Stack, open_player
from tests.browser.player import CARDS, Player
from tests.browser.scripted import RANKS, ScriptedTable, card, meanings, plays, signals, trick

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

HAND = ("3C", "7O", "QE")
RAISE = truco.LegalMove(move=truco.Move(**{"raise": truco.Raise(hand=1, value=3)}))


def view(
    seats: int = 4, hand: tuple[str, ...] = HAND, *, number: int = 1, blind: bool = False, **more: Any
) -> truco.View:
    """The first hand, vira six of ouros, nobody has played; whatever is given is otherwise."""
    mine = truco.HandOfCards(seat=0, count=len(hand), positions=range(len(hand)))
    if not blind:
        mine.cards.extend(card(code) for code in hand)
    told: dict[str, Any] = {
        "phase": truco.PHASE_PLAY,
        "score": [4, 7],
        "hand": number,
        "dealer": 3,
        "vira": card("6O"),
        "manilha": RANKS["7"],
        "value": 1,
        "trick": 1,
        "blind": blind,
        "hands": [mine, *(truco.HandOfCards(seat=seat, count=3) for seat in range(1, seats))],
    }
    return truco.View(**{**told, **more})


@pytest.fixture
def scripted(player: Player) -> ScriptedTable:
    return ScriptedTable(player.page, player.url)


@pytest.fixture
def desktop(desktop_player: Player) -> ScriptedTable:
    return ScriptedTable(desktop_player.page, desktop_player.url)


@pytest.fixture
def calm_player(chromium: Browser, stack: Stack) -> Iterator[Player]:
    """Somebody whose system asks for less motion."""
    with open_player(chromium, stack, (1280, 800)) as player:
        player.page.emulate_media(reduced_motion="reduce")
        yield player


def test_r23_each_gesture_is_offered_with_this_hands_meaning_and_made_once(
    scripted: ScriptedTable, player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = scripted.page
    legal = [*plays(*HAND), RAISE, *signals()]
    scripted.open(view(legal_moves=legal, signal_tables=[meanings("EOPC")]))
    group = page.get_by_role("group", name="Sinais").get_by_role("button")
    labels = [str(one.get_attribute("aria-label")) for one in group.all()]
    assert labels == [
        "Piscar: manilha de espadas",
        "Sobrancelha: manilha de ouros",
        "Bochecha: manilha de paus",
        "Língua: manilha de copas",
    ]
    page.get_by_role("button", name="Piscar").click()
    assert scripted.moves == [{"signal": {"hand": 1, "gesture": "GESTURE_PISCAR"}}]
    sent = [
        truco.SentSignal(seat=0, gesture=truco.GESTURE_PISCAR),
        truco.SentSignal(seat=1, gesture=truco.GESTURE_LINGUA),
    ]
    scripted.show(
        view(legal_moves=[*plays(*HAND), *signals()[1:]], signal_tables=[meanings("EOPC")], signals=sent),
        truco.Event(signal_sent=truco.SignalSent(hand=1, seat=0, gesture=truco.GESTURE_PISCAR)),
        truco.Event(signal_sent=truco.SignalSent(hand=1, seat=1, gesture=truco.GESTURE_LINGUA)),
    )
    made = page.get_by_role("button", name="Piscar: manilha de espadas, já feito nesta mão")
    expect(made).to_have_attribute("aria-disabled", "true")
    log = page.get_by_role("log")
    expect(log).to_contain_text("Você fez um sinal: piscou. Quer dizer: manilha de espadas.")
    # What the others' gesture means, only they know.
    expect(log.locator("p").last).to_have_text("Zeca fez um sinal: mostrou a língua.")
    player.look(screenshots, f"signals-{size[0]}", "jpeg")


def test_r17_at_eleven_the_partners_cards_are_seen_and_each_answer_says_its_price(
    scripted: ScriptedTable, player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = scripted.page
    hands = list(view().hands)
    hands[2].cards.extend(card(code) for code in ("2P", "5C", "7E"))
    answers = [
        truco.LegalMove(move=truco.Move(play_eleven_hand=truco.PlayElevenHand(hand=1))),
        truco.LegalMove(move=truco.Move(decline_eleven_hand=truco.DeclineElevenHand(hand=1))),
    ]
    eleven = view(
        score=[11, 8], phase=truco.PHASE_ELEVEN_HAND, eleven_side=0, hands=hands, legal_moves=answers
    )
    scripted.open(eleven, waits_for=(0, 2))
    partner = page.get_by_role("region", name="Bia").get_by_role("img")
    expect(partner).to_have_attribute("aria-label", "dois de paus, cinco de copas, sete de espadas")
    expect(page.locator("#prompt")).to_have_text("Mão de onze: veja as cartas do parceiro e decida.")
    expect(page.get_by_role("button", name="Jogar a mão vale 3")).to_be_visible()
    player.look(screenshots, f"eleven-{size[0]}", "jpeg")
    page.get_by_role("button", name="Não jogar 1 ponto para eles").click()
    assert scripted.moves == [{"declineElevenHand": {"hand": 1}}]


def test_r17_six_see_both_partners_cards_inside_the_table(player: Player) -> None:
    table = ScriptedTable(player.page, player.url, seats=6, preset="truco@004")
    hands = list(view(6).hands)
    for seat, codes in ((2, ("2P", "5C", "7E")), (4, ("KP", "4C", "7P"))):
        hands[seat].cards.extend(card(code) for code in codes)
    eleven = view(6, score=[11, 8], phase=truco.PHASE_ELEVEN_HAND, eleven_side=0, hands=hands)
    table.open(eleven, waits_for=(0, 2, 4))
    expect(player.page.locator("#prompt")).to_have_text("Mão de onze: veja as cartas dos parceiros e decida.")
    felt = player.page.locator(".felt").bounding_box()
    assert felt is not None
    faces = player.page.locator(".held .face").all()
    assert len(faces) == 6
    boxes = [box for one in faces if (box := one.bounding_box())]
    for box in boxes:
        assert felt["x"] < box["x"]
        assert box["x"] + box["width"] < felt["x"] + felt["width"]
    # Of a card that another one overlaps, the corner that one reads stays in sight.
    lefts = [box["x"] for box in boxes]
    assert all(after - before >= 18 for before, after in itertools.pairwise(sorted(lefts[:3])))


def test_r17_a_hand_that_starts_at_three_is_told(desktop: ScriptedTable) -> None:
    page = desktop.page
    desktop.open(view(legal_moves=plays(*HAND)))
    page.get_by_label("Jogar sem pausas").check()
    dealt = truco.HandDealt(hand=2, dealer=0, vira=card("6O"), value=3)
    desktop.show(view(number=2, eleven_side=1, value=3), truco.Event(hand_dealt=dealt))
    last = page.get_by_role("log").locator("p").last
    expect(last).to_have_text("2ª mão: você deu as cartas. Vira: seis de ouros. Mão de onze: já vale 3.")
    dealt = truco.HandDealt(hand=3, dealer=1, vira=card("6O"), value=1)
    desktop.show(view(number=3, iron_hand=True), truco.Event(hand_dealt=dealt))
    expect(last).to_have_text("3ª mão: Zeca deu as cartas. Vira: seis de ouros. Mão de ferro!")


def test_r20_a_blind_hand_is_played_by_its_places(desktop: ScriptedTable) -> None:
    page = desktop.page
    legal = [
        truco.LegalMove(
            move=truco.Move(play_card=truco.PlayCard(hand=1, trick=1, position=place, covered=covered))
        )
        for place in range(3)
        for covered in (False, True)
    ]
    desktop.open(view(blind=True, iron_hand=True, score=[11, 11], value=3, legal_moves=legal))
    expect(page.locator("#prompt")).to_have_text("Mão de ferro: escolha uma carta, às cegas.")
    expect(page.locator("#hand .face")).to_have_count(0)
    page.get_by_role("button", name="Jogar coberta").click()
    page.get_by_role("button", name="2ª carta, às cegas: jogar coberta").click()
    assert desktop.moves == [{"playCard": {"hand": 1, "trick": 1, "position": 1, "covered": True}}]


def test_r03_six_sit_round_the_table_and_no_card_hides_another(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    table = ScriptedTable(player.page, player.url, seats=6)
    shown = trick(1, (1, "4E"), (2, "JO"), (3, "2C"), (4, "7C"), (5, "3P"), (0, "KE"))
    table.open(view(6, ("3C", "7O"), tricks=[shown]), waits_for=(1,))
    expect(player.page.locator(".seat")).to_have_count(6)
    expect(player.page.locator(".tag").filter(has_text="parceiro")).to_have_count(2)
    player.look(screenshots, f"six-{size[0]}", "jpeg")
    corners = [box for one in player.page.locator(".played").all() if (box := one.bounding_box())]
    for one in corners:
        # Its upper left corner, where one reads a card, is under no other one's middle.
        others = [box for box in corners if box is not one]
        x, y = one["x"] + one["width"] * 0.2, one["y"] + one["height"] * 0.2
        assert not any(
            box["x"] + 6 < x < box["x"] + box["width"] - 6 and box["y"] + 6 < y < box["y"] + box["height"] - 6
            for box in others
        )


def test_a_raise_is_answered_with_the_keyboard_and_the_focus_stays_at_the_table(
    desktop: ScriptedTable,
) -> None:
    page = desktop.page
    desktop.open(view(legal_moves=[*plays(*HAND), RAISE]))
    first = page.locator(CARDS).first
    first.focus()
    page.keyboard.press("Enter")
    left = view(hand=HAND[1:], tricks=[trick(0, (0, "3C"))])
    played = truco.Event(card_played=truco.CardPlayed(hand=1, trick=1, seat=0, card=card("3C")))
    desktop.show(left, played, waits_for=(1,))
    expect(page.locator(".hand-card")).to_have_count(2)
    expect(page.locator(".hand-card").first).to_be_focused()
    answers = [
        truco.LegalMove(move=truco.Move(accept_raise=truco.AcceptRaise(hand=1, value=3))),
        truco.LegalMove(move=truco.Move(**{"raise": truco.Raise(hand=1, value=6)})),
        truco.LegalMove(move=truco.Move(fold=truco.Fold(hand=1, value=3))),
    ]
    asked = view(
        hand=HAND[1:],
        phase=truco.PHASE_ANSWER_RAISE,
        pending_raise=truco.PendingRaise(by_seat=1, value=3),
        legal_moves=answers,
    )
    desktop.show(
        asked, truco.Event(raise_called=truco.RaiseCalled(hand=1, seat=1, value=3)), waits_for=(0, 2)
    )
    expect(page.locator("#prompt")).to_have_text("Zeca pediu truco. E agora?")
    texts = page.locator("#actions button").all_inner_texts()
    assert [" ".join(text.split()) for text in texts] == [
        "Aceitar vale 3",
        "Seis! vale 6",
        "Correr 1 ponto para eles",
    ]
    page.keyboard.press("t")
    assert desktop.moves[-1] == {"raise": {"hand": 1, "value": 6}}


def test_nothing_moves_under_a_finger_when_a_raise_is_called(scripted: ScriptedTable) -> None:
    page = scripted.page
    scripted.open(view(legal_moves=[*plays(*HAND), RAISE]))
    before = page.locator("#hand").bounding_box()
    called = truco.PendingRaise(by_seat=1, value=3)
    scripted.show(view(phase=truco.PHASE_ANSWER_RAISE, pending_raise=called), waits_for=(0, 2))
    expect(page.locator("#worth")).to_contain_text("pedido: truco")
    assert page.locator("#hand").bounding_box() == before


def test_single_keys_play_and_can_be_switched_off(desktop: ScriptedTable) -> None:
    page = desktop.page
    desktop.open(view(legal_moves=[*plays(*HAND, covered=True), RAISE]))
    expect(page.locator(CARDS)).to_have_count(3)
    page.keyboard.press("v")
    expect(page.locator("#prompt")).to_have_text("Escolha a carta que vai coberta.")
    page.keyboard.press("2")
    assert desktop.moves == [
        {
            "playCard": {
                "hand": 1,
                "trick": 1,
                "card": {"rank": "RANK_SEVEN", "suit": "SUIT_OUROS"},
                "covered": True,
            }
        }
    ]
    desktop.show(view(legal_moves=[*plays(*HAND), RAISE]))
    page.get_by_role("button", name="Ajustes").click()
    page.keyboard.press("1")
    page.get_by_label("Atalhos de teclado").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#settings")).to_be_hidden()
    page.keyboard.press("1")
    assert len(desktop.moves) == 1


def test_the_game_is_told_in_english_too(desktop: ScriptedTable) -> None:
    page = desktop.page
    desktop.open(view(legal_moves=[*plays(*HAND), RAISE]))
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_label("English").check()
    page.get_by_role("button", name="Close").click()
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.locator("#prompt")).to_have_text("Your turn: play a card or ask for truco.")
    desktop.show(
        view(tricks=[trick(2, (2, "AO"), (3, ""))], legal_moves=plays(*HAND)),
        truco.Event(card_played=truco.CardPlayed(hand=1, trick=1, seat=2, card=card("AO"))),
        truco.Event(card_played=truco.CardPlayed(hand=1, trick=1, seat=3, covered=True)),
    )
    lines = page.get_by_role("log").locator("p")
    expect(lines.nth(-1)).to_have_text("Tonho played a covered card.")
    expect(lines.nth(-2)).to_have_text("Bia played the ace of diamonds.")
    expect(page.locator("#trick").get_by_role("img", name="Tonho: covered card")).to_be_visible()
    assert page.get_by_role("button", name=re.compile("seven of diamonds, manilha")).count() == 1
    page.reload()
    expect(page.locator("#prompt")).to_have_text("Your turn: play a card.")


def test_suits_have_four_colours_or_another_pack_where_that_is_liked(
    scripted: ScriptedTable, player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = scripted.page
    scripted.open(view(hand=("4P", "7C", "KE"), legal_moves=plays("4P", "7C", "KE")))

    def colours() -> set[str]:
        faces = page.locator("#hand .face, #vira .face")
        return set(faces.evaluate_all("faces => faces.map((face) => getComputedStyle(face).color)"))

    assert len(colours()) == 2
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_label("Quatro cores").check()
    assert len(colours()) == 4
    page.get_by_label("Espanhol").check()
    player.look(screenshots, f"settings-{size[0]}", "jpeg")
    page.get_by_role("button", name="Fechar").click()
    expect(page.get_by_role("button", name="rei de espadas")).to_contain_text("12")
    page.reload()
    expect(page.get_by_role("button", name="rei de espadas")).to_contain_text("12")


def test_nothing_moves_for_who_asks_for_less_motion(calm_player: Player) -> None:
    table = ScriptedTable(calm_player.page, calm_player.url)
    table.open(view(legal_moves=plays(*HAND)))
    table.show(
        view(tricks=[trick(3, (3, "AO"))], legal_moves=plays(*HAND)),
        truco.Event(card_played=truco.CardPlayed(hand=1, trick=1, seat=3, card=card("AO"))),
        truco.Event(raise_accepted=truco.RaiseAccepted(hand=1, seat=1, value=3)),
    )
    expect(calm_player.page.locator(".speech")).to_have_text("Aceito!")
    assert calm_player.page.evaluate("document.getAnimations().length") == 0


def test_what_was_played_before_can_be_looked_up(desktop: ScriptedTable) -> None:
    page = desktop.page
    desktop.open(view(legal_moves=plays(*HAND)))
    page.get_by_label("Jogar sem pausas").check()
    cards = ("3C", "2E", "4P", "5P")
    played = [
        truco.Event(card_played=truco.CardPlayed(hand=1, trick=1, seat=seat, card=card(code)))
        for seat, code in enumerate(cards)
    ]
    desktop.show(
        view(number=2, score=[5, 7], vira=card("4C"), manilha=RANKS["5"]),
        *played,
        truco.Event(trick_ended=truco.TrickEnded(hand=1, trick=1, winner_seat=0, next_leader=0)),
        truco.Event(hand_ended=truco.HandEnded(hand=1, winner_side=0, points=1, score=[5, 7])),
        truco.Event(hand_dealt=truco.HandDealt(hand=2, dealer=0, vira=card("4C"), value=1)),
    )
    before = page.locator(".history details")
    expect(before.locator("summary")).to_have_text("1ª mãonossa, 1 ponto")
    before.locator("summary").click()
    names = before.get_by_role("img").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert names == ["três de copas", "dois de espadas", "quatro de paus", "cinco de paus"]
    expect(before.locator(".won")).to_have_text(re.compile("Você"))


def test_who_watches_sees_no_hand_has_no_moves_and_goes_without_being_asked(desktop_player: Player) -> None:
    page = desktop_player.page
    table = ScriptedTable(page, desktop_player.url, watching=True)
    seen = view(hand=(), tricks=[trick(3, (3, "AO"))])
    seen.hands[0].count = 3
    table.open(seen)
    expect(page.get_by_role("log")).to_contain_text("Você está assistindo.")
    expect(page.locator("#prompt")).to_have_text("Vez de Dona Bia.")
    expect(page.get_by_role("region", name="Dona Bia").get_by_role("img", name="3 cartas")).to_be_visible()
    assert page.locator("#hand button, #actions button, #signals button").count() == 0
    assert page.title() == "Truco Paulista · Carteado"
    page.get_by_role("button", name="Sair").click()
    expect(page.get_by_text("Olá, Zica!")).to_be_visible()
    assert table.moves == []


def test_who_watches_reads_the_sides_names_and_is_no_side(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = player.page
    table = ScriptedTable(page, player.url, watching=True)
    seen = view(hand=(), score=[11, 8], phase=truco.PHASE_ELEVEN_HAND, eleven_side=0)
    table.open(seen, waits_for=(0, 2))
    expect(page.locator("#prompt")).to_have_text("Mão de onze: a decisão é de Dona Bia e Bia…")
    expect(page.locator("#score")).to_have_text("Dona Bia e Bia118Zeca e Tonho")
    log = page.get_by_role("log")
    expect(log).to_contain_text("Dona Bia e Bia 11; Zeca e Tonho 8.")
    player.look(screenshots, f"watching-{size[0]}")
    page.get_by_label("Jogar sem pausas").check()
    over = view(hand=(), score=[11, 12], phase=truco.PHASE_OVER, winner=1)
    table.result = Result(reason=END_REASON_FINISHED, winners=[1], score=[11, 12])
    table.show(
        over,
        truco.Event(hand_ended=truco.HandEnded(hand=1, winner_side=1, points=4, score=[11, 12])),
        truco.Event(match_ended=truco.MatchEnded(winner_side=1, score=[11, 12])),
        waits_for=(),
    )
    lines = log.locator("p")
    expect(lines.nth(-1)).to_have_text("Fim de jogo: vitória de Zeca e Tonho.")
    expect(lines.nth(-2)).to_have_text(
        "Zeca e Tonho ganharam a mão: 4 pontos. Dona Bia e Bia 11; Zeca e Tonho 12."
    )
    result = page.get_by_role("dialog", name="Zeca e Tonho ganharam.")
    expect(result.locator("#result-score")).to_have_text("11 × 12")


def test_what_i_say_stays_within_a_phones_width(player: Player) -> None:
    page = player.page
    table = ScriptedTable(page, player.url)
    table.open(view(phase=truco.PHASE_ELEVEN_HAND, eleven_side=0))
    table.show(view(), truco.Event(eleven_hand_played=truco.ElevenHandPlayed(hand=1, seat=0, value=3)))
    expect(page.locator(".at-me .speech")).to_have_text("Vamos jogar!")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_title_calls_back_whose_turn_it_is(desktop: ScriptedTable) -> None:
    desktop.open(view(legal_moves=plays(*HAND)))
    expect(desktop.page).to_have_title("● Sua vez · Carteado")
    desktop.show(view(hand=HAND[1:], tricks=[trick(0, (0, "3C"))]), waits_for=(1,))
    expect(desktop.page).to_have_title("Truco Paulista · Carteado")


@pytest.mark.parametrize(
    ("result", "title"),
    [
        (Result(reason=END_REASON_ABANDONED), "Partida encerrada"),
        (Result(reason=END_REASON_WALKOVER, winners=[0]), "Vocês ganharam!"),
    ],
)
def test_a_match_that_is_broken_off_has_no_score_and_offers_no_move(
    desktop: ScriptedTable, result: Result, title: str
) -> None:
    page = desktop.page
    legal = [*plays(*HAND), RAISE, *signals()]
    desktop.open(view(legal_moves=legal, signal_tables=[meanings()]))
    expect(page.locator("#actions button")).to_have_count(1)
    desktop.result = result
    desktop.show(view(legal_moves=legal, signal_tables=[meanings()]), waits_for=())
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_be_visible()
    assert dialog.locator("#result-score").count() == 0
    assert page.locator(f"{CARDS}, #actions button, .signal:not([aria-disabled=true])").count() == 0
