"""docs/league.md says the policy's numbers."""

import re
from pathlib import Path

from libs.service.access import GAMES
from services.league.feats import has_feats
from services.league.policy import CURRENT, LEAGUES

GUIDE = (Path(__file__).parents[3] / "docs" / "league.md").read_text(encoding="utf-8")


def test_the_guide_says_the_numbers_of_the_policy():
    assert f"## Policy `{CURRENT.name}`" in GUIDE
    numbers = dict(re.findall(r"^\| ([^|]+) \| (-?\d[\d, ]*) \|$", GUIDE, flags=re.MULTILINE))
    assert numbers == {
        "win": str(CURRENT.win_points),
        "draw": str(CURRENT.draw_points),
        "loss": str(CURRENT.loss_points),
        "match abandoned": str(CURRENT.abandoned_points),
        "first matches of a day with a bonus": str(CURRENT.bonus_matches),
        "their points, in percent": str(CURRENT.bonus_percent),
        "promotion: one of so many, rounded up": str(CURRENT.zone_part),
        "relegation: one of so many, rounded down": str(CURRENT.zone_part),
        "trophies of each league and week": str(CURRENT.trophies),
        "medals, at so many wins in a game": ", ".join(map(str, CURRENT.medals)),
    }


def test_the_guide_names_the_leagues_in_order():
    assert ", ".join(league.capitalize() for league in LEAGUES) in GUIDE


def test_the_guide_names_every_achievement_and_its_games():
    table = GUIDE.partition("| achievement | game | what the log shows |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (\w+) \| ([^|]+) \| [^|]+ \|$", table, flags=re.MULTILINE)
    assert [feat for feat, _ in rows] == list(CURRENT.feats)
    named = {game for _, games in rows for game in games.split(", ")}
    assert named == {game for game in GAMES if has_feats(game)}
