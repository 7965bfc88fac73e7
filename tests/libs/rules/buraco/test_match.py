"""The match round the deals: words, seats, starters, turns, clocks, ends (G-01 to G-11, B-01 to B-05)."""

from __future__ import annotations

import msgspec
import pytest

from libs.rules.buraco.course import MOST_DEALS
from libs.rules.buraco.events import DealStarted, MatchEnded, TurnEnded
from libs.rules.buraco.moves import Discard, DrawStock
from libs.rules.game import InvalidRuleSetError, Seat
from tests.libs.rules.buraco.tables import PRESETS, VARIANTS, ChanceMatch, Table, has, only, winners

CLEAN = "4C 5C 6C 7C 8C 9C TC"


def going_out(preset: str = "buraco-aberto", **options: object) -> Table:
    """Seat 0 has one card left and may go out: 350 points less the partner's hand, the others nothing but their hands."""
    return Table(
        preset, {0: "KE", 1: "4E 4P", 2: "4O 5O", 3: "5P 5E"}, melds=[(0, CLEAN)], takers=(0, 1), **options
    )  # type: ignore[arg-type]  # options by name


def test_b01_the_pack_at_each_table() -> None:
    """B-01: `jokers` = 0, 4."""
    jokers = {name: preset.rule_set({}).jokers for name, preset in PRESETS.items()}
    assert [name for name, count in jokers.items() if count == 0] == ["buraco-aberto", "tranca", "tranca@003"]
    assert set(jokers.values()) == {0, 4}
    table = Table("buraco-aberto", {0: "4E 5E 7E KE"})
    assert table.code(0, table.laying(0, "4E 5E JK 7E")) == "CARD_NOT_IN_HAND"
    with pytest.raises(InvalidRuleSetError):
        PRESETS["canastra"].rule_set({"jokers": "5"})


def test_g01_a_match_is_one_deal_of_numbered_turns_in_two_phases() -> None:
    match = ChanceMatch("buraco-fechado", 4, "turns").play()
    turns = [event.turn for event in match.events if isinstance(event, TurnEnded)]
    assert turns == list(range(1, len(turns) + 1))
    assert len([event for event in match.events if isinstance(event, DealStarted)]) == 1


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_g02_the_turn_goes_to_the_next_seat_and_sides_alternate(preset: str, players: int) -> None:
    """G-02: `direction` = ccw changes nothing but the drawing of the table."""
    match = ChanceMatch(preset, players, "turns")
    other = ChanceMatch(preset, players, "turns", {"direction": "ccw"})
    for _ in range(60):
        if match.is_over:
            break
        match.step()
        other.step()
    assert match.events == other.events
    turns = [event for event in match.events if isinstance(event, TurnEnded)]
    assert all(turn.next_seat == (turn.seat + 1) % players for turn in turns)
    assert [match.game.side_of(Seat(seat)) for seat in range(players)] == [0, 1, 0, 1][:players]


def test_g03_the_first_starter_is_drawn_and_moves_a_seat_each_deal() -> None:
    starters = {ChanceMatch("buraco-aberto", 4, f"starter {number}").state.starter for number in range(40)}
    assert starters == {0, 1, 2, 3}
    table = going_out(match_format="target")
    events = table.discard(0, "KE")
    started = only(events, DealStarted)
    assert (started.deal, started.starter, started.turn) == (2, 1, 8)
    assert table.state.to_play == 1


def test_g04_one_deal_is_one_match() -> None:
    table = going_out()
    events = table.discard(0, "KE")
    assert winners(events) == (0,)
    result = table.game.result(table.state)
    assert result is not None
    assert result.winners == (0,)
    assert result.score == table.state.score == (350 - 10, -20)


