"""The pages of rulings: every ruling is tested by name, and the switches and presets are those of the code.

`docs/rulings.md` has what all games share, and Truco; every other game has `docs/rulings/<game>.md`.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from libs.rules.registry import FAMILIES
from tests.libs.rules.proof.values import switch_values

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests" / "libs" / "rules"
LAST = {"R": 24, "S": 8, "D": 10, "M": 11, "C": 13, "B": 51, "T": 13}
"""The last number of each game's own rulings."""


def _file(family):
    """A game's page; Truco was first and stands on the common one."""
    name = "rulings.md" if family.name == "truco" else f"rulings/{family.name.replace('_', '-')}.md"
    return ROOT / "docs" / name


def _rows(page):
    return {
        line.split("|")[1].strip(): line
        for line in page.splitlines()
        if re.match(r"\| [A-Z]+-\d\d[a-z]? \|", line)
    }


def _citing(folder):
    """The source of the tests of a folder by the rulings that their names and docstrings name: test_r08_… or "(R-08)"."""
    citing = defaultdict(list)
    for path in folder.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbered = re.findall(r"_([a-z])(\d\d[a-z]?)(?=_|$)", node.name)
                cited = {f"{kind.upper()}-{number}" for kind, number in numbered}
                cited |= set(re.findall(r"\b[A-Z]-\d\d[a-z]?\b", ast.get_docstring(node) or ""))
                begins = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                source = "\n".join(text.splitlines()[begins - 1 : node.end_lineno])
                for number in cited:
                    citing[number].append(source)
    return citing


def _switch(row):
    """The switch of a ruling and its values, the default first; None for a ruling without one."""
    found = re.search(r"\| `(\w+)`: ([^|]+) \|", row)
    return None if found is None else (found[1], re.findall(r"`(\w+)`", found[2].split("(")[0]))


BY_NAME = {family.name: family for family in FAMILIES}
PAGES = {family.name: _file(family).read_text(encoding="utf-8") for family in FAMILIES}
ROWS = {name: _rows(page) for name, page in PAGES.items()}
CITING = {name: _citing(TESTS / name) for name in BY_NAME}
CITING["truco"] = _citing(TESTS)

ALL_ROWS = [(name, number) for name, rows in ROWS.items() for number in rows]
OTHER_VALUES = [
    (name, number, switch[0], value)
    for name, rows in ROWS.items()
    for number, row in rows.items()
    if (switch := _switch(row)) is not None
    for value in switch[1][1:]
]


@pytest.mark.parametrize("name", BY_NAME)
def test_a_page_has_every_ruling_of_its_game(name):
    own = [number for number in ROWS[name] if not number.startswith("G")]
    assert own
    for letter in dict.fromkeys(number[0] for number in own):
        expected = [f"{letter}-{number:02}" for number in range(1, LAST[letter] + 1)]
        assert [number for number in own if number[0] == letter] == expected


@pytest.mark.parametrize(("name", "number"), ALL_ROWS)
def test_each_ruling_is_cited_by_a_test(name, number):
    assert number in CITING[name]


@pytest.mark.parametrize(("name", "number", "switch", "value"), OTHER_VALUES)
def test_each_value_of_a_rulings_switch_is_set_by_a_test_that_cites_the_ruling(name, number, switch, value):
    assert any(switch in source and re.search(rf"\b{value}\b", source) for source in CITING[name][number])


@pytest.mark.parametrize("name", BY_NAME)
def test_the_table_of_presets_is_that_of_the_code(name):
    rows = [
        line.strip("| ").split(" | ") for line in PAGES[name].partition("### The presets")[2].splitlines()
    ]
    presets = BY_NAME[name].games
    told = {row[0].strip("`"): [cell.strip("*`") for cell in row[1:]] for row in rows if len(row) > 1}
    told.pop("---")
    assert told.pop("switch") == [preset.preset for preset in presets]
    assert told.pop("players") == [" or ".join(map(str, preset.player_counts)) for preset in presets]
    values = [preset.switches(preset.rule_set({})) for preset in presets]
    assert told == {switch: [value[switch] for value in values] for switch in values[0]}


@pytest.mark.parametrize("name", BY_NAME)
def test_the_switches_of_the_page_are_those_of_the_code_with_all_their_values(name):
    """The default of the first preset comes first; of a number the page has the default, and the bounds in brackets."""
    told = dict(found for row in ROWS[name].values() if (found := _switch(row)) is not None)
    first = BY_NAME[name].games[0]
    defaults = first.switches(first.rule_set({}))
    taken = switch_values(first)
    assert set(told) == set(defaults)
    for switch, values in told.items():
        assert values[0] == defaults[switch]
        if defaults[switch].isdigit() and len(values) == 1:
            row = next(row for row in ROWS[name].values() if f"`{switch}`:" in row)
            assert f"({min(map(int, taken[switch]))} to {max(map(int, taken[switch]))})" in row
        else:
            assert sorted(values) == sorted(taken[switch])
