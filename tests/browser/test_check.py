"""A finished match is checked in the browser, by the browser's own sums, against what the page saw while it ran."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.player import Player
from tests.fairness import verifier

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

FETCH_RECORD = """
    async (tableId) => {
        const { token } = JSON.parse(localStorage.getItem("carteado.session"));
        const headers = { Authorization: `Bearer ${token}` };
        return (await fetch(`/api/v1/tables/${tableId}/record`, { headers })).json();
    }
"""


def play_some_and_leave(player: Player, moves: int = 8) -> str:
    """A match that ends abandoned after so many moves; gives its id."""
    player.sit_down()
    table_id = player.table_id()
    for _ in range(moves):
        player.act()
    player.wait_for_turn()
    if not player.is_over():
        player.page.get_by_role("button", name="Sair").click()
        player.page.get_by_role("dialog", name="Sair da partida?").get_by_role("button", name="Sair").click()
    expect(player.page.locator("#result")).to_be_visible()
    return table_id


def open_check(page: Page) -> Locator:
    page.get_by_role("button", name="Conferir esta partida").click()
    return page.get_by_role("dialog", name="Conferir esta partida")


def alter_record(page: Page, change: Any) -> None:
    """Lets a dishonest server answer in the place of ours."""

    def answer(route: Route) -> None:
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    page.route("**/api/v1/tables/*/record*", answer)


def test_a_match_played_to_its_end_is_checked_hand_by_hand(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    player.sit_down()
    table_id = player.table_id()
    for _ in range(6):
        player.act()
    # What was seen before a reload counts as well.
    player.page.reload()
    player.wait_for_table()
    player.play_to_the_end()
    dialog = open_check(player.page)
    verdict = dialog.get_by_role("status")
    expect(verdict).to_contain_text("Tudo confere")
    record = player.page.evaluate(FETCH_RECORD, table_id)
    dealt = [event for event in record["events"] if event["type"] == "truco.hand_dealt"]
    hands = dialog.locator(".check-hand")
    expect(hands).to_have_count(len(dealt))
    assert f"{len(dealt)} mãos" in verdict.inner_text()
    assert dialog.locator(".wrong").count() == 0
    # Everything of the match was there to compare: promised, listed, added, seen.
    assert dialog.locator("#check-match .unseen").count() == 0
    expect(dialog.locator("#check-note")).to_contain_text("comparada com o que esta página viu")
    hands.first.locator("summary").click()
    faces = hands.first.locator(".check-faces").all()
    names = [str(face.get_attribute("aria-label")) for face in faces]
    assert [len(name.split(", ")) for name in names] == [1, 3, 3, 3, 3]
    expect(hands.first.locator(".check-points")).to_contain_text(
        "As cartas que você teve na mão são estas (3)"
    )
    player.look(screenshots, f"check-{size[0]}")
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
    # A verifier that has never heard of the page says the same.
    assert list(verifier.problems(record)) == []
    dialog.get_by_role("button", name="Fechar").click()
    expect(player.page.get_by_role("button", name="Jogar de novo")).to_be_visible()


def test_an_abandoned_match_is_checked_too_and_again_after_a_reload(desktop_player: Player) -> None:
    player = desktop_player
    table_id = play_some_and_leave(player)
    dialog = open_check(player.page)
    expect(dialog.get_by_role("status")).to_contain_text("Tudo confere")
    player.page.goto(f"{player.url}/#mesa={table_id}")
    player.page.reload()
    expect(player.page.locator("#result")).to_be_visible()
    dialog = open_check(player.page)
    expect(dialog.get_by_role("status")).to_contain_text("Tudo confere")
    expect(dialog.locator("#check-note")).to_contain_text("comparada com o que esta página viu")


def other_vira(record: dict[str, Any]) -> None:
    dealt = first_deal(record)
    dealt["cards"][0][0], dealt["vira"] = dealt["vira"], dealt["cards"][0][0]


def other_secret(record: dict[str, Any]) -> None:
    record["secret"] = record["events"][-1]["payload"]["secret"] = "00" * 32


def without_my_part(record: dict[str, Any]) -> None:
    record["entropy"] = record["events"][0]["payload"]["entropy"] = ["", "", "", ""]


def another_match(record: dict[str, Any]) -> None:
    """A whole fair match, but not the one that was played: its commitment was never promised."""
    opened, ended = record["events"][0]["payload"], record["events"][-1]["payload"]
    secret = b"another secret of thirty-two byte"[:32]
    ended["secret"] = secret.hex()
    opened["commitment"] = verifier.hashlib.sha256(secret).hexdigest()
    entropy = [bytes.fromhex(item) for item in opened["entropy"]]
    match = verifier.Match(secret, opened["table_id"], entropy)
    dealer = match.below(match.words("dealer"), 4)
    record["events"] = [event for event in record["events"] if event["type"] != "truco.card_played"]
    dealt = [event["payload"] for event in record["events"] if event["type"] == "truco.hand_dealt"]
    for hand, event in enumerate(dealt, start=1):
        pack = match.shuffled(f"hand-{hand}", verifier.pack_of("4567QJKA23"))
        event["dealer"], event["vira"] = dealer, pack[12]
        for turn in range(4):
            event["cards"][(dealer + 1 + turn) % 4] = pack[3 * turn : 3 * turn + 3]
        if event.get("signal_tables"):
            event["signal_tables"] = match.meanings(hand)
        dealer = (dealer + 1) % 4
    record["commitment"], record["secret"] = opened["commitment"], ended["secret"]
    assert list(verifier.problems(record)) == []


def first_deal(record: dict[str, Any]) -> dict[str, Any]:
    payload: dict[str, Any] = next(
        event["payload"] for event in record["events"] if event["type"] == "truco.hand_dealt"
    )
    return payload


def test_what_a_dishonest_server_publishes_is_found(desktop_player: Player) -> None:
    player = desktop_player
    play_some_and_leave(player)
    for change, complaint in (
        (other_vira, "As cartas publicadas são as que o segredo dá"),
        (other_secret, "O segredo revelado é o do compromisso"),
        (without_my_part, "A sua parte está nela, no seu lugar"),
        (another_match, "O compromisso é o que esta página viu antes da primeira carta"),
    ):
        player.page.unroute_all()
        alter_record(player.page, change)
        dialog = open_check(player.page)
        expect(dialog.get_by_role("status")).to_contain_text("Algo não confere")
        expect(dialog.locator(".wrong").filter(has_text=complaint).first).to_be_visible()
        dialog.get_by_role("button", name="Fechar").click()
    player.page.unroute_all()
    expect(open_check(player.page).get_by_role("status")).to_contain_text("Tudo confere")


def test_what_the_page_saw_is_held_against_the_record(desktop_player: Player) -> None:
    """A server that shows one hand while it is played and publishes another, both of them fair by themselves."""
    player = desktop_player
    table_id = play_some_and_leave(player)
    name = f"carteado.witness.{table_id}"
    seen = json.loads(player.page.evaluate("name => localStorage.getItem(name)", name))
    own = seen["hands"]["1"]["cards"]["0"]
    assert len(own) == 3
    card, place = next(iter(own.items()))
    del own[card]
    others = player.page.evaluate(FETCH_RECORD, table_id)
    own[first_deal(others)["cards"][1][0]] = place
    player.page.evaluate("([name, seen]) => localStorage.setItem(name, JSON.stringify(seen))", [name, seen])
    dialog = open_check(player.page)
    expect(dialog.get_by_role("status")).to_contain_text("Algo não confere")
    wrong = dialog.locator(".check-hand.wrong")
    expect(wrong).to_have_count(1)
    expect(wrong.locator(".wrong", has_text="As cartas que você teve na mão")).to_be_visible()


def test_a_browser_that_saw_nothing_says_so(desktop_player: Player) -> None:
    player = desktop_player
    table_id = play_some_and_leave(player)
    player.page.evaluate("name => localStorage.removeItem(name)", f"carteado.witness.{table_id}")
    dialog = open_check(player.page)
    expect(dialog.get_by_role("status")).to_contain_text("Tudo confere")
    expect(dialog.locator("#check-note")).to_contain_text("Este navegador não acompanhou a partida")
    assert dialog.locator("#check-match .unseen").count() >= 3
