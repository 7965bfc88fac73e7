"""The laws that every game obeys, with every number of players; the cards' own are each game's.

Every registered preset is tried here; a game that is not registered yet is given to `whole_match` itself.

A variant plays whole matches by chance for CARTEADO_TEST_SECONDS (0.3) from a seed that is printed; `make proof` plays for
minutes. The switches are drawn too, from the values that the game says it takes.
"""

from __future__ import annotations

import time

import msgspec
import pytest

from libs.rules.canonical import state_hash
from libs.rules.family import AnyGame
from libs.rules.game import Rejection, Seat
from libs.rules.registry import GAMES
from tests.libs.rules.proof.matches import (
    MAX_MOVES,
    VARIANTS,
    ChanceMatch,
    crowd,
    fingerprint,
    seconds,
    seeds,
)
from tests.libs.rules.proof.values import switch_values

pytestmark = pytest.mark.timeout(3_600)


def whole_match(named: str | AnyGame, players: int, seed: str) -> None:
    """Plays one match and asks of each version what must hold of it."""
    picker = ChanceMatch(named, players, seed).chance
    values = switch_values(named)
    switches = (
        {name: picker.choice(choices) for name, choices in values.items()} if picker.random() < 0.5 else {}
    )
    match = ChanceMatch(named, players, seed, switches)
    game, moments, moment = match.game, set[str](), ""
    for _ in range(MAX_MOVES):
        awaited = game.awaited(match.state)
        if awaited is None:
            break
        assert game.result(match.state) is None, "a match that waits for somebody has no result"
        if awaited.moment != moment:
            moment = awaited.moment
            assert moment not in moments, f"{moment} comes back: its clock would not restart"
            moments.add(moment)
        assert awaited.seconds > 0
        assert awaited.seats
        for seat in awaited.seats:
            automatic = game.automatic_move(match.state, seat)
            assert not isinstance(game.decide(match.state, seat, automatic, match.draws), Rejection)
        if match.chance.random() < 0.05:
            laws_of_a_state(match)
        match.step()
    assert match.is_over, "it does not end"
    result = game.result(match.state)
    assert result is not None
    sides = {game.side_of(Seat(seat)) for seat in range(players)}
    assert set(result.winners) <= sides
    assert all(game.legal_moves(match.state, Seat(seat)) == () for seat in range(players))
    replayed = match.initial
    for event in match.log:
        assert game.is_fair(event, replayed, match.draws), event
        after = game.evolve(replayed, event)
        if game.tells_alike:
            told = [game.observe(event, replayed, after, viewer) for viewer in match.viewers]
            assert told.count(told[0]) == len(told), event
        replayed = after
    assert replayed == match.state
    assert state_hash(game.facts(replayed)) == state_hash(game.facts(match.state))


def laws_of_a_state(match: ChanceMatch) -> None:
    """Looking and asking change nothing; the same question has the same answer; what is refused changes nothing."""
    game, state = match.game, match.state
    before = fingerprint(game, state)
    for viewer in match.viewers:
        first = msgspec.json.encode(game.view(state, viewer))
        assert msgspec.json.encode(game.view(state, viewer)) == first
    moves = {}
    for seat in map(Seat, range(match.players)):
        listed = [item.move for item in game.legal_moves(state, seat)]
        assert len(listed) == len(set(listed)), f"seat {seat} is told of a move twice"
        moves[seat] = set(listed)
    everything = set().union(*moves.values()) | {move for _, move in match.moves[-30:]}
    for seat, own in moves.items():
        for move in everything:
            decision = game.decide(state, seat, move, match.draws)
            assert game.decide(state, seat, move, match.draws) == decision
            is_refused = isinstance(decision, Rejection)
            if move in own:
                assert not is_refused, (seat, move, decision)
            elif game.lists_every_move:
                assert is_refused, (seat, move)
    assert fingerprint(game, state) == before


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_whole_matches_by_chance_obey_the_laws(preset: str, players: int) -> None:
    # The variants of one engine share the time of six.
    until = time.monotonic() + seconds() * min(1, 6 / crowd(preset))
    for seed in seeds(f"{preset} for {players}"):
        try:
            whole_match(preset, players, seed)
        except AssertionError as error:
            raise AssertionError(f"CARTEADO_TEST_SEED={seed.split('/')[0]}, match {seed}: {error}") from error
        if time.monotonic() > until:
            break


@pytest.mark.proof
@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_whole_matches_by_chance_for_minutes(
    preset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTEADO_TEST_SECONDS", "60")
    test_whole_matches_by_chance_obey_the_laws(preset, players)


@pytest.mark.parametrize("preset", sorted(GAMES))
def test_every_value_of_every_switch_is_taken_and_another_is_not(preset: str) -> None:
    game = GAMES[preset]
    for name, values in switch_values(preset).items():
        for value in values:
            assert game.switches(game.rule_set({name: value}))[name] == value
        with pytest.raises(ValueError, match=name):
            game.rule_set({name: "no such value"})
