"""What can differ between houses of Buraco, Tranca and Canastra: a value, so that a variant needs no code of its own."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

MatchFormat = Literal["single", "target"]
TieBreak = Literal["draw", "batida"]
Lixo = Literal["open", "closed"]
LixoStart = Literal["empty", "one_turned"]
NaturalTwo = Literal["slot", "between_ace_and_three", "never"]
Cleaning = Literal["recompute", "not_from_end", "never"]
Run500 = Literal["ace_low", "ace_high", "any13", "none"]
OneCardLixoMatch = Literal["physical", "face"]
GoOut = Literal["clean", "any"]
GoOutWithoutMorto = Literal["never", "both_became_stock", "if_none_left"]
StockEnd = Literal["immediate", "after_turn"]
MortoPenalty = Literal["always", "not_who_goes_out"]
CardValues = Literal["table", "all_ten"]
OnElimination = Literal["by_seats", "bot", "forfeit"]
Direction = Literal["cw", "ccw"]

Seconds = Annotated[int, msgspec.Meta(ge=5, le=600)]


class RuleSet(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The switches of the family; the defaults are those of `buraco-aberto`. Each names its ruling."""

    jokers: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    """B-01: how many jokers the pack has."""
    sets: bool = False
    """B-20: whether trincas are melds."""
    set_canastra: bool = True
    """B-23: whether a set of seven or more is a canastra."""
    wild_in_sets: bool = True
    """B-21: whether a set may hold a wild."""
    wild_melds: bool = False
    """B-22: whether 2s alone, or jokers alone, are a meld."""
    max_wilds_per_meld: Annotated[int, msgspec.Meta(ge=0, le=4)] = 1
    """B-07: how many cards of a meld may act as wilds."""
    natural_two: NaturalTwo = "slot"
    """B-09: where a 2 of the run's suit counts as itself."""
    natural_two_plus_wild: bool = True
    """B-08: whether a natural 2 and a wild may stand in one run."""
    cleaning: Cleaning = "recompute"
    """B-10: whether, and which, wild 2s may go home."""
    duplicate_melds: bool = True
    """B-24: whether a side may have two sets of a rank, two runs of a suit."""
    special_threes: bool = False
    """T-08: red and black threes, runs from the 4 to the ace, every 2 wild."""
    lixo: Lixo = "open"
    """B-27: whether everybody sees all of the lixo, or its top card only."""
    lixo_start: LixoStart = "empty"
    """B-03: whether the lixo starts with a turned card."""
    justify_top: bool = False
    """B-29: whether who takes the lixo must put its top card on the table."""
    justify_naturals_only: bool = False
    """B-30: whether the cards from the hand that justify may act as wilds (false: they may)."""
    wild_top_takeable: bool = True
    """B-31: whether a 2 or a joker on top may be justified."""
    one_card_lixo: bool = True
    """B-32: whether the only card of a lixo may not be discarded in the turn that takes it."""
    one_card_lixo_match: OneCardLixoMatch = "physical"
    """B-33: whether its twin is barred too."""
    go_out: GoOut = "clean"
    """B-37: which canastra a side needs to go out."""
    go_out_without_morto: GoOutWithoutMorto = "never"
    """B-38: when a side that took no morto may go out."""
    stock_end: StockEnd = "immediate"
    """B-43: whether the last card drawn ends the deal at once."""
    run500: Run500 = "ace_low"
    """B-15: which clean run of thirteen is worth 500."""
    run1000: bool = True
    """B-16: whether a clean run from ace to ace is worth 1000."""
    big_run_needs_clean: bool = True
    """B-17: whether a run with a wild is never worth 500 or 1000."""
    morto_penalty: MortoPenalty = "always"
    """B-46: who pays for a morto not taken."""
    unplayed_morto_pays: bool = False
    """B-48: whether a morto that was never played counts as not taken when the others go out."""
    card_values: CardValues = "table"
    """T-11: what cards are worth."""
    red_three_replace: bool = True
    """T-02: whether a laid red three is replaced from the stock."""
    four_red_threes: Annotated[int, msgspec.Meta(ge=400, le=800)] = 400
    """T-06: what all four on one side count, up or down."""
    black_three_in_hand: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    """T-10: what a black three left in a hand costs."""
    match_format: MatchFormat = "single"
    """G-04: one deal, or deals until a side has `target_points`."""
    target_points: Annotated[int, msgspec.Meta(ge=100, le=20000)] = 3000
    """G-04: where `match_format` is target."""
    tie_break: TieBreak = "draw"
    """G-05: whether the final batida wins a tie."""
    draw_seconds: Seconds = 30
    """G-06: the time to draw or take the lixo."""
    play_seconds: Seconds = 60
    """G-06: the time to meld and discard."""
    auto_play_limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 4
    """G-06: the automatic play that eliminates; counted by the table."""
    on_elimination: OnElimination = "by_seats"
    """G-09: a robot takes over, or the others win; by_seats: a robot with four seats, a walkover with two."""
    direction: Direction = "cw"
    """G-02: which way a client draws the order of the seats; no rule depends on it."""
