"""Everybody can use the page: the rules of axe-core hold on each screen, and what happens is said as well as shown."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from deploy import web
from tests.browser import test_domino, test_sueca
from tests.browser.player import CARDS, Player
from tests.browser.scripted import ScriptedTable, meanings, plays, signals, trick
from tests.browser.test_cacheta import CLAIM, PASS, legal, window
from tests.browser.test_cacheta import table_of as cacheta_of
from tests.browser.test_mau_mau import DRAW, JACK, THIRTY, play
from tests.browser.test_mau_mau import table_of as mau_mau_of
from tests.browser.test_mau_mau import view as mau_mau_view
from tests.browser.test_truco_table import HAND, RAISE, view

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

RUN = """
    async () => {
        // A card's picture holds its letters; its name says what they mean.
        const rules = { "label-content-name-mismatch": { enabled: false } };
        const { violations } = await axe.run(document, { rules, resultTypes: ["violations"] });
        return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    }
"""


@pytest.fixture(scope="module")
def axe() -> str:
    web.install()
    return (web.WEB / "node_modules" / "axe-core" / "axe.min.js").read_text()


def violations(page: Page, axe: str) -> Any:
    page.evaluate(axe)
    return page.evaluate(RUN)


def test_the_start_and_the_rooms_break_no_rule(player: Player, axe: str) -> None:
    page = player.page
    player.open()
    page.get_by_label("Como quer ser chamado?").fill(player.name)
    assert violations(page, axe) == []
    page.get_by_role("button", name="Escolher sala e jogo").click()
    expect(page.locator("#rooms-access")).not_to_be_empty()
    assert violations(page, axe) == []


def test_the_table_and_the_settings_break_no_rule(player: Player, axe: str) -> None:
    page = player.page
    table = ScriptedTable(page, player.url)
    table.open(
        view(
            legal_moves=[*plays(*HAND, covered=True), RAISE, *signals()],
            signal_tables=[meanings()],
            tricks=[trick(2, (2, "AO"), (3, ""))],
        )
    )
    expect(page.locator(".played")).to_have_count(2)
    assert violations(page, axe) == []
    page.get_by_role("button", name="Ajustes").click()
    assert violations(page, axe) == []


def test_suecas_table_breaks_no_rule(player: Player, axe: str) -> None:
    page = player.page
    table = test_sueca.scripted(player)
    table.open(test_sueca.view(legal_moves=test_sueca.plays("2P", "AO", number=1), carry=1))
    expect(page.locator(CARDS)).to_have_count(2)
    assert violations(page, axe) == []


def test_dominos_table_breaks_no_rule_while_an_end_is_chosen(player: Player, axe: str) -> None:
    page = player.page
    table = test_domino.scripted(player)
    table.open(test_domino.view(legal_moves=test_domino.legal("2-3", test_domino.LEFT, test_domino.RIGHT)))
    page.get_by_role("button", name="2-3").click()
    expect(page.locator(".end-spot")).to_have_count(2)
    assert violations(page, axe) == []


def test_the_tables_where_each_plays_alone_break_no_rule(player: Player, axe: str) -> None:
    page = player.page
    plays = [play(*one) for one in JACK]
    mau_mau_of(player, 8).open(mau_mau_view([*THIRTY, "JO"], 8, forgot_seat=5, legal_moves=[*plays, DRAW]))
    assert violations(page, axe) == []
    page.keyboard.press("1")
    expect(page.locator(".suit-choice")).to_have_count(4)
    assert violations(page, axe) == []


def test_the_claim_window_breaks_no_rule(player: Player, axe: str) -> None:
    page = player.page
    moves = [legal(jump_queue=CLAIM), legal(pass_jump=PASS)]
    cacheta_of(player).open(window(burnt_seats=[3], points=[10, 7, 9, 0], legal_moves=moves))
    page.keyboard.press("1")
    assert violations(page, axe) == []
