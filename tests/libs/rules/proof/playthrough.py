"""A whole match as a text file: every move, event, state, every viewer's view and the legal moves, line by line.

`python -m tests.libs.rules.proof.playthrough [PRESET ...]` writes the files that are missing; `--anew` writes them again,
which is right only when a change of rules was meant: the difference is then read in the commit, line by line.

A file begins with `# key: value` lines. Each move is a block:

    move 12  seat 1  {"type": "PlayCard", ...}
      event {...}                    one line for each
      facts.plays = [...]            the facts that changed, one a line
      view 0.clock = ...             what changed in the view of seat 0; `view -` is the spectator's
      awaited {...}

A key that is gone stands with `(gone)`. So the file holds everything and a person can still read what a move does.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from libs.rules.family import AnyGame
from libs.rules.game import Awaited
from libs.rules.registry import GAMES
from tests.libs.rules.proof.matches import VARIANTS, ChanceMatch, crowd

FOLDER = Path(__file__).parent / "playthroughs"
SEED = "playthrough"
LONGEST = 250
"""A file ends after so many moves, for games whose matches are long; the laws play whole matches."""

LARGEST = 500_000
"""A file ends with the move that makes it so many characters, for games whose views are long; the variants of one engine
have the less the more they are."""

_GONE = "(gone)"
_LATER = frozenset({"each_answers", "out"})


def path_of(preset: str, players: int) -> Path:
    """Where the playthrough of a preset for so many players stands."""
    return FOLDER / f"{preset}.{players}.txt"


def lines(named: str | AnyGame, players: int) -> Iterator[str]:
    """The playthrough as today's code plays it, a line at a time."""
    match = ChanceMatch(named, players, SEED)
    game = match.game
    yield f"# preset: {game.preset}"
    yield f"# rules version: {game.rules_version}"
    yield f"# players: {players}"
    for name, value in sorted(game.switches(game.rule_set({})).items()):
        yield f"# switch {name}: {value}"
    shown = _Shown(match)
    yield "start"
    for event in match.log:
        yield f"  event {_text(event)}"
    yield from shown.changes()
    size = 0
    largest = LARGEST // (1 + crowd(named) // 6)
    for number in range(1, LONGEST + 1):
        if match.is_over or size > largest:
            break
        seat, move, events = _step(match)
        block = [f"move {number}  seat {seat}  {_text(move)}"]
        block += [f"  event {_text(event)}" for event in events]
        block += shown.changes()
        size += sum(map(len, block))
        yield from block
    result = game.result(match.state)
    yield f"# result: {'none yet' if result is None else _text(result)}"


def _step(match: ChanceMatch) -> tuple[int, Any, list[Any]]:
    events = match.step()
    seat, move = match.moves[-1]
    return seat, move, list(events)


class _Shown:
    """What the last block showed, so that the next one shows what has changed."""

    def __init__(self, match: ChanceMatch) -> None:
        self._match = match
        self._last: dict[str, Mapping[str, Any]] = {}

    def changes(self) -> Iterator[str]:
        match, game = self._match, self._match.game
        yield from self._changed("facts", game.facts(match.state))
        for viewer in match.viewers:
            name = "view -" if viewer is None else f"view {viewer}"
            yield from self._changed(name, msgspec.to_builtins(game.view(match.state, viewer)))
        for seat in match.viewers[:-1]:
            assert seat is not None
            legal = {"legal": [_text(item) for item in game.legal_moves(match.state, seat)]}
            yield from self._changed(f"seat {seat}", legal)
        yield f"  awaited {_awaited_text(game.awaited(match.state))}"

    def _changed(self, name: str, now: Any) -> Iterator[str]:
        assert isinstance(now, Mapping)
        before = self._last.get(name, {})
        for key in sorted(before.keys() - now.keys()):
            yield f"  {name}.{key} = {_GONE}"
        for key in sorted(now):
            if key not in before or before[key] != now[key]:
                yield f"  {name}.{key} = {_text(now[key])}"
        self._last[name] = msgspec.to_builtins(now)


def _awaited_text(awaited: Awaited | None) -> str:
    """What came into `Awaited` later is shown where it says something: older files stay as they are."""
    if awaited is None:
        return _text(None)
    shown = {
        key: value for key, value in msgspec.structs.asdict(awaited).items() if value or key not in _LATER
    }
    return f"Awaited {msgspec.json.encode(shown).decode()}"


def _text(value: Any) -> str:
    kind = type(value).__name__
    encoded = msgspec.json.encode(value, order="deterministic").decode()
    return f"{kind} {encoded}" if isinstance(value, msgspec.Struct) else encoded


def write(preset: str, players: int) -> Path:
    """Writes a playthrough and gives its path."""
    path = path_of(preset, players)
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines(preset, players)) + "\n", encoding="utf-8")
    return path


def main() -> None:
    """Writes what is missing, or what is named anew."""
    parser = argparse.ArgumentParser(description="Write golden playthroughs of the registered games.")
    parser.add_argument("presets", nargs="*", help="these alone; all of them otherwise")
    parser.add_argument(
        "--anew", action="store_true", help="also those that exist: only for a meant change of rules"
    )
    options = parser.parse_args()
    unknown = set(options.presets) - GAMES.keys()
    if unknown:
        parser.error(
            f"there is no preset {', '.join(sorted(unknown))}; there are: {', '.join(sorted(GAMES))}"
        )
    for preset, players in VARIANTS:
        is_asked = not options.presets or preset in options.presets
        if is_asked and (options.anew or not path_of(preset, players).exists()):
            print(write(preset, players))


if __name__ == "__main__":
    main()
