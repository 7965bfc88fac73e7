"""docs/rulings.md: every ruling on it is tested by name, and its switches are those of the code."""

import ast
import re
from pathlib import Path

import pytest

from libs.rules.registry import GAMES
from libs.rules.truco.game import TRUCO_PAULISTA
from tests.libs.rules.truco.tables import SWITCH_VALUES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
ROWS = {line.split("|")[1].strip(): line for line in PAGE.splitlines() if re.match(r"\| [GR]-\d\d \|", line)}


def _cited():
    """The rulings that the names and docstrings of the tests of rules name, such as test_r08_… or "(R-08)"."""
    cited = set()
    for path in (ROOT / "tests" / "libs" / "rules").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbered = re.findall(r"_([gr])(\d\d)(?=_)", node.name)
                cited |= {f"{kind.upper()}-{number}" for kind, number in numbered}
                cited |= set(re.findall(r"\b[GR]-\d\d\b", ast.get_docstring(node) or ""))
    return cited


def test_the_page_has_every_ruling_of_truco():
    assert [number for number in ROWS if number.startswith("R")] == [f"R-{n:02}" for n in range(1, 25)]


@pytest.mark.parametrize("number", ROWS)
def test_each_ruling_is_cited_by_a_test(number):
    assert number in _cited()


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
    told = {}
    for row in ROWS.values():
        found = re.search(r"\| `(\w+)`: ([^|]+) \|", row)
        if found:
            told[found[1]] = re.findall(r"`(\w+)`", found[2].split("(")[0])
    assert set(told) == set(TRUCO_PAULISTA.switches(TRUCO_PAULISTA.rule_set({})))
    for name, values in told.items():
        expected = list(SWITCH_VALUES[name])
        assert values == (expected[:1] if name == "card_seconds" else expected)
