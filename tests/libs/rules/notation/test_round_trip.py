"""A match of any game is written, read back by playing it, and written again: the same events, the same text."""

from __future__ import annotations

import time
from datetime import date

import msgspec
import pytest

from libs.rules.family import AnyGame
from libs.rules.game import Rejection
from libs.rules.notation.language import Notation
from libs.rules.notation.languages import NOTATIONS
from libs.rules.notation.match import Match
from libs.rules.notation.reading import read_match
from libs.rules.notation.writing import write_match
from libs.rules.registry import GAMES, ROBOTS
from tests.libs.rules.proof.matches import VARIANTS, ChanceMatch, crowd, seconds, seeds
from tests.libs.rules.proof.values import switch_values

MOST_MOVES = 1_500
"""Where chance alone seldom ends a match (Cacheta) it is written as far as this; robots end theirs."""


def written(match: ChanceMatch, rules: object) -> Match:
    """What a log would give to be written of a match."""
    return Match(match.game, rules, match.players, match.log, match.game.rules_version)


def check(game: AnyGame, players: int, seed: str) -> None:
    """A whole match with switches by chance, and one that stops in the middle."""
    picker = ChanceMatch(game, players, seed).chance
    switches = {
        name: picker.choice(choices) for name, choices in switch_values(game).items() if picker.random() < 0.3
    }
    rules = game.rule_set(switches)
    match = ChanceMatch(game, players, seed, switches)
    match.play(picker.randrange(60))
    read_as_written(match, rules)
    match.play(MOST_MOVES)
    read_as_written(match, rules)


def read_as_written(match: ChanceMatch, rules: object) -> None:
    """Text to match to text, and the same rule set, events and state; what was done, done again, gives them too."""
    text = write_match(written(match, rules))
    found = read_match(text)
    assert found.rules == rules
    assert tuple(found.events) == tuple(match.log)
    assert write_match(found) == text
    state = match.initial
    for event in found.events:
        state = match.game.evolve(state, event)
    assert state == match.state
    assert all(len(line) <= 100 for line in text.splitlines() if not line.startswith("["))


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_a_match_by_chance_is_read_as_it_was_written(preset: str, players: int) -> None:
    game = ChanceMatch(preset, players, "0").game
    until = time.monotonic() + seconds() / crowd(preset)
    for seed in seeds(f"{preset} for {players}"):
        try:
            check(game, players, seed)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"CARTEADO_TEST_SEED={seed.split('/')[0]}, match {seed}: {error}") from error
        if time.monotonic() > until:
            break


@pytest.mark.proof
@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_matches_by_chance_are_read_as_they_were_written_for_minutes(
    preset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTEADO_TEST_SECONDS", "60")
    test_a_match_by_chance_is_read_as_it_was_written(preset, players)


@pytest.mark.parametrize("preset", sorted(NOTATIONS))
def test_a_match_of_robots_is_read_as_it_was_written_to_its_end(preset: str) -> None:
    match = ChanceMatch(preset, GAMES[preset].player_counts[0], "robots")
    robot = ROBOTS[preset].by_strength["greedy"]
    while not match.is_over:
        awaited = match.game.awaited(match.state)
        assert awaited is not None
        seat = match.chance.choice(awaited.seats)
        move = robot(match.game.view(match.state, seat), match.chance)
        decision = match.game.decide(match.state, seat, move, match.draws)
        assert not isinstance(decision, Rejection), (move, decision)
        match.apply(decision)
    read_as_written(match, match.game.rule_set({}))


def test_every_registered_game_has_a_notation() -> None:
    assert NOTATIONS.keys() == GAMES.keys()
    assert all(isinstance(notation, Notation) for notation in NOTATIONS.values())


def test_names_and_a_date_are_kept_whatever_they_hold() -> None:
    match = ChanceMatch("truco-paulista", 4, "names")
    names = {0: 'Zé "Zap" \\ Pé]', 2: "Ana; a primeira"}
    told = msgspec.structs.replace(
        written(match, match.game.rule_set({})), names=names, date=date(2026, 11, 30)
    )
    found = read_match(write_match(told))
    assert (found.names, found.date) == (names, date(2026, 11, 30))
    with pytest.raises(ValueError, match="line of a header"):
        write_match(msgspec.structs.replace(told, names={0: "two\nlines"}))
