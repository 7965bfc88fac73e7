"""Feats: what the log of a match shows is honoured once, with the match and the event that earned it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from prometheus_client import CollectorRegistry

from carteado.table.v1 import view_pb2
from libs.eventlog.decider import Command
from libs.eventlog.reactions import Message
from libs.eventlog.testing import assert_laws
from libs.rules.buraco.events import MeldExtended, MeldLaid
from libs.rules.buraco.melds import Shape
from libs.rules.sueca.events import HandEnded
from libs.rules.truco.cards import MANILHA_RANK
from libs.rules.truco.events import CardPlayed, HandDealt
from services.league.achievement import ACHIEVEMENT, HonourFeat, achievement_id
from services.league.feats import Recorded, Shown, feats_of, has_feats
from services.league.grpc import FEATS
from services.league.policy import CURRENT
from services.league.react import Feats, LeagueMetrics
from tests.golden.files import FOLDER
from tests.services.league.conftest import MemoryLeague
from tests.services.league.matches import GAME, PLAYERS, closed
from tests.services.league.played import Played

GOLDEN = [
    path
    for path in sorted((FOLDER / "logs" / "table").glob("*.jsonl"))
    if has_feats(path.stem.partition(".")[0])
]
NOON = datetime(2026, 11, 2, 15, tzinfo=UTC)


def recorded(name: str, event: Any, version: int = 1, by_seat: int | None = None) -> Recorded:
    return Recorded(version, by_seat, name, msgspec.json.encode(event).decode())


def naive_zaps(events: list[Recorded]) -> list[tuple[int, int]]:
    """Seat and version of each zap on a third trick, read in another way."""
    found, zap = [], ""
    for one in events:
        payload = json.loads(one.payload)
        if one.type == "truco.hand_dealt":
            zap = MANILHA_RANK[payload["vira"][0]] + "P"
        if one.type == "truco.card_played" and (payload["card"], payload["trick"]) == (zap, 3):
            found.append((payload["seat"], one.version))
    return found


async def test_the_zap_on_the_last_trick_is_its_players_feat() -> None:
    events = await (await Played().play()).events()
    shown = feats_of(GAME, events)
    assert [(one.seats[0], one.version) for one in shown] == naive_zaps(events)
    assert len(shown) >= 2
    assert {one.feat for one in shown} == {"zap_on_last_trick"}


async def test_a_zap_that_the_clock_played_is_nobodys_feat() -> None:
    events = await (await Played(sleeper=0).play()).events()
    by_clock = [seat for seat, version in naive_zaps(events) if events[version - 1].by_seat is None]
    assert by_clock, "the clock has played a zap"
    assert len(feats_of(GAME, events)) == len(naive_zaps(events)) - len(by_clock)


@pytest.mark.parametrize(("card", "trick", "covered"), [("5P", 2, False), ("5C", 3, False), ("5P", 3, True)])
def test_what_is_no_zap_on_the_last_trick(card: str, trick: int, covered: bool) -> None:
    dealt = recorded("truco.hand_dealt", HandDealt(1, 3, 0, "4O", ((), (), (), ()), 1))
    played = recorded("truco.card_played", CardPlayed(1, trick, 0, card, covered, 1), 2, 0)
    assert feats_of(GAME, [dealt, played]) == []
    real = recorded("truco.card_played", CardPlayed(1, 3, 0, "5P", False, 1), 2, 0)
    assert feats_of(GAME, [dealt, real]) == [Shown("zap_on_last_trick", (0,), 2)]


def test_a_bandeira_is_both_partners_feat() -> None:
    ended = HandEnded(1, (0, 120), 1, 4, True, (0, 4), 0)
    plain = msgspec.structs.replace(ended, is_bandeira=False)
    events = [recorded("sueca.hand_ended", plain, 7), recorded("sueca.hand_ended", ended, 9)]
    assert feats_of("sueca", events) == [Shown("bandeira", (1, 3), 9)]


def test_a_canastra_de_1000_is_whose_card_made_it() -> None:
    run = tuple(f"{rank}E" for rank in (*"A23456789", "10", *"JQKA"))
    whole, short = Shape("run", run, 1), Shape("run", run[:13], 1)
    dirty = Shape("run", run, 1, ("2E",))
    events = [
        recorded("buraco.meld_laid", MeldLaid(1, 0, 1, short), 3, 0),
        recorded("buraco.meld_extended", MeldExtended(2, 2, 1, ("AE",), whole), 5, 2),
        recorded("buraco.meld_extended", MeldExtended(3, 1, 2, ("2E",), dirty), 8, 1),
        recorded("buraco.meld_extended", MeldExtended(4, 3, 2, ("AE",), whole), 9, None),
    ]
    assert feats_of("buraco-aberto", events) == [Shown("canastra_de_1000", (2,), 5)]
    assert feats_of("canastra", events) == feats_of("tranca", events) == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_recorded_match_of_a_game_with_feats_is_read(path: Path) -> None:
    """Stored payloads are read as they are written, and nothing is found that a plain look does not find."""
    events, plain = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        stored = json.loads(line)
        payload = stored["payload"]
        seat = payload.get("seat")
        events.append(Recorded(stored["version"], seat, stored["type"], json.dumps(payload)))
        shape = payload.get("shape", {})
        plain += payload.get("is_bandeira") is True
        plain += len(shape.get("cards", ())) == 14 and not shape["wilds"] and shape["kind"] == "run"
    game = path.stem.partition(".")[0]
    shown = feats_of(game, events)
    assert len(shown) == plain + (len(naive_zaps(events)) if game == GAME else 0)


class Honours:
    """The reaction on a log in memory, and the records that it reads."""

    def __init__(self, league: MemoryLeague, match: Played) -> None:
        self.league = league
        self.asked: list[str] = []
        self._match = match
        self.feats = Feats(league.achievements, self._read, LeagueMetrics(CollectorRegistry()))

    async def _read(self, match_id: str) -> list[Recorded]:
        self.asked.append(match_id)
        return await self._match.events()

    async def tell(self, id: str | None = None, **table: Any) -> None:
        told = closed(**{"match_id": self._match.id, **table}).SerializeToString()
        await self.feats.handle(Message(id or str(uuid4()), "", told, {}, 1))

    async def won(self) -> dict[str, Any]:
        histories = {
            player: await self.league.achievements.history(achievement_id(GAME, player, "zap_on_last_trick"))
            for player in PLAYERS[:4]
        }
        assert all(len(history) <= 1 for history in histories.values())
        return {player: history[0].events[0] for player, history in histories.items() if history}


async def test_told_twice_and_again_a_feat_is_won_once_by_its_first_event(league: MemoryLeague) -> None:
    match = await Played().play()
    honours = Honours(league, match)
    for told_as in ("table-1-1", "table-1-1", "table-1-2"):
        await honours.tell(told_as)
    zaps = naive_zaps(await match.events())
    first = {PLAYERS[seat]: version for seat, version in reversed(zaps)}
    won = await honours.won()
    assert {player: one.version for player, one in won.items()} == first
    assert {(one.match_id, one.policy) for one in won.values()} == {(match.id, CURRENT.name)}


async def test_who_abandoned_the_match_has_nothing_of_it(league: MemoryLeague) -> None:
    match = await Played().play()
    honours = Honours(league, match)
    seats = {seat for seat, _ in naive_zaps(await match.events())}
    gone = min(seats)
    await honours.tell(abandoned=(gone,))
    assert set(await honours.won()) == {PLAYERS[seat] for seat in seats - {gone}}


async def test_only_ranked_matches_of_games_with_feats_are_read(league: MemoryLeague) -> None:
    honours = Honours(league, await Played().play())
    await honours.tell(room=view_pb2.ROOM_LIVRE)
    await honours.tell(game="truco@004")
    await honours.tell(game="domino")
    assert (honours.asked, await honours.won()) == ([], {})


def test_an_achievement_keeps_the_laws() -> None:
    honour = HonourFeat(GAME, PLAYERS[0], "bandeira", str(uuid4()), 3, NOON)
    told = [Command(f"id-{number}", "service:table", NOON, honour) for number in range(3)]
    assert assert_laws(ACHIEVEMENT, told).is_won


def test_every_feat_of_the_policy_has_its_number_in_the_contract() -> None:
    assert set(CURRENT.feats) == set(FEATS)
