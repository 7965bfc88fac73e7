"""A stored match replays to the same hashes in another process, whatever its hash seed and time zone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from libs.rules.canonical import state_hash
from libs.rules.truco.events import EVENT_TYPES
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from tests.libs.rules.truco.tables import ChanceMatch, stored

ROOT = Path(__file__).parents[4]

REPLAY = """
import json, sys, time
import msgspec
time.time = lambda: 1.0e9
from libs.rules.canonical import state_hash
from libs.rules.truco.events import EVENT_TYPES
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
for line in sys.stdin:
    state = GAME.initial(GAME.rule_set({}), 4)
    hashes = []
    for name, payload in json.loads(line):
        state = GAME.evolve(state, msgspec.json.decode(payload, type=EVENT_TYPES[name]))
        hashes.append(state_hash(GAME.facts(state)).hex())
    print(json.dumps(hashes))
"""


def test_b098_a_hundred_matches_replay_to_the_same_hash_at_every_version():
    logs, expected = [], []
    for number in range(100):
        match = ChanceMatch(f"b098-{number}", {})
        while GAME.awaited(match.state) is not None:
            match.step()
        logs.append([(name, payload.decode()) for name, payload in map(stored, match.log)])
        state, hashes = match.initial, []
        for event in match.log:
            state = GAME.evolve(state, event)
            hashes.append(state_hash(GAME.facts(state)).hex())
        expected.append(hashes)
    text = "".join(json.dumps(log) + "\n" for log in logs)
    for hash_seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo")):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": hash_seed,
            "TZ": zone,
            "LC_ALL": "C",
            "PYTHONPATH": str(ROOT),
        }
        replayed = subprocess.run(
            [sys.executable, "-c", REPLAY],
            input=text, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=200, check=True,
        )  # fmt: skip
        assert [json.loads(line) for line in replayed.stdout.splitlines()] == expected


def test_the_stored_names_are_these_for_ever():
    assert {name: kind.__name__ for name, kind in EVENT_TYPES.items()} == {
        "truco.hand_dealt": "HandDealt",
        "truco.card_played": "CardPlayed",
        "truco.trick_ended": "TrickEnded",
        "truco.raise_called": "RaiseCalled",
        "truco.raise_accepted": "RaiseAccepted",
        "truco.fold_proposed": "FoldProposed",
        "truco.raise_refused": "RaiseRefused",
        "truco.eleven_hand_played": "ElevenHandPlayed",
        "truco.eleven_hand_declined": "ElevenHandDeclined",
        "truco.illegal_raise_punished": "IllegalRaisePunished",
        "truco.signal_sent": "SignalSent",
        "truco.hand_ended": "HandEnded",
        "truco.match_ended": "MatchEnded",
    }


GOLDEN = Path(__file__).with_name("golden_v1.jsonl")
"""Matches as version 1 of the rules wrote them: switches, first score, events, and the state hash at each version."""


def golden_matches():
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def test_b093_golden_matches_replay_to_their_hashes_for_ever():
    for golden in golden_matches():
        state = GAME.initial(GAME.rule_set(golden["switches"]), 4)
        state = msgspec.structs.replace(state, score=tuple(golden["score"]))
        for entry in golden["events"]:
            state = GAME.evolve(state, msgspec.convert(entry["data"], EVENT_TYPES[entry["type"]]))
            assert state_hash(GAME.facts(state)).hex() == entry["hash"]
        result = GAME.result(state)
        assert result is not None
        assert list(result.winners) == golden["winners"]


def test_every_event_type_of_version_1_stands_in_a_golden_match():
    """Signals came with version 2; tests/golden has them."""
    seen = {entry["type"] for golden in golden_matches() for entry in golden["events"]}
    assert seen == set(EVENT_TYPES) - {"truco.signal_sent"}
