"""Points: once a match, in the week in which it ended, the same in whatever order results come."""

import asyncio
import random
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carteado.table.v1 import view_pb2
from libs.eventlog.decider import Command
from libs.eventlog.reactions import Message
from libs.eventlog.testing import assert_laws
from services.league.calendar import closes_at, sealed_at
from services.league.events import LateMatchScored, MatchRescored, MatchScored, PlayerWeekSealed
from services.league.player_week import PLAYER_WEEK, ScoreMatch, SealPlayerWeek, player_week_id
from services.league.react import ResultRefusedError
from services.league.results import MalformedResultError
from services.league.skill import FIRST_RATING
from services.league.standing import STANDING, BeginStanding, CountResult, EndStanding, standing_id
from tests.services.league.conftest import MemoryLeague, at
from tests.services.league.matches import GAME, MONDAY, NEXT_WEEK, PLAYERS, WEEK, closed
from tests.services.league.naive_scorer import score

ANA, BIA, CAIO, DUDA = PLAYERS[:4]


async def test_a_win_gives_100_a_draw_50_a_loss_10_and_the_first_three_of_a_day_half_as_much_again(league):
    for hour in range(4):
        await league.count(closed(ended_at=at(hours=10 + hour)))
    assert await league.points(ANA) == await league.points(CAIO) == 3 * 150 + 100
    assert await league.points(BIA) == await league.points(DUDA) == 3 * 15 + 10
    await league.count(closed(winners=(), ended_at=at(days=1)))
    assert await league.points(ANA) == 550 + 75


async def test_abandoning_costs_200_also_on_a_bonus_match_and_the_partner_gets_the_result(league):
    await league.count(closed(winners=(0,), abandoned=(0,)))
    assert await league.points(ANA) == -200
    assert await league.points(CAIO) == 150
    assert (await league.standing(ANA)).wins == 0


async def test_a_match_that_everybody_left_costs_everybody_and_says_nothing_of_skill(league):
    """Ruling G-06."""
    table = closed(winners=(), abandoned=(0, 1, 2, 3), reason=view_pb2.END_REASON_ABANDONED)
    assert await league.count(table) == "counted"
    assert {await league.points(player) for player in PLAYERS[:4]} == {-200}
    first = (await league.standing(PLAYERS[11])).rating
    assert (await league.standing(ANA)).rating == first


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (closed(room=view_pb2.ROOM_LIVRE), "other_room"),
        (closed(room=view_pb2.ROOM_TORNEIO), "other_room"),
        (closed(game="truco@004"), "house_preset"),
        (closed(reason=view_pb2.END_REASON_UNSPECIFIED), "void"),
        (closed(robots=(0, 1, 2, 3)), "no_player"),
    ],
)
async def test_only_the_ranqueada_counts_and_never_a_house_preset(league, table, why):
    assert await league.count(table) == why
    assert await league.points(ANA) == 0


async def test_without_sides_the_winner_gets_100_those_tied_for_first_50_the_others_10(league):
    for winners, expected in (((2,), (15, 15, 150)), ((0, 1), (75, 75, 15))):
        players = PLAYERS[:3] if winners == (2,) else PLAYERS[3:6]
        await league.count(closed(players, winners, game="mau-mau"))
        lines = [await league.line(player, game="mau-mau") for player in players]
        assert tuple(line.points for line in lines) == expected


async def test_a_result_that_comes_late_corrects_the_bonus_of_its_day(league):
    for hour in (12, 13, 14):
        await league.count(closed(ended_at=at(hours=hour), match_id=PLAYERS[hour - 8]))
    early = PLAYERS[11]
    await league.count(closed(winners=(1,), ended_at=at(hours=9), match_id=early))
    *_, scored, corrected = await league.events(ANA)
    assert isinstance(scored, MatchScored)
    assert (scored.percent, scored.points, scored.total) == (150, 15, 465)
    assert corrected == MatchRescored(GAME, WEEK, ANA, PLAYERS[6], 100, 100, 415, early, "liga-1")
    assert await league.points(ANA) == 415


async def test_b114_one_match_gives_points_once_and_two_matches_of_the_same_four_both_count(league):
    table = closed()
    command_id = PLAYERS[10]
    outcomes = [await league.count(table, command_id) for _ in range(3)]
    assert outcomes == ["counted", "already_counted", "already_counted"]
    # A rebuilt outbox gives it another message id.
    assert await league.count(table) == "already_counted"
    assert await league.points(ANA) == 150
    assert (await league.standing(ANA)).matches == 1
    assert await league.count(closed()) == "counted"
    assert await league.points(ANA) == 300


async def test_b091_two_workers_that_get_one_message_at_once_give_points_once(league):
    message = Message("table-3-17", "carteado.table.closed.v1", closed().SerializeToString(), {}, 1)
    await asyncio.gather(league.results.handle(message), league.results.handle(message))
    assert await league.points(ANA) == 150
    assert len(await league.events(ANA)) == 1
    ((command,),) = [await league.player_weeks.history(player_week_id(GAME, WEEK, ANA))]
    assert command.command_id == message.command_id("league")


async def test_b116_a_match_counts_for_the_week_in_which_it_ended(league):
    boundary = closes_at(WEEK) - timedelta(minutes=10)
    league.clock = boundary + timedelta(hours=2)
    await league.count(closed(ended_at=boundary))
    await league.count(closed(ended_at=boundary - timedelta(milliseconds=1)))
    assert await league.points(ANA, WEEK) == 150
    assert await league.points(ANA, NEXT_WEEK) == 150


