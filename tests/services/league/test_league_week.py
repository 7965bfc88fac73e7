"""Closing a week: places, trophies, moves; once."""

from datetime import timedelta

import pytest

from libs.eventlog.decider import Command
from libs.eventlog.testing import assert_laws, given
from services.league.calendar import closes_at
from services.league.events import PlayersPlaced, TrophyWon, WeekClosed, WeekEnded, WeekOpened
from services.league.league_week import LEAGUE_WEEK, CloseWeek, EndWeek, Entry, OpenWeek
from services.league.policy import LEAGUES, LIGA_1
from tests.services.league.matches import GAME, MONDAY, PLAYERS, WEEK

CLOSES = closes_at(WEEK)
OPENED = WeekOpened(GAME, WEEK, CLOSES, "liga-1")
ENDED = WeekEnded(GAME, WEEK)


def entries(points, start=0):
    return tuple(
        Entry(PLAYERS[start + number], one, MONDAY + timedelta(hours=number))
        for number, one in enumerate(points)
    )


def test_a_week_opens_once_ends_on_monday_ten_past_midnight_and_closes_once():
    assert MONDAY + timedelta(days=7, minutes=10) == CLOSES
    opened = given(LEAGUE_WEEK).when(OpenWeek(GAME, WEEK), at=MONDAY).then(OPENED)
    assert [deadline.due_at for deadline in LEAGUE_WEEK.deadlines(opened.state)] == [CLOSES]
    opened.when(OpenWeek(GAME, WEEK), at=MONDAY).then_rejected("WEEK_ALREADY_OPEN")
    opened.when(EndWeek(WEEK), at=CLOSES - timedelta(microseconds=1)).then_rejected("WEEK_NOT_OVER")
    opened.when(CloseWeek({}), at=CLOSES).then_rejected("WEEK_NOT_OVER")
    ended = opened.when(EndWeek(WEEK), at=CLOSES).then(ENDED)
    closed = ended.when(CloseWeek({}), at=CLOSES).then(WeekClosed(GAME, WEEK, 0, CLOSES, "liga-1"))
    closed.when(CloseWeek({"bronze": entries([10])}), at=CLOSES).then_rejected("WEEK_ALREADY_CLOSED")


def test_a_week_whose_first_result_comes_after_its_closing_is_closed_empty():
    body = OpenWeek(GAME, WEEK)
    after = given(LEAGUE_WEEK).when(body, at=CLOSES)
    after.then(OPENED, WeekClosed(GAME, WEEK, 0, CLOSES, "liga-1"))


def test_a_fifth_rounded_up_goes_up_a_fifth_rounded_down_goes_down_and_three_win_trophies():
    points = [300, 500, 100, 200, -200, 90]
    body = CloseWeek({"prata": entries(points), "bronze": entries([10], start=6)})
    after = given(LEAGUE_WEEK, OPENED, ENDED).when(body, at=CLOSES)
    events = after.accepted() and after.outcome
    silver = next(e for e in events if isinstance(e, PlayersPlaced) and e.league == "prata")
    assert [(p.player_id, p.points) for p in silver.players] == [
        (PLAYERS[n], points[n]) for n in (1, 0, 3, 2, 5, 4)
    ]
    assert [p.next_league for p in silver.players] == ["ouro", "ouro", *["prata"] * 3, "bronze"]
    won = [(e.league, e.player_id, e.place) for e in events if isinstance(e, TrophyWon)]
    assert won == [
        ("bronze", PLAYERS[6], 1),
        ("prata", PLAYERS[1], 1),
        ("prata", PLAYERS[0], 2),
        ("prata", PLAYERS[3], 3),
    ]
    assert events[-1] == WeekClosed(GAME, WEEK, 7, CLOSES, "liga-1")


def test_of_two_with_the_same_points_who_reached_them_first_is_ahead_whatever_order_they_are_listed_in():
    three = entries([100, 100, 100])
    for order in (three, three[::-1]):
        outcome = (
            given(LEAGUE_WEEK, OPENED, ENDED).when(CloseWeek({"bronze": tuple(order)}), at=CLOSES).outcome
        )
        assert [placed.player_id for placed in outcome[0].players] == PLAYERS[:3]


@pytest.mark.parametrize(
    ("players", "up", "down"),
    [(0, 0, 0), (1, 1, 0), (4, 1, 0), (5, 1, 1), (6, 2, 1), (10, 2, 2), (11, 3, 2)],
)
def test_the_zones_never_meet_and_nobody_leaves_the_ends(players, up, down):
    for league in LEAGUES:
        promoted, relegated = LIGA_1.promoted(league, players), LIGA_1.relegated(league, players)
        assert promoted == (0 if league == "pro" else up)
        assert relegated == (0 if league == "bronze" else down)
        assert promoted + relegated <= players


def test_a_large_league_is_placed_in_several_events():
    many = tuple(Entry(f"{number:036}", 10, MONDAY) for number in range(1001))
    outcome = given(LEAGUE_WEEK, OPENED, ENDED).when(CloseWeek({"ouro": many}), at=CLOSES).outcome
    pages = [event for event in outcome if isinstance(event, PlayersPlaced)]
    assert [len(page.players) for page in pages] == [500, 500, 1]
    assert [p.place for page in pages for p in page.players] == [*range(1, 1002)]


def test_it_keeps_the_laws_of_every_decider():
    steps = [
        (OpenWeek(GAME, WEEK), MONDAY),
        (CloseWeek({}), MONDAY),
        (EndWeek(WEEK), CLOSES),
        (CloseWeek({"bronze": entries([10, 20])}), CLOSES),
        (EndWeek(WEEK), CLOSES),
    ]
    commands = [Command(PLAYERS[n], "service:x", at, body) for n, (body, at) in enumerate(steps)]
    assert assert_laws(LEAGUE_WEEK, commands).status == "closed"