def test_g04_to_a_target_deals_follow_until_a_deal_ends_with_a_side_there() -> None:
    """G-04: `match_format` = target."""
    short = going_out(match_format="target", target_points="400", score=(50, 0))
    assert not has(short.discard(0, "KE"), MatchEnded)
    assert short.state.score == (390, -20)
    assert short.state.deal == 2
    assert [len(hand) for hand in short.state.hands] == [11] * 4
    there = going_out(match_format="target", target_points="400", score=(60, 0))
    assert winners(there.discard(0, "KE")) == (0,)
    behind = going_out(match_format="target", target_points="400", score=(60, 500))
    assert winners(behind.discard(0, "KE")) == (1,)
    level = going_out(match_format="target", target_points="400", score=(60, 420))
    assert not has(level.discard(0, "KE"), MatchEnded), "equal totals play on"


def test_g04a_the_target_is_a_number_of_points() -> None:
    """G-04a: `target_points`."""
    assert PRESETS["tranca"].rule_set({}).target_points == 3000
    with pytest.raises(InvalidRuleSetError):
        PRESETS["tranca"].rule_set({"target_points": "99"})


def test_g04_no_match_is_endless() -> None:
    last = going_out(match_format="target", target_points="20000")
    last.state = msgspec.structs.replace(last.state, deal=MOST_DEALS)
    assert winners(last.discard(0, "KE")) == (0,)
    before = going_out(match_format="target", target_points="20000")
    before.state = msgspec.structs.replace(before.state, deal=MOST_DEALS - 1)
    assert not has(before.discard(0, "KE"), MatchEnded)


def test_g05_equal_totals_are_a_draw_unless_the_batida_decides() -> None:
    """G-05: `tie_break` = draw, batida."""
    table = going_out(score=(0, 360))
    assert winners(table.discard(0, "KE")) == ()
    result = table.game.result(table.state)
    assert result is not None
    assert result.winners == ()
    by_batida = going_out(score=(0, 360), tie_break="batida")
    assert winners(by_batida.discard(0, "KE")) == (0,)
    exhausted = Table(
        "buraco-aberto",
        {seat: "4E 4P" if seat < 2 else "5E 5P" for seat in range(4)},
        stock="4C",
        mortos=0,
        takers=(0, 1),
        phase="draw",
        tie_break="batida",
        score=(5, 0),
    )
    assert winners(exhausted.draw(0)) == (), "nobody went out"


@pytest.mark.parametrize("preset", PRESETS)
def test_g06_g10_drawing_and_playing_have_clocks_of_their_own(preset: str) -> None:
    """G-06: `draw_seconds`; G-06a: `play_seconds`. Each phase of each turn is a new moment, each play in it is not."""
    table = Table(preset, {0: "4E 5E 6E KE QE"}, phase="draw")
    waiting = table.game.awaited(table.state)
    assert waiting is not None
    assert (waiting.moment, waiting.seats, waiting.seconds) == ("7.draw", (0,), 30)
    table.draw(0)
    waiting = table.game.awaited(table.state)
    assert waiting is not None
    assert (waiting.moment, waiting.seats, waiting.seconds) == ("7.play", (0,), 60)
    assert not waiting.is_answer
    table.lay(0, "4E 5E 6E")
    assert table.game.awaited(table.state) == waiting
    table.discard(0, "KE")
    waiting = table.game.awaited(table.state)
    assert waiting is not None
    assert (waiting.moment, waiting.seats) == ("8.draw", (1,))


def test_g06_the_seconds_are_switches() -> None:
    table = Table("tranca", phase="draw", draw_seconds="5", play_seconds="600")
    waiting = table.game.awaited(table.state)
    assert waiting is not None
    assert waiting.seconds == 5
    table.draw(0)
    waiting = table.game.awaited(table.state)
    assert waiting is not None
    assert waiting.seconds == 600


@pytest.mark.parametrize("preset", PRESETS)
def test_g07_the_fourth_automatic_play_eliminates_everywhere(preset: str) -> None:
    """G-07: `auto_play_limit`, which the table counts by player and match."""
    assert PRESETS[preset].rule_set({}).auto_play_limit == 4


