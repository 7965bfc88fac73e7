"""Training over HTTP: the quick start begins at matchmaking, once per key, and says where a player is who is not free."""

import base64
import uuid
from typing import Any

import pytest

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from libs.rules.registry import GAMES
from services.matchmaking.errors import ACCESS_REFUSED
from services.matchmaking.whereabouts import Place, elsewhere
from tests.services.gateway.conftest import Gateway, StartGateway
from tests.services.gateway.fakes import new_id
from tests.services.gateway.test_http_api import ask, bearer

GAME = {"game": "truco-paulista"}


async def practice(gateway: Gateway, player: str, key: str, body: Any = None) -> tuple[int, Any]:
    headers = bearer(gateway, player, **{"Idempotency-Key": key})
    return await ask(gateway, "POST", "/api/v1/practice", json=body or GAME, headers=headers)


async def test_a_training_table_seats_the_caller_and_three_robots(gateway: Gateway) -> None:
    player, key, entropy = new_id(), new_id(), bytes(range(32))
    gateway.matchmaking.place = pb.Place(kind=pb.PLACE_KIND_PLAYING, version=9)
    body = {**GAME, "entropy": base64.b64encode(entropy).decode()}
    table_id = str(uuid.uuid5(uuid.UUID(player), key))
    first, again = [await practice(gateway, player, key.upper(), body) for _ in range(2)]
    assert first == again == (201, {"table_id": table_id})
    wish = pb.StartTrainingRequest(
        player_id=player,
        command_id=key,
        preset="truco-paulista",
        strength="simple",
        seats=4,
        entropy=entropy,
        table_id=table_id,
    )
    assert gateway.matchmaking.asked == [wish, wish]
    headers = bearer(gateway, player, **{"Idempotency-Key": key})
    _, promised = await ask(gateway, "GET", "/api/v1/practice/commitment", headers=headers)
    assert promised["table_id"] == table_id


@pytest.mark.parametrize("preset", GAMES)
async def test_every_game_has_a_quick_start_with_as_many_as_first_play_it(
    gateway: Gateway, preset: str
) -> None:
    gateway.matchmaking.place = pb.Place(kind=pb.PLACE_KIND_PLAYING, version=9)
    assert (await practice(gateway, new_id(), new_id(), {"game": preset}))[0] == 201
    asked = gateway.matchmaking.asked[-1]
    assert (asked.preset, asked.seats) == (preset, GAMES[preset].player_counts[0])


async def test_another_players_same_key_is_another_table(gateway: Gateway) -> None:
    key = new_id()
    tables = {(await practice(gateway, new_id(), key))[1]["table_id"] for _ in range(2)}
    assert len(tables) == 2


async def test_a_table_that_is_not_there_yet_is_asked_for_again(gateway: Gateway) -> None:
    gateway.matchmaking.place = pb.Place(kind=pb.PLACE_KIND_STARTING, version=9)
    player, key = new_id(), new_id()
    status, error = await practice(gateway, player, key)
    assert (status, error["code"]) == (503, "UNAVAILABLE")
    gateway.matchmaking.place = pb.Place(kind=pb.PLACE_KIND_PLAYING, version=10)
    assert (await practice(gateway, player, key))[0] == 201


@pytest.mark.parametrize(
    ("place", "code"),
    [
        (Place("playing", 9, new_id(), "truco@003", "livre"), "ALREADY_AT_TABLE"),
        (Place("starting", 9, new_id(), "truco-paulista", "ranqueada"), "ALREADY_AT_TABLE"),
        (Place("open_table", 9, new_id(), "truco-paulista", "livre"), "ALREADY_WAITING"),
        (Place("queue", 9, "", "truco-paulista", "ranqueada"), "ALREADY_WAITING"),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
async def test_who_is_somewhere_else_is_told_where_and_what_to_do(
    gateway: Gateway, place: Place, code: str
) -> None:
    gateway.matchmaking.refusal = elsewhere(place)
    status, error = await practice(gateway, new_id(), new_id())
    assert (status, error["code"]) == (409, code)
    told = {"place": place.kind, "preset": place.preset, "room": place.room, "table_id": place.table_id}
    assert error["facts"] == {name: value for name, value in told.items() if value}
    assert "antes de começar outra" in error["text_pt"]
    assert "before you begin another" in error["text_en"]


async def test_the_quick_start_asks_for_access_like_every_other_way_in(gateway: Gateway) -> None:
    gateway.matchmaking.refusal = ACCESS_REFUSED.error(facts={"reason": "PASSPORT_NEEDED"})
    status, error = await practice(gateway, new_id(), new_id())
    assert (status, error["code"], error["facts"]) == (403, "ACCESS_REFUSED", {"reason": "PASSPORT_NEEDED"})


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "pôquer"}, "GAME_WITHOUT_TRAINING"),
        ({"game": 5}, "INVALID_ARGUMENT"),
        ({"entropy": ""}, "INVALID_ARGUMENT"),
        ({"game": "truco-paulista", "player_id": "x"}, "INVALID_ARGUMENT"),
        ({"game": "truco-paulista", "entropy": "AAAA"}, "INVALID_ARGUMENT"),
        ({"game": "truco-paulista", "entropy": "não é base64"}, "INVALID_ARGUMENT"),
    ],
)
async def test_a_malformed_training_is_refused(gateway: Gateway, body: Any, code: str) -> None:
    status, error = await practice(gateway, new_id(), new_id(), body)
    assert (status, error["code"]) == (400, code)
    assert gateway.matchmaking.asked == []


async def test_one_player_may_not_open_tables_without_end(start_gateway: StartGateway) -> None:
    gateway = await start_gateway(practices_per_s=0.0, practices_burst=2)
    eager = new_id()
    assert [(await practice(gateway, eager, new_id()))[0] for _ in range(3)] == [201, 201, 429]
    assert (await practice(gateway, eager, new_id()))[1]["code"] == "RATE_LIMITED"
    assert (await practice(gateway, new_id(), new_id()))[0] == 201
