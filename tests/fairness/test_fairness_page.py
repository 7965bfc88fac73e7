"""docs/fairness.md is enough: its vectors are what our code gives, and what a verifier gives that knows only the page."""

import hashlib
import hmac
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from libs.rules.buraco import cards as buraco_cards
from libs.rules.buraco.presets import BURACO_FECHADO
from libs.rules.cacheta import cards as cacheta_cards
from libs.rules.cacheta.game import CACHETA
from libs.rules.canonical import canonical, state_hash
from libs.rules.domino import tiles as domino_tiles
from libs.rules.domino.game import DOMINO
from libs.rules.mau_mau import cards as mau_mau_cards
from libs.rules.mau_mau.game import MAU_MAU
from libs.rules.registry import GAMES
from libs.rules.shuffle import Draws, commitment
from libs.rules.sueca import cards as sueca_cards
from libs.rules.sueca.game import SUECA
from libs.rules.truco.cards import PACK
from libs.rules.truco.deal import dealt_hand
from libs.rules.truco.game import TRUCO_PAULISTA
from tests.fairness import verifier

PAGE = (Path(__file__).parents[2] / "docs/fairness.md").read_text()


@pytest.fixture
def vectors() -> dict[str, Any]:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = json.loads(block)
    return found


@pytest.fixture
def draws(vectors: dict[str, Any]) -> Draws:
    entropy = [bytes.fromhex(item) for item in vectors["entropy"]]
    return Draws(bytes.fromhex(vectors["secret"]), vectors["match_id"], entropy)


@pytest.fixture
def stranger(vectors: dict[str, Any]) -> verifier.Match:
    entropy = [bytes.fromhex(item) for item in vectors["entropy"]]
    return verifier.Match(bytes.fromhex(vectors["secret"]), vectors["match_id"], entropy)


