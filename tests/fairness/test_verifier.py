"""A stranger's verifier, written from docs/fairness.md: it passes honest matches and finds what was changed."""

import ast
import asyncio
import base64
import copy
import json
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carteado.table.v1 import table_service_pb2 as pb
from tests.fairness import verifier
from tests.fairness.platform import Platform, new_player

SOURCE = Path(verifier.__file__)
LOGS = SOURCE.parents[1] / "golden" / "logs" / "table"


async def finished(platform: Platform, *, leaves: bool = False) -> dict[str, Any]:
    """The record of a whole match that the gateway gives to its player."""
    player = new_player()
    entropy = base64.b64encode(uuid.uuid4().bytes * 2).decode()
    table_id = await platform.practice(player, str(uuid.uuid4()), entropy)
    if leaves:
        await platform.serving.play(table_id, moves=9)
        leave = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, leave=pb.Leave())
        await platform.serving.submit(pb.Viewer(player_id=player), leave)
    else:
        await platform.serving.play(table_id)
    return await platform.record(table_id, player)


def test_it_uses_the_standard_library_alone_and_is_short() -> None:
    tree = ast.parse(SOURCE.read_text())
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names
    lines = [line for line in SOURCE.read_text().splitlines() if line.strip()]
    assert len(lines) <= 230


@pytest.mark.parametrize("leaves", [False, True], ids=["finished", "abandoned"])
async def test_an_honest_match_is_fair_as_a_program_of_its_own_too(
    platform: Platform, tmp_path: Path, leaves: bool
) -> None:
    record = await finished(platform, leaves=leaves)
    assert list(verifier.problems(record)) == []
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    run = await asyncio.to_thread(as_a_program, file)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("fair")


