"""The rules of the Buraco family in English: the sections in which the sentences stand."""

from __future__ import annotations

from collections.abc import Iterator

from deploy.rule_pages.en.sentences import SENTENCES, facts
from deploy.rule_pages.names import NAMES_EN
from deploy.rule_pages.page import Say, Words, bullets, numbered, paragraph, table
from libs.rules.buraco.rule_set import RuleSet

_RUNS_500 = {
    "ace_low": "from ace to king",
    "ace_high": "from 2 to ace",
    "any13": "from ace to king or 2 to ace",
}


def sections(rules: RuleSet, say: Say) -> Iterator[str]:
    """The page, block by block."""
    yield from _beginning(rules, say)
    yield from _turn(rules, say)
    yield from _melds(rules, say)
    yield from _end(rules, say)
    yield from _time(say)


def _beginning(rules: RuleSet, say: Say) -> Iterator[str]:
    jokers = rules.jokers
    yield "## The object"
    yield paragraph(
        "Two players play, each for themselves, or two pairs, with partners opposite each other.",
        "Each side lays melds on the table, lets them grow into **canastras**, takes the **morto** and tries to go out.",
        say("match_format"),
        say("target_points"),
        say("tie_break"),
    )
    yield "## The cards"
    yield paragraph(
        say("jokers"),
        "Each player is dealt 11. Two piles of 11 lie face down beside them: the **mortos**. The rest is the **stock**:",
        f"{60 + jokers} cards with two players, {38 + jokers} with four.",
        say("lixo_start"),
    )
    yield paragraph("Who begins is drawn by lot.", say("direction"))
    wilds = "2s and jokers are the **wilds**" if jokers else "2s are the **wilds**"
    yield f"{wilds}: they stand for other cards in melds."
    yield say("card_values")
    if rules.card_values == "table":
        low = "4 to 7" if rules.special_threes else "3 to 7"
        joker = (("joker", "50"),) if jokers else ()
        values = (("ace", "15"), ("2", "10"), *joker, (low, "5"), ("8 to king", "10"))
        yield table(tuple(name for name, _ in values), tuple(value for _, value in values))


def _turn(rules: RuleSet, say: Say) -> Iterator[str]:
    yield "## The turn"
    yield numbered(
        "**Draw** a card from the stock, or take the whole lixo.",
        "**Lay** new melds and add cards to the melds of your side, as often as you like. Nothing is laid before the draw; a first meld needs no points.",
        "**Discard** a card onto the lixo. A wild may be discarded too.",
    )
    yield "A meld on the table does not come back to a hand, and a discard is final."
    yield "## The lixo"
    yield say("lixo")
    yield paragraph(say("justify_top"), say("justify_naturals_only"), say("wild_top_takeable"))
    yield paragraph(say("one_card_lixo"), say("one_card_lixo_match"))
    if not rules.justify_top:
        yield "After 40 turns running in which nobody drew from the stock or laid a card, the lixo may only be taken again once somebody has drawn from the stock."


