"""What the rule pages of Truco say beside its switches (`tests/libs/rules/test_rule_pages.py`)."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[4] / "docs" / "rules"


@pytest.mark.parametrize("language", ["pt", "en"])
def test_r01_the_spanish_pack_is_another_face_of_the_same_cards(language):
    page = (FOLDER / f"truco.{language}.md").read_text(encoding="utf-8")
    faces = re.findall(r"\b(1[012]) (?:no lugar d[ao]|for) ([KJQ])\b", page)
    assert dict(faces) == {"12": "K", "11": "J", "10": "Q"}
