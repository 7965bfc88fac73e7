"""Reachable situations of Mau Mau for hypothesis, their hidden twins, and every move that anyone could think of."""

from __future__ import annotations

import random

from hypothesis import strategies as st
from msgspec.structs import replace

from libs.rules.game import Seat
from libs.rules.mau_mau.cards import FACES, SUITS
from libs.rules.mau_mau.game import MAU_MAU as GAME
from libs.rules.mau_mau.moves import Accuse, DrawAndGo, DrawCard, MauMauMove, Pass, PlayCard, TakePenalty
from libs.rules.mau_mau.state import State
from tests.libs.rules.mau_mau.tables import PLAYERS, SWITCH_VALUES
from tests.libs.rules.proof.matches import ChanceMatch

MOST_MOVES = 200


def rule_switches() -> st.SearchStrategy[dict[str, str]]:
    """Any rule set."""
    mixtures = {name: st.sampled_from(values) for name, values in SWITCH_VALUES.items()}
    return st.one_of(st.just({}), st.fixed_dictionaries(mixtures))


@st.composite
def running_matches(draw: st.DrawFn) -> ChanceMatch:
    """A match after some moves by chance that is not over."""
    seed = f"situation {draw(st.integers(0, 2**32))}"
    match = ChanceMatch(GAME, draw(st.sampled_from(PLAYERS)), seed, draw(rule_switches()))
    for _ in range(draw(st.integers(0, MOST_MOVES))):
        before = (match.state, len(match.log), len(match.moves))
        match.step()
        if match.is_over:
            match.state = before[0]
            del match.log[before[1] :], match.moves[before[2] :]
            break
    return match


def seats(match: ChanceMatch) -> tuple[Seat, ...]:
    """All seats of a match."""
    return tuple(map(Seat, range(match.players)))


def hidden_twin(state: State, viewer: Seat | None, chance: random.Random) -> State:
    """Another state that this viewer cannot tell from this one, by the rulings and not by the view: all cards but one's own
    and the one on top are somewhere else (G-11)."""
    others = [seat for seat in range(state.players) if seat != viewer]
    hidden = [*state.stock, *state.pile[:-1], *(card for seat in others for card in state.hands[seat])]
    chance.shuffle(hidden)
    cards = iter(hidden)

    def taken(count: int) -> tuple[str, ...]:
        return tuple(next(cards) for _ in range(count))

    return replace(
        state,
        stock=taken(len(state.stock)),
        pile=(*taken(len(state.pile) - 1), state.pile[-1]),
        hands=tuple(hand if seat == viewer else taken(len(hand)) for seat, hand in enumerate(state.hands)),
    )


def thinkable_moves(state: State) -> list[MauMauMove]:
    """Far more than is legal: every card with every suit, the turns around this one, and nonsense."""
    turn = state.turn
    moves: list[MauMauMove] = [
        PlayCard(turn, card, suit, call)
        for card in (*FACES, "", "1P", "JJ", "7", "\u0000")
        for suit in (None, *SUITS)
        for call in (False, True)
    ]
    for named in (turn - 1, turn, turn + 1, 0, -1, 2**31):
        moves += [DrawCard(named), DrawAndGo(named), TakePenalty(named), Pass(named), PlayCard(named, "JP")]
        moves += [Accuse(named, seat) for seat in (-1, *range(state.players + 1))]
    return list(dict.fromkeys(moves))
