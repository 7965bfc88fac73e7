"""One place at a time: who is somewhere is told where, and is held by nothing that is over."""

from typing import Any
from uuid import uuid4

import pytest

from libs.service.errors import ServiceError
from tests.services.matchmaking.memory import GAME, MemoryMatchmaking


@pytest.fixture
def matchmaking() -> MemoryMatchmaking:
    return MemoryMatchmaking()


@pytest.fixture
def ana() -> str:
    return str(uuid4())


async def refusal(request: Any) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        await request
    return refused.value


async def test_who_plays_is_told_at_which_table_by_every_way_in(matchmaking, ana):
    place = await matchmaking.train(ana)
    places, new = matchmaking.places, str(uuid4())
    expected = {"place": "playing", "preset": GAME, "room": "treino", "table_id": place.table_id}
    for request in (
        matchmaking.train(ana),
        places.join_queue(ana, new, GAME, ""),
        places.quick_play(ana, new, GAME, ""),
        places.open_table(ana, new, GAME, 0, ""),
    ):
        error = await refusal(request)
        assert (error.code, error.facts) == ("ALREADY_AT_TABLE", expected)
    assert set(matchmaking.others.asked) == {"reserve", "create", "is_running", "is_out"}


async def test_who_waits_is_told_where(matchmaking, ana):
    bia = str(uuid4())
    await matchmaking.places.join_queue(ana, str(uuid4()), GAME, "")
    error = await refusal(matchmaking.train(ana))
    assert (error.code, error.facts) == (
        "ALREADY_WAITING",
        {"place": "queue", "preset": GAME, "room": "ranqueada"},
    )
    table = await matchmaking.places.open_table(bia, str(uuid4()), GAME, 0, "")
    error = await refusal(matchmaking.train(bia))
    assert (error.code, error.facts["place"], error.facts["table_id"]) == (
        "ALREADY_WAITING",
        "open_table",
        table.table_id,
    )


async def test_an_id_that_was_used_for_another_wish_does_not_stand_for_this_one(matchmaking, ana):
    places, wish = matchmaking.places, str(uuid4())
    place = await places.open_table(ana, wish, GAME, 0, "")
    assert await places.open_table(ana, wish, GAME, 0, "") == place
    for another in (
        places.open_table(ana, wish, "sueca", 0, ""),
        places.join_queue(ana, wish, GAME, ""),
        places.quick_play(ana, wish, "sueca", ""),
        places.start_training(ana, wish, GAME, strength="simple", seats=0, entropy="", switches={}),
    ):
        error = await refusal(another)
        assert (error.code, error.facts["table_id"]) == ("ALREADY_WAITING", place.table_id)
    assert await places.place(ana) == place


async def test_who_is_out_of_a_match_may_play_another_while_the_others_go_on(matchmaking, ana):
    places, people = matchmaking.places, [ana, *(str(uuid4()) for _ in range(3))]
    table_id = (await places.open_table(ana, str(uuid4()), GAME, 4, "")).table_id
    for seat, player_id in enumerate(people[1:], start=1):
        await places.sit_down(player_id, str(uuid4()), table_id, seat, "")
    assert {(await places.place(one)).kind for one in people} == {"playing"}
    matchmaking.others.out = {ana}
    other = await matchmaking.train(ana)
    assert other.table_id != table_id
    for player_id in people[1:]:
        error = await refusal(matchmaking.train(player_id))
        assert (error.code, error.facts["table_id"]) == ("ALREADY_AT_TABLE", table_id)
    # The end of the first match is none of the second one's.
    await matchmaking.starter.end(table_id)
    assert [(await places.place(one)).kind for one in people] == ["playing", "idle", "idle", "idle"]
    assert (await places.place(ana)).table_id == other.table_id


async def test_a_lost_news_of_the_end_holds_nobody_who_asks(matchmaking, ana):
    first = await matchmaking.train(ana)
    matchmaking.others.running.clear()
    second = await matchmaking.train(ana)
    assert (second.kind, second.table_id != first.table_id) == ("playing", True)
    assert (await matchmaking.matches.load(first.table_id)).state.status == "over"


async def test_nobody_is_said_to_be_at_a_table_that_cannot_be_asked(matchmaking, ana):
    await matchmaking.train(ana)
    matchmaking.others.away = {"is_running"}
    assert (await refusal(matchmaking.train(ana))).code == "UNAVAILABLE"
    assert await matchmaking.kind(ana) == "playing"


async def test_the_same_request_again_finds_its_table_also_after_the_match(matchmaking, ana):
    wish, table_id = str(uuid4()), str(uuid4())
    first = await matchmaking.train(ana, wish, table_id)
    assert first.table_id == table_id
    again = await matchmaking.train(ana, wish, table_id)
    assert again == first
    matchmaking.others.running.clear()
    await matchmaking.starter.end(table_id)
    assert (await matchmaking.train(ana, wish, table_id)).kind == "idle"
    assert matchmaking.others.asked.count("create") == 1


async def test_a_table_that_is_away_leaves_the_match_starting_and_the_same_request_finds_it(matchmaking, ana):
    wish = str(uuid4())
    matchmaking.others.away = {"create"}
    assert (await matchmaking.train(ana, wish)).kind == "starting"
    error = await refusal(matchmaking.train(ana))
    assert (error.code, error.facts["place"]) == ("ALREADY_AT_TABLE", "starting")
    matchmaking.others.away = set()
    assert (await matchmaking.train(ana, wish)).kind == "playing"


async def test_who_may_not_play_sits_nowhere(matchmaking, ana):
    matchmaking.others.barred = {ana}
    assert (await refusal(matchmaking.train(ana))).code == "ACCESS_REFUSED"
    assert await matchmaking.kind(ana) == "idle"


async def test_who_joins_a_queue_wakes_the_matcher_and_who_is_refused_does_not(matchmaking, ana):
    barred = str(uuid4())
    matchmaking.others.barred = {barred}
    assert (
        await refusal(matchmaking.places.join_queue(barred, str(uuid4()), GAME, ""))
    ).code == "ACCESS_REFUSED"
    assert matchmaking.wakes == 0
    await matchmaking.places.join_queue(ana, str(uuid4()), GAME, "")
    assert matchmaking.wakes == 1


@pytest.mark.parametrize(
    ("strength", "switches", "field"),
    [
        ("invincible", {}, "strength"),
        ("simple", {"card_seconds": "0"}, "switches"),
        ("simple", {"house_rules": "true"}, "switches"),
    ],
)
async def test_training_of_which_no_table_could_be_made_is_refused_at_once(
    matchmaking, ana, strength, switches, field
):
    wish = {"strength": strength, "seats": 0, "entropy": "", "switches": switches}
    error = await refusal(matchmaking.places.start_training(ana, str(uuid4()), GAME, **wish))
    assert (error.code, error.field) == ("INVALID_ARGUMENT", field)
    assert (await matchmaking.places.place(ana)).version == 0
    assert matchmaking.others.asked == []
