"""Matches of any game played by chance, for the laws that hold of all games alike.

A game is named by its preset, or given itself while it is not registered yet.
"""

from __future__ import annotations

import hashlib
import os
import random
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from libs.rules.canonical import state_hash
from libs.rules.family import AnyGame
from libs.rules.game import Rejection, Seat
from libs.rules.registry import FAMILIES, GAMES
from libs.rules.shuffle import Draws

VARIANTS: Sequence[tuple[str, int]] = tuple(
    (preset, players) for preset, game in sorted(GAMES.items()) for players in game.player_counts
)
"""Every registered preset with every number of players."""

MAX_MOVES = 200_000
"""No match comes near (Cacheta by chance takes up to 40,000); one that does has no end."""


def game_of(named: str | AnyGame) -> AnyGame:
    """The game of a preset, or the one that is given."""
    return GAMES[named] if isinstance(named, str) else named


class ChanceMatch:
    """A match in which each move is drawn from the legal ones; one that loses by rule is seldom taken.

    `log` holds the events, `moves` what was done by whom.
    """

    def __init__(
        self, named: str | AnyGame, players: int, seed: str, switches: Mapping[str, str] | None = None
    ) -> None:
        self.game: AnyGame = game_of(named)
        preset = self.game.preset
        self.seed = seed
        self.players = players
        self.chance = random.Random(f"{preset} {players} {seed}")
        self.draws = Draws(hashlib.sha256(seed.encode()).digest(), f"{preset} {players} {seed}")
        self.initial: Any = self.game.initial(self.game.rule_set(switches or {}), players)
        self.state: Any = self.initial
        self.log: list[Any] = []
        self.moves: list[tuple[Seat, Any]] = []
        self.apply(self.game.start(self.state, self.draws))

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Every seat, and a spectator."""
        return (*map(Seat, range(self.players)), None)

    def apply(self, events: Sequence[Any]) -> None:
        """Folds events into the state and keeps them."""
        assert events, f"{self.seed}: an accepted move has at least one event"
        for event in events:
            self.state = self.game.evolve(self.state, event)
            self.log.append(event)

    def choose(self) -> tuple[Seat, Any]:
        """Who acts, and how."""
        awaited = self.game.awaited(self.state)
        assert awaited is not None
        seat = self.chance.choice(awaited.seats)
        legal = self.game.legal_moves(self.state, seat)
        assert legal, f"{self.seed}: seat {seat} is awaited and may do nothing"
        harmless = [item.move for item in legal if not item.consequence]
        assert harmless, f"{self.seed}: every move of seat {seat} loses by rule"
        if self.chance.random() < 0.01:
            return seat, self.chance.choice(legal).move
        return seat, self.chance.choice(harmless)

    def step(self) -> Sequence[Any]:
        """One move; gives its events."""
        seat, move = self.choose()
        decision = self.game.decide(self.state, seat, move, self.draws)
        assert not isinstance(decision, Rejection), (
            f"{self.seed}: {move} of seat {seat} is listed: {decision}"
        )
        self.moves.append((seat, move))
        self.apply(decision)
        return decision

    @property
    def is_over(self) -> bool:
        """Whether nothing is awaited any more."""
        return self.game.awaited(self.state) is None

    def play(self, moves: int = MAX_MOVES) -> ChanceMatch:
        """So many moves, or to the end."""
        for _ in range(moves):
            if self.is_over:
                return self
            self.step()
        assert moves < MAX_MOVES, f"{self.seed} does not end"
        return self


def fingerprint(game: AnyGame, state: Any) -> bytes:
    """All of a state as bytes, to show that it has not changed."""
    return msgspec.json.encode(state, order="deterministic") + state_hash(game.facts(state))


def seeds(name: str) -> Iterator[str]:
    """Seeds that differ each time; the first part is printed, and CARTEADO_TEST_SEED repeats it."""
    seed = os.environ.get("CARTEADO_TEST_SEED") or secrets.token_hex(4)
    print(f"{name}: CARTEADO_TEST_SEED={seed}")
    number = 0
    while True:
        yield f"{seed}/{number}"
        number += 1


def crowd(named: str | AnyGame) -> int:
    """How many variants (presets and numbers of players) a preset's game has; 1 for one that is not registered."""
    preset = game_of(named).preset
    games = next((family.games for family in FAMILIES if preset in {one.preset for one in family.games}), ())
    return sum(len(game.player_counts) for game in games) or 1


def seconds() -> float:
    """How long matches by chance are played, for one variant (CARTEADO_TEST_SECONDS). There are dozens of variants."""
    return float(os.environ.get("CARTEADO_TEST_SECONDS", "0.3"))
