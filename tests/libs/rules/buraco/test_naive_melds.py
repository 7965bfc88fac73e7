"""The engine and the naive checker agree on what is a meld, whether it is clean and what its canastra is worth.

Card sets are drawn by chance and by malice: whole runs with cards left out and wilds put in, sets, wraps, twins, too many
wilds. CARTEADO_TEST_SECONDS plays longer; `make proof` tries a million for each rule set.
"""

from __future__ import annotations

import random
import time

import pytest

from libs.rules.buraco.cards import pack
from libs.rules.buraco.melds import Shape, ace_slot, canastra_points, enlarged, judge, judged_anew
from libs.rules.buraco.rule_set import RuleSet
from tests.libs.rules.buraco.naive_melds import is_wild_meld, points, readings
from tests.libs.rules.buraco.tables import PRESETS
from tests.libs.rules.proof.matches import seconds, seeds

HOUSES = {
    **{name: {} for name in PRESETS},
    "two wilds": {"max_wilds_per_meld": "2"},
    "four wilds and sets": {"max_wilds_per_meld": "4", "sets": "true", "jokers": "4"},
    "no wilds": {"max_wilds_per_meld": "0"},
    "natural between ace and three": {"natural_two": "between_ace_and_three"},
    "no natural twos": {"natural_two": "never"},
    "natural two or wild": {"natural_two_plus_wild": "false"},
    "any thirteen": {"run500": "any13", "big_run_needs_clean": "false"},
    "wild melds": {"wild_melds": "true", "jokers": "4", "sets": "true", "wild_in_sets": "false"},
}
"""The presets, and what other houses play, as switches of `buraco-aberto`."""


def some_cards(chance: random.Random, jokers: int) -> tuple[str, ...]:
    """Cards that are often nearly a meld."""
    whole = list(pack(jokers))
    wilds = [card for card in whole if card[0] == "2" or card[:2] == "JK"]
    kind = chance.random()
    if kind < 0.1:
        return tuple(chance.sample(whole, chance.randint(3, 15)))
    if kind < 0.3:
        rank = chance.choice("A3456789TJQK")
        cards = chance.sample([card for card in whole if card[0] == rank], chance.randint(1, 8))
    else:
        suit = chance.choice("PCEO")
        length = chance.choice((2, 3, 4, 6, 7, 8, 12, 13, 14))
        ranks = "A23456789TJQKA"
        low = chance.randrange(len(ranks) - length + 1)
        cards = [
            f"{rank}{suit}{'ab'[place == 13 or chance.random() < 0.1]}"
            for place, rank in enumerate(ranks[low : low + length], start=low)
        ]
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            if len(cards) > 2:
                cards.pop(chance.randrange(len(cards)))
    cards += chance.sample(wilds, chance.choice((0, 0, 1, 1, 1, 2, 3)))
    if chance.random() < 0.1:
        cards.append(chance.choice(whole))
    cards = list(dict.fromkeys(cards))
    chance.shuffle(cards)
    return tuple(cards)


def both_agree(rules: RuleSet, switches: dict[str, str], cards: tuple[str, ...]) -> Shape | None:
    shape = judge(rules, cards)
    runs, as_set = readings(cards, switches)
    wild_meld = is_wild_meld(cards, switches)
    assert (shape is not None) == (bool(runs) or as_set is not None or wild_meld), cards
    if shape is None:
        return None
    assert sorted(shape.cards) == sorted(cards)
    assert set(shape.wilds) <= set(cards)
    if shape.kind == "run":
        assert not wild_meld
        places = dict(zip(range(shape.low, shape.low + len(cards)), shape.cards, strict=True))
        own = frozenset(slot for slot, card in places.items() if card not in shape.wilds)
        assert (own, frozenset(places) - own) in runs, (cards, shape)
        assert shape.clean == any(not wild for _, wild in runs)
        assert len(shape.wilds) == min(len(wild) for _, wild in runs)
        assert canastra_points(rules, shape) == max(points(cards, switches)), (cards, shape)
    elif shape.kind == "set":
        assert shape.clean == as_set
        assert {canastra_points(rules, shape)} == points(cards, switches)
    else:
        assert wild_meld
        assert not shape.clean
    return shape


def additions_agree(rules: RuleSet, switches: dict[str, str], shape: Shape, chance: random.Random) -> None:
    """B-11: an addition is legal exactly if all the cards together are a meld of the kind."""
    rest = [card for card in pack(rules.jokers) if card not in shape.cards]
    for _ in range(3):
        added = tuple(chance.sample(rest, chance.choice((1, 1, 1, 2))))
        after = enlarged(rules, shape, added)
        cards = (*shape.cards, *added)
        runs, as_set = readings(cards, switches)
        wanted = {"run": bool(runs), "set": as_set is not None, "wilds": is_wild_meld(cards, switches)}
        assert (after is not None) == wanted[shape.kind], (shape, added)
        if after is not None and shape.kind == "run":
            assert canastra_points(rules, after) in points(cards, switches), (shape, added)


def compare(house: str, seed: str) -> bool:
    """One card set; whether it is a meld."""
    chance = random.Random(f"{house} {seed}")
    game = PRESETS.get(house, PRESETS["buraco-aberto"])
    rules = game.rule_set(HOUSES[house])
    switches = dict(game.switches(rules))
    shape = both_agree(rules, switches, some_cards(chance, rules.jokers))
    if shape is not None:
        additions_agree(rules, switches, shape, chance)
    return shape is not None


@pytest.mark.parametrize("house", HOUSES)
def test_b11_engine_and_checker_agree_on_melds(house: str) -> None:
    until, melds = time.monotonic() + seconds() / 16, 0
    for tried, seed in enumerate(seeds(f"melds of {house}"), start=1):
        melds += compare(house, seed)
        if tried >= 50 and time.monotonic() > until:
            break
    assert melds


@pytest.mark.parametrize("house", HOUSES)
def test_b11_a_run_that_grows_is_what_its_cards_are_at_once(house: str) -> None:
    chance = random.Random(house)
    rules = PRESETS.get(house, PRESETS["buraco-aberto"]).rule_set(HOUSES[house])
    grown = 0
    for _ in range(60):
        shape = judge(rules, some_cards(chance, rules.jokers))
        while shape is not None and shape.kind == "run":
            suit = next(card[1] for card in shape.cards if card not in shape.wilds)
            rest = [card for card in pack(rules.jokers) if card[1] == suit and card not in shape.cards]
            larger = [(card, enlarged(rules, shape, (card,))) for card in rest]
            for card, after in larger:
                anew = judged_anew(rules, (*shape.cards, card), shape.bound, ace_slot(shape))
                assert after == (anew if anew is not None and anew.kind == "run" else None), (shape, card)
            grown += 1
            shape = chance.choice([after for _, after in larger if after] or [None])
    assert grown


@pytest.mark.proof
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("house", HOUSES)
def test_a_million_card_sets(house: str) -> None:
    for tried, seed in enumerate(seeds(f"a million melds of {house}")):
        compare(house, seed)
        if tried == 1_000_000:
            break
