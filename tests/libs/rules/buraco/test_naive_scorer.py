"""The engine and the naive scorer agree on every meld, deal and end of matches by chance, forced endings among them."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

import msgspec
import pytest

from libs.rules.buraco.events import DealEnded
from libs.rules.buraco.moves import BuracoMove, Discard, EndTurn, ExtendMeld, LayMeld, TakeLixo
from libs.rules.buraco.state import State
from libs.rules.game import Rejection, Seat
from tests.libs.rules.buraco.naive_scorer import told
from tests.libs.rules.buraco.tables import PRESETS, VARIANTS, ChanceMatch
from tests.libs.rules.proof.matches import seconds, seeds
from tests.libs.rules.proof.values import switch_values

# What is bound for ever depends on how a meld came about, which the scorer does not follow.
NOT_FOLLOWED = {"cleaning", "match_format", "target_points"}


class EagerMatch(ChanceMatch):
    """Cards are laid wherever they can be: mortos are taken, canastras are made, deals end by a batida."""

    def choose(self) -> BuracoMove:
        listed = [one.move for one in self.game.legal_moves(self.state, Seat(self.state.to_play))]
        laying = [move for move in listed if not isinstance(move, Discard)]
        return self.chance.choice(laying or listed)


class ShortMatch(EagerMatch):
    """The stock is nearly empty when the deal begins, so that mortos are turned and the end comes soon."""

    def step(self) -> None:
        if len(self.events) < 20 and len(self.state.stock) > 3 and self.state.phase == "draw":
            self.state = msgspec.structs.replace(self.state, stock=self.state.stock[:3])
        super().step()


class ThinkableMatch(ChanceMatch):
    """Moves that nobody described are tried as well: any cards onto anything. What is accepted must not lead into a dead end."""

    def choose(self) -> BuracoMove:
        state, chance = self.state, self.chance
        seat = Seat(state.to_play)
        automatic = self.game.automatic_move(state, seat)
        assert not isinstance(self.game.decide(state, seat, automatic, self.draws), Rejection), self.seed
        assert all(state.hands), f"{self.seed}: an empty hand"
        for _ in range(12):
            move = self._some_move(state, state.hands[seat])
            if not isinstance(self.game.decide(state, seat, move, self.draws), Rejection):
                return move
        return chance.choice(self.game.legal_moves(state, seat)).move

    def _some_move(self, state: State, hand: tuple[str, ...]) -> BuracoMove:
        chance = self.chance
        like = chance.choice(hand)
        akin = [card for card in hand if card[1] == like[1] or card[0] in (like[0], "2", "J")]
        pool = akin if chance.random() < 0.5 else hand
        cards = tuple(chance.sample(pool, min(len(pool), chance.choice((1, 1, 2, 2, 3, 3, 4, 5, 7)))))
        meld = chance.choice((None, *range(len(state.melds))))
        if state.phase == "draw":
            return TakeLixo(state.turn, cards if chance.random() < 0.7 else (), meld)
        if meld is None:
            return LayMeld(state.turn, cards)
        if chance.random() < 0.05:
            return EndTurn(state.turn)
        return ExtendMeld(state.turn, meld, cards)


def agrees(match: ChanceMatch) -> int:
    """Compares a whole match; gives how many deals a batida ended."""
    match.play()
    switches = dict(match.game.switches(match.state.rules))
    out = 0
    for kind, (expected, event) in told(match.events, switches, match.state.players):
        if kind == "deal":
            assert isinstance(event, DealEnded)
            for side in (0, 1):
                assert event.sides[side].total in expected[side], (match.seed, side, event, expected)
            out += event.out_seat is not None
        else:
            assert event.winners == expected, match.seed
    return out


def some_switches(preset: str, chance: random.Random) -> Mapping[str, str]:
    """Half of the time the preset's own, else a few others."""
    if chance.random() < 0.5:
        return {}
    values = switch_values(PRESETS[preset])
    names = chance.sample(sorted(values.keys() - NOT_FOLLOWED), 6)
    return {name: chance.choice(values[name]) for name in names}


def compare(preset: str, players: int, seed: str) -> int:
    chance = random.Random(seed)
    kind = chance.choice((ChanceMatch, EagerMatch, EagerMatch, ShortMatch, ThinkableMatch))
    return agrees(kind(preset, players, seed, some_switches(preset, chance)))


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_a_second_scorer_says_the_same_of_every_match(preset: str, players: int) -> None:
    until = time.monotonic() + seconds() / 18
    for number, seed in enumerate(seeds(f"{preset} for {players}, scored twice")):
        compare(preset, players, seed)
        if number and time.monotonic() > until:
            break


@pytest.mark.proof
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_a_second_scorer_says_the_same_of_a_thousand_matches(preset: str, players: int) -> None:
    out = 0
    for number, seed in enumerate(seeds(f"{preset} for {players}, scored a thousand times")):
        out += compare(preset, players, seed)
        if number == 1_000:
            break
    assert out > 20


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_b43_b44_forced_exhaustion_ends_every_match_and_turns_the_mortos(preset: str, players: int) -> None:
    match = ShortMatch(preset, players, "exhausted")
    agrees(match)
    assert match.state.mortos == ()


def test_many_eager_matches_end_by_a_batida() -> None:
    ends = [agrees(EagerMatch("buraco-fechado", 2, f"eager {number}")) for number in range(12)]
    assert sum(ends) >= 2


@pytest.mark.parametrize("preset", PRESETS)
def test_b013_b39_no_accepted_move_leads_into_a_dead_end(preset: str) -> None:
    agrees(ThinkableMatch(preset, 4, "thinkable"))
