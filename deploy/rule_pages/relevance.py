"""Which switches say something at a table: a page tells no option of what its table does not play."""

from __future__ import annotations

import msgspec

from libs.rules.buraco.rule_set import RuleSet


def told(rules: RuleSet) -> frozenset[str]:
    """The switches whose other values would make another game of this one; a page tells exactly these."""
    wilds_act = rules.max_wilds_per_meld > 0
    twos_go_home = rules.natural_two != "never" and not rules.special_threes
    pays_for_length = not rules.special_threes and (rules.run500 != "none" or rules.run1000)
    only_if = {
        "set_canastra": rules.sets,
        "wild_in_sets": rules.sets and wilds_act,
        "natural_two": not rules.special_threes,
        "natural_two_plus_wild": twos_go_home and wilds_act,
        "cleaning": twos_go_home and wilds_act,
        "justify_naturals_only": rules.justify_top and wilds_act,
        "wild_top_takeable": rules.justify_top,
        "one_card_lixo": not rules.justify_top,
        "one_card_lixo_match": rules.one_card_lixo and not rules.justify_top,
        "run500": not rules.special_threes,
        "run1000": not rules.special_threes,
        "big_run_needs_clean": pays_for_length and wilds_act,
        "red_three_replace": rules.special_threes,
        "four_red_threes": rules.special_threes,
        "black_three_in_hand": rules.special_threes,
        "target_points": rules.match_format == "target",
    }
    every = msgspec.structs.asdict(rules)
    return frozenset(switch for switch in every if only_if.get(switch, True))
