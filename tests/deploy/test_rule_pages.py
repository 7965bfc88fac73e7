"""The rule pages of the presets: each says the rules of its own table, all of them and nothing else."""

import re
from functools import cache
from itertools import pairwise

import msgspec
import pytest

from deploy import web
from deploy.rule_pages.__main__ import stale_files
from deploy.rule_pages.family import at_preset
from deploy.rule_pages.page import NUMBER, page, sentence, title
from deploy.rule_pages.relevance import told
from deploy.rule_pages.site import DOCS, LANGUAGES, site
from libs.rules.buraco.cards import TABLE_VALUE, pack
from libs.rules.buraco.course import MOST_DEALS
from libs.rules.buraco.laying import IDLE_TURNS
from libs.rules.buraco.melds import CANASTRA
from libs.rules.buraco.presets import BURACO_FAMILY
from libs.rules.buraco.scoring import BATIDA, FLAT_VALUE, MORTO_PENALTY, RED_THREE
from libs.rules.registry import GAMES
from tests.libs.rules.proof.values import switch_values

PRESETS = {game.preset: game.rule_set({}) for game in BURACO_FAMILY}
VALUES = switch_values(BURACO_FAMILY[0])
each_language = pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words.language)
each_preset = pytest.mark.parametrize("preset", PRESETS)

ONLY_WITH_SETS = {"set_canastra", "wild_in_sets"}
ONLY_CLOSED = {"justify_naturals_only", "wild_top_takeable"}
ONLY_OPEN = {"one_card_lixo", "one_card_lixo_match"}
ONLY_TRANCA = {"red_three_replace", "four_red_threes", "black_three_in_hand"}
NEVER_TRANCA = {
    "natural_two",
    "natural_two_plus_wild",
    "cleaning",
    "run500",
    "run1000",
    "big_run_needs_clean",
}
OF_NO_USE = {
    "buraco-aberto": ONLY_WITH_SETS | ONLY_CLOSED | ONLY_TRANCA,
    "buraco-fechado": ONLY_OPEN | ONLY_TRANCA,
    "buraco-fechado-stbl": ONLY_WITH_SETS | ONLY_OPEN | ONLY_TRANCA,
    "canastra": ONLY_CLOSED | ONLY_TRANCA | {"big_run_needs_clean"},
    "tranca": ONLY_OPEN | NEVER_TRANCA,
    "tranca@003": ONLY_OPEN | NEVER_TRANCA,
    "buraco-aberto@004": ONLY_WITH_SETS | ONLY_CLOSED | ONLY_TRANCA | {"one_card_lixo_match"},
    "buraco-fechado@004": ONLY_OPEN | ONLY_TRANCA,
    "buraco-fechado-stbl@004": ONLY_WITH_SETS | ONLY_OPEN | ONLY_TRANCA,
}
"""Of each table, the switches that change nothing there; a match to a target is nobody's."""


@cache
def changed(rules):
    """Rule sets that differ from these in one switch, with its name."""
    own = BURACO_FAMILY[0].switches(rules)
    others = [(switch, {**own, switch: value}) for switch, values in VALUES.items() for value in values]
    return [(switch, BURACO_FAMILY[0].rule_set(other)) for switch, other in others if other != own]


def faults(words, rules, text):
    """What is wrong with a page for these rules: sentences of them that it lacks, and of others that it has."""
    matters = told(rules)
    own = {switch: sentence(words, rules, switch) for switch in VALUES}
    found = {f"lacks {switch}" for switch in matters if own[switch] not in text}
    for switch, other in changed(rules):
        wrong = sentence(words, other, switch)
        # One sentence may begin as another does; what is not told needs no sentence at all.
        if wrong in text and not (switch in matters and wrong in own[switch]):
            found.add(f"tells {switch} otherwise")
    return found | {f"tells {switch}" for switch in VALUES if switch not in matters and own[switch] in text}


def numbers(text):
    return set(map(int, re.findall(r"\d+", text)))


def test_the_committed_pages_are_what_the_rules_give():
    assert stale_files() == []


def test_the_gateway_serves_every_preset_in_both_languages_as_written():
    fresh = site()
    assert set(fresh) == {f"{preset}.{words.language}.html" for preset in GAMES for words in LANGUAGES}
    served = {path.name: path.read_text(encoding="utf-8") for path in (web.PAGE / "rules").iterdir()}
    assert {name for name in fresh.keys() | served.keys() if fresh.get(name) != served.get(name)} == set(), (
        web.HINT
    )


@each_language
def test_every_value_of_every_switch_has_a_sentence_of_its_own(words):
    for switch, values in VALUES.items():
        sentences = words.sentences[switch]
        if set(sentences) == {NUMBER}:
            assert all(value.isdigit() for value in values)
            told_by_value = [
                sentence(words, BURACO_FAMILY[0].rule_set({switch: value}), switch) for value in values
            ]
            assert len(set(told_by_value)) == len(values), switch
        else:
            assert {str(value).lower() for value in sentences} == set(values)
            assert len(set(sentences.values())) == len(values), switch
    assert set(words.sentences) == set(VALUES)


