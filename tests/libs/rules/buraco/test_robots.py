"""The robots of the family: worth their names over seeded matches, never refused, never stuck, quick, seeing only their view."""

from __future__ import annotations

import hashlib
import random
import time

import pytest

from libs.rules.buraco.moves import Discard, DrawStock, ExtendMeld, LayMeld, TakeLixo
from libs.rules.buraco.robots import BURACO_ROBOTS, ROBOTS
from libs.rules.buraco.state import State
from libs.rules.game import Rejection, Seat
from libs.rules.shuffle import Draws
from tests.libs.rules.buraco.tables import PRESETS, Table


def played(preset: str, players: int, by_side: tuple[str, str], seed: str) -> State:
    """A whole match; the robots of each side have its strength."""
    game = PRESETS[preset]
    draws, chance = Draws(hashlib.sha256(seed.encode()).digest(), seed), random.Random(seed)
    state = game.initial(game.rule_set({}), players)
    for event in game.start(state, draws):
        state = game.evolve(state, event)
    for _ in range(3_000):
        if state.phase == "over":
            return state
        seat = Seat(state.to_play)
        move = ROBOTS[by_side[seat % 2]](game.view(state, seat), chance)
        decision = game.decide(state, seat, move, draws)
        assert not isinstance(decision, Rejection), (seed, seat, move, decision)
        for event in decision:
            state = game.evolve(state, event)
    raise AssertionError(f"{preset} for {players} is stuck")


def share(preset: str, players: int, pair: tuple[str, str], deals: int) -> float:
    """The share of matches that the first robot wins; each deal is played twice, sides exchanged."""
    won = 0.0
    for number in range(deals):
        for first in (0, 1):
            by_side = pair if first == 0 else (pair[1], pair[0])
            state = played(preset, players, by_side, f"{preset} {number}")
            won += 0.5 if not state.winners else float(state.winners == (first,))
    return won / (2 * deals)


@pytest.mark.parametrize(
    ("preset", "players", "pair", "deals", "least"),
    [
        ("buraco-aberto", 4, ("strong", "random"), 2, 0.9),
        ("buraco-fechado", 2, ("strong", "random"), 2, 0.9),
        ("tranca", 4, ("strong", "greedy"), 4, 0.6),
        ("canastra", 4, ("strong", "greedy"), 5, 0.55),
        ("buraco-aberto@004", 4, ("simple", "greedy"), 3, 0.6),
    ],
)
def test_each_robot_beats_the_weaker_ones(
    preset: str, players: int, pair: tuple[str, str], deals: int, least: float
) -> None:
    """The seeds are fixed, so the outcome is certain; `carteado arena` measures over thousands."""
    assert share(preset, players, pair, deals) >= least


@pytest.mark.proof
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_strong_wins_95_of_100_against_random_and_more_than_half_against_greedy(
    preset: str, players: int
) -> None:
    assert share(preset, players, ("strong", "random"), 50) >= 0.95
    assert share(preset, players, ("strong", "greedy"), 50) > 0.5


@pytest.mark.parametrize("preset", PRESETS)
def test_b134_robots_alone_finish_their_matches(preset: str) -> None:
    """Strong against simple for four, greedy against random for two; never refused, never stuck."""
    assert played(preset, 4, ("strong", "simple"), "b134").phase == "over"
    assert played(preset, 2, ("greedy", "random"), "b134").phase == "over"


@pytest.mark.proof
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("preset", PRESETS)
def test_b134_a_thousand_matches_of_robots_alone(preset: str) -> None:
    for number in range(1_000):
        by_side = (("strong", "simple"), ("greedy", "strong"), ("simple", "random"))[number % 3]
        assert played(preset, 2 + 2 * (number % 2), by_side, f"b134 {number}").phase == "over"


def test_a_move_takes_far_less_than_its_time() -> None:
    """50 ms on average and 300 ms at worst: measured as the machine's own time."""
    table = Table("buraco-fechado", {0: "4C 5C 6C 8C 9C 2P 9O 9P 9E KE QE JE 4P 5P 4O KO KP"}, lixo="7C 9C")
    view = table.game.view(table.state, Seat(0))
    began = time.thread_time()
    for _ in range(20):
        ROBOTS["strong"](view, random.Random(1))
    assert (time.thread_time() - began) / 20 < 0.05


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_refuses_a_seat_that_has_nothing_to_do(name: str) -> None:
    table = Table()
    for viewer in (Seat(1), None):
        with pytest.raises(ValueError, match="nothing to do"):
            ROBOTS[name](table.game.view(table.state, viewer), random.Random(1))


