"""Sitting down, standing up and forming matches: pure decisions over players and tables."""

from datetime import timedelta

import pytest

from libs.eventlog.testing import NOON, given, given_together
from services.matchmaking.events import (
    MatchFormed,
    MatchSeat,
    PlayerFreed,
    PlayerMatched,
    PlayerQueued,
    PlayerSat,
    SeatLeft,
    SeatTaken,
    TableDeserted,
    TableFilled,
    TableOpened,
)
from services.matchmaking.match import MATCH
from services.matchmaking.open_table import OPEN_TABLE
from services.matchmaking.player import PLAYER, JoinQueue, LeaveQueue, Requeue
from services.matchmaking.queue import Ticket, form, match_id_of
from services.matchmaking.seating import Pair, Sit, Stand, Train, decide_seating, match, open_table, player

GAME = "truco-paulista"
ID = "00000000-0000-4000-8000-000000000001"


def taken(count, seats=4):
    """An open table at which the first players sit."""
    sat = [SeatTaken("t", seat, f"p{seat}", "") for seat in range(count)]
    return given(OPEN_TABLE, TableOpened("t", GAME, seats, NOON), *sat)


def at_table(seat):
    return given(PLAYER, PlayerSat(f"p{seat}", "t", GAME, "livre", NOON, "x"))


def test_who_opens_a_table_sits_at_it():
    members = {player("p0"): given(PLAYER), open_table("t"): given(OPEN_TABLE)}
    given_together(decide_seating, members).when(Sit("p0", "t", GAME, 0, "ab", opens_with_seats=4)).then(
        {
            player("p0"): [PlayerSat("p0", "t", GAME, "livre", NOON, ID)],
            open_table("t"): [TableOpened("t", GAME, 4, NOON), SeatTaken("t", 0, "p0", "ab")],
        }
    )


def test_the_last_seat_forms_the_match_with_everybody_in_their_seats():
    members = {player("p3"): given(PLAYER), open_table("t"): taken(3), match("t"): given(MATCH)}
    seats = tuple(MatchSeat(f"p{seat}", "", "cd" if seat == 3 else "") for seat in range(4))
    given_together(decide_seating, members).when(Sit("p3", "t", GAME, 3, "cd", is_last=True)).then(
        {
            player("p3"): [PlayerSat("p3", "t", GAME, "livre", NOON, ID)],
            open_table("t"): [SeatTaken("t", 3, "p3", "cd"), TableFilled("t")],
            match("t"): [MatchFormed("t", GAME, "livre", seats, NOON)],
        }
    )


@pytest.mark.parametrize(
    ("who", "table", "sit", "code"),
    [
        (given(PLAYER), taken(2), Sit("p9", "t", GAME, 1, ""), "SEAT_TAKEN"),
        (given(PLAYER), taken(2), Sit("p9", "t", GAME, 4, ""), "NO_SUCH_SEAT"),
        (given(PLAYER), given(OPEN_TABLE), Sit("p9", "t", GAME, 0, ""), "OPEN_TABLE_NOT_FOUND"),
        (
            given(PLAYER),
            taken(4).after([TableFilled("t")]),
            Sit("p9", "t", GAME, 0, ""),
            "OPEN_TABLE_NOT_FOUND",
        ),
        (at_table(1), taken(2), Sit("p1", "t", GAME, 2, ""), "ALREADY_WAITING"),
        (
            given(PLAYER, PlayerQueued("p9", "k", GAME, "", NOON)),
            taken(2),
            Sit("p9", "t", GAME, 2, ""),
            "ALREADY_WAITING",
        ),
        (given(PLAYER), taken(3), Sit("p9", "t", GAME, 3, ""), "PLACE_CHANGED"),
    ],
)
def test_a_seat_is_refused_with_its_reason(who, table, sit, code):
    members = {player(sit.player_id): who, open_table("t"): table}
    given_together(decide_seating, members).when(sit).then_rejected(code)


def test_who_stands_up_is_free_and_an_empty_table_closes():
    members = {player("p0"): at_table(0), open_table("t"): taken(1)}
    given_together(decide_seating, members).when(Stand("p0", "t")).then(
        {
            player("p0"): [PlayerFreed("p0", "t", "stood_up", NOON)],
            open_table("t"): [SeatLeft("t", 0, "p0"), TableDeserted("t")],
        }
    )


def test_nobody_stands_up_from_a_match():
    members = {player("p0"): at_table(0), open_table("t"): taken(4).after([TableFilled("t")])}
    given_together(decide_seating, members).when(Stand("p0", "t")).then_rejected("MATCH_ALREADY_FORMED")


