"""What is described is accepted; what may be done at all is described, or stands under a `more` mark."""

from __future__ import annotations

import itertools
import random
import time

import msgspec
import pytest

from libs.rules.buraco.cards import pack
from libs.rules.buraco.legal import MOST_MELDS, Legal, describe
from libs.rules.buraco.listed import moves_of
from libs.rules.buraco.melds import judge
from libs.rules.buraco.moves import Discard, DrawStock, ExtendMeld, LayMeld, TakeLixo
from libs.rules.buraco.state import Meld, State
from libs.rules.game import Rejection, Seat
from tests.libs.rules.buraco.tables import PRESETS, VARIANTS, ChanceMatch, Table


def accepted(match: ChanceMatch, move: object) -> bool:
    seat = Seat(match.state.to_play)
    return not isinstance(match.game.decide(match.state, seat, move, match.draws), Rejection)  # type: ignore[arg-type]  # any move


def nothing_is_missing(match: ChanceMatch, chance: random.Random) -> None:
    """Single cards are described to the last one; of melds, any that are accepted lie within one that is described."""
    state = match.state
    seat = state.to_play
    hand = state.hands[seat]
    legal = describe(state, seat)
    assert legal is not None
    moves = [one.move for one in moves_of(legal)]
    assert len(moves) == len(set(moves))
    assert all(accepted(match, move) for move in moves)
    if state.phase == "draw":
        takes = legal.take_lixo or bool(legal.justifications)
        for cards in _some(hand, chance):
            for meld in (None, *(meld.number for meld in state.melds)):
                if accepted(match, TakeLixo(state.turn, cards, meld)):
                    assert takes
        return
    for card in hand:
        assert accepted(match, Discard(state.turn, card)) == (card in legal.discards)
    for meld in state.melds:
        listed = {
            card[:2]
            for addition in legal.additions
            if addition.meld == meld.number
            for card in addition.cards
        }
        for card in hand:
            assert accepted(match, ExtendMeld(state.turn, meld.number, (card,))) == (card[:2] in listed)
    for cards in _some(hand, chance):
        if accepted(match, LayMeld(state.turn, cards)):
            assert legal.more_melds or legal.new_melds, cards


def _some(hand: tuple[str, ...], chance: random.Random) -> list[tuple[str, ...]]:
    small = [(), *itertools.combinations(hand[-7:], 2), *itertools.combinations(hand[-9:], 3)]
    return [*small, *(tuple(chance.sample(hand, min(len(hand), size))) for size in (4, 4, 5, 6, 7))]


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_all_that_is_described_is_accepted_and_nothing_is_missing(preset: str, players: int) -> None:
    match = ChanceMatch(preset, players, "described")
    chance = random.Random(preset)
    for number in range(160):
        if match.is_over:
            break
        if number % 8 == 0 or len(match.state.hands[match.state.to_play]) < 5:
            nothing_is_missing(match, chance)
        match.step()


@pytest.mark.proof
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_all_that_is_described_is_accepted_over_whole_matches(preset: str, players: int) -> None:
    for number in range(20):
        match = ChanceMatch(preset, players, f"described {number}")
        chance = random.Random(number)
        while not match.is_over:
            nothing_is_missing(match, chance)
            match.step()


def legal(table: Table, seat: int = 0) -> Legal:
    found = describe(table.state, seat)
    assert found is not None
    return found


def test_the_longest_melds_are_described_the_clean_ones_first() -> None:
    table = Table("buraco-fechado", {0: "4C 5C 6C 8C 2P 9O 9P 9E KE QO"})
    shown = [" ".join(sorted(card[:2] for card in cards)) for cards in legal(table).new_melds]
    assert shown == ["4C 5C 6C", "9E 9O 9P", "2P 4C 5C 6C 8C", "2P 9E 9O 9P"]
    assert not legal(table).more_melds


def test_where_two_cards_must_be_kept_shorter_melds_are_described() -> None:
    table = Table("buraco-aberto", {0: "4C 5C 6C 7C KE"}, mortos=0)
    shown = [" ".join(card[:2] for card in cards) for cards in legal(table).new_melds]
    assert shown == ["4C 5C 6C", "5C 6C 7C"]


def test_cards_that_go_together_onto_a_meld_are_described_together() -> None:
    table = Table("buraco-aberto", {0: "8C 9C"}, melds=[(0, "3C 4C 5C 6C 7C")], takers=(0, None))
    (addition,) = legal(table).additions
    assert addition.cards == ()
    assert [card[:2] for card in addition.together] == ["8C", "9C"]
    table.do(0, ExtendMeld(7, 0, addition.together))
    assert table.is_over