async def test_a_result_after_the_closing_is_a_correction_event_and_after_the_sealing_is_put_aside(league):
    known = closed()
    await league.count(known)
    league.clock = closes_at(WEEK)
    assert await league.count(closed(ended_at=at(days=1))) == "late"
    assert isinstance((await league.events(ANA))[-1], LateMatchScored)
    assert await league.points(ANA) == 300
    league.clock = sealed_at(WEEK)
    await league.player_weeks.fire_due(player_week_id(GAME, WEEK, ANA))
    assert (await league.events(ANA))[-1] == PlayerWeekSealed(300)
    assert await league.count(known) == "already_counted"
    with pytest.raises(ResultRefusedError, match="RESULT_TOO_LATE"):
        await league.count(closed(ended_at=at(days=2)))
    assert await league.points(ANA) == 300


async def test_a_result_that_cannot_be_read_is_put_aside_and_never_dropped(league):
    for table in (closed((ANA, BIA, ANA, DUDA)), closed(match_id="x"), closed(game="Truco")):
        with pytest.raises(MalformedResultError):
            await league.count(table)


async def test_the_tenth_win_is_a_medal_with_its_match(league):
    for number in range(11):
        await league.count(closed(ended_at=at(days=number % 6, hours=number), match_id=PLAYERS[number]))
    history = await league.standings.history(standing_id(GAME, ANA, 2026))
    medals = [event for command in history for event in command.events if hasattr(event, "wins")]
    won = [event for event in medals if type(event).__name__ == "MedalWon"]
    assert [(medal.wins, medal.match_id) for medal in won] == [(10, PLAYERS[9])]


async def test_winners_gain_skill_losers_lose_it_and_points_do_not_matter(league):
    await league.count(closed(winners=(1,), abandoned=(1,)))
    new = await league.standing(PLAYERS[11])
    for player, is_winner in zip(PLAYERS[:4], (False, True, False, True), strict=True):
        rating = (await league.standing(player)).rating
        assert (rating.mu > new.rating.mu) is is_winner
        assert rating.sigma < new.rating.sigma


MATCHES = st.lists(
    st.builds(
        lambda four, winners, minutes, abandoned: closed(
            four,
            winners,
            ended_at=MONDAY + timedelta(minutes=minutes),
            abandoned=abandoned,
        ),
        st.permutations(PLAYERS[:6]).map(lambda order: order[:4]),
        st.sampled_from([(0,), (1,), ()]),
        # Few minutes of a few days, so that many end together and days and weeks have edges.
        st.integers(0, 12 * 24 * 6).map(lambda tens: tens * 10),
        st.sampled_from([(), (), (0,), (3,), (1, 2)]),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=30)
@given(MATCHES, st.randoms(use_true_random=False))
def test_whatever_the_order_and_however_often_they_come_the_tables_are_the_naive_scorers(matches, chance):
    async def play(order) -> MemoryLeague:
        league = MemoryLeague()
        league.clock = MONDAY + timedelta(days=13)
        for number in order:
            await league.count(matches[number])
        return league

    order = [*range(len(matches)), *chance.choices(range(len(matches)), k=len(matches) // 2)]
    chance.shuffle(order)
    league = asyncio.run(play(order))
    expected = score(random.Random(0).sample(matches, len(matches)) + matches[:3])
    for (game, week), lines in expected.items():
        for line in lines:
            assert asyncio.run(league.line(line.player_id, week, game)) == line


def test_a_players_week_and_standing_keep_the_laws_of_every_decider():
    scores = [
        ScoreMatch(GAME, WEEK, ANA, PLAYERS[number], at(hours=hour), outcome)
        for number, (hour, outcome) in enumerate(
            [(12, "win"), (11, "loss"), (10, "abandoned"), (9, "draw"), (13, "win")]
        )
    ]
    bodies = [SealPlayerWeek(WEEK), *scores, scores[0], SealPlayerWeek(WEEK), scores[1]]
    commands = [Command(PLAYERS[0], "service:table", sealed_at(WEEK), body) for body in bodies]
    state = assert_laws(PLAYER_WEEK, commands)
    assert [match.points for match in state.matches] == [75, -200, 15, 100, 100]
    counts = [CountResult(GAME, ANA, PLAYERS[n], is_won=n % 2 == 0, rating=FIRST_RATING) for n in range(5)]
    begin, end = BeginStanding(GAME, ANA, 2026, 7, 9, FIRST_RATING), EndStanding(GAME, ANA, 2026)
    told = [counts[0], begin, begin, *counts, end, counts[0], begin]
    standing = assert_laws(STANDING, [Command(PLAYERS[0], "service:table", at(), body) for body in told])
    assert (standing.wins, standing.matches, standing.has_ended) == (10, 14, True)


async def test_a_walkover_is_a_win_for_the_others_and_an_abandonment_for_who_is_out(league):
    """Ruling G-09: no robot plays on."""
    table = closed(winners=(1,), abandoned=(0,), reason=view_pb2.END_REASON_WALKOVER)
    assert await league.count(table) == "counted"
    assert [await league.points(player) for player in (ANA, BIA, CAIO)] == [-200, 150, 15]
