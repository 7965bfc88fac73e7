"""docs/billing.md says the catalogue's numbers and the games of the matrix."""

import re
from pathlib import Path

from libs.service.access import GAMES
from services.billing.catalogue import CATALOGUES, CURRENT

GUIDE = (Path(__file__).parents[3] / "docs" / "billing.md").read_text(encoding="utf-8")


def test_the_guide_says_the_numbers_of_the_catalogue() -> None:
    assert f"## Catalogue `{CURRENT.name}`" in GUIDE
    numbers = re.findall(
        r"^\| [a-z][^|]*, days[^|]* \| (\d+) \|$|^\| matches[^|]* \| (\d+) \|$", GUIDE, re.MULTILINE
    )
    assert [int(days or matches) for days, matches in numbers] == [
        CURRENT.trial.days,
        CURRENT.matches_a_day,
        CURRENT.grace.days,
        CURRENT.withdrawal.days,
    ]
    plans = re.findall(r"^\| ([a-z-]+) \| (\d+) \| (\d+) \|$", GUIDE, re.MULTILINE)
    assert plans == [(plan.name, str(plan.months), str(plan.price_centavos)) for plan in CURRENT.plans]


def test_the_guide_names_every_game_in_its_class() -> None:
    flowing = " ".join(GUIDE.split())
    for kind, start in (("free", "Free games: "), ("passport", "The passport four: ")):
        assert start + ", ".join(game for game, of in GAMES.items() if of == kind) + "." in flowing


def test_a_catalogue_is_known_by_its_name() -> None:
    assert all(name == catalogue.name for name, catalogue in CATALOGUES.items())
    assert CURRENT in CATALOGUES.values()