def test_only_the_view_is_looked_at() -> None:
    """The same view and chance give the same move (case B072)."""
    for phase in ("draw", "play"):
        table = Table("canastra", {0: "4C 5C 6C 9O KE"}, lixo="7C 9C", phase=phase)
        view = table.game.view(table.state, Seat(0))
        for robot in ROBOTS.values():
            assert robot(view, random.Random(3)) == robot(view, random.Random(3))


def test_a_turn_goes_on_after_laying_alone() -> None:
    assert BURACO_ROBOTS.goes_on(LayMeld(1, ()))
    assert BURACO_ROBOTS.goes_on(ExtendMeld(1, 0, ()))
    for move in (DrawStock(1), TakeLixo(1), Discard(1, "4Ca")):
        assert not BURACO_ROBOTS.goes_on(move)


def strong(table: Table, seat: int = 0) -> object:
    return ROBOTS["strong"](table.game.view(table.state, Seat(seat)), random.Random(1))


def faces(move: object) -> str:
    if isinstance(move, LayMeld | ExtendMeld | TakeLixo):
        return " ".join(card[:2] for card in move.cards)
    assert isinstance(move, Discard), move
    return move.card[:2]


def test_it_goes_out_when_that_wins() -> None:
    table = Table("buraco-aberto", {0: "JC KE"}, melds=[(0, "4C 5C 6C 7C 8C 9C TC")], takers=(0, None))
    assert faces(strong(table)) == "JC"
    table.add(0, 0, "JC")
    assert faces(strong(table)) == "KE"


def test_it_does_not_lay_down_to_one_card_where_the_discard_would_end_a_lost_match() -> None:
    """Who has one card left must go out with it: a single deal is the match."""
    ahead = [
        (1, "4P 5P 6P 7P 8P 9P TP JP QP"),
        (1, "4E 5E 6E 7E 8E 9E TE JE QE"),
        (1, "4O 5O 6O 7O 8O 9O TO"),
    ]
    mine = (0, "4C 5C 6C 7C 8C 9C TC")
    table = Table("buraco-aberto", {0: "JC KE"}, melds=[mine, *ahead], takers=(0, 1), stock=16, mortos=0)
    for name in ("simple", "strong"):
        move = ROBOTS[name](table.game.view(table.state, Seat(0)), random.Random(1))
        assert isinstance(move, Discard), name


def test_it_keeps_a_wild_rather_than_dirty_a_promising_run() -> None:
    table = Table("buraco-aberto", {0: "2P KE 9O 4P"}, melds=[(0, "4C 5C 6C 7C 8C")], stock=16, held=8)
    assert isinstance(strong(table), Discard)
    assert faces(strong(table)) != "2P"


def test_it_spends_a_wild_on_the_last_card_of_a_canastra_when_the_end_is_near() -> None:
    table = Table("buraco-aberto", {0: "2P KE 9O 4P"}, melds=[(0, "4C 5C 6C 7C 8C 9C")], stock=2, mortos=0)
    assert faces(strong(table)) == "2P"


def test_it_does_not_throw_what_the_others_lay_at_once() -> None:
    table = Table("buraco-aberto", {0: "JC KE 6O 4P"}, melds=[(1, "5C 6C 7C 8C 9C TC")], stock=16, held=8)
    assert faces(strong(table)) != "JC"


def test_it_holds_a_black_three_until_the_lixo_is_worth_locking() -> None:
    hand = {0: "3P KE QE 7O 9O"}
    early = Table("tranca", hand, melds=[(1, "TE JE 2E"), (1, "8O 9O TO")], stock=16, held=8)
    assert faces(strong(early)) != "3P"
    late = Table(
        "tranca",
        {0: "3P QE 7O 7O 8O"},
        melds=[(1, "TE JE 2E"), (1, "9O TO JO")],
        lixo="4C 8P JC 5P KP 6C AP TC 5E 9C QC QP",
        stock=16,
        held=8,
    )
    assert faces(strong(late)) == "3P"


def test_it_takes_a_lixo_that_brings_melds_and_leaves_one_that_does_not() -> None:
    good = Table("buraco-aberto", {0: "4C 5C 9O KE"}, lixo="6C 7C 8C", phase="draw", stock=16, held=8)
    assert isinstance(strong(good), TakeLixo)
    bad = Table("buraco-aberto", {0: "4C 5C 9O KE"}, lixo="KP", phase="draw", stock=16, held=8)
    assert isinstance(strong(bad), DrawStock)
