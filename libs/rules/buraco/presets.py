"""The rule sets that are played: the platform's five, and those of the houses [003] and [004] (docs/rulings/buraco.md)."""

from __future__ import annotations

from msgspec.structs import replace

from libs.rules.buraco.game import Buraco
from libs.rules.buraco.rule_set import RuleSet

_ABERTO = RuleSet()
_FECHADO = RuleSet(jokers=4, sets=True, lixo="closed", justify_top=True, one_card_lixo=False, go_out="any")
_STBL = replace(_FECHADO, sets=False, go_out="clean")
_CANASTRA = RuleSet(jokers=4, sets=True, go_out="any", run500="none", run1000=False)
_TRANCA = RuleSet(
    sets=True,
    natural_two="never",
    cleaning="never",
    special_threes=True,
    lixo="closed",
    justify_top=True,
    one_card_lixo=False,
    run500="none",
    run1000=False,
)


def _house_004(rules: RuleSet) -> RuleSet:
    """What house [004] plays otherwise than the platform, whichever of its three games."""
    return replace(
        rules,
        jokers=4,
        one_card_lixo=False,
        run500="ace_high",
        go_out_without_morto="both_became_stock",
        morto_penalty="not_who_goes_out",
        stock_end="after_turn",
    )


BURACO_ABERTO = Buraco("buraco-aberto", _ABERTO)
BURACO_FECHADO = Buraco("buraco-fechado", _FECHADO)
BURACO_FECHADO_STBL = Buraco("buraco-fechado-stbl", _STBL)
CANASTRA = Buraco("canastra", _CANASTRA)
TRANCA = Buraco("tranca", _TRANCA)
TRANCA_003 = Buraco(
    "tranca@003",
    replace(
        _TRANCA,
        black_three_in_hand=10,
        card_values="all_ten",
        unplayed_morto_pays=True,
        morto_penalty="not_who_goes_out",
        stock_end="after_turn",
    ),
)
BURACO_ABERTO_004 = Buraco("buraco-aberto@004", _house_004(_ABERTO))
BURACO_FECHADO_004 = Buraco("buraco-fechado@004", _house_004(_FECHADO))
BURACO_FECHADO_STBL_004 = Buraco("buraco-fechado-stbl@004", _house_004(_STBL))

BURACO_FAMILY: tuple[Buraco, ...] = (
    BURACO_ABERTO,
    BURACO_FECHADO,
    BURACO_FECHADO_STBL,
    CANASTRA,
    TRANCA,
    TRANCA_003,
    BURACO_ABERTO_004,
    BURACO_FECHADO_004,
    BURACO_FECHADO_STBL_004,
)
"""Every preset of the family."""