def as_a_program(file: Path) -> subprocess.CompletedProcess[str]:
    """Isolated: no environment, no site-packages, nothing of this repository on the path."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(SOURCE), str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def of_golden_log(name: str) -> dict[str, Any]:
    """The record of a match whose log is kept."""
    lines = (LOGS / f"{name}.jsonl").read_text().splitlines()
    events = [{key: event[key] for key in ("type", "payload")} for event in map(json.loads, lines)]
    opened, ended = events[0]["payload"], events[-1]["payload"]
    return {"secret": ended["secret"], "entropy": opened["entropy"], "events": events}


def test_a_match_of_sueca_is_checked_as_well() -> None:
    record = of_golden_log("sueca.seed-41")
    assert list(verifier.problems(record)) == []
    dealt = first(record, "sueca.hand_dealt")
    changed = copy.deepcopy(record)
    first(changed, "sueca.hand_dealt")["trump_card"] = dealt["cards"][0][0]
    assert list(verifier.problems(changed)) == ["hand 1: other cards than the secret deals"]
    played = first(record, "sueca.card_played")
    played["card"] = dealt["cards"][(played["seat"] + 1) % 4][0]
    assert any("did not have" in problem for problem in verifier.problems(record))


def test_a_match_of_domino_is_checked_as_well() -> None:
    record = of_golden_log("domino.seed-8")
    assert list(verifier.problems(record)) == []
    changed = copy.deepcopy(record)
    tiles = first(changed, "domino.round_dealt")["tiles"]
    tiles[0][0], tiles[1][0] = tiles[1][0], tiles[0][0]
    assert list(verifier.problems(changed)) == ["round 1: other tiles than the secret deals"]
    changed = copy.deepcopy(record)
    dealt = first(changed, "domino.round_dealt")
    dealt["starter"] = (dealt["starter"] + 1) % 4
    assert list(verifier.problems(changed)) == ["round 1: not the next round, or opened by another seat"]
    first(record, "domino.tile_played")["tile"] = "no tile"
    assert any("did not have" in problem for problem in verifier.problems(record))


def test_a_match_of_cacheta_is_checked_as_well_with_its_new_stocks() -> None:
    for name in ("cacheta.seed-38", "cacheta.seed-15"):
        assert list(verifier.problems(of_golden_log(name))) == []
    record = of_golden_log("cacheta.seed-15")
    changed = copy.deepcopy(record)
    dealt = first(changed, "cacheta.round_dealt")
    dealt["starter"] = (dealt["starter"] + 1) % 4
    assert list(verifier.problems(changed)) == ["round 1: not the next round, or another starter"]
    changed = copy.deepcopy(record)
    dealt = first(changed, "cacheta.round_dealt")
    dealt["vira"], dealt["stock"][0] = dealt["stock"][0], dealt["vira"]
    assert list(verifier.problems(changed)) == ["round 1: other cards than the secret deals"]
    changed = copy.deepcopy(record)
    first(changed, "cacheta.stock_reshuffled")["stock"].reverse()
    assert "round 1: another new stock than the secret gives" in list(verifier.problems(changed))
    first(record, "cacheta.card_drawn")["card"] = "no card"
    assert "round 1: another card than the stock's first was drawn" in list(verifier.problems(record))


def test_a_match_of_mau_mau_is_checked_as_well_with_its_shuffles() -> None:
    assert list(verifier.problems(of_golden_log("mau-mau.players-7.seed-3"))) == []
    record = of_golden_log("mau-mau.players-4.seed-2")
    assert list(verifier.problems(record)) == []
    changed = copy.deepcopy(record)
    dealt = first(changed, "mau_mau.cards_dealt")
    dealt["turned"], dealt["stock"][0] = dealt["stock"][0], dealt["turned"]
    assert list(verifier.problems(changed)) == ["other cards than the secret deals"]
    changed = copy.deepcopy(record)
    order = first(changed, "mau_mau.pile_shuffled")["order"]
    order[0], order[1] = order[1], order[0]
    assert "shuffle 1: another order than the secret gives" in list(verifier.problems(changed))
    changed = copy.deepcopy(record)
    drawn = first(changed, "mau_mau.cards_drawn")
    drawn["cards"] = [dealt["stock"][-1]]
    assert any("other cards than the stock's first" in problem for problem in verifier.problems(changed))
    first(record, "mau_mau.card_played")["card"] = "no card"
    assert any("did not have" in problem for problem in verifier.problems(record))


def test_every_kept_match_of_a_game_that_it_knows_is_fair() -> None:
    checked = set()
    for path in LOGS.glob("*.jsonl"):
        record = of_golden_log(path.stem)
        game = record["events"][1]["type"].partition(".")[0]
        if game in verifier.GAMES:
            assert list(verifier.problems(record)) == [], path.stem
            checked.add(game)
    assert checked == set(verifier.GAMES)


@pytest.mark.parametrize(
    "name", ["buraco-fechado.players-4.seed-6", "tranca.players-2.seed-10", "buraco-aberto.players-2.seed-8"]
)
def test_a_match_of_buraco_is_checked_as_well(name: str) -> None:
    record = of_golden_log(name)
    assert list(verifier.problems(record)) == []
    changed = copy.deepcopy(record)
    hands = first(changed, "buraco.deal_started")["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    assert list(verifier.problems(changed)) == ["deal 1: other cards than the secret deals"]
    changed = copy.deepcopy(record)
    dealt = first(changed, "buraco.deal_started")
    dealt["starter"] = (dealt["starter"] + 1) % len(dealt["hands"])
    assert "deal 1: not the next deal, or begun by another seat" in verifier.problems(changed)
    changed = copy.deepcopy(record)
    first(changed, "buraco.stock_drawn")["card"] = dealt["stock"][-1]
    assert list(verifier.problems(changed)) == ["deal 1: another card than the stock's first was drawn"]
    changed = copy.deepcopy(record)
    first(changed, "buraco.morto_taken" if "fechado" in name else "buraco.morto_turned")["cards"].reverse()
    assert list(verifier.problems(changed)) == ["deal 1: other cards than the first morto's"]
    first(record, "buraco.card_discarded")["card"] = "no card"
    assert any("did not have" in problem for problem in verifier.problems(record))


def test_a_game_that_it_does_not_know_is_not_called_fair() -> None:
    record = of_golden_log("sueca.seed-17")
    for event in record["events"]:
        event["type"] = event["type"].replace("sueca.", "bisca.")
    assert list(verifier.problems(record)) == ["this program does not know how bisca is dealt"]


def first(record: dict[str, Any], kind: str) -> dict[str, Any]:
    payload: dict[str, Any] = next(event["payload"] for event in record["events"] if event["type"] == kind)
    return payload


def second_hand(record: dict[str, Any]) -> dict[str, Any]:
    dealt = [event["payload"] for event in record["events"] if event["type"] == "truco.hand_dealt"]
    payload: dict[str, Any] = dealt[1]
    return payload


def other_card(record: dict[str, Any]) -> None:
    dealt = second_hand(record)
    dealt["cards"][0][0], dealt["vira"] = dealt["vira"], dealt["cards"][0][0]


def other_order(record: dict[str, Any]) -> None:
    second_hand(record)["cards"][2].reverse()


def other_dealer(record: dict[str, Any]) -> None:
    dealt = first(record, "truco.hand_dealt")
    dealt["dealer"] = (dealt["dealer"] + 1) % 4


def hand_passed_over(record: dict[str, Any]) -> None:
    place = next(i for i, event in enumerate(record["events"]) if event["payload"] is second_hand(record))
    later = [event for event in record["events"][place:] if event["payload"].get("hand") != 2]
    record["events"] = record["events"][:place] + later


def deal_repeated(record: dict[str, Any]) -> None:
    dealt = first(record, "truco.hand_dealt")
    second_hand(record).update(copy.deepcopy(dealt))


def other_secret(record: dict[str, Any]) -> None:
    record["secret"] = record["events"][-1]["payload"]["secret"] = "00" * 32


def other_entropy(record: dict[str, Any]) -> None:
    record["entropy"] = record["events"][0]["payload"]["entropy"] = ["", "", "", ""]


def head_of_another(record: dict[str, Any]) -> None:
    record["entropy"] = ["ab" * 32, "", "", ""]


def card_of_another(record: dict[str, Any]) -> None:
    played, dealt = first(record, "truco.card_played"), first(record, "truco.hand_dealt")
    played["card"] = dealt["cards"][(played["seat"] + 1) % 4][0]


@pytest.mark.parametrize(
    "change",
    [
        other_card,
        other_order,
        other_dealer,
        hand_passed_over,
        deal_repeated,
        other_secret,
        other_entropy,
        head_of_another,
        card_of_another,
    ],
)
async def test_what_was_changed_is_found(
    platform: Platform, change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    record = await finished(platform)
    change(record)
    assert list(verifier.problems(record))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    run = await asyncio.to_thread(as_a_program, file)
    assert run.returncode == 1
    assert run.stdout
