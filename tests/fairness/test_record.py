"""The record of a finished match over HTTP: whole, in pages, for finished matches alone."""

import base64
import hashlib
import json
import uuid

import pytest

from services.gateway.http_api import OPENAPI_FILE
from services.table import proofs
from tests.fairness.platform import Platform, new_player

ENTROPY = bytes(range(32))


async def test_a_player_gets_the_whole_match_with_what_it_added_to_the_shuffle(platform: Platform) -> None:
    player, key = new_player(), str(uuid.uuid4())
    _, promised = await platform.get("/api/v1/practice/commitment", player, **{"Idempotency-Key": key})
    table_id = await platform.practice(player, key, base64.b64encode(ENTROPY).decode())
    assert promised["table_id"] == table_id
    await platform.serving.play(table_id)
    record = await platform.record(table_id, player)
    assert record["commitment"] == promised["commitment"]
    assert hashlib.sha256(bytes.fromhex(record["secret"])).hexdigest() == promised["commitment"]
    assert record["entropy"] == [ENTROPY.hex(), "", "", ""]
    assert record["your_seat"] == 0
    assert record["seats"][0] == {"index": 0, "kind": "person", "player_id": player}
    assert [event["version"] for event in record["events"]] == list(range(1, len(record["events"]) + 1))
    assert record["events"][0]["payload"]["seats"][0] == {"player_id": player}
    assert record["events"][-1]["payload"]["secret"] == record["secret"]
    schema = json.loads(OPENAPI_FILE.read_text())["components"]["schemas"]["Record"]
    assert set(schema["required"]) <= set(record) <= set(schema["properties"])
    event_schema = schema["properties"]["events"]["items"]
    for event in record["events"]:
        assert set(event_schema["required"]) <= set(event) <= set(event_schema["properties"])


async def test_the_pages_of_a_record_make_the_whole(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = new_player()
    table_id = await platform.practice(player, str(uuid.uuid4()))
    await platform.serving.play(table_id)
    whole = await platform.record(table_id, player)
    monkeypatch.setattr(proofs, "PAGE_EVENTS", 40)
    _, first = await platform.get(f"/api/v1/tables/{table_id}/record", player)
    assert len(first["events"]) == first["next_after"] == 40
    assert await platform.record(table_id, player) == whole


async def test_a_stranger_is_told_pseudonyms(platform: Platform) -> None:
    player = new_player()
    table_id = await platform.practice(player, str(uuid.uuid4()))
    await platform.serving.play(table_id)
    record = await platform.record(table_id, new_player())
    assert player not in json.dumps(record)
    assert record["seats"][0]["player_id"] == "pseudonym-0"
    assert "your_seat" not in record


async def test_a_running_match_has_no_record(platform: Platform) -> None:
    player = new_player()
    table_id = await platform.practice(player, str(uuid.uuid4()))
    status, error = await platform.get(f"/api/v1/tables/{table_id}/record", player)
    assert (status, error["code"]) == (409, "RECORD_OF_RUNNING_MATCH")
    assert set(error) <= {"code", "text_pt", "text_en", "field"}


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/tables/nonsense/record", 400, "INVALID_ARGUMENT"),
        ("/api/v1/tables/11111111-1111-4111-8111-111111111111/record", 404, "TABLE_NOT_FOUND"),
        ("/api/v1/tables/11111111-1111-4111-8111-111111111111/record?after=-1", 400, "INVALID_ARGUMENT"),
        ("/api/v1/practice/commitment", 400, "IDEMPOTENCY_KEY_REQUIRED"),
    ],
)
async def test_what_is_not_there_is_said(platform: Platform, path: str, status: int, code: str) -> None:
    got, error = await platform.get(path, new_player())
    assert (got, error["code"]) == (status, code)
    got, error = await platform.get(path, None)
    assert (got, error["code"]) == (401, "SIGN_IN_REQUIRED")


async def test_one_player_may_not_ask_for_records_without_end(platform: Platform) -> None:
    player = new_player()
    path = "/api/v1/tables/11111111-1111-4111-8111-111111111111/record"
    answers = [(await platform.get(path, player))[0] for _ in range(40)]
    assert 429 in answers
    assert (await platform.get(path, new_player()))[0] == 404