def test_the_ways_to_justify_are_described() -> None:
    table = Table(
        "buraco-fechado", {0: "5C 6C 8C 7P 7O KE"}, melds=[(0, "9C TC JC")], lixo="QP 7C", phase="draw"
    )
    ways = {(way.meld, " ".join(card[:2] for card in way.cards)) for way in legal(table).justifications}
    assert (0, "8C") in ways
    assert (None, "7P 7O") in ways
    assert (None, "5C 6C") in ways
    assert not legal(table).take_lixo


def test_a_way_to_justify_may_free_a_wild_within_the_meld() -> None:
    """J takes the joker's place in the run, the joker becomes the 4, and the 3 on top follows."""
    run = "5O 6O 7O 8O 9O TO JK QO"
    table = Table("buraco-fechado-stbl", {0: "JO 9P 9E KE"}, melds=[(0, run)], lixo="KP 3O", phase="draw")
    (way,) = legal(table).justifications
    assert (way.meld, [card[:2] for card in way.cards]) == (0, ["JO"])
    table.do(0, TakeLixo(7, way.cards, 0))
    assert [card[:2] for card in table.state.melds[0].shape.cards] == [
        "3O",
        "JK",
        "5O",
        "6O",
        "7O",
        "8O",
        "9O",
        "TO",
        "JO",
        "QO",
    ]


@pytest.mark.parametrize(
    ("hand", "top", "cards"), [("KP QP AP 5O 7E", "AP", "KP QP"), ("4C 5C 2P 9O KE", "2P", "4C 5C")]
)
def test_a_top_whose_twin_is_in_the_hand_is_justified_itself(hand: str, top: str, cards: str) -> None:
    table = Table("buraco-fechado-stbl", {0: hand}, lixo=f"9P {top}", phase="draw")
    ways = [sorted(card[:2] for card in way.cards) for way in legal(table).justifications]
    assert sorted(cards.split()) in ways


def test_another_seat_has_nothing_to_do() -> None:
    table = Table("buraco-aberto", {0: "4C 5C"})
    assert describe(table.state, 1) is None
    assert table.moves(1) == []


def crowded(preset: str, seed: int, phase: str = "play") -> tuple[State, int]:
    """Sixty cards in hand after a big lixo, and a dozen melds of one's own on the table."""
    table = Table(preset, mortos=0, stock=0, held=1, phase=phase)
    rules = table.state.rules
    chance = random.Random(seed)
    cards = [card for card in pack(rules.jokers) if card[0] != "3"]
    melds = []
    for number, faces in enumerate(
        ("4C 5C 6C", "8P 9P TP", "TO JO QO", "5E 6E 7E", "QC KC AC", "4O 5O 6O", "4P 5P 6P", "9E TE JE")
    ):
        shape = judge(rules, tuple(f"{face}b" for face in faces.split()))
        assert shape is not None
        melds.append(Meld(number, 0, shape))
    used = {card for meld in melds for card in meld.shape.cards}
    rest = [card for card in cards if card not in used]
    chance.shuffle(rest)
    state = msgspec.structs.replace(
        table.state,
        hands=(tuple(rest[:60]), *((card,) for card in rest[60:63])),
        melds=tuple(melds),
        lixo=(rest[63], rest[64]),
        mortos=(),
        stock=tuple(rest[65:]),
    )
    return state, 0


@pytest.mark.parametrize("preset", PRESETS)
def test_sixty_cards_are_described_in_under_five_milliseconds_and_a_meld_judged_in_a_tenth(
    preset: str,
) -> None:
    described, judged = [], []
    for seed in range(6):
        for phase in ("play", "draw"):
            state, seat = crowded(preset, seed, phase)
            started = time.thread_time()
            found = describe(state, seat)
            described.append(time.thread_time() - started)
            assert found is not None
            assert len(found.new_melds) <= MOST_MELDS
            if found.new_melds:
                move = LayMeld(state.turn, max(found.new_melds, key=len))
                draws = Table().draws
                started = time.thread_time()
                decision = PRESETS[preset].decide(state, Seat(seat), move, draws)
                judged.append(time.thread_time() - started)
                assert not isinstance(decision, Rejection)
            else:
                assert DrawStock(state.turn) in [one.move for one in moves_of(found)]
    # Processor time, and not the worst of it: other things run on the machine.
    assert sorted(described)[len(described) // 2] < 0.005
    assert min(judged) < 0.0001
