"""What can differ between houses of Truco: a value, so that a variant needs no code of its own."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

RaiseWindow = Literal["own_turn", "anytime"]
RaiseInElevenHand = Literal["opponents_once", "any_loses", "any_pays3"]
TripleTieRaised = Literal["none", "opponent", "opponent_unless_blind"]
TripleTieElevenHand = Literal["none", "opponents3"]
IronHand = Literal["blind", "open"]
Cover = Literal["not_leader", "off"]
ElevenDecision = Literal["look_and_answer", "none"]
TieLeader = Literal["same_leader", "first_tied", "last_tied"]
AnswerTimeout = Literal["run", "accept"]
Answer = Literal["first", "run_needs_both"]
Direction = Literal["ccw", "cw"]


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """The switches of Truco; the defaults are those of `truco-paulista`. See docs/rulings.md for each."""

    raise_window: RaiseWindow = "own_turn"
    """R-10: raises on one's own turn before the card, or by anyone of the entitled side while no call is pending."""
    raise_cap: bool = False
    """R-15: no raise above a value that already wins the match for one's side, unless the score is level."""
    raise_in_eleven_hand: RaiseInElevenHand = "opponents_once"
    """R-18: who may raise in a mão de onze, and what a forbidden call costs."""
    triple_tie_raised: TripleTieRaised = "none"
    """R-09: who scores 3 when all three tricks of a raised hand tie."""
    triple_tie_eleven_hand: TripleTieElevenHand = "none"
    """R-19: whether the other side scores 3 when all three tricks of a mão de onze tie."""
    iron_hand: IronHand = "blind"
    """R-20: whether a mão de ferro is played without seeing one's cards."""
    cover: Cover = "not_leader"
    """R-21: whether who follows may play a card face down."""
    eleven_decision: ElevenDecision = "look_and_answer"
    """R-17: whether the side at eleven looks at its cards and answers, or simply plays for 3."""
    tie_leader: TieLeader = "same_leader"
    """R-06: who leads after a tied trick."""
    answer_timeout: AnswerTimeout = "run"
    """R-14: what a side does that does not answer a raise in time."""
    answer: Answer = "first"
    """R-13: whether the first answer binds the side, or running needs every member."""
    signals: bool = True
    """R-23: whether partners may signal their manilhas."""
    direction: Direction = "ccw"
    """G-02: which way a client draws the order of the seats; no rule depends on it."""
    card_seconds: Annotated[int, msgspec.Meta(ge=5, le=600)] = 20
    """G-06: the time for a card and, apart, for an answer (G-10)."""
