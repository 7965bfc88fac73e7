"""Who plays, as the page shows it: a name is one person's, a session is renewed once and ends everywhere."""

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Stack, open_player
from tests.browser.player import ANSWERS, CARDS, Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

EXPIRE = """() => {
    const session = JSON.parse(localStorage.getItem("carteado.session"));
    localStorage.setItem("carteado.session", JSON.stringify({ ...session, expiresAt: new Date().toISOString() }));
    return session;
}"""
STORED = """() => JSON.parse(localStorage.getItem("carteado.session"))"""


def test_a_taken_name_is_answered_with_a_free_one(
    desktop_player: Player, chromium: Browser, stack: Stack
) -> None:
    """Fault B130: another spelling of a taken name is the same name."""
    desktop_player.sit_down()
    with open_player(chromium, stack, (1280, 800)) as other:
        other.open()
        other.ask_for(desktop_player.name.upper().replace(" ", "-"))
        expect(other.page.locator("#name-error")).to_contain_text("Este nome já é de outra pessoa. Que tal “")
        offered = other.page.get_by_label("Como quer ser chamado?").input_value()
        assert f"“{offered}”" in other.page.locator("#name-error").inner_text()
        other.page.get_by_role("button", name="Jogar", exact=True).click()
        other.wait_for_table()
        # The browser writes down the refused request itself.
        assert all("status of 409" in text for text in other.complaints)
        other.complaints.clear()


def test_who_comes_back_after_the_tokens_hour_is_let_in(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    before = player.page.evaluate(EXPIRE)
    player.page.reload()
    player.wait_for_table()
    after = player.page.evaluate(STORED)
    assert after["playerId"] == before["playerId"]
    assert after["refreshToken"] != before["refreshToken"]


def test_a_token_that_ended_while_the_device_slept_costs_nothing(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    player.page.evaluate(
        """() => {
            const session = JSON.parse(localStorage.getItem("carteado.session"));
            session.token = "ended";
            session.renewedAt = 0;
            localStorage.setItem("carteado.session", JSON.stringify(session));
        }"""
    )
    with player.page.expect_request("**/api/v1/session/renew"):
        player.page.reload()
    player.wait_for_table()


def test_who_is_banned_is_told_so(desktop_player: Player, stack: Stack) -> None:
    player = desktop_player
    player.sit_down()
    carteado = Path(sys.executable).with_name("carteado")
    words = ["accounts", "ban", player.name, "--reason", "other", "--note", "x", "--for", "1h"]
    banned = subprocess.run(
        [carteado, *words, "--data", stack.data], capture_output=True, text=True, timeout=60, check=False
    )
    assert banned.returncode == 0, banned.stderr
    expect(player.page.get_by_role("alert").filter(has_text="Sua conta está suspensa.")).to_be_visible()


def test_two_windows_that_come_back_at_once_renew_once(desktop_player: Player) -> None:
    """Fault B126: a refresh token works once, and a second window must not look like a thief."""
    player = desktop_player
    player.sit_down()
    player.page.evaluate(EXPIRE)
    second = player.page.context.new_page()
    second.goto("about:blank")
    player.page.evaluate("url => void setTimeout(() => location.reload(), 50)", player.url)
    second.goto(player.url)
    player.wait_for_table()
    expect(second.locator("#table")).to_be_visible()
    assert second.evaluate(STORED) == player.page.evaluate(STORED)
    expect(player.page.locator("#table")).to_be_visible()


def test_leaving_the_account_closes_its_other_windows(desktop_player: Player) -> None:
    player = desktop_player
    player.sit_down()
    second = player.page.context.new_page()
    second.goto(player.url)
    expect(second.locator("#table")).to_be_visible()
    second.get_by_role("button", name="Sair").click()
    second.get_by_role("dialog", name="Sair da partida?").get_by_role("button", name="Sair").click()
    second.get_by_role("dialog").get_by_role("button", name="Sair").click()
    second.get_by_role("button", name="Trocar de nome").click()
    expect(second.get_by_label("Como quer ser chamado?")).to_be_visible()
    expect(player.page.get_by_role("alert").filter(has_text="Sua sessão terminou")).to_be_visible(
        timeout=30_000
    )


def test_b084_the_window_opened_last_plays_and_the_other_says_so_and_may_take_it_back(
    desktop_player: Player, screenshots: Path
) -> None:
    player = desktop_player
    player.sit_down()
    first, second = player.page, player.page.context.new_page()
    second.goto(player.page.url)
    expect(second.locator("#vira .card")).to_be_visible()
    expect(first.get_by_text("Você está jogando em outro aparelho")).to_be_visible()
    expect(second.locator("#elsewhere")).to_be_hidden()
    expect(first.locator(CARDS)).to_have_count(0)
    player.look(screenshots, "elsewhere")
    second.locator(f"{CARDS}, {ANSWERS}").first.wait_for(state="visible")
    # A window behind another one draws no frames, and a person would look at the one they click in.
    first.bring_to_front()
    first.get_by_role("button", name="Jogar aqui").click()
    expect(first.locator("#elsewhere")).to_be_hidden()
    expect(second.locator("#elsewhere")).to_be_visible()
    player.wait_for_turn()
    player.act()
