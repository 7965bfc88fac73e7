"""People come to a table through the rooms: an open table of the Sala Livre, training, the queue of the Ranqueada."""

import json
import re
import urllib.request
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import Stack, open_player
from tests.browser.player import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


class Scripted:
    """A player without a window, who asks the gateway alone."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._token = ""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        self._token = self.ask("POST", "guests", {"name": name}, key)["token"]

    def ask(
        self, method: str, path: str, body: dict[str, Any] | None = None, more: dict[str, str] | None = None
    ) -> Any:
        headers = {"Content-Type": "application/json", **(more or {})}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}/api/v1/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=15) as response:
            return json.load(response)

    def sit(self, table_id: str, seat: int) -> Any:
        wish = {"command_id": str(uuid.uuid4()), "seat": seat}
        return self.ask("POST", f"open-tables/{table_id}/sit", wish)


def to_rooms(player: Player) -> Page:
    player.open()
    player.page.get_by_label("Como quer ser chamado?").fill(player.name)
    player.page.get_by_role("button", name="Escolher sala e jogo").click()
    expect(player.page.get_by_role("heading", name="Salas")).to_be_visible()
    expect(player.page.locator("#rooms-access")).not_to_be_empty()
    return player.page


def wait_for_match(player: Player) -> str:
    player.wait_for_table()
    return player.table_id()


def test_two_windows_and_two_scripted_players_fill_an_open_table(
    chromium: Browser, stack: Stack, screenshots: Path
) -> None:
    with (
        open_player(chromium, stack, (1280, 800)) as ana,
        open_player(chromium, stack, (360, 740)) as bia,
    ):
        to_rooms(ana).get_by_role("button", name="Abrir uma mesa").click()
        expect(ana.page.locator("#rooms-state")).to_contain_text("Esperando os outros")
        expect(ana.page.get_by_role("button", name="Levantar da mesa")).to_be_focused()
        ana.look(screenshots, "waiting-1280")

        to_rooms(bia)
        table = bia.page.get_by_role("listitem").filter(has_text=ana.name).first
        expect(table).to_be_visible()
        bia.look(screenshots, "rooms-livre-360", "jpeg")
        bia.page.get_by_role("button", name="Sentar na mesa 1, lugar 3").click()
        expect(bia.page.locator("#rooms-state")).to_contain_text("Esperando os outros")

        others = [Scripted(stack.url, f"Parceiro {uuid.uuid4().hex[:8]}") for _ in range(2)]
        (listed,) = [
            one
            for one in others[0].ask("GET", "open-tables?preset=truco-paulista")["tables"]
            if any(seat and seat["name"] == ana.name for seat in one["seats"])
        ]
        for scripted, seat in zip(others, (1, 3), strict=True):
            scripted.sit(listed["table_id"], seat)
        assert wait_for_match(ana) == wait_for_match(bia) == listed["table_id"]
        expect(ana.page.locator("#table")).to_contain_text(bia.name)


def test_who_waits_in_the_queue_sees_for_how_long_and_may_leave_it(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = to_rooms(player)
    page.get_by_label("Sala Ranqueada").check()
    expect(page.locator("#league-mine")).to_contain_text("Liga Bronze")
    expect(page.locator("#rooms-access")).to_contain_text("Liberado.")
    player.look(screenshots, f"rooms-ranqueada-{size[0]}", "jpeg")
    page.get_by_role("button", name="Entrar na fila").click()
    expect(page.locator("#rooms-state")).to_contain_text("Na fila da Sala Ranqueada")
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"\d:\d\d"))
    page.reload()
    expect(page.locator("#rooms-state")).to_contain_text("Na fila da Sala Ranqueada")
    player.look(screenshots, f"queue-{size[0]}")
    page.get_by_role("button", name="Sair da fila").click()
    expect(page.get_by_role("button", name="Entrar na fila")).to_be_focused()
    expect(page.locator("#rooms-waiting")).to_be_hidden()


def test_what_one_has_won_in_the_liga_is_told(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    match = str(uuid.uuid4())
    won = {
        "trophies": [
            {"game": "truco-paulista", "week": "2026-11-23", "league": "prata", "place": 2, "points": 415}
        ],
        "medals": [{"wins": 10, "match_id": match}],
        "achievements": [
            {
                "feat": "zap_on_last_trick",
                "match_id": match,
                "version": 212,
                "achieved_at": "2026-11-29T15:33:20Z",
            }
        ],
    }

    def add(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), **won})

    page = player.page
    page.route("**/api/v1/league/*/me", add)
    to_rooms(player).get_by_label("Sala Ranqueada").check()
    lines = page.get_by_role("region", name="O que você já ganhou").get_by_role("listitem")
    expect(lines).to_have_text(
        [
            re.compile("2º lugar da Liga Prata, semana de 23/11/2026$"),
            re.compile("Medalha de 10 vitórias$"),
            re.compile("Zap na última vaza, em 29/11/2026$"),
        ]
    )
    player.look(screenshots, f"league-won-{size[0]}")


def test_training_begins_at_once_by_the_keyboard_alone(desktop_player: Player) -> None:
    player = desktop_player
    page = to_rooms(player)
    page.get_by_label("Sala Livre").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Treino com Robôs")).to_be_checked()
    page.get_by_role("button", name="Treinar").press("Enter")
    wait_for_match(player)
    player.act()


def test_the_quick_start_leads_to_where_the_player_is_already(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    to_rooms(player).get_by_label("Sala Ranqueada").check()
    page.get_by_role("button", name="Entrar na fila").click()
    expect(page.locator("#rooms-state")).to_contain_text("Na fila da Sala Ranqueada")
    back_at_the_start(player)
    page.get_by_role("button", name="Jogar", exact=True).click()
    expect(page.locator("#rooms-state")).to_contain_text("Na fila da Sala Ranqueada")
    page.get_by_role("button", name="Sair da fila").click()
    page.get_by_role("button", name="Voltar").click()
    page.get_by_role("button", name="Jogar", exact=True).click()
    table_id = wait_for_match(player)
    back_at_the_start(player)
    page.get_by_role("button", name="Jogar", exact=True).click()
    assert wait_for_match(player) == table_id
    refused = [complaint for complaint in player.complaints if "409" in complaint]
    assert len(refused) == 2
    player.complaints = [complaint for complaint in player.complaints if complaint not in refused]


def back_at_the_start(player: Player) -> None:
    """As in a browser that does not remember at which table its player is."""
    player.page.evaluate("localStorage.removeItem('carteado.table')")
    player.open("/?")
    expect(player.page.get_by_text(f"Olá, {player.name}!")).to_be_visible()


def test_who_is_not_known_to_billing_yet_may_play_a_moment_later(desktop_player: Player) -> None:
    asked = []

    def not_yet(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 2:
            route.continue_()
            return
        told = {"is_allowed": False, "reason": "UNKNOWN_PLAYER", "text": "Ainda não conhecemos esta conta."}
        route.fulfill(json={**told, "rule": "", "valid_until": "2026-12-01T00:00:00Z", "matches_left": None})

    desktop_player.page.route("**/api/v1/access?*", not_yet)
    page = to_rooms(desktop_player)
    expect(page.locator("#rooms-access")).to_contain_text("Ainda não conhecemos esta conta.")
    expect(page.locator("#rooms-play")).to_be_disabled()
    expect(page.locator("#rooms-play")).to_be_enabled(timeout=20_000)
    assert len(asked) == 3


def test_a_house_preset_has_no_ranked_room(desktop_player: Player) -> None:
    page = to_rooms(desktop_player)
    page.get_by_label("Sala Ranqueada").check()
    page.get_by_label("Jogo").select_option("truco@003")
    expect(page.get_by_label("Sala Ranqueada")).to_be_disabled()
    expect(page.get_by_label("Sala Livre")).to_be_checked()
    page.get_by_role("button", name="Voltar").click()
    expect(page.get_by_role("button", name="Jogar", exact=True)).to_be_focused()


def test_training_is_for_as_many_and_as_strong_as_was_chosen_and_so_is_the_next(
    desktop_player: Player,
) -> None:
    page = to_rooms(desktop_player)
    page.get_by_label("Treino com Robôs").check()
    page.get_by_label("Jogo").select_option("truco@004")
    assert page.get_by_label("Força dos robôs").locator("option").all_inner_texts() == ["Simples", "Fortes"]
    page.get_by_label("Força dos robôs").select_option("Fortes")
    page.get_by_label("Lugares").select_option("6 jogadores")
    with page.expect_request("**/api/v1/training") as asked:
        page.get_by_role("button", name="Treinar").click()
    assert {
        "preset": "truco@004",
        "seats": 6,
        "strength": "strong",
    }.items() <= asked.value.post_data_json.items()
    first = wait_for_match(desktop_player)
    expect(page.locator(".seat")).to_have_count(6)
    desktop_player.act()
    page.get_by_role("button", name="Sair").click()
    page.get_by_role("dialog", name="Sair da partida?").get_by_role("button", name="Sair").click()
    page.get_by_role("button", name="Conferir esta partida").click()
    dialog = page.get_by_role("dialog", name="Conferir esta partida")
    expect(dialog.get_by_role("status")).to_contain_text("Tudo confere")
    dialog.get_by_role("button", name="Fechar").click()
    page.get_by_role("button", name="Jogar de novo").click()
    expect(page.locator("#result")).to_be_hidden()
    assert wait_for_match(desktop_player) != first
    expect(page.locator(".seat")).to_have_count(6)
