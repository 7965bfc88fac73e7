"""A person plays Truco in the browser, on the whole stack."""

import itertools
import json
import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Stack
from tests.browser.player import CARDS, Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_a_match_is_played_to_its_end_over_a_reload_and_then_another(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    width, _ = size
    player.open()
    expect(player.page.get_by_label("Como quer ser chamado?")).to_be_focused()
    player.look(screenshots, f"welcome-{width}")
    player.sit_down()
    table = player.table_id()
    player.wait_for_turn()
    while not player.has_something_to_see():
        player.act()
        player.wait_for_turn()
    player.look(screenshots, f"table-{width}", "jpeg")

    while sum(player.score()) < 3 and not player.is_over():
        player.act()
    player.wait_for_turn()
    before = (player.score(), player.cards())
    player.page.reload()
    player.wait_for_table()
    player.wait_for_turn()
    assert player.table_id() == table
    assert (player.score(), player.cards()) == before

    player.play_to_the_end()
    player.look(screenshots, f"result-{width}")
    ours, theirs = player.score()
    assert (ours == 12) != (theirs == 12)
    title = "Vocês ganharam!" if ours == 12 else "Eles ganharam."
    expect(player.page.get_by_role("dialog", name=title)).to_be_visible()
    expect(player.page.locator("#result-score")).to_have_text(f"{ours} × {theirs}")
    assert player.witness.updates[-1]["view"]["secret"]

    player.page.get_by_role("button", name="Jogar de novo").click()
    expect(player.page.locator("#result")).to_be_hidden()
    player.wait_for_turn()
    assert player.table_id() != table
    assert player.score()[0] < 12
    player.act()


def test_updates_reach_the_page_without_a_gap(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    for _ in range(8):
        player.act()
    updates = player.witness.updates
    assert len(updates) > 8
    assert updates[0]["fromVersion"] == 0
    for one, other in itertools.pairwise(updates):
        assert other["fromVersion"] == one["toVersion"]


def test_a_card_is_played_covered_and_nobody_is_sent_its_face(
    desktop_player: Player, screenshots: Path
) -> None:
    player = desktop_player
    player.sit_down()
    cover = player.page.get_by_role("button", name="Jogar coberta", exact=True)
    while not (cover.count() and player.page.locator(CARDS).count()):
        player.act()
        player.wait_for_turn()
    cover.click()
    expect(cover).to_have_attribute("aria-pressed", "true")
    expect(player.page.locator("#prompt")).to_have_text("Escolha a carta que vai coberta.")
    player.look(screenshots, "covered-1280")
    player.page.locator(CARDS).first.click()
    expect(player.page.get_by_role("log")).to_contain_text("Você jogou uma carta coberta.")


def test_the_keyboard_alone_is_enough(desktop_player: Player) -> None:
    player = desktop_player
    player.open()
    player.page.keyboard.type("Seu Teclado")
    player.page.keyboard.press("Enter")
    player.wait_for_table()
    for _ in range(30):
        player.wait_for_turn()
        if player.page.locator(CARDS).count() == 0:
            player.act()
            continue
        for _ in range(12):
            player.page.keyboard.press("Tab")
            if player.page.evaluate("document.activeElement.matches('.hand-card')"):
                break
        card = player.page.evaluate("document.activeElement.getAttribute('aria-label')")
        outline = player.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        player.page.keyboard.press("Enter")
        played = str(card).removesuffix(", manilha")
        expect(player.page.get_by_role("log")).to_contain_text(f"Você jogou {played}.")
        return
    raise AssertionError("it was never my turn")


def test_a_gateway_that_is_killed_costs_a_pause_and_nothing_else(
    desktop_player: Player, stack: Stack
) -> None:
    player = desktop_player
    player.sit_down()
    player.act()
    player.wait_for_turn()
    table, cards = player.table_id(), player.cards()
    os.kill(stack.service_pid("gateway"), signal.SIGKILL)
    note = player.page.locator("#note")
    expect(note).to_contain_text("Sem conexão. Tentando de novo")
    expect(player.page.locator(CARDS)).to_have_count(0)
    expect(note).to_be_hidden()
    player.wait_for_turn()
    assert (player.table_id(), player.cards()) == (table, cards)
    player.act()
    assert player.witness.sockets >= 2
    # A browser writes down each failed attempt to connect; nothing else may have gone wrong.
    unexpected = [text for text in player.complaints if "WebSocket connection" not in text]
    assert unexpected == []
    player.complaints.clear()


def test_an_unanswered_command_is_sent_again_under_its_own_id(desktop_player: Player) -> None:
    player = desktop_player
    sent: list[str] = []

    def lose_the_first_command(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            command = json.loads(message).get("command")
            if command is not None:
                sent.append(command["commandId"])
            if len(sent) == 1 and command is not None:
                socket.close(code=1012)
                server.close()
            else:
                server.send(message)

        socket.on_message(forward)

    player.page.route_web_socket("**/ws", lose_the_first_command)
    player.sit_down()
    while player.page.locator(CARDS).count() == 0:
        player.act()
        player.wait_for_turn()
    sent.clear()
    card = str(player.page.locator(CARDS).first.get_attribute("aria-label")).removesuffix(", manilha")
    player.page.locator(CARDS).first.click()
    expect(player.page.get_by_role("log")).to_contain_text(f"Você jogou {card}.")
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_the_countdown_is_the_servers_whatever_the_local_clock_says(desktop_player: Player) -> None:
    player = desktop_player
    player.page.add_init_script("const now = Date.now; Date.now = () => now() - 86_400_000;")
    player.sit_down()
    player.wait_for_turn()
    shown = player.page.locator("#clock-text")
    first = int(shown.inner_text().removesuffix(" s"))
    assert 15 < first <= 20
    expect(shown).to_have_text(f"{first - 2} s")


def test_who_leaves_is_asked_first_and_the_match_ends(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    player.wait_for_turn()
    player.page.get_by_role("button", name="Sair").click()
    player.page.get_by_role("button", name="Continuar jogando").click()
    expect(player.page.locator("#confirm-leave")).to_be_hidden()
    player.page.get_by_role("button", name="Sair").click()
    player.page.get_by_role("dialog", name="Sair da partida?").get_by_role("button", name="Sair").click()
    dialog = player.page.get_by_role("dialog", name="Partida encerrada")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Sair").click()
    expect(player.page.get_by_text(f"Olá, {player.name}!")).to_be_visible()
    assert "#" not in player.page.url
    player.page.get_by_role("button", name="Jogar", exact=True).click()
    player.wait_for_table()


def test_a_name_that_is_refused_is_refused_in_words(desktop_player: Player) -> None:
    player = desktop_player
    player.open()
    player.page.get_by_label("Como quer ser chamado?").fill("\u202e")
    player.page.get_by_role("button", name="Jogar", exact=True).click()
    expect(player.page.locator("#name-error")).not_to_be_empty()
    expect(player.page.locator("#table")).to_be_hidden()
    # The browser writes down the refused request itself.
    assert all("status of 400" in text for text in player.complaints)
    player.complaints.clear()


def test_a_session_that_is_gone_asks_for_a_name_again(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    player.page.evaluate(
        """() => {
            const session = JSON.parse(localStorage.getItem("carteado.session"));
            localStorage.setItem("carteado.session", JSON.stringify({ ...session, token: "gone", refreshToken: "gone" }));
        }"""
    )
    player.page.reload()
    expect(player.page.get_by_role("alert").filter(has_text="Sua sessão terminou")).to_be_visible()
    expect(player.page.get_by_label("Como quer ser chamado?")).to_be_visible()


def test_a_table_that_does_not_exist_leads_back_to_the_start(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    player.open("/#mesa=00000000-0000-4000-8000-000000000000")
    expect(player.page.get_by_role("alert").filter(has_text="Esta mesa não existe mais.")).to_be_visible()


def test_every_control_says_what_it_is(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    player.wait_for_turn()
    for control in player.page.locator("button:visible, input:visible").all():
        name = control.evaluate(
            "node => (node.ariaLabel ?? '') + node.textContent + (node.labels?.[0]?.textContent ?? '')"
        )
        assert re.search(r"\w", name)
    expect(player.page.get_by_role("log")).to_have_attribute("aria-live", "polite")
    assert player.page.evaluate("document.documentElement.lang") == "pt-BR"
