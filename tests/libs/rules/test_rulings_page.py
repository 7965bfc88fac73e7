"""docs/rulings.md: every ruling on it is tested by name, and its switches are those of the code."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from libs.rules.registry import GAMES
from libs.rules.truco.game import TRUCO_PAULISTA
from tests.libs.rules.truco.tables import SWITCH_VALUES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
ROWS = {line.split("|")[1].strip(): line for line in PAGE.splitlines() if re.match(r"\| [GR]-\d\d \|", line)}


def _citing():
    """The source of the tests of rules by the rulings that their names and docstrings name: test_r08_… or "(R-08)"."""
    citing = defaultdict(list)
    for path in (ROOT / "tests" / "libs" / "rules").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbered = re.findall(r"_([gr])(\d\d)(?=_)", node.name)
                cited = {f"{kind.upper()}-{number}" for kind, number in numbered}
                cited |= set(re.findall(r"\b[GR]-\d\d\b", ast.get_docstring(node) or ""))
                begins = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                source = "\n".join(text.splitlines()[begins - 1 : node.end_lineno])
                for number in cited:
                    citing[number].append(source)
    return citing


CITING = _citing()


def _switch(row):
    """The switch of a ruling and its values, the default first; None for a ruling without one."""
    found = re.search(r"\| `(\w+)`: ([^|]+) \|", row)
    return None if found is None else (found[1], re.findall(r"`(\w+)`", found[2].split("(")[0]))


OTHER_VALUES = [
    (number, switch[0], value)
    for number, row in ROWS.items()
    if (switch := _switch(row)) is not None
    for value in switch[1][1:]
]


def test_the_page_has_every_ruling_of_truco():
    assert [number for number in ROWS if number.startswith("R")] == [f"R-{n:02}" for n in range(1, 25)]


@pytest.mark.parametrize("number", ROWS)
def test_each_ruling_is_cited_by_a_test(number):
    assert number in CITING


@pytest.mark.parametrize(("number", "switch", "value"), OTHER_VALUES)
def test_each_value_of_a_rulings_switch_is_set_by_a_test_that_cites_the_ruling(number, switch, value):
    assert any(switch in source and re.search(rf"\b{value}\b", source) for source in CITING[number])


def test_the_table_of_presets_is_that_of_the_code():
    rows = [line.strip("| ").split(" | ") for line in PAGE.partition("### The presets")[2].splitlines()]
    told = {row[0].strip("`"): [cell.strip("*`") for cell in row[1:]] for row in rows if len(row) == 4}
    presets = [GAMES[name] for name in told.pop("switch")]
    assert told.pop("players") == [" or ".join(map(str, preset.player_counts)) for preset in presets]
    told.pop("---")
    assert [preset.preset for preset in presets] == [name for name in GAMES if name.startswith("truco")]
    values = [preset.switches(preset.rule_set({})) for preset in presets]
    assert told == {name: [value[name] for value in values] for name in values[0]}


def test_the_switches_of_the_page_are_those_of_the_code_with_all_their_values():
    told = dict(found for row in ROWS.values() if (found := _switch(row)) is not None)
    assert set(told) == set(TRUCO_PAULISTA.switches(TRUCO_PAULISTA.rule_set({})))
    for name, values in told.items():
        expected = list(SWITCH_VALUES[name])
        assert values == (expected[:1] if name == "card_seconds" else expected)
