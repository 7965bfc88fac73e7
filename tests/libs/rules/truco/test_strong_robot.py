"""The stronger robot: worth its name over seeded matches, sensible in arranged hands, quick, and true to signals."""

import random
import time

import pytest

from libs.cli.arena import Contest, contested, wilson
from libs.rules.game import Seat
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
)
from libs.rules.truco.robots import ROBOTS, TRUCO_ROBOTS
from libs.rules.truco.robots.equity import equity
from libs.rules.truco.robots.playout import Position, decided, outcome
from libs.rules.truco.robots.strong import strong_move
from libs.rules.truco.robots.worlds import Worlds
from libs.rules.truco.tricks import OUTCOMES
from tests.libs.rules.truco.situations import hidden_cards
from tests.libs.rules.truco.tables import ChanceMatch, Table


def choices(table, seat, tries=20):
    """What it chooses over some seeds."""
    view = GAME.view(table.state, Seat(seat))
    return [strong_move(view, random.Random(seed)) for seed in range(tries)]


def share(preset, pair, deals, players=None):
    """The share of the first robot over so many deals, each played twice."""
    contest = Contest(preset, pair, seed=6, players=players)
    tallies = list(contested(contest, deals, 1))
    return sum(tally.won for tally in tallies) / (2 * deals)


@pytest.mark.parametrize(
    ("pair", "deals", "least"),
    [(("strong", "random"), 25, 0.9), (("strong", "greedy"), 30, 0.7), (("strong", "simple"), 30, 0.6)],
)
def test_it_beats_the_others_at_truco_paulista(pair, deals, least):
    """The seed is fixed, so the outcome is certain; `carteado arena` measures over thousands."""
    assert share("truco-paulista", pair, deals) >= least


@pytest.mark.parametrize(("preset", "players"), [("truco@003", 4), ("truco@004", 4), ("truco@004", 6)])
def test_it_beats_greed_in_the_other_houses_too(preset, players):
    assert share(preset, ("strong", "greedy"), 20, players) > 0.5


def test_a_move_takes_far_less_than_its_time():
    """50 ms on average: measured as the machine's own time, so that a busy neighbour does not count."""
    match = ChanceMatch("quick", {})
    chance = random.Random(1)
    moves, began_s = 0, time.process_time()
    while (awaited := GAME.awaited(match.state)) is not None and moves < 120:
        strong_move(GAME.view(match.state, awaited.seats[0]), chance)
        match.step()
        moves += 1
    assert (time.process_time() - began_s) / moves < 0.05


def test_it_signals_its_manilhas_before_its_first_card_and_no_other_suit():
    table = Table({0: "5P 5C 4C"})
    for _ in range(2):
        signal = choices(table, 0, 1)[0]
        assert isinstance(signal, Signal)
        assert TRUCO_ROBOTS.goes_on(signal)
        table.do(0, signal)
    meant = dict(
        zip(("piscar", "sobrancelha", "bochecha", "lingua"), table.state.signal_tables[0], strict=True)
    )
    assert {meant[signal.gesture] for signal in table.state.signals} == {"P", "C"}
    assert not any(isinstance(move, Signal) for move in choices(table, 0))


def test_it_believes_what_its_partner_signals_and_cannot_read_the_others():
    table = Table({0: "4C 6C 7C", 1: "5P 6E 6P", 2: "5C KC 4E"})
    gesture = dict(
        zip(table.state.signal_tables[0], ("piscar", "sobrancelha", "bochecha", "lingua"), strict=True)
    )
    table.signal(2, gesture["C"])
    table.signal(1, "piscar")
    worlds = Worlds(GAME.view(table.state, Seat(0))).draw(random.Random(1), 300)
    copas, zap = 13, 14
    assert all(copas in world.hands[2] for world in worlds)
    assert 0.05 < sum(zap in world.hands[1] for world in worlds) / 300 < 0.3


def test_the_hands_that_it_imagines_hold_what_it_cannot_see_and_nothing_twice():
    for seed in range(40):
        match = ChanceMatch(f"worlds-{seed}", {"signals": "false"})
        for _ in range(seed % 9):
            match.step()
        seat = GAME.awaited(match.state).seats[0]
        view = GAME.view(match.state, seat)
        if view.blind:
            continue
        for world in Worlds(view).draw(random.Random(seed), 5):
            assert [len(hand) for hand in world.hands] == [hand.count for hand in view.hands]
            manilhas = [strength for hand in world.hands for strength in hand if strength > 10]
            assert len(manilhas) == len(set(manilhas))
        assert hidden_cards(match.state, seat)


