"""What each value of each switch is in English; the words of the game stay Portuguese, as players say them."""

from __future__ import annotations

from collections.abc import Mapping

from deploy.rule_pages.page import NUMBER, Sentences
from libs.rules.buraco.rule_set import RuleSet

SENTENCES: Sentences = {
    "direction": {
        "cw": "The turn passes to the left, clockwise.",
        "ccw": "The turn passes to the right, anticlockwise.",
    },
    "match_format": {
        "single": "The cards are dealt once: the side with more points wins the match.",
        "target": "The cards are dealt several times, and each time the next player begins. When a deal ends with a side at the target or above, whoever has more wins; with equal totals another one is played, and the match ends with the 25th at the latest.",
    },
    "target_points": {NUMBER: "The target is {value} points."},
    "tie_break": {
        "draw": "If the match ends with equal totals it is a draw, even if somebody went out.",
        "batida": "If the match ends with equal totals, the side that went out wins; if nobody did, it is a draw.",
    },
    "jokers": {NUMBER: "The game is played with two packs of 52 cards, {with_jokers}: {cards} cards in all."},
    "lixo_start": {
        "empty": "The **lixo** (discard pile) begins empty: an empty lixo cannot be taken, so the first turn draws from the stock.",
        "one_turned": "A card of the stock is turned to begin the **lixo** (discard pile){turned_red_three}.",
    },
    "card_values": {
        "table": "What each card is worth, on the table or in a hand{threes_apart}:",
        "all_ten": "Every card is worth **10** points, on the table or in a hand{threes_apart}.",
    },
    "lixo": {
        "open": "The lixo lies **open**: everybody sees all of its cards.",
        "closed": "The lixo lies **closed**: only its top card is seen, and how many cards there are.",
    },
    "justify_top": {
        False: "Who takes the lixo takes all of its cards into the hand, and need not lay any.",
        True: "To take the lixo one must **justify** its top card: it goes straight to the table, in a new meld with at least two cards of the hand, or onto a meld of one's own side. Only then the other cards come to the hand, all of them.",
    },
    "justify_naturals_only": {
        False: "One of the cards of the hand that justify it may be a wild.",
        True: "The cards of the hand that justify it may not act as wilds.",
    },
    "wild_top_takeable": {
        True: "{a_wild} on top of the lixo is justified like any other card.",
        False: "{a_wild} on top of the lixo cannot be justified: one has to draw from the stock.",
    },
    "one_card_lixo": {
        True: "When the lixo is a single card, who takes it may lay it or keep it, but not discard it in the same turn; nor may it be all that is left in the hand after laying.",
        False: "When the lixo is a single card, who takes it may even discard it again in the same turn.",
    },
    "one_card_lixo_match": {
        "physical": "The equal card of the other pack may be discarded.",
        "face": "The equal card of the other pack may not be discarded either; who holds nothing else ends the turn without a discard.",
    },
    "special_threes": {
        False: "**Run**: 3 to 14 cards in sequence of one suit, in the order A 2 3 … Q K A. The ace stands before the 2 or after the king, and may stand at both ends; K A 2 is no run.",
        True: "**Run**: 3 to 11 cards in sequence of one suit, from the 4 to the ace: 4 5 6 … Q K A. A 3 is in no meld, a 2 only as a wild, and no wild stands for a 2 or a 3.",
    },
    "sets": {
        False: "Only runs are melds: sets are none.",
        True: "**Set** (trinca): 3 to {longest_set} cards of one rank, of any suits, which may repeat.",
    },
    "wild_in_sets": {
        True: "A set may hold wilds too.",
        False: "A set holds no wilds.",
    },
    "max_wilds_per_meld": {NUMBER: "{wilds_per_meld}"},
    "wild_melds": {
        False: "Every meld has at least two natural cards: wilds alone make none.",
        True: "Three or more equal wilds are a meld too, which is always dirty; every other meld has at least two natural cards.",
    },
    "natural_two": {
        "slot": "A 2 of the run's own suit, in its own place, is a natural card, also at the end: there is no wild in 2 3 4 of hearts.",
        "between_ace_and_three": "A 2 of the run's own suit is natural only between the ace and the 3: there is no wild in A 2 3 of hearts, and in 2 3 4 the 2 is one.",
        "never": "A 2 is always wild, in its own suit too.",
    },
    "natural_two_plus_wild": {
        True: "A meld with a natural 2 may still hold a wild.",
        False: "A meld with a natural 2 takes no wild.",
    },
    "duplicate_melds": {
        True: "A side may have more than one run of a suit{and_sets_too}.",
        False: "A side has at most one run of each suit{nor_sets_too}.",
    },
    "set_canastra": {
        True: "A set of 7 cards or more is a canastra too.",
        False: "A set is never a canastra, however many cards it has.",
    },
    "cleaning": {
        "recompute": "A dirty canastra with a 2 of its own suit turns clean as soon as the 2 fits its own place, before the 3, and no other card is missing.",
        "not_from_end": "A dirty canastra with a 2 of its own suit turns clean when the 2 fits its own place; but one that stood at an end as a wild never goes there.",
        "never": "A 2 that came as a wild stays one: a dirty canastra is never cleaned.",
    },
    "run500": {
        "ace_low": "The clean one from ace to king (A 2 3 … Q K) is the **canastra de 500**; but an ace that lay on the table after the king stays there, and the run is an ordinary clean one.",
        "ace_high": "The clean one from 2 to ace (2 3 4 … K A) is the **canastra de 500**; but an ace that lay on the table before the 2 stays there, and the run is an ordinary clean one.",
        "any13": "Any clean one of 13 cards, from ace to king or from 2 to ace, is a **canastra de 500**.",
        "none": "There is no canastra de 500.",
    },
    "run1000": {
        True: "The clean one from ace to ace, of 14 cards, is the **canastra de 1000**.",
        False: "There is no canastra de 1000.",
    },
    "big_run_needs_clean": {
        True: "With a wild, however long it is, a run is a dirty canastra.",
        False: "These prizes are paid for a run with a wild too.",
    },
    "red_three_replace": {
        True: "Another card of the stock comes in the place of each, while there is a stock.",
        False: "No card comes in its place.",
    },
    "four_red_threes": {NUMBER: "All four on one side are worth {value}, for or against it."},
    "black_three_in_hand": {NUMBER: "Left in a hand at the end it {black_three}."},
    "go_out": {
        "clean": "To go out, the side needs a **clean** canastra on the table.",
        "any": "To go out, any canastra of the side will do, clean or **dirty**.",
    },
    "go_out_without_morto": {
        "never": "A side that took no morto does not go out.",
        "both_became_stock": "A side that took no morto goes out only if both mortos have become stock.",
        "if_none_left": "A side that took no morto goes out only if none is left on the table.",
    },
    "stock_end": {
        "immediate": "With no morto on the table, the {deal} ends the moment the last card of the stock is gone, and nobody earns the 100 for going out.",
        "after_turn": "With no morto on the table, who draws the last card of the stock finishes the turn, and may even go out; after it the {deal} ends.",
    },
    "morto_penalty": {
        "always": "Minus **100** for each side that took no morto, even if it became stock.",
        "not_who_goes_out": "Minus **100** for each side that took no morto, even if it became stock; the side that went out never pays.",
    },
    "unplayed_morto_pays": {
        False: "A morto taken by going out indirectly counts as taken, even if the others go out before it is played: its cards are taken off like the others of the hand.",
        True: "If the others go out before the next turn of who took a morto by going out indirectly, it counts as not taken: the side loses the 100, and the cards of that morto count for nobody{unplayed_red_threes}.",
    },
    "draw_seconds": {NUMBER: "There are **{value} seconds** to draw{with_justifying}."},
    "play_seconds": {NUMBER: "There are **{value} seconds** more to lay and discard."},
    "auto_play_limit": {NUMBER: "Automatic play number **{value}** of one match eliminates the player."},
    "on_elimination": {
        "by_seats": "With four players a robot plays on for who is eliminated, and the partner gets the result as it ends; with two, the other wins at once.",
        "bot": "A robot plays on for who is eliminated.",
        "forfeit": "The other side wins at once.",
    },
}