def test_the_blocks_are_what_the_page_says(vectors: dict[str, Any], stranger: verifier.Match) -> None:
    secret = bytes.fromhex(vectors["secret"])
    assert commitment(secret).hex() == hashlib.sha256(secret).hexdigest() == vectors["commitment"]
    listed = b"".join(bytes([len(item) // 2]) + bytes.fromhex(item) for item in vectors["entropy"])
    digest = hashlib.sha256(listed).digest()
    assert digest.hex() == vectors["entropy_digest"]
    for block in vectors["blocks"]:
        head = vectors["match_id"].encode() + b"\0" + digest
        message = head + block["label"].encode() + b"\0" + block["counter"].to_bytes(8, "big")
        assert message.hex() == block["message"]
        assert hmac.digest(secret, message, "sha256").hex() == block["hmac"]
        words = [int(block["hmac"][at : at + 8], 16) for at in range(0, 64, 8)]
        assert words == block["words"]
        stream = stranger.words(block["label"])
        skipped = [next(stream) for _ in range(8 * block["counter"])]
        assert len(skipped) == 8 * block["counter"]
        assert [next(stream) for _ in range(8)] == words


def test_the_draws_are_what_the_page_says(
    vectors: dict[str, Any], draws: Draws, stranger: verifier.Match
) -> None:
    for draw in vectors["draws"]:
        assert draws.below(draw["label"], draw["below"]) == draw["gives"]
        assert stranger.below(stranger.words(draw["label"]), draw["below"]) == draw["gives"]
    thrown_away = vectors["blocks"][0]["words"][:2]
    assert all(word >= 2147483649 for word in thrown_away)


def test_the_deals_are_what_the_page_says(
    vectors: dict[str, Any], draws: Draws, stranger: verifier.Match
) -> None:
    rules = TRUCO_PAULISTA.rule_set({})
    for deal in vectors["deals"]:
        label = f"hand-{deal['hand']}"
        assert draws.shuffled(label, range(40)) == deal["order"] == stranger.shuffled(label, range(40))
        assert draws.shuffled(label, PACK) == deal["shuffled"] == [PACK[place] for place in deal["order"]]
        dealt = dealt_hand(rules, (0, 0), draws, hand=deal["hand"], dealer=deal["dealer"], players=4)
        assert [list(cards) for cards in dealt.cards] == deal["cards"]
        assert (dealt.vira, dealt.leader) == (deal["vira"], deal["leader"])
        assert list(dealt.signal_tables) == deal["signal_tables"] == stranger.meanings(deal["hand"])


def test_the_pack_and_the_facts_are_those_of_the_page(vectors: dict[str, Any], draws: Draws) -> None:
    listed = re.findall(
        r"\b[4567QJKA23][PCEO]\b", PAGE.split("The pack is these 40 cards")[1].split("1. **")[0]
    )
    assert listed[1:] == list(PACK)  # The first one is the sentence's example.
    state = TRUCO_PAULISTA.initial(TRUCO_PAULISTA.rule_set({}), 4)
    state = TRUCO_PAULISTA.evolve(state, TRUCO_PAULISTA.start(state, draws)[0])
    facts = TRUCO_PAULISTA.facts(state)
    assert canonical(facts).decode() == vectors["state"]["canonical"]
    assert state_hash(facts).hex() == vectors["state"]["hash"]
    text = vectors["state"]["canonical"].encode()
    assert hashlib.blake2b(text, digest_size=32).hexdigest() == vectors["state"]["hash"]
    assert isinstance(facts, dict)
    assert told_facts("Truco") == set(facts)


def told_facts(game: str) -> set[str]:
    """The facts of a game that the page lists."""
    section = PAGE.split(f"F of {game}:")[1].split("F of ")[0].split("Form 1 is kept")[0]
    return {
        name
        for row in re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }


def test_the_pack_and_the_facts_of_sueca_are_those_of_the_page(draws: Draws) -> None:
    section = PAGE.split("## Sueca")[1].split("1. **")[0]
    assert re.findall(r"\b[A-Z0-9][PCEO]\b", section) == list(sueca_cards.PACK)
    (dealt,) = SUECA.start(SUECA.initial(SUECA.rule_set({}), 4), draws)
    facts = SUECA.facts(SUECA.evolve(SUECA.initial(SUECA.rule_set({}), 4), dealt))
    assert isinstance(facts, dict)
    assert told_facts("Sueca") == set(facts)
    assert dealt.trump_card == draws.shuffled("hand-1", sueca_cards.PACK)[39]


def test_the_tiles_and_the_facts_of_domino_are_those_of_the_page(draws: Draws) -> None:
    section = PAGE.split("## Dominó")[1].split("1. **")[0]
    assert re.findall(r"\b\d-\d\b", section) == list(domino_tiles.NAMES)
    (dealt,) = DOMINO.start(DOMINO.initial(DOMINO.rule_set({}), 4), draws)
    facts = DOMINO.facts(DOMINO.evolve(DOMINO.initial(DOMINO.rule_set({}), 4), dealt))
    assert isinstance(facts, dict)
    assert told_facts("Dominó") == set(facts)
    order = draws.shuffled("round-1", domino_tiles.NAMES)
    assert dealt.tiles == tuple(tuple(order[start : start + 7]) for start in (0, 7, 14, 21))


def test_the_pack_and_the_facts_of_cacheta_are_those_of_the_page(draws: Draws) -> None:
    section = PAGE.split("## Cacheta")[1].split("1. **")[0]
    faces = re.findall(r"\b[A23456789TJQK][PCEO]\b", section)
    assert [face + copy for copy in "ab" for face in faces] == list(cacheta_cards.PACK)
    initial = CACHETA.initial(CACHETA.rule_set({}), 4)
    (dealt,) = CACHETA.start(initial, draws)
    facts = CACHETA.facts(CACHETA.evolve(initial, dealt))
    assert isinstance(facts, dict)
    assert told_facts("Cacheta") == set(facts)
    order = draws.shuffled("round-1", cacheta_cards.PACK)
    assert dealt.hands[dealt.starter] == tuple(order[:9])
    assert (dealt.vira, *dealt.stock) == tuple(order[36:])


def test_the_pack_and_the_facts_of_mau_mau_are_those_of_the_page(draws: Draws) -> None:
    section = PAGE.split("## Mau Mau")[1].split("1. **")[0]
    assert re.findall(r"\b(?:10|[A2-9JQK])[PCEO]\b", section) * 2 == list(mau_mau_cards.PACK)
    (dealt,) = MAU_MAU.start(MAU_MAU.initial(MAU_MAU.rule_set({"first_card": "neutral"}), 5), draws)
    facts = MAU_MAU.facts(MAU_MAU.evolve(MAU_MAU.initial(MAU_MAU.rule_set({}), 5), dealt))
    assert isinstance(facts, dict)
    assert told_facts("Mau Mau") == set(facts)
    order = draws.shuffled("deal", mau_mau_cards.PACK)
    assert dealt.cards[(dealt.dealer + 1) % 5] == tuple(order[:5])
    assert (dealt.turned, *dealt.stock) == tuple(order[25:])


def test_the_pack_and_the_facts_of_buraco_are_those_of_the_page(draws: Draws) -> None:
    section = PAGE.split("## Buraco, Tranca and Canastra")[1].split("1. **")[0]
    faces = re.findall(r"\b[A23456789TJQK][PCEO]\b", section)
    jokers = re.findall(r"`(JK.)`", section)
    assert [*(face + copy for copy in "ab" for face in faces), *jokers] == list(buraco_cards.pack(4))
    (dealt,) = BURACO_FECHADO.start(BURACO_FECHADO.initial(BURACO_FECHADO.rule_set({}), 2), draws)
    facts = BURACO_FECHADO.facts(
        BURACO_FECHADO.evolve(BURACO_FECHADO.initial(BURACO_FECHADO.rule_set({}), 2), dealt)
    )
    assert isinstance(facts, dict)
    assert told_facts("Buraco") == set(facts)
    order = draws.shuffled("deal-1", buraco_cards.pack(4))
    assert dealt.hands[dealt.starter] == tuple(order[:11])
    assert (dealt.mortos[0], dealt.stock) == (tuple(order[22:33]), tuple(order[44:]))


class WatchedLabels(Draws):
    """Draws that remember their labels, numbers left out."""

    def __init__(self, secret: bytes, match_id: str) -> None:
        super().__init__(secret, match_id)
        self.labels: set[str] = set()

    def below(self, label: str, bound: int) -> int:
        self.labels.add(re.sub(r"\d+", "h", label))
        return super().below(label, bound)

    def shuffled(self, label: str, items: Sequence[Any]) -> list[Any]:
        self.labels.add(re.sub(r"\d+", "h", label))
        return super().shuffled(label, items)


@pytest.mark.parametrize("preset", sorted(GAMES))
def test_every_label_that_a_game_draws_under_stands_on_the_page(preset: str) -> None:
    """A game that draws under another label must be described before it is played."""
    game, chance = GAMES[preset], random.Random(preset)
    for number in range(5):
        draws = WatchedLabels(bytes([number]) * 32, preset)
        state = game.initial(game.rule_set({}), chance.choice(game.player_counts))
        for event in game.start(state, draws):
            state = game.evolve(state, event)
        while (awaited := game.awaited(state)) is not None:
            seat = chance.choice(awaited.seats)
            move = chance.choice(game.legal_moves(state, seat)).move
            for event in game.decide(state, seat, move, draws):
                state = game.evolve(state, event)
        assert draws.labels
        assert all(f"`{label}`" in PAGE for label in draws.labels), draws.labels
