"""A text that is not a match is refused with its place and what should stand there, whatever is wrong with it."""

from __future__ import annotations

import random

import pytest

from libs.rules.notation.errors import NotationError, RefusedMoveError
from libs.rules.notation.reading import read_match
from libs.rules.notation.writing import write_match
from tests.libs.rules.notation.examples import EXAMPLES
from tests.libs.rules.proof.matches import seeds

TRUCO = next(example for example in EXAMPLES if '"truco-paulista"' in example)
MAU_MAU = next(example for example in EXAMPLES if '"mau-mau"' in example)
BURACO = next(example for example in EXAMPLES if '"buraco-fechado"' in example)


def error_of(text: str) -> NotationError:
    with pytest.raises(NotationError) as raised:
        read_match(text)
    return raised.value


def place_of(text: str, part: str) -> tuple[int, int]:
    """The line and column of the first place where this part stands."""
    before = text[: text.index(part)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('[Carteado "1"]', '[Carteado "2"]', "version 1 of the notation"),
        ('"truco-paulista"', '"truco-paulist"', "did you mean truco-paulista"),
        ('[Regras "2"]', '[Regras "1"]', "version 2 of the rules of truco-paulista"),
        ('[Jogadores "4"]', '[Jogadores "6"]', "4 players"),
        ('"2026-11-30"', '"30/11/2026"', "a date such as 2026-11-30"),
        ('"2026-11-30"', '"20261130"', "a date such as 2026-11-30"),
        ("[d ", "[e ", "seats a to d only"),
        ('[Jogadores "4"]', '[Jogadores "4"]\n[Opções "signals=off card_seconds=4"]', "from 5 to 600"),
        ('[Jogadores "4"]', '[Jogadores "4"]\n[Opções "signals"]', "switches such as"),
        ('"ac 12 x 2"', '"bd 12 x 2"', "'ac 12 x 2'"),
    ],
)
def test_a_wrong_value_of_the_header_is_said_at_its_place(old: str, new: str, expected: str) -> None:
    text = TRUCO.replace(old, new)
    error = error_of(text)
    assert expected in error.expected
    assert text.splitlines()[error.line - 1][error.column - 1 :].startswith(error.found)


@pytest.mark.parametrize("tag", ["Carteado", "Jogo", "Regras", "Jogadores", "Resultado"])
def test_a_tag_that_is_needed_is_named_when_it_is_not_there(tag: str) -> None:
    text = "".join(line for line in TRUCO.splitlines(keepends=True) if not line.startswith(f"[{tag} "))
    assert f"[{tag} " in error_of(text).expected


def test_a_tag_that_is_unknown_or_there_twice_or_no_tag_is_refused() -> None:
    assert error_of(TRUCO.replace("[Data", "[Dia")).found == "Dia"
    assert error_of(TRUCO.replace("[Data", '[Jogo "sueca"]\n[Data')).expected == "Jogo once only"
    for value in ("2026-11-30", '"2026\x07"', '"2026\\-11"'):
        assert "a line such as" in error_of(TRUCO.replace('"2026-11-30"', value)).expected


