"""B065: whole matches with a tagged deck and an ear at every output; no card reaches anybody who may not know it yet."""

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from carteado.table.v1 import table_service_pb2 as pb
from tests.leaks.deck import tagged_deck
from tests.leaks.knowledge import Knowledge
from tests.leaks.moves import Policy, by_chance, play, through_every_phase
from tests.leaks.scanner import tokens_in
from tests.leaks.stage import JSON, PROTOBUF, on_stage

pytestmark = [pytest.mark.integration, pytest.mark.timeout(240)]


@pytest.mark.parametrize(
    ("policy", "seed"),
    [(through_every_phase, "phases"), (by_chance, "chance-1"), (by_chance, "chance-2")],
    ids=["every phase", "by chance", "by chance again"],
)
async def test_b065_four_persons(
    policy: Policy, seed: str, clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    with tagged_deck(seed) as deck:
        async with on_stage(deck, clean_postgres, nats_url, tmp_path) as stage:
            await stage.open_table()
            await stage.listen()
            await play(stage, policy, seed, moves=20, probe_every=4)
            await stage.hear_metrics()
            assert await asyncio.to_thread(stage.hear_analysts) > 0
            await asyncio.to_thread(stage.hear_operators)
            # Somebody comes back in the middle, on another line, with and without a version.
            await stage.socket(3, PROTOBUF, last_version=2)
            await stage.socket(1, JSON)
            await play(stage, policy, seed + "b", probe_every=10)
            knowledge = await stage.until_all_have_heard()
            await stage.hear_metrics()
            leaks = stage.leaks()
    assert knowledge.ended_at is not None
    assert leaks == []
    heard = Counter(one.channel for one in stage.heard)
    assert {"nats", "CheckMove", "refused GetRecordRequest", "refused GetViewRequest"} <= heard.keys()
    assert stage.log_lines.getvalue()
    told = [one.payload for one in stage.heard if one.channel == "carteado log show"]
    assert all(tokens_in(deck, text) for text in told)  # The viras, which everybody may know.
    names = {name for name, _ in stage.events()}
    if policy is through_every_phase:
        dealt = [payload for name, payload in stage.events() if name == "truco.hand_dealt"]
        assert dealt[-1]["blind"]
        assert any(one["awaits_eleven_answer"] for one in dealt)
        assert {"truco.raise_refused", "truco.eleven_hand_declined"} <= names
        assert any(payload["covered"] for name, payload in stage.events() if name == "truco.card_played")


async def test_b065_a_person_and_three_robots(clean_postgres: str, nats_url: str, tmp_path: Path) -> None:
    with tagged_deck("robots") as deck:
        async with on_stage(deck, clean_postgres, nats_url, tmp_path) as stage:
            await stage.open_table(robots=3)
            stage.follow(stage.play_stream([None, 0]))
            await stage.socket(0, JSON)
            chance = random.Random("robots")
            while Knowledge(stage.events()).ended_at is None:
                await play(stage, by_chance, str(chance.random()), moves=3)
                for seat in (1, 2, 3):
                    viewer = pb.Viewer(robot_seat=seat)
                    request = pb.GetViewRequest(table_id=stage.table_id, viewer=viewer)
                    await stage.ask("GetView of a robot", seat, stage.stub.GetView, request, caller="robots")
            await stage.hear_metrics()
            leaks = stage.leaks()
    assert leaks == []
    turns = [
        one
        for one in stage.heard
        if one.channel == "nats" and b"carteado.table.turn.v1" in bytes(str(one.payload), "utf-8")
    ]
    assert turns


async def test_b065_an_abandoned_match_shows_everything_from_its_end_on_and_nothing_before(
    clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    with tagged_deck("abandoned") as deck:
        async with on_stage(deck, clean_postgres, nats_url, tmp_path) as stage:
            await stage.open_table()
            await stage.listen()
            await play(stage, by_chance, "abandoned", moves=7)
            for seat in range(4):
                outcome = await stage.submit(seat, stage.command(leave=pb.Leave()))
                assert outcome.HasField("accepted"), outcome
            knowledge = await stage.until_all_have_heard()
            leaks = stage.leaks()
            request = pb.GetRecordRequest(table_id=stage.table_id, viewer=stage.viewer(0))
            record = await stage.stub.GetRecord(request, timeout=30, metadata=stage.credential("gateway"))
    assert knowledge.ended_at == knowledge.version == record.record.last_version
    assert leaks == []