def test_it_calls_truco_with_the_two_highest_and_runs_from_it_with_nothing():
    strong = Table({0: "5P 5C 4C"}, signals="false")
    assert sum(isinstance(move, Raise) for move in choices(strong, 0)) >= 15
    weak = Table({1: "4C 4E 6C"}, signals="false")
    weak.call(0, 3)
    assert all(isinstance(move, Fold) for move in choices(weak, 1))
    holds = Table({1: "5P 5C 3E"}, signals="false")
    holds.call(0, 3)
    assert all(isinstance(move, AcceptRaise | Raise) for move in choices(holds, 1))


def test_it_bluffs_at_times():
    """Over dealt hands some raises are called without a manilha."""
    bluffs = raises = 0
    for number in range(400):
        match = ChanceMatch(f"bluff-{number}", {"signals": "false"})
        view = GAME.view(match.state, Seat(match.state.to_play))
        if isinstance(strong_move(view, random.Random(number)), Raise):
            raises += 1
            bluffs += not any(card[0] == view.manilha for card in view.hands[match.state.to_play].cards)
    assert 0 < bluffs < raises < 110


def third_trick(lead, follower):
    """A hand worth three, at one trick each: seat 1 has led the third with this card, and seat 2 has to play its last."""
    table = Table({0: "3C QC 4C", 1: f"4E 2E {lead}", 2: f"4P 6C {follower}", 3: "7E 6E 7P"}, signals="false")
    table.play_trick("0:3C 1:4E 2:4P 3:7E")
    table.play(0, "QC")
    table.call(1, 3)
    table.accept(2)
    table.play_trick("1:2E 2:6C 3:6E")
    table.play(1, lead)
    return table


@pytest.mark.parametrize("lead", ["5P", "5C"])
def test_it_does_not_bluff_against_a_manilha_on_the_table_that_decides_the_hand(lead):
    table = third_trick(lead, "6P")
    assert Raise(1, 6) in table.moves(2)
    assert not any(isinstance(move, Raise) for move in choices(table, 2, 60))


def test_it_still_calls_where_its_own_card_beats_the_table():
    assert all(isinstance(move, Raise) for move in choices(third_trick("5C", "5P"), 2))


def test_nobody_runs_who_has_the_hand_on_the_table():
    table = third_trick("5P", "6P")
    table.call(2, 6)
    for robot in (ROBOTS["simple"], strong_move):
        for seat in (1, 3):
            moves = [robot(GAME.view(table.state, Seat(seat)), random.Random(seed)) for seed in range(20)]
            assert all(isinstance(move, AcceptRaise | Raise) for move in moves)


def test_it_covers_a_card_that_cannot_win_and_not_always():
    table = Table({0: "5P 4C 4E", 1: "QE KE AE"}, signals="false")
    table.play(0, "5P")
    covered = [move.covered for move in choices(table, 1, 40) if isinstance(move, PlayCard)]
    assert 5 < sum(covered) < 40


@pytest.mark.parametrize(
    ("cards", "kind"),
    [(("5P 3C QO", "5C 3E KO"), PlayElevenHand), (("4C 6C 4E", "6P 7O 4P"), DeclineElevenHand)],
)
def test_it_plays_a_mao_de_onze_by_both_hands(cards, kind):
    table = Table({0: cards[0], 2: cards[1]}, score=(11, 4))
    assert all(isinstance(move, kind) for move in choices(table, 0))


def test_in_a_blind_mao_de_ferro_it_plays_some_place():
    table = Table(score=(11, 11))
    assert {move.position for move in choices(table, 0, 60)} == {0, 1, 2}


def test_its_playout_decides_hands_as_the_rules_do():
    for won, side in OUTCOMES.items():
        assert decided(won) == (True, side)
    for won in ((), (0,), (1,), (None,), (0, 1), (None, None)):
        assert decided(won) == (False, None)
    hands = [[14], [1], [2], [3]]
    assert outcome(Position(hands, 0, [], 0, (0, 1))) == 0
    assert hands == [[14], [1], [2], [3]]


def test_a_score_is_worth_more_the_nearer_it_is_to_the_end():
    assert 0.5 < equity(5, 5) < 0.8
    assert equity(12, 3) == 1.0
    assert equity(3, 15) == 0.0
    for ours in range(11):
        for theirs in range(12):
            assert equity(ours, theirs) < equity(ours + 1, theirs)
            assert equity(ours, theirs + 1) < equity(ours, theirs)


def test_the_strengths_are_ordered_from_weak_to_strong():
    assert list(ROBOTS) == ["random", "greedy", "simple", "strong"]
    low, high = wilson(90, 100)
    assert 0.82 < low < 0.9 < high < 0.95