def test_g08_a_card_from_the_stock_then_the_card_just_drawn() -> None:
    table = Table("buraco-aberto", {0: "4E 5E"}, stock="KO QO", lixo="9O", phase="draw")
    first = table.game.automatic_move(table.state, Seat(0))
    assert first == DrawStock(7)
    table.do(0, first)
    second = table.game.automatic_move(table.state, Seat(0))
    assert isinstance(second, Discard)
    assert second.card[:2] == "KO"
    with pytest.raises(ValueError, match="not awaited"):
        table.game.automatic_move(table.state, Seat(1))


def test_g08_what_was_melded_stays_and_a_barred_card_is_not_thrown() -> None:
    table = Table("buraco-aberto", {0: "4E 5E"}, lixo="KO", phase="draw")
    table.take(0)
    move = table.game.automatic_move(table.state, Seat(0))
    assert isinstance(move, Discard)
    assert move.card[:2] == "5E"
    more = Table("buraco-aberto", {0: "4E 5E"}, lixo="9O KO", phase="draw")
    more.take(0)
    move = more.game.automatic_move(more.state, Seat(0))
    assert isinstance(move, Discard)
    assert move.card[:2] == "KO", "the lixo joins the hand from bottom to top"


def test_g08_the_automatic_play_ends_a_turn_that_cannot_be_discarded_from() -> None:
    table = Table("tranca", {0: "KE"}, stock="3C", mortos=1, takers=(0, None), phase="draw")
    table.draw(0)
    table.do(0, table.game.automatic_move(table.state, Seat(0)))
    assert table.state.to_play == 1


def test_g09_what_elimination_does_is_a_switch_that_the_table_reads() -> None:
    """G-09: `on_elimination` = by_seats, bot, forfeit."""
    for preset in PRESETS.values():
        assert preset.rule_set({}).on_elimination == "by_seats"
        for value in ("bot", "forfeit"):
            assert preset.rule_set({"on_elimination": value}).on_elimination == value


def test_b03_the_first_turn_draws_from_the_stock() -> None:
    match = ChanceMatch("buraco-aberto", 4, "first")
    seat = Seat(match.state.to_play)
    assert [listed.move for listed in match.game.legal_moves(match.state, seat)] == [DrawStock(1)]


def test_b04_nothing_before_the_draw_and_one_draw_a_turn() -> None:
    table = Table("buraco-aberto", {0: "4E 5E 6E KE"}, lixo="9O", phase="draw")
    assert table.code(0, table.laying(0, "4E 5E 6E")) == "DRAW_FIRST"
    assert table.code(0, table.discarding(0, "KE")) == "DRAW_FIRST"
    table.draw(0)
    assert table.code(0, table.drawing()) == "ALREADY_DREW"
    assert table.code(0, table.taking()) == "ALREADY_DREW"
    table.lay(0, "4E 5E 6E")
    assert table.code(0, table.drawing()) == "ALREADY_DREW"


def test_b05_a_discard_is_final() -> None:
    table = Table("buraco-aberto", {0: "4E 5E KE"})
    table.discard(0, "KE")
    assert table.code(0, Discard(7, "4Ea")) == "STALE"
    assert table.code(0, Discard(8, "4Ea")) == "NOT_YOUR_TURN"


def test_g11_only_what_is_fair_was_drawn() -> None:
    """G-11: what comes unseen is the next card of what was dealt; another is no fair play."""
    match = ChanceMatch("tranca", 4, "fair")
    state = match.initial
    for event in match.events:
        assert match.game.is_fair(event, state, match.draws)
        state = match.game.evolve(state, event)
    dealt = match.events[0]
    assert isinstance(dealt, DealStarted)
    other = ChanceMatch("tranca", 4, "another").events[0]
    assert not match.game.is_fair(other, match.initial, match.draws)