def test_training_seats_the_player_and_robots():
    seats = (MatchSeat("p0"), *[MatchSeat("", "strong")] * 3)
    members = {player("p0"): given(PLAYER), match("t"): given(MATCH)}
    given_together(decide_seating, members).when(Train("p0", "t", GAME, seats, {"cover": "off"})).then(
        {
            player("p0"): [PlayerSat("p0", "t", GAME, "treino", NOON, ID)],
            match("t"): [MatchFormed("t", GAME, "treino", seats, NOON, {"cover": "off"})],
        }
    )


def queued(number, ticket=None):
    return given(PLAYER, PlayerQueued(f"p{number}", ticket or f"k{number}", GAME, "", NOON))


PAIR = Pair("t", GAME, ("p0", "p1", "p2", "p3"), ("k0", "k1", "k2", "k3"))


def test_four_tickets_become_a_ranked_match():
    members = {**{player(f"p{number}"): queued(number) for number in range(4)}, match("t"): given(MATCH)}
    seats = tuple(MatchSeat(f"p{number}") for number in range(4))
    given_together(decide_seating, members).when(PAIR).then(
        {
            **{
                player(f"p{number}"): [PlayerMatched(f"p{number}", f"k{number}", "t", GAME, NOON)]
                for number in range(4)
            },
            match("t"): [MatchFormed("t", GAME, "ranqueada", seats, NOON, {}, PAIR.tickets)],
        }
    )


@pytest.mark.parametrize("other", [given(PLAYER), queued(2, "a newer ticket")])
def test_a_match_is_not_formed_with_a_ticket_that_is_gone(other):
    members = {
        player("p0"): queued(0),
        player("p1"): queued(1),
        player("p2"): other,
        player("p3"): queued(3),
        match("t"): given(MATCH),
    }
    given_together(decide_seating, members).when(PAIR).then_rejected("PLACE_CHANGED")


def test_one_ticket_at_a_time():
    queued(0).when(JoinQueue("p0", GAME, "")).then_rejected("ALREADY_WAITING")
    at_table(0).when(JoinQueue("p0", GAME, "")).then_rejected("ALREADY_WAITING")
    given(PLAYER).when(LeaveQueue("p0")).then_rejected("NOT_WAITING")
    queued(0).when(LeaveQueue("p0")).then(PlayerFreed("p0", "", "left_queue", NOON))


def tickets(count, preset=GAME, start=0):
    return [
        Ticket(f"k{number}", f"p{number}", preset, NOON + timedelta(seconds=number))
        for number in range(start, start + count)
    ]


def test_whoever_has_waited_longest_plays_first_and_the_rest_wait_on():
    now = NOON + timedelta(minutes=1)
    formed = form(list(reversed(tickets(11))), {GAME: 4}, now)
    assert [pair.player_ids for pair in formed] == [
        ("p0", "p1", "p2", "p3"),
        ("p4", "p5", "p6", "p7"),
    ]
    assert formed[0].table_id == match_id_of(("k0", "k1", "k2", "k3"))


def test_games_do_not_mix_and_a_ticket_of_the_future_waits():
    now = NOON + timedelta(seconds=3)
    mixed = [*tickets(3), *tickets(1, "sueca", 3)]
    assert form(mixed, {GAME: 4, "sueca": 4}, now) == []
    assert form(tickets(4), {GAME: 4}, now - timedelta(seconds=1)) == []
    assert len(form(tickets(4), {GAME: 4}, now)) == 1


def test_b123_whose_match_fails_by_anothers_fault_waits_on_with_the_same_ticket():
    later = NOON + timedelta(minutes=2)
    matched = queued(0).after([PlayerMatched("p0", "k0", "t", GAME, later)])
    waiting = matched.when(Requeue("p0", "t"), at=later).then(
        PlayerFreed("p0", "t", "match_void", later), PlayerQueued("p0", "k0", GAME, "", NOON)
    )
    assert (waiting.state.kind, waiting.state.ticket_id, waiting.state.since) == ("queue", "k0", NOON)
    waiting.when(Requeue("p0", "t"), at=later).then_rejected("NOT_AT_TABLE")


def test_a_match_is_not_formed_over_another_of_its_id():
    formed = MatchFormed("t", GAME, "treino", (), NOON)
    members = {player("p3"): given(PLAYER), open_table("t"): taken(3), match("t"): given(MATCH, formed)}
    given_together(decide_seating, members).when(Sit("p3", "t", GAME, 3, "", is_last=True)).then_rejected(
        "PLACE_CHANGED"
    )
