"""What holds of every match of every preset, whatever the switches and the moves."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from libs.rules.buraco.cards import RED_THREES, pack
from libs.rules.buraco.events import EVENT_TYPES, DealStarted, MatchEnded
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.canonical import state_hash
from libs.rules.game import Rejection, Seat
from tests.libs.rules.buraco.tables import PRESETS, VARIANTS, ChanceMatch, cards_of

NAMES = {kind: name for name, kind in EVENT_TYPES.items()}


def _values() -> dict[str, list[str]]:
    """Every switch with its values as text; of a number, its bounds."""
    found: dict[str, list[str]] = {}
    described = msgspec.inspect.type_info(RuleSet)
    assert isinstance(described, msgspec.inspect.StructType)
    for field in described.fields:
        match field.type:
            case msgspec.inspect.BoolType():
                found[field.name] = ["true", "false"]
            case msgspec.inspect.IntType(ge=least, le=most):
                found[field.name] = [str(least), str(most)]
            case msgspec.inspect.LiteralType(values=values):
                found[field.name] = list(map(str, values))
    return found


EACH_VALUE = [(name, value) for name, values in _values().items() for value in values]


def play_whole(match: ChanceMatch) -> None:
    """Plays to the end. At each version: no card is lost, no red three is held, no hand is empty at a turn's beginning, and
    no moment of waiting comes twice.
    """
    rules = match.state.rules
    whole = sorted(pack(rules.jokers))
    moments: list[str] = []
    while (awaited := match.game.awaited(match.state)) is not None:
        state = match.state
        assert sorted(cards_of(state)) == whole
        if rules.special_threes:
            assert not any(RED_THREES.intersection(hand) for hand in state.hands)
        assert all(state.hands), match.seed
        if not moments or moments[-1] != awaited.moment:
            moments.append(awaited.moment)
        for seat in awaited.seats:
            automatic = match.game.automatic_move(state, seat)
            assert not isinstance(match.game.decide(state, seat, automatic, match.draws), Rejection)
        match.step()
    assert len(moments) == len(set(moments))
    assert [event for event in match.events if isinstance(event, MatchEnded)] == [match.events[-1]]
    assert match.game.result(match.state) is not None
    assert all(match.game.legal_moves(match.state, Seat(seat)) == () for seat in range(match.state.players))


def replayed(match: ChanceMatch) -> None:
    """The stored events, read again, give the same match, and each was what the draws gave."""
    state = match.initial
    for event in match.events:
        stored = msgspec.json.encode(event)
        again = msgspec.json.decode(stored, type=EVENT_TYPES[NAMES[type(event)]])
        assert again == event
        assert match.game.is_fair(again, state, match.draws), event
        state = match.game.evolve(state, again)
    assert state == match.state
    assert state_hash(match.game.facts(state)) == state_hash(match.game.facts(match.state))


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_b02_whole_matches_end_and_no_card_is_lost(preset: str, players: int) -> None:
    """B-02: the stock has 60 or 38 cards of 104, 64 or 42 of 108."""
    match = ChanceMatch(preset, players, "whole")
    dealt = match.events[0]
    assert isinstance(dealt, DealStarted)
    jokers = PRESETS[preset].rule_set({}).jokers
    assert len(dealt.stock) == {(0, 2): 60, (0, 4): 38, (4, 2): 64, (4, 4): 42}[jokers, players]
    assert [len(hand) for hand in dealt.hands] == [11] * players
    assert [len(morto) for morto in dealt.mortos] == [11, 11]
    play_whole(match)
    replayed(match)


@pytest.mark.parametrize(
    ("number", "switch"), list(enumerate(EACH_VALUE)), ids=[f"{n}={v}" for n, v in EACH_VALUE]
)
def test_every_value_of_every_switch_plays_whole_matches(number: int, switch: tuple[str, str]) -> None:
    name, value = switch
    preset, players = VARIANTS[number % len(VARIANTS)]
    switches = {name: value} if name != "match_format" else {name: value, "target_points": "100"}
    match = ChanceMatch(preset, players, f"{name}={value}", switches)
    play_whole(match)
    replayed(match)


def test_the_same_state_and_move_give_the_same_result() -> None:
    match = ChanceMatch("tranca", 4, "again")
    for _ in itertools.takewhile(lambda _: not match.is_over, range(60)):
        seat = Seat(match.state.to_play)
        for listed in match.game.legal_moves(match.state, seat):
            first = match.game.decide(match.state, seat, listed.move, match.draws)
            assert match.game.decide(match.state, seat, listed.move, match.draws) == first
        match.step()
