"""Reachable situations of Truco for hypothesis, their hidden twins, and every move that anyone could think of."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from msgspec.structs import replace

from libs.rules.game import Seat
from libs.rules.truco.cards import PACK
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from libs.rules.truco.moves import (
    AcceptRaise,
    DeclineElevenHand,
    Fold,
    PlayCard,
    PlayElevenHand,
    Raise,
    Signal,
    TrucoMove,
)
from libs.rules.truco.signals import GESTURES
from libs.rules.truco.state import Play, State
from tests.libs.rules.truco.tables import OTHER_HOUSES, SWITCH_VALUES, ChanceMatch

SCORES = ((0, 0), (9, 2), (11, 4), (3, 11), (11, 11), (10, 10))


def rule_switches() -> st.SearchStrategy[dict[str, str]]:
    """Any rule set: the default, another house's, or any mixture of values."""
    mixtures = st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in SWITCH_VALUES.items()}
    )
    return st.one_of(st.just({}), st.sampled_from([dict(house) for house in OTHER_HOUSES.values()]), mixtures)


@st.composite
def running_matches(draw: st.DrawFn) -> ChanceMatch:
    """A match after some moves by chance that is not over."""
    seed = draw(st.integers(min_value=0, max_value=2**32))
    players = draw(st.sampled_from((4, 4, 6)))
    match = ChanceMatch(f"situation-{seed}", draw(rule_switches()), draw(st.sampled_from(SCORES)), players)
    for _ in range(draw(st.integers(min_value=0, max_value=30))):
        before, length = match.state, len(match.log)
        match.step()
        if match.state.winner is not None:
            match.state = before
            del match.log[length:]
            break
    return match


def hidden_cards(state: State, viewer: Seat | None) -> set[str]:
    """The cards whose place this viewer may not know, by the rulings and not by the view: all but the vira, open
    cards, one's own unless blind, and the partner's while the side at eleven decides.
    """
    known = {state.vira}
    for plays in (*(trick.plays for trick in state.tricks), state.plays):
        known.update(play.card for play in plays if not play.covered)
    if viewer is not None and not state.blind:
        known.update(state.hands[viewer])
        if state.awaits_eleven_answer and viewer % 2 == state.eleven_side:
            for partner in range(viewer % 2, state.players, 2):
                known.update(state.hands[partner])
    return set(PACK) - known


def hidden_twin(state: State, viewer: Seat | None, chance: random.Random) -> tuple[State, dict[str, str]]:
    """Another state that this viewer cannot tell from this one, and which card stands for which in it.

    What the signals of sides mean that are not the viewer's is hidden too.
    """
    hidden = sorted(hidden_cards(state, viewer))
    moved = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    card = {face: moved.get(face, face) for face in PACK}

    def plays(of: tuple[Play, ...]) -> tuple[Play, ...]:
        return tuple(replace(play, card=card[play.card]) for play in of)

    twin = replace(
        state,
        dealt=tuple(tuple(card[face] for face in hand) for hand in state.dealt),
        hands=tuple(tuple(card[face] for face in hand) for hand in state.hands),
        plays=plays(state.plays),
        tricks=tuple(replace(trick, plays=plays(trick.plays)) for trick in state.tricks),
        signal_tables=tuple(
            table if viewer is not None and side == viewer % 2 else "".join(chance.sample(table, len(table)))
            for side, table in enumerate(state.signal_tables)
        ),
    )
    return twin, card


def thinkable_moves(state: State) -> list[TrucoMove]:
    """Far more than is legal: every card and position, every value, the moments around this one, and nonsense."""
    hand, trick = state.hand, len(state.tricks) + 1
    faces = [*PACK, "", "9C", "JK", "3C3C", "\u0000"]
    moves: list[TrucoMove] = [
        PlayCard(hand, trick, card=face, covered=covered) for face in faces for covered in (False, True)
    ]
    moves += [
        PlayCard(hand, trick, position=position, covered=covered)
        for position in (-(2**31), -1, 0, 1, 2, 3, 99)
        for covered in (False, True)
    ]
    moves += [PlayCard(hand, trick), PlayCard(hand, trick, card="4P", position=0)]
    for played in (hand - 1, hand + 1, -1):
        moves += [
            PlayCard(played, trick, card="4P"),
            Raise(played, 3),
            AcceptRaise(played, 3),
            Fold(played, 3),
        ]
        moves += [PlayElevenHand(played), DeclineElevenHand(played), Signal(played, "piscar")]
    moves += [Signal(hand, gesture) for gesture in (*GESTURES, "espirro", "")]
    moves += [PlayCard(hand, other, card=face) for other in (trick - 1, trick + 1, -1, 4) for face in PACK]
    for value in (-1, 0, 1, 2, 3, 4, 6, 9, 12, 15, 2**31):
        moves += [Raise(hand, value), AcceptRaise(hand, value), Fold(hand, value)]
    return [*moves, PlayElevenHand(hand), DeclineElevenHand(hand)]


def viewers() -> st.SearchStrategy[Seat | None]:
    """A seat, of up to six, or a spectator."""
    return st.sampled_from([None, *map(Seat, range(6))])


def conserved(state: State) -> None:
    """Hands, table and the rest of the pack are the 40 cards, each once."""
    held = [card for hand in state.hands for card in hand]
    played = [play.card for trick in state.tricks for play in trick.plays] + [
        play.card for play in state.plays
    ]
    dealt = [card for hand in state.dealt for card in hand]
    rest = set(PACK) - set(dealt) - {state.vira}
    assert sorted(held + played) == sorted(dealt)
    assert len({*held, *played, state.vira} | rest) == len(held) + len(played) + 1 + len(rest) == 40


def listed(state: State, seat: Seat) -> list[TrucoMove]:
    """The listed moves of a seat, each once."""
    moves = [legal.move for legal in GAME.legal_moves(state, seat)]
    assert len(moves) == len(set(moves))
    return moves