@pytest.mark.parametrize(
    ("text", "old", "new", "expected", "found"),
    [
        (TRUCO, "d 4♦ 2♥ 3♥", "d 4♦ 2♥ 4♦", "still left to be dealt", "4♦"),
        (TRUCO, "d 4♦ 2♥ 3♥", "d 4♦ 2♥", "a card", "a"),
        (TRUCO, "d 4♦ 2♥ 3♥", "d 4♦ 2♥ 8♥", "still left to be dealt", "8♥"),
        (TRUCO, "Mão 2  dá d", "Mão 1  dá d", "hand-1 has been written", "1"),
        (TRUCO, "Mão 2  dá d", "Mão dois  dá d", "a number", "dois"),
        (TRUCO, "Mão 2  dá d", "Mão 2  dá e", "a seat, a to d", "e"),
        (TRUCO, "bd ♥♣♠♦", "bd ♥♣♦♠", "the four suits", "♥♣♦♠"),
        (TRUCO, "c truco  b corre", "c retruco  b corre", "a card, truco, seis", "retruco"),
        (TRUCO, "= ac +1  1 x 0", "= bd +1  1 x 0", "'ac'", "bd"),
        (TRUCO, "\n\nac 12 x 2\n", "\n\nac 12 x 2 x\n", "the end of the text", "x"),
        (TRUCO, "\n\nac 12 x 2\n", "\n", "'ac'", ""),
        (MAU_MAU, "b J♣=♥", "b J♣", "a Jack with the suit", "J♣"),
        (MAU_MAU, "d 7♠", "d 7♠=♥", "with a Jack only", "7♠=♥"),
        (MAU_MAU, "c compra 8♠", "c compra 8♦", "'8♠'", "8♦"),
        (MAU_MAU, "monte 4♣", "monte 4♣ 4♣", "still left to be dealt", "4♣"),
        (BURACO, "baixa #1 8♠", "baixa 1 8♠", "the number of a meld", "1"),
        (BURACO, "b descarta 7♥", "b guarda 7♥", "compra, pega, baixa", "guarda"),
    ],
)
def test_a_wrong_word_is_said_at_its_place(text: str, old: str, new: str, expected: str, found: str) -> None:
    assert text.count(old) >= 1
    broken = text.replace(old, new, 1)
    error = error_of(broken)
    assert expected in error.expected
    assert error.found == found
    assert (broken.splitlines()[error.line - 1][error.column - 1 :]).startswith(found)


def test_a_move_against_the_rules_is_said_with_the_rules_answer() -> None:
    broken = BURACO.replace("c baixa #1 8♠ 9♠' 10♠' JKd Q♠", "c baixa #1 8♠ 9♠' 10♠' K♥ Q♠")
    error = error_of(broken)
    assert isinstance(error, RefusedMoveError)
    assert error.rejection.code == "NOT_A_MELD"
    assert (error.line, error.column) == place_of(broken, "c baixa #1")


def test_a_text_that_stops_before_a_deal_says_which_deal_it_lacks() -> None:
    begin = TRUCO.split("\nMão 2", maxsplit=1)[0]
    assert "hand-2" in error_of(f"{begin}\n*\n").expected
    header = TRUCO.split("\nMão 1", maxsplit=1)[0]
    assert "'Mão'" in error_of(f"{header}\nac 12 x 2\n").expected
    for nothing in (header, header.rstrip("\n"), f"{header}\n\n"):
        assert ("'Mão'" in error_of(nothing).expected, error_of(nothing).found) == (True, "")


def test_a_match_before_its_first_deal_can_be_written_too() -> None:
    header = TRUCO.split("\nMão 1", maxsplit=1)[0].replace('"ac 12 x 2"', '"*"')
    match = read_match(f"{header}\n*\n")
    assert (match.events, write_match(match)) == ((), f"{header}\n*\n")


@pytest.mark.parametrize("text", ["", "\n\n", "[", "Mão 1", "♣" * 1000, "[Jogo]\n" * 3])
def test_what_is_no_match_at_all_is_refused_too(text: str) -> None:
    assert error_of(text).line >= 1


def outcome(text: str) -> tuple[NotationError | None, str]:
    """What is wrong with a text, or what it is when it is written again."""
    try:
        return None, write_match(read_match(text))
    except NotationError as error:
        return error, ""


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_match_with_a_word_changed_lost_or_doubled_is_refused_or_is_another_match(example: str) -> None:
    seed = next(seeds("a changed word"))
    chance = random.Random(seed)
    for _ in range(25):
        lines = example.splitlines()
        row = chance.randrange(len(lines))
        words = lines[row].split(" ")
        at = chance.randrange(len(words))
        other = chance.choice(chance.choice(lines).split(" ") or ["c"])
        words[at : at + 1] = chance.choice(([], [words[at]] * 2, [other], [words[at] + "x"]))
        lines[row] = " ".join(words)
        text = "\n".join(lines)
        error, written = outcome(text)
        if error is None:
            assert written.split() == text.split(), (seed, text)
        else:
            assert 1 <= error.line <= len(lines) + 1, (seed, text)
            assert error.expected, (seed, text)
