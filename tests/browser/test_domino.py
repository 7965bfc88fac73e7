"""Dominó's table: the line that winds, the end that is chosen, passes told, the end of a round, and a training match."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from carteado.games.domino.v1 import domino_pb2 as domino
from carteado.table.v1.view_pb2 import END_REASON_FINISHED, Result
from tests.browser.player import Player
from tests.browser.scripted import ScriptedTable

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

TILES = ".hand-tile:not([aria-disabled=true])"
LEFT, RIGHT = domino.END_LEFT, domino.END_RIGHT
HAND = ("2-3", "0-1", "3-4")
LINE = (
    ("6-6", 0, 6, 6),
    ("5-6", RIGHT, 6, 5),
    ("0-5", RIGHT, 6, 0),
    ("1-6", LEFT, 1, 0),
    ("0-0", RIGHT, 1, 0),
    ("0-4", RIGHT, 1, 4),
    ("1-1", LEFT, 1, 4),
    ("4-4", RIGHT, 1, 4),
    ("4-6", RIGHT, 1, 6),
    ("3-6", RIGHT, 1, 3),
    ("1-5", LEFT, 5, 3),
    ("5-5", LEFT, 5, 3),
    ("3-5", LEFT, 3, 3),
    ("3-3", RIGHT, 3, 3),
)
"""Tile, end, and what is open then."""


def tile(code: str) -> domino.Tile:
    low, high = map(int, code.split("-"))
    return domino.Tile(low=low, high=high)


def play(turn: int, code: str, end: int, left: int, right: int) -> domino.TilePlayed:
    return domino.TilePlayed(
        round=1,
        turn=turn,
        seat=(turn - 1) % 4,
        tile=tile(code),
        end=domino.End.ValueType(end),
        ends=domino.OpenEnds(left=left, right=right),
    )


def view(cards: tuple[str, ...] = HAND, laid: int = len(LINE), **more: Any) -> domino.View:
    plays = [play(turn, *one) for turn, one in enumerate(LINE[:laid], start=1)]
    mine = domino.HandOfTiles(seat=0, count=len(cards), tiles=[tile(code) for code in cards])
    told: dict[str, Any] = {
        "phase": domino.PHASE_PLAY,
        "score": [12, 31],
        "round": 1,
        "starter": 0,
        "turn": laid + 1,
        "to_play": 0,
        "plays": plays,
        "hands": [mine, *(domino.HandOfTiles(seat=seat, count=4 - seat) for seat in (1, 2, 3))],
    }
    if plays:
        told["ends"] = plays[-1].ends
    return domino.View(**{**told, **more})


def legal(code: str, *ends: int, turn: int = len(LINE) + 1) -> list[domino.LegalMove]:
    return [
        domino.LegalMove(
            move=domino.Move(
                play_tile=domino.PlayTile(round=1, turn=turn, tile=tile(code), end=domino.End.ValueType(end))
            )
        )
        for end in ends
    ]


def scripted(player: Player) -> ScriptedTable:
    return ScriptedTable(player.page, player.url, game="domino", preset="domino")


def test_d10_a_tile_that_fits_both_ends_is_laid_where_the_player_says(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    table, page = scripted(player), player.page
    passed = domino.SeatPassed(round=1, turn=14, seat=2, next_seat=3)
    moves = [*legal("2-3", LEFT, RIGHT), *legal("3-4", LEFT, RIGHT)]
    table.open(view(legal_moves=moves, passes=[passed]))
    expect(page.locator(TILES)).to_have_count(2)
    expect(page.locator("#prompt")).to_have_text("Sua vez: as duas pontas são 3.")
    expect(page.get_by_role("region", name="Bia")).to_contain_text("passou. Não tinha 3")
    expect(page.get_by_role("region", name="Zeca")).to_contain_text("3 peças")
    line = page.get_by_role("region", name="Peças na mesa")
    expect(line.locator(".laid")).to_have_count(len(LINE))
    expect(line).to_contain_text(
        "Da esquerda para a direita: 3-5, 5-5, 5-1, 1-1, 1-6, 6-6, 6-5, 5-0, 0-0, 0-4, 4-4, 4-6, 6-3, 3-3. "
        "Pontas: 3 e 3."
    )
    page.get_by_role("button", name="2-3").click()
    assert table.moves == []
    expect(page.locator("#prompt")).to_have_text("Em que ponta vai o 2-3?")
    player.look(screenshots, f"domino-{size[0]}", "jpeg")
    page.keyboard.press("Escape")
    expect(page.locator(".end-spot")).to_have_count(0)
    page.get_by_role("button", name="2-3").click()
    page.locator(".end-spot[data-end=left]").click()
    assert [move["playTile"]["end"] for move in table.moves] == ["END_LEFT"]
    assert table.moves[0]["playTile"]["tile"] == {"low": 2, "high": 3}


def test_the_whole_round_fits_a_phone_and_the_keys_play(desktop_player: Player, screenshots: Path) -> None:
    player, page = desktop_player, desktop_player.page
    page.set_viewport_size({"width": 360, "height": 740})
    table = scripted(player)
    table.open(view(legal_moves=[*legal("0-1", 0, turn=1)], laid=0, opening=tile("0-1")))
    expect(page.locator("#prompt")).to_have_text("Sua vez: saia com o 0-1.")
    expect(page.locator(TILES)).to_have_count(1)
    page.keyboard.press("2")
    assert table.moves == [{"playTile": {"round": 1, "turn": 1, "tile": {"high": 1}}}]
    table.show(view(legal_moves=legal("3-4", LEFT, RIGHT)))
    expect(page.locator(".laid")).to_have_count(len(LINE))
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Direita no 3")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert table.moves[1]["playTile"]["end"] == "END_RIGHT"
    box = page.locator("#line svg").bounding_box()
    assert box is not None
    for laid in page.locator(".laid").all():
        inside = laid.bounding_box()
        assert inside is not None
        assert inside["x"] >= box["x"] - 1
        assert inside["x"] + inside["width"] <= box["x"] + box["width"] + 1
        assert inside["y"] >= box["y"] - 1
        assert inside["y"] + inside["height"] <= box["y"] + box["height"] + 1


def test_passes_and_a_blocked_round_are_told(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    table = scripted(player)
    table.open(view(laid=12), waits_for=(0,))
    passed = domino.SeatPassed(round=1, turn=14, seat=1, next_seat=2)
    table.show(
        view(laid=13, passes=[passed]),
        domino.Event(tile_played=play(13, *LINE[12])),
        domino.Event(seat_passed=passed),
        waits_for=(2,),
    )
    expect(page.locator("#prompt")).to_have_text("Zeca passou.")
    expect(page.locator(".speech")).to_have_text("Passo!")
    expect(page.locator("#prompt")).to_have_text("Vez de Bia.")
    ended = domino.RoundEnded(
        round=1,
        ending=domino.ENDING_BLOCKED_TIED,
        seat=2,
        pips=[5, 0, 7, 12],
        winner_side=1,
        points=12,
        score=[12, 43],
        next_starter=1,
    )
    dealt = domino.RoundDealt(round=2, starter=1)
    table.show(
        view(("1-2",), laid=0, round=2, starter=1, score=[12, 43]),
        domino.Event(tile_played=play(14, *LINE[13])),
        domino.Event(round_ended=ended),
        domino.Event(round_dealt=dealt),
        waits_for=(1,),
    )
    told = (
        "Bia trancou a mesa com pintas iguais, e perde. Pintas na mão: Você 5, Bia 7, Tonho 12. "
        "Eles marcaram 12 pontos. Nós 12, eles 43."
    )
    expect(page.locator("#prompt")).to_have_text(told)
    log = page.get_by_role("log")
    expect(log).to_contain_text("Você jogou 3-5 na esquerda: pontas 3 e 3.")
    expect(log.locator("p").last).to_have_text("2ª rodada: Zeca sai.")
    expect(page.locator(".history summary")).to_contain_text("deles, 12 pontos")


def test_who_watches_reads_the_sides_names_and_is_no_side(desktop_player: Player) -> None:
    page = desktop_player.page
    table = ScriptedTable(page, desktop_player.url, game="domino", preset="domino", watching=True)
    table.open(view(()), waits_for=(2,))
    expect(page.locator("#score")).to_have_text("Dona Bia e Bia1231Zeca e Tonho")
    page.get_by_label("Jogar sem pausas").check()
    ended = domino.RoundEnded(
        round=1,
        ending=domino.ENDING_WENT_OUT,
        seat=1,
        pips=[9, 0, 12, 3],
        winner_side=1,
        points=21,
        score=[12, 52],
    )
    table.result = Result(reason=END_REASON_FINISHED, winners=[1], score=[12, 52])
    table.show(
        view((), score=[12, 52], phase=domino.PHASE_OVER, winner=1),
        domino.Event(round_ended=ended),
        domino.Event(match_ended=domino.MatchEnded(winner_side=1, score=[12, 52])),
        waits_for=(),
    )
    expect(page.get_by_role("dialog", name="Zeca e Tonho ganharam.")).to_contain_text("12 × 52")
    expect(page.locator(".history summary")).to_have_text("1ª rodadaZeca e Tonho, 21 pontos")


def test_a_training_match_is_begun_played_and_told_in_english(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    player.open()
    page.get_by_label("Como quer ser chamado?").fill(player.name)
    page.get_by_role("button", name="Escolher sala e jogo").click()
    page.get_by_label("Treino com Robôs").check()
    page.get_by_label("Jogo").select_option("domino")
    page.get_by_role("button", name="Treinar").click()
    expect(page.locator(".hand-tile")).not_to_have_count(0)
    page.get_by_label("Jogar sem pausas").check()
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_label("English").check()
    page.get_by_role("button", name="Close").click()
    for _ in range(3):
        page.locator(TILES).first.click()
        # Where there is a choice; else the key does nothing.
        page.keyboard.press("ArrowLeft")
        page.locator(f"{TILES}, #result").first.wait_for()
    expect(page.get_by_role("log")).to_contain_text("You played")
