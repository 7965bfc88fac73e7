"""What docs/notation.md says is so: its examples are read, and there is one of each game."""

from __future__ import annotations

import re

import pytest

from libs.rules.notation.errors import NotationError, RefusedMoveError
from libs.rules.notation.reading import read_match
from libs.rules.notation.writing import write_match
from libs.rules.registry import FAMILIES
from tests.libs.rules.notation.examples import EXAMPLES, PAGE


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_read_and_written_again_as_it_stands(example: str) -> None:
    assert write_match(read_match(example)) == example


def test_each_game_has_an_example_and_one_of_them_has_names() -> None:
    matches = [read_match(example) for example in EXAMPLES]
    presets = {match.game.preset for match in matches}
    for family in FAMILIES:
        assert presets & {game.preset for game in family.games}, f"{family.name} has no example"
    assert any(match.names for match in matches)


def test_the_errors_that_the_page_shows_are_those_of_its_truco() -> None:
    text = EXAMPLES[0]
    with pytest.raises(RefusedMoveError) as refused:
        read_match(text.replace("1. d 3♥  a J♦", "1. a J♦  d 3♥"))
    with pytest.raises(NotationError) as wrong:
        read_match(text.replace("= ac +1  1 x 0", "= ac +3  1 x 0", 1))
    for error in (refused.value, wrong.value):
        assert f"    {error}\n" in PAGE


def test_suits_may_be_typed_as_letters_and_lines_broken_anywhere() -> None:
    for example in EXAMPLES:
        header, body = example.split("\n\n", 1)
        typed = re.sub(r"(?<=[\dJQKA=])[♣♥♠♦]", lambda found: "PCEO"["♣♥♠♦".index(found[0])], body)
        assert typed != body or "domino" in header
        broken = typed.replace(" ", "\n")
        found = read_match(f"{header}\n\n{broken} ; a remark, and = ac +12\n")
        assert write_match(found) == example