@each_preset
def test_a_page_tells_the_switches_that_matter_at_its_table(preset):
    assert set(VALUES) - told(PRESETS[preset]) == OF_NO_USE[preset] | {"target_points"}


@each_language
@each_preset
def test_a_page_has_the_sentence_of_each_switch_and_none_of_another_value(words, preset):
    rules = PRESETS[preset]
    assert faults(words, rules, page(words, preset, rules)) == set()


@each_language
def test_the_page_of_another_table_is_found_wrong(words):
    for preset, other in pairwise([*PRESETS, "buraco-aberto"]):
        assert faults(words, PRESETS[other], page(words, preset, PRESETS[preset])), (preset, other)


@each_language
@each_preset
def test_a_changed_switch_changes_the_page_if_and_only_if_it_matters(words, preset):
    rules = PRESETS[preset]
    text = page(words, preset, rules)
    for switch, other in changed(rules):
        altered = page(words, preset, other)
        assert (altered != text) == (switch in told(rules)), switch
        if altered != text:
            assert sentence(words, other, switch) in altered, switch


@each_preset
def test_both_languages_have_the_same_parts_and_numbers_whatever_the_switches(preset):
    for _, rules in [("", PRESETS[preset]), *changed(PRESETS[preset])]:
        pages = [page(words, preset, rules) for words in LANGUAGES]
        shapes = [[re.match(r"#*|-|\||\d", block)[0] for block in text.split("\n\n")] for text in pages]
        assert shapes[0] == shapes[1]
        assert numbers(pages[0]) == numbers(pages[1])


@each_language
@each_preset
def test_a_page_names_the_numbers_of_its_table_and_no_others(words, preset):
    rules = PRESETS[preset]
    cards = len(pack(rules.jokers))
    wanted = {11, 52, cards, cards - 22 - 22, cards - 22 - 44}
    wanted |= {rules.draw_seconds, rules.play_seconds, rules.auto_play_limit}
    wanted |= {CANASTRA, 100, 200, BATIDA, MORTO_PENALTY, 3, 2, 1}
    wanted |= {IDLE_TURNS} if not rules.justify_top else set()
    wanted |= {9} if rules.sets else set()
    if rules.special_threes:
        wanted |= {4, 5, 6, 11, RED_THREE, rules.four_red_threes, 500, 1000}
        wanted |= {rules.black_three_in_hand} - {0}
    else:
        wanted |= {14, 4, 500, 1000}
    if rules.card_values == "all_ten":
        wanted |= {FLAT_VALUE}
    else:
        threes = set() if rules.special_threes else {5}
        worth = {TABLE_VALUE[card] for card in pack(rules.jokers) if card[0] != "3"} | threes
        wanted |= worth | {7, 8}
    house = numbers(preset)
    assert numbers(page(words, preset, rules)) == wanted | house
    assert MOST_DEALS not in wanted


@each_preset
def test_a_page_speaks_of_no_other_table(preset):
    for words in LANGUAGES:
        text = page(words, preset, PRESETS[preset])
        _, rest = text.split("\n", 1)
        assert not re.search(r"[@`{}_]|Buraco|Aberto|Fechado|STBL|Tranca|Canastra|00[34]", rest)
        is_tranca = PRESETS[preset].special_threes
        assert bool(re.search("3 vermelho|3 preto|red 3|black 3", rest)) == is_tranca
        jokers = len(re.findall("curing(?:ão|ões)|joker", rest))
        assert jokers == 1 if PRESETS[preset].jokers == 0 else jokers > 2
        sets = len(re.findall(r"[Tt]rinca|\b[Ss]ets?\b", rest))
        assert sets > 2 if PRESETS[preset].sets else sets == 1


def test_a_match_to_a_target_says_when_it_ends():
    rules = msgspec.structs.replace(PRESETS["tranca"], match_format="target", target_points=1500)
    for words in LANGUAGES:
        assert {1500, MOST_DEALS} <= numbers(page(words, "tranca", rules))


@each_language
def test_a_family_s_page_gives_each_of_its_presets_its_own_options_alone(words):
    text = (DOCS / f"truco.{words.language}.md").read_text(encoding="utf-8")
    option = re.compile(r"^- `\w+` \(([^)]+)\): (.+)$", re.MULTILINE)
    for preset in ("truco-paulista", "truco@003", "truco@004"):
        game = GAMES[preset]
        at_table = at_preset(words, preset, text, game.switches(game.rule_set({})))
        assert at_table.startswith(f"# {title(words, preset)}\n")
        assert "`: " not in at_table
        _, options = at_table.split(f"## {words.at_this_table}\n")
        own = [told_so for presets, told_so in option.findall(text) if preset in presets.split(", ")]
        listed = re.findall(r"^- \*\*[^*]+\*\*: (.+)$", options, re.MULTILINE)
        seconds = [told_so for told_so in own if told_so.startswith(("segundos", "seconds"))]
        assert len(seconds) == 1
        assert {*own} - {*seconds} == {told_so for told_so in listed if not told_so.startswith("20 ")}
        assert len(own) == len(listed)
    assert re.search(r"\*\*: 20 (segundos|seconds) [^;]+\.$", options, re.MULTILINE)