def facts(rules: RuleSet) -> Mapping[str, str]:
    """Words that depend on more than one switch, or on a number."""
    jokers, wilds, black = rules.jokers, rules.max_wilds_per_meld, rules.black_three_in_hand
    threes = rules.special_threes
    return {
        "with_jokers": f"with {_COUNTS[jokers]} {'joker' if jokers == 1 else 'jokers'}"
        if jokers
        else "without jokers",
        "cards": str(104 + jokers),
        "threes_apart": "; the 3s are counted apart" if threes else "",
        "a_wild": "A 2 or a joker" if jokers else "A 2",
        "longest_set": str(8 + (wilds if rules.wild_in_sets else 0)),
        "wilds_per_meld": _WILDS[wilds],
        "turned_red_three": "; a red 3 goes under the stock, and another one is turned" if threes else "",
        "and_sets_too": ", and more than one set of a rank" if rules.sets else "",
        "nor_sets_too": ", and one set of each rank" if rules.sets else "",
        "black_three": f"costs {black} points" if black else "costs nothing",
        "unplayed_red_threes": ", nor do the red 3s that came with it" if threes else "",
        "deal": "deal" if rules.match_format == "target" else "match",
        "with_justifying": ", justifying the lixo included" if rules.justify_top else "",
    }


_COUNTS = ("no", "one", "two", "three", "four")
_WILDS = (
    "No meld takes a wild.",
    "Each meld takes **one wild** only.",
    "Each meld takes up to **two wilds**.",
    "Each meld takes up to **three wilds**.",
    "Each meld takes up to **four wilds**.",
)
