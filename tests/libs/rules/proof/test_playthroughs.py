"""Golden playthroughs: what a released version showed, state by state and view by view, is what this one shows."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.libs.rules.proof.matches import VARIANTS
from tests.libs.rules.proof.playthrough import FOLDER, lines, path_of

ADVICE = "python -m tests.libs.rules.proof.playthrough writes it"


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_every_preset_replays_its_playthrough_line_by_line(preset: str, players: int) -> None:
    path = path_of(preset, players)
    assert path.exists(), f"{preset} for {players} has no playthrough: {ADVICE}"
    golden = path.read_text(encoding="utf-8").splitlines()
    assert len(golden) > 50
    for number, (then, now) in enumerate(zip_longest(golden, lines(preset, players)), start=1):
        assert now == then, f"{path.name}, line {number}"


def test_no_playthrough_is_left_of_a_game_that_is_gone() -> None:
    assert {path for path in FOLDER.iterdir() if path.suffix == ".txt"} == {
        path_of(preset, players) for preset, players in VARIANTS
    }
