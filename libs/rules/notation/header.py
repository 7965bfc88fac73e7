"""The header of a match: a line `[Tag "value"]` each.

[Carteado "1"]                the version of the notation; it comes first
[Jogo "truco-paulista"]       the preset
[Regras "2"]                  the version of its rules
[Opções "card_seconds=30"]    the switches that are not the preset's own, if there are any
[Jogadores "4"]
[Data "2026-11-30"]           when it was played, if that is told
[a "Ana"]                     who sat on a seat, if that is told
[Resultado "ac 12 x 9"]       winners and score; "empate 3 x 3"; "*" for a match that has not ended
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import msgspec

from libs.rules.family import AnyGame
from libs.rules.game import InvalidRuleSetError
from libs.rules.notation.cards import SEATS, seat_name
from libs.rules.notation.errors import NotationError
from libs.rules.notation.match import Match, seats_named
from libs.rules.notation.words import Word
from libs.rules.registry import UnknownGameError
from libs.rules.registry import game as game_named

NOTATION_VERSION = 1

_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]')
_ESCAPE = re.compile(r'(["\\])')
_ESCAPED = re.compile(r'\\(["\\])')
_TAGS = ("Carteado", "Jogo", "Regras", "Opções", "Jogadores", "Data", *SEATS, "Resultado")
_COUNT = re.compile(r"[0-9]{1,6}")


def header_lines(match: Match, result: str) -> Iterator[str]:
    """The header of a match that ended so."""
    game = match.game
    yield _line("Carteado", str(NOTATION_VERSION))
    yield _line("Jogo", game.preset)
    yield _line("Regras", str(match.rules_version))
    own = game.switches(game.rule_set({}))
    changed = {
        name: value for name, value in sorted(game.switches(match.rules).items()) if own[name] != value
    }
    if changed:
        yield _line("Opções", " ".join(f"{name}={value}" for name, value in changed.items()))
    yield _line("Jogadores", str(match.players))
    if match.date is not None:
        yield _line("Data", match.date.isoformat())
    for seat, name in sorted(match.names.items()):
        yield _line(seat_name(seat), name)
    yield _line("Resultado", result)


def _line(tag: str, value: str) -> str:
    if not value.isprintable():
        raise ValueError(f"{value!r} does not fit on a line of a header")
    return f'[{tag} "{_ESCAPE.sub(_BACKSLASHED, value)}"]'


_BACKSLASHED = r"\\\1"


class Header(msgspec.Struct, frozen=True):
    """What a header says: a match without events, its result as written and where, and how many lines it takes."""

    match: Match
    result: Word
    lines: int


def read_header(lines: Sequence[str]) -> Header:
    """The header at the beginning of these lines; raises NotationError."""
    tags: dict[str, Word] = {}
    count = next(
        (place for place, text in enumerate(lines) if text.strip() and not text.startswith("[")), len(lines)
    )
    for number, text in enumerate(lines[:count], start=1):
        if not text.strip():
            continue
        tag, value = _tag(text, number)
        if tag in tags:
            raise NotationError(number, 2, f"{tag} once only", tag)
        tags[tag] = value
    return Header(_match(tags, count + 1), _needed(tags, "Resultado", count + 1), count)


def _tag(text: str, line: int) -> tuple[str, Word]:
    found = _TAG.fullmatch(text.rstrip())
    if found is None or not text.isprintable():
        raise NotationError(line, 1, 'a line such as [Jogo "sueca"]', text.rstrip())
    if found[1] not in _TAGS:
        raise NotationError(line, 2, f"one of {', '.join(_TAGS)}", found[1])
    return found[1], Word(_ESCAPED.sub(r"\1", found[2]), line, found.start(2) + 1)


def _needed(tags: Mapping[str, Word], tag: str, line: int) -> Word:
    if tag not in tags:
        raise NotationError(line, 1, f'a line [{tag} "…"] in the header', "")
    return tags[tag]


def _match(tags: Mapping[str, Word], line: int) -> Match:
    version = _needed(tags, "Carteado", line)
    if version.text != str(NOTATION_VERSION):
        raise version.wrong(f"version {NOTATION_VERSION} of the notation")
    named = _needed(tags, "Jogo", line)
    try:
        game = game_named(named.text)
    except UnknownGameError as error:
        raise named.wrong(f"a game's name: {error}") from error
    rules_version = _needed(tags, "Regras", line)
    if rules_version.text != str(game.rules_version):
        raise rules_version.wrong(f"version {game.rules_version} of the rules of {game.preset}")
    counted = _needed(tags, "Jogadores", line)
    players = int(counted.text) if _COUNT.fullmatch(counted.text) else 0
    if players not in game.player_counts:
        raise counted.wrong(f"{' or '.join(map(str, game.player_counts))} players")
    names = {seat: tags[letter].text for seat, letter in enumerate(SEATS) if letter in tags}
    for seat in names:
        if seat >= players:
            raise tags[seat_name(seat)].wrong(f"names of the seats {seats_named(players)} only")
    rules = game.rule_set({})
    if "Opções" in tags:
        rules = _rules(game, tags["Opções"])
    return Match(game, rules, players, (), game.rules_version, names, _date(tags.get("Data")))


def _rules(game: AnyGame, word: Word) -> object:
    switches = {}
    for part in word.text.split(" "):
        name, equals, value = part.partition("=")
        if not equals:
            raise word.wrong("switches such as card_seconds=30")
        switches[name] = value
    try:
        return game.rule_set(switches)
    except InvalidRuleSetError as error:
        raise word.wrong(f"switches of the game: {error}") from error


def _date(word: Word | None) -> date | None:
    if word is None:
        return None
    try:
        found = date.fromisoformat(word.text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != word.text:
        raise word.wrong("a date such as 2026-11-30")
    return found