def _melds(rules: RuleSet, say: Say) -> Iterator[str]:
    wilds_act = rules.max_wilds_per_meld > 0
    yield "## The melds"
    yield bullets(say("special_threes"), paragraph(say("sets"), say("wild_in_sets")))
    yield paragraph(
        say("max_wilds_per_meld"),
        say("wild_melds"),
        say("natural_two"),
        say("natural_two_plus_wild"),
    )
    yield paragraph(
        "A wild has no fixed place: when the card that it stood for comes, it stands for another one, if there is room. It never goes back to a hand."
        if wilds_act
        else "",
        say("duplicate_melds"),
        "Melds do not merge, do not split and lend no cards.",
    )
    yield "## The canastras"
    yield paragraph("A meld of 7 cards or more is a **canastra**.", say("set_canastra"))
    pays_500 = rules.run500 != "none" and not rules.special_threes
    pays_1000 = rules.run1000 and not rules.special_threes
    yield table(
        ("canastra", "what it is", "prize"),
        ("dirty (suja)", "with a wild", "100") if wilds_act or rules.wild_melds else (),
        ("clean (limpa)", "natural cards alone", "200"),
        ("de 500", _RUNS_500.get(rules.run500, ""), "500") if pays_500 else (),
        ("de 1000", "from ace to ace", "1000") if pays_1000 else (),
    )
    if rules.special_threes:
        yield "However long it is, a canastra is worth no more than that: there are no prizes of 500 and 1000. A dirty one never turns clean."
    yield paragraph(say("run500"), say("run1000"), say("big_run_needs_clean"))
    yield paragraph(
        "Those of 500 and 1000 are clean ones too for going out." if pays_500 or pays_1000 else "",
        "Each meld earns one prize only.",
        say("cleaning"),
        "A wild that is added to a clean canastra makes it dirty." if wilds_act else "",
    )
    if rules.special_threes:
        yield "## The threes"
        yield bullets(
            paragraph(
                "A **red 3** goes to the table alone, the moment it comes to a hand.",
                say("red_three_replace"),
                "It is worth **100** to a side that made a canastra, and minus 100 to one that made none.",
                say("four_red_threes"),
            ),
            paragraph(
                "A **black 3** is in no meld. Discarded, it **locks** the lixo: the next player draws from the stock. With another card on top the lixo is free again, and who takes it takes the black 3 too.",
                say("black_three_in_hand"),
            ),
        )


def _end(rules: RuleSet, say: Say) -> Iterator[str]:
    deal = facts(rules)["deal"]
    yield "## The morto"
    yield "Who has no cards left takes a morto, if the side has taken none yet; no canastra is needed for that."
    yield bullets(
        "**Directly** (batida direta), by laying the last card: one plays on in the same turn, without a draw.",
        "**Indirectly** (batida indireta), by discarding the last card: the morto is used in the next turn.",
    )
    yield "Each side takes one morto at most, whether it is one player or two."
    yield "## Going out"
    yield paragraph(
        f"Who has no cards left after the side took its morto goes out (**batida final**): that earns **100** and ends the {deal}. One goes out by laying the last card or by discarding it.",
        say("go_out"),
        "One that is completed by that same play counts.",
        say("go_out_without_morto"),
    )
    yield "Who can neither take a morto nor go out keeps cards: the table refuses what would leave the hand empty, and also laying cards or taking the lixo with a single card left."
    yield "## The end of the stock"
    yield paragraph(
        "If the stock is empty when a turn ends, a morto that is still on the table becomes the stock.",
        say("stock_end"),
        f"The lixo does not save the {deal}.",
        f"If the last morto is taken in the turn that emptied the stock, that turn is played to its end, and the {deal} ends with it.",
        "If no card came for a red 3 and who laid it cannot discard, the turn ends without a discard."
        if rules.special_threes
        else "",
    )
    yield "## The points"
    yield bullets(
        "Plus the cards on the table and the prizes of the canastras.",
        "Plus **100** for going out.",
        "Plus or minus the red 3s." if rules.special_threes else "",
        "Minus the cards left in each partner's hand.",
        say("morto_penalty"),
    )
    yield paragraph(
        say("unplayed_morto_pays"),
        "The cards of a morto that nobody took do not count.",
        "A total may be negative.",
    )


def _time(say: Say) -> Iterator[str]:
    yield "## Time"
    yield paragraph(say("draw_seconds"), say("play_seconds"), "Taking a morto does not start the clock anew.")
    yield paragraph(
        "When the time to draw is up, the table draws from the stock. When the time to play is up, it discards the last card that came to the hand and may be discarded; what was laid stays.",
        "Each of these is an **automatic play**: a whole turn that was let pass is two.",
        say("auto_play_limit"),
    )
    yield "## Absence"
    yield paragraph(
        "Who loses the connection may come back at any time until eliminated. Who leaves the match on purpose is eliminated at that moment, and who is eliminated does not return.",
        say("on_elimination"),
    )
    yield "If all the people of a table are eliminated, the match ends without a winner."


EN = Words(
    "en",
    "en",
    "English",
    "At this table",
    "On this page",
    NAMES_EN,
    ", rules of house {house}",
    SENTENCES,
    facts,
    sections,
)
