"""The table of Buraco, Tranca and Canastra: states written by the test, drawn and played by the page, and one real match."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from carteado.cards.v1 import cards_pb2 as cards
from carteado.games.buraco.v1 import buraco_pb2 as buraco
from carteado.table.v1.view_pb2 import END_REASON_FINISHED, Result
from deploy import web
from tests.browser.player import Player
from tests.browser.scripted import ScriptedTable, card
from tests.browser.test_access import violations

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SWITCHES = {"draw_seconds": "30", "play_seconds": "60", "direction": "cw"}
HAND = ("4C", "5C", "6C", "9P", "9E", "2O", "KP", "KP'", "AE", "JO", "7C")
FORTY = tuple(
    f"{rank}{suit}"
    for suit, ranks in (
        ("P", "A 3 4 5 6 7 8 9 10 J Q"),
        ("C", "3 4 6 7 8 9 10 J K"),
        ("E", "2 3 5 5' 6 8 9 Q K A"),
        ("O", "2 4 5 6 7 8 10 J Q K"),
    )
    for rank in ranks.split()
)


def face(code: str) -> cards.Card:
    """The card of a code; one with a tick, such as "KP'" or "5'E", is of the second pack."""
    plain = code.replace("'", "")
    return card(plain, pack=1 if plain != code else 0)


def faces(codes: Sequence[str]) -> list[cards.Card]:
    return [face(code) for code in codes]


def meld(number: int, side: int, *codes: str, wilds: Sequence[str] = (), **more: Any) -> buraco.Meld:
    """A run, unless told otherwise; one of seven or more is the canastra that it looks like."""
    told: dict[str, Any] = {
        "kind": buraco.MELD_KIND_RUN,
        "is_clean": not wilds,
        "is_canastra": len(codes) >= 7,
        "points": 0 if len(codes) < 7 else 100 if wilds else 200,
    }
    return buraco.Meld(number=number, side=side, cards=faces(codes), wilds=faces(wilds), **{**told, **more})


MELDS = (
    meld(0, 0, "5P", "6P", "7P"),
    meld(1, 1, "4O", "5O", "2E'", "7O", "8O", "9O", "10O", wilds=["2E'"]),
    meld(2, 0, "3E", "4E", "5E", "6E", "7E", "8E", "9E"),
    meld(3, 1, "QC", "QC'", "QO", "QE", kind=buraco.MELD_KIND_SET),
    meld(
        4,
        0,
        "AC'",
        "2C'",
        "3C'",
        "4C'",
        "5C'",
        "6C'",
        "7C'",
        "8C'",
        "9C'",
        "10C'",
        "JC'",
        "QC'",
        "KC'",
        points=500,
    ),
)


def view(
    hand: Sequence[str] = HAND, *, seats: int = 4, phase: Any = buraco.PHASE_PLAY, **more: Any
) -> buraco.View:
    """The middle of a deal of open lixo, my turn, the card drawn; whatever is given is otherwise."""
    told: dict[str, Any] = {
        "house": buraco.House(jokers=0, is_lixo_open=True, needs_clean_canastra=True),
        "phase": phase,
        "score": [0, 0],
        "deal": 1,
        "starter": 0,
        "turn": 9,
        "to_play": 0,
        "hands": [
            buraco.HandOfCards(seat=0, count=len(hand), cards=faces(hand)),
            *(buraco.HandOfCards(seat=seat, count=7 + seat) for seat in range(1, seats)),
        ],
        "stock_count": 31,
        "mortos_left": 1,
        "lixo_count": 4,
        "lixo": faces(("3P", "KO", "8E'", "10C")),
        "melds": MELDS,
        "sides": [
            buraco.Side(side=0, card_points=185, canastra_points=700),
            buraco.Side(side=1, morto_taker=1, card_points=115, canastra_points=100),
        ],
    }
    return buraco.View(**{**told, **more})


def playing(*discards: str, **more: Any) -> buraco.Legal:
    return buraco.Legal(turn=9, discards=faces(discards), **more)


@pytest.fixture
def table(player: Player) -> ScriptedTable:
    return ScriptedTable(player.page, player.url, game="buraco", preset="buraco-aberto", switches=SWITCHES)


def mine(player: Player) -> Locator:
    return player.page.locator(".hand-card")


def choose(player: Player, *names: str) -> None:
    for name in names:
        player.page.locator("#hand").get_by_role("button", name=name, exact=True).first.click()


def drag(player: Player, name: str, target: Locator) -> None:
    lift(player, name, target)
    player.page.mouse.up()


def lift(player: Player, name: str, target: Locator) -> None:
    """Takes a card up and holds it over a place."""
    start = player.page.locator("#hand").get_by_role("button", name=name, exact=True).first.bounding_box()
    end = target.bounding_box()
    assert start is not None
    assert end is not None
    player.page.mouse.move(start["x"] + 8, start["y"] + 12)
    player.page.mouse.down()
    player.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 20, steps=4)


def code(message: dict[str, Any]) -> str:
    return f"{message['rank'].removeprefix('RANK_')} {message['suit'].removeprefix('SUIT_')}"


def test_forty_cards_stay_legible_and_in_reach_in_either_order(
    table: ScriptedTable, player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = player.page
    table.open(view(FORTY, legal=playing(*FORTY)))
    expect(mine(player)).to_have_count(40)
    # Of each card the corner, with its rank and its suit, is there to see and to touch.
    hidden = page.evaluate(
        """() => [...document.querySelectorAll(".hand-card")].filter((card) => {
            const { left, top, width, height } = card.getBoundingClientRect();
            const points = [[left + 4, top + 6], [left + width - 3, top + height - 4]];
            return width < 24 || height < 40 || points.some(([x, y]) =>
                document.elementFromPoint(x, y)?.closest(".hand-card") !== card);
        }).map((card) => card.ariaLabel)"""
    )
    assert hidden == []
    names = [str(one.get_attribute("aria-label")) for one in mine(player).all()]
    assert names[:4] == ["dois de ouros", "dois de espadas", "três de paus", "quatro de paus"]
    player.look(screenshots, f"buraco-forty-{size[0]}", "jpeg")
    page.get_by_role("button", name="Por valor").click()
    names = [str(one.get_attribute("aria-label")) for one in mine(player).all()]
    assert names[2:6] == ["três de paus", "três de espadas", "três de copas", "quatro de paus"]


def test_the_table_links_the_rules_of_its_own_preset(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    table = ScriptedTable(player.page, player.url, game="buraco", preset="tranca@003", switches=SWITCHES)
    table.open(view(legal=playing(*HAND)))
    player.look(screenshots, f"buraco-rules-link-{size[0]}")
    with player.page.expect_popup() as opened:
        player.page.get_by_role("link", name="Regras: Tranca, regras da casa 003").click()
    rules = opened.value
    expect(rules.get_by_role("heading", level=1)).to_have_text("Tranca, regras da casa 003")
    assert rules.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe = (web.WEB / "node_modules" / "axe-core" / "axe.min.js").read_text()
    assert violations(rules, axe) == []
    rules.screenshot(path=screenshots / f"rules-{size[0]}.png", full_page=True)
    rules.get_by_role("link", name="English").click()
    expect(rules.get_by_role("heading", level=1)).to_have_text("Tranca, rules of house 003")
    assert table.moves == []


def test_cards_are_laid_added_and_discarded_with_taps(
    table: ScriptedTable, player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = player.page
    more = [buraco.Addition(meld=0, cards=[face("9P")])]
    table.open(view(legal=playing(*HAND, additions=more)))
    own = page.locator("#melds-ours").get_by_role("button")
    names = [str(one.get_attribute("aria-label")) for one in own.all()]
    assert names[0] == "Sequência de paus, 3 cartas, faltam 4: cinco, seis, sete"
    assert names[1].startswith("Sequência de espadas, 7 cartas, canastra limpa, vale 200:")
    assert names[2].startswith("Sequência de copas, 13 cartas, canastra limpa, vale 500:")
    dirty = page.locator("#melds-theirs").get_by_role("img").first
    expect(dirty).to_have_attribute(
        "aria-label", re.compile("canastra suja, vale 100: .*dois de espadas como curinga")
    )
    expect(page.locator("#score strong")).to_have_text(["885", "215"])
    choose(player, "quatro de copas", "cinco de copas", "seis de copas", "sete de copas")
    player.look(screenshots, f"buraco-chosen-{size[0]}")
    page.get_by_role("button", name="Baixar 4").click()
    assert sorted(code(one) for one in table.moves[0]["layMeld"]["cards"]) == [
        "FIVE COPAS", "FOUR COPAS", "SEVEN COPAS", "SIX COPAS",
    ]  # fmt: skip
    table.show(view(legal=playing(*HAND, additions=more)))
    page.get_by_role("button", name="Soltar").click()
    choose(player, "nove de paus")
    expect(own.first).to_have_class(re.compile(r"\bfit\b"))
    own.first.click()
    assert table.moves[1]["extendMeld"]["cards"][0]["rank"] == "RANK_NINE"
    table.show(view(legal=playing(*HAND, additions=more)))
    page.get_by_role("button", name="Descartar nove de paus").click()
    assert code(table.moves[2]["discard"]["card"]) == "NINE PAUS"


def test_cards_are_dragged_to_a_meld_and_to_the_lixo(table: ScriptedTable, player: Player) -> None:
    page = player.page
    legal = playing(*HAND)
    table.open(view(legal=legal, melds=MELDS[:1]))
    drag(player, "nove de paus", page.locator("[data-drop='meld 0']"))
    assert code(table.moves[0]["extendMeld"]["cards"][0]) == "NINE PAUS"
    table.show(view(legal=legal, melds=MELDS[:1]))
    drag(player, "valete de ouros", page.locator("#lixo"))
    assert code(table.moves[1]["discard"]["card"]) == "JACK OUROS"
    # A drag chooses nothing.
    expect(page.locator(".hand-card.chosen")).to_have_count(0)


def test_a_card_may_be_taken_up_while_the_move_before_is_decided(
    table: ScriptedTable, player: Player
) -> None:
    page = player.page
    legal = playing(*HAND)
    table.open(view(legal=legal, melds=MELDS[:1]))
    table.takes_its_time = True
    drag(player, "nove de paus", page.locator("[data-drop='meld 0']"))
    drag(player, "rei de paus", page.locator("#lixo"))
    # One move at a time: the discard was let go too early.
    assert len(table.moves) == 1
    lift(player, "valete de ouros", page.locator("#lixo"))
    table.show(view(legal=legal, melds=MELDS[:1]))
    page.mouse.up()
    assert code(table.moves[1]["discard"]["card"]) == "JACK OUROS"


def test_a_closed_lixo_shows_its_top_and_is_taken_in_a_way_that_justifies_it(
    table: ScriptedTable, player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = player.page
    ways = [
        buraco.Justification(cards=faces(("5C", "6C"))),
        buraco.Justification(meld=4),
    ]
    house = buraco.House(jokers=4, sets=True, justify_top=True)
    legal = buraco.Legal(turn=9, draw_stock=True, justifications=ways)
    table.open(view(phase=buraco.PHASE_DRAW, house=house, lixo=faces(("7C'",)), lixo_count=13, legal=legal))
    lixo = page.locator("#lixo")
    expect(lixo).to_have_attribute("aria-label", "Lixo fechado, 13 cartas, em cima: sete de copas")
    expect(lixo.locator(".lixo-cards")).to_have_count(0)
    expect(page.locator("#prompt")).to_have_text("Sua vez: compre do monte ou pegue o lixo.")
    expect(page.locator(".steps .now")).to_have_text("Comprar 30 s")
    player.look(screenshots, f"buraco-closed-{size[0]}")
    web.install()
    axe = web.WEB / "node_modules" / "axe-core" / "axe.min.js"
    assert violations(page, axe.read_text()) == []
    page.get_by_role("button", name="Pegar o lixo com cinco de copas, seis de copas").click()
    assert len(table.moves[0]["takeLixo"]["cards"]) == 2
    opened = view(legal=playing(*HAND))
    table.show(opened)
    spread = "Lixo aberto, 4 cartas, da de baixo à de cima: três de paus, rei de ouros, oito de espadas, dez de copas"
    expect(lixo).to_have_attribute("aria-label", spread)
    expect(lixo.locator(".lixo-cards .slip")).to_have_count(4)


def test_a_joker_is_drawn_as_dark_as_a_black_card(table: ScriptedTable, player: Player) -> None:
    joker = cards.Card(rank=cards.RANK_JOKER)
    kings = [*faces(("KC", "KE")), joker]
    table.open(view(melds=[buraco.Meld(number=0, kind=buraco.MELD_KIND_SET, cards=kings, wilds=[joker])]))
    slips = player.page.locator("#melds-ours .meld .slip")
    _, black, jokers = slips.evaluate_all("all => all.map((one) => getComputedStyle(one).color)")
    assert jokers == black


def test_a_turn_is_played_with_the_keyboard_and_told_in_words(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    table = ScriptedTable(page, player.url, 2, game="buraco", preset="tranca", switches=SWITCHES)
    few = ("3P", "4C", "JO")
    two: dict[str, Any] = {"seats": 2, "melds": (), "sides": [buraco.Side(side=0), buraco.Side(side=1)]}
    table.open(view(few[:2], phase=buraco.PHASE_DRAW, legal=buraco.Legal(turn=9, draw_stock=True), **two))
    page.keyboard.press("c")
    assert table.moves == [{"drawStock": {"turn": 9}}]
    drawn = buraco.StockDrawn(turn=9, seat=0, card=face("JO"))
    table.show(view(few, legal=playing(*few), **two), buraco.Event(stock_drawn=drawn))
    expect(page.get_by_role("button", name="valete de ouros, chegou agora")).to_be_visible()
    mine(player).first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("d")
    assert code(table.moves[1]["discard"]["card"]) == "JACK OUROS"
    shape = buraco.MeldShape(kind=buraco.MELD_KIND_RUN, cards=faces(("8E", "9E", "2C")), wilds=[face("2C")])
    ended = buraco.DealEnded(
        deal=1,
        out_seat=1,
        sides=[buraco.SideScore(total=-120), buraco.SideScore(total=640)],
        score=[-120, 640],
    )
    table.show(
        view(few[:2], phase=buraco.PHASE_DRAW, to_play=1, **two),
        buraco.Event(card_discarded=buraco.CardDiscarded(turn=9, seat=0, card=face("JO"))),
        buraco.Event(turn_ended=buraco.TurnEnded(turn=9, seat=0, next_seat=1)),
        buraco.Event(lixo_taken=buraco.LixoTaken(turn=10, seat=1, count=5)),
        buraco.Event(meld_laid=buraco.MeldLaid(turn=10, seat=1, number=0, shape=shape)),
        buraco.Event(morto_taken=buraco.MortoTaken(turn=10, seat=1, direct=True, count=11)),
        buraco.Event(deal_ended=ended),
        buraco.Event(match_ended=buraco.MatchEnded(winners=[1], score=[-120, 640])),
        waits_for=(1,),
    )
    log = page.get_by_role("log")
    for told in (
        "Você comprou valete de ouros.",
        "Zeca pegou o lixo: 5 cartas.",
        "Zeca baixou sequência de espadas: oito, nove, dois de copas como curinga.",
        "Zeca pegou o morto e continua a vez.",
        "Zeca bateu! Nesta mão: Você -120, Zeca 640.",
        "Fim de jogo: vitória de Zeca.",
    ):
        expect(log).to_contain_text(told)


def test_b32_that_the_only_card_of_a_lixo_is_kept_is_said(table: ScriptedTable, player: Player) -> None:
    others = [code for code in HAND if code != "9P"]
    table.open(view(legal=playing(*others), barred=faces(("9P",))))
    choose(player, "nove de paus, não se descarta nesta vez")
    told = "A única carta do lixo não volta nesta vez: baixe ou guarde."
    expect(player.page.locator("#prompt")).to_have_text(told)
    expect(player.page.locator("#actions [data-key=discard]")).to_have_count(0)


def test_g09_who_is_eliminated_watches_the_robot_and_goes_without_being_asked(
    table: ScriptedTable, player: Player
) -> None:
    page = player.page
    table.open(view(legal=playing(*HAND)))
    choose(player, "nove de paus")
    expect(page.locator("#actions [data-key=discard]")).to_be_visible()
    table.is_out = True
    table.show(view(legal=playing(*HAND)))
    expect(page.locator("#prompt")).to_have_text("Você está fora desta partida: um robô joga no seu lugar.")
    expect(page.locator("#actions [data-key=discard]")).to_have_count(0)
    expect(page).to_have_title("Buraco Aberto · Carteado")
    page.get_by_role("button", name="Sair").click()
    expect(page.get_by_text("Olá, Zica!")).to_be_visible()
    assert table.moves == []


def test_who_watches_reads_the_sides_names_and_is_no_side(
    player: Player, size: tuple[int, int], screenshots: Path
) -> None:
    page = player.page
    table = ScriptedTable(
        page, player.url, game="buraco", preset="buraco-aberto", switches=SWITCHES, watching=True
    )
    table.open(view(()))
    expect(page.locator("#score")).to_have_text("Dona Bia e Bia885215Zeca e Tonho")
    expect(page.get_by_role("region", name="Jogos: Zeca e Tonho")).to_be_visible()
    player.look(screenshots, f"buraco-watching-{size[0]}")
    scored = [buraco.SideScore(total=640), buraco.SideScore(total=-120)]
    table.result = Result(reason=END_REASON_FINISHED, winners=[0], score=[640, -120])
    table.show(
        view((), phase=buraco.PHASE_OVER, score=[640, -120], scored=scored),
        buraco.Event(deal_ended=buraco.DealEnded(deal=1, out_seat=2, sides=scored, score=[640, -120])),
        buraco.Event(match_ended=buraco.MatchEnded(winners=[0], score=[640, -120])),
        waits_for=(),
    )
    expect(page.get_by_role("dialog", name="Dona Bia e Bia ganharam.")).to_contain_text("640 × -120")
    expect(page.get_by_role("log")).to_contain_text("Fim de jogo: vitória de Dona Bia e Bia.")


def test_a_training_match_of_tranca_is_played_told_in_english_and_checked(desktop_player: Player) -> None:
    player, page = desktop_player, desktop_player.page
    player.open()
    page.get_by_label("Como quer ser chamado?").fill(player.name)
    page.get_by_role("button", name="Escolher sala e jogo").click()
    expect(page.locator("#rooms-access")).not_to_be_empty()
    page.get_by_label("Treino com Robôs").check()
    page.get_by_label("Jogo").select_option("tranca")
    page.get_by_label("Lugares").select_option("2 jogadores")
    page.get_by_role("button", name="Treinar").click()
    expect(mine(player).first).to_be_visible()
    page.get_by_label("Jogar sem pausas").check()
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_label("English").check()
    page.get_by_role("button", name="Close", exact=True).click()
    for _ in range(2):
        page.locator("#actions [data-key=draw]").click()
        expect(page.locator("#prompt")).to_have_text("Your turn: lay melds or discard.")
        mine(player).last.click()
        page.locator("#actions [data-key=discard]").click()
    expect(page.get_by_role("log")).to_contain_text("You discarded the")
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    page.locator("#result-check").click()
    expect(page.locator("#check-verdict")).to_contain_text("All is well")
