"""A view tells what its viewer may know, and nothing that depends on anything else (G-11, B-27)."""

from __future__ import annotations

import random

import msgspec
import pytest

from libs.rules.buraco.events import CardDiscarded, LixoTaken
from libs.rules.buraco.state import State
from libs.rules.game import Rejection, Seat
from tests.libs.rules.buraco.tables import VARIANTS, ChanceMatch, Table


def twin(state: State, seat: int | None, chance: random.Random) -> State:
    """Another state that looks the same to this viewer: the cards that it cannot see are dealt anew among their places."""
    shown_lixo = 0 if state.rules.lixo == "open" else max(0, len(state.lixo) - 1)
    places = [list(state.stock), *map(list, state.mortos), list(state.lixo[:shown_lixo])]
    places += [list(hand) for owner, hand in enumerate(state.hands) if owner != seat]
    pool = [card for place in places for card in place]
    chance.shuffle(pool)
    dealt = [tuple(pool.pop() for _ in place) for place in places]
    hands = iter(dealt[2 + len(state.mortos) :])
    return msgspec.structs.replace(
        state,
        stock=dealt[0],
        mortos=tuple(dealt[1 : 1 + len(state.mortos)]),
        lixo=(*dealt[1 + len(state.mortos)], *state.lixo[shown_lixo:]),
        hands=tuple(hand if owner == seat else next(hands) for owner, hand in enumerate(state.hands)),
    )


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_g11_states_that_differ_in_hidden_cards_look_the_same(preset: str, players: int) -> None:
    match = ChanceMatch(preset, players, "twins")
    chance = random.Random(preset)
    for number in range(120):
        if match.is_over:
            break
        if number % 6 == 0:
            for viewer in (*map(Seat, range(players)), None):
                other = twin(match.state, viewer, chance)
                seen = msgspec.json.encode(match.game.view(match.state, viewer))
                assert msgspec.json.encode(match.game.view(other, viewer)) == seen
        match.step()


def test_g11_a_refusal_does_not_depend_on_hidden_cards() -> None:
    match = ChanceMatch("buraco-fechado", 4, "refusals")
    chance = random.Random(5)
    for _ in range(100):
        if match.is_over:
            break
        seat = Seat(match.state.to_play)
        other = twin(match.state, seat, chance)
        for move in [listed.move for listed in match.game.legal_moves(match.state, seat)]:
            decision = match.game.decide(other, seat, move, match.draws)
            assert not isinstance(decision, Rejection), "what is described is accepted whatever is hidden"
        match.step()


@pytest.mark.parametrize(("preset", "players"), VARIANTS)
def test_g11_b27_no_update_and_no_view_holds_a_card_that_its_viewer_may_not_know(
    preset: str, players: int
) -> None:
    match = ChanceMatch(preset, players, "leaks")
    state, known = match.initial, [set[str]() for _ in range(players + 1)]
    viewers = (*map(Seat, range(players)), None)
    match.play(130)
    for number, event in enumerate(match.events):
        after = match.game.evolve(state, event)
        for viewer, knows in zip(viewers, known, strict=True):
            public = {*after.lixo[-1:], *(after.lixo if after.rules.lixo == "open" else ())}
            public |= {card for meld in after.melds for card in meld.shape.cards}
            public |= {card for side in after.red_threes for card in side} | set(after.barred)
            own = set() if viewer is None else set(after.hands[viewer])
            if isinstance(event, CardDiscarded):
                public.add(event.card)
            if isinstance(event, LixoTaken):
                public |= {event.cards[-1], *(event.cards if after.rules.lixo == "open" else ())}
            told = msgspec.json.encode(match.game.observe(event, state, after, viewer)).decode()
            for card in _faces(told):
                assert card in public | own | knows, (event, viewer)
            if number % 3 == 0 and after.phase != "over":
                shown = msgspec.json.encode(match.game.view(after, viewer)).decode()
                for card in _faces(shown):
                    assert card in public | own, (event, viewer)
            knows.update(public, own)
        state = after


def _faces(text: str) -> list[str]:
    """The cards that stand in a JSON text."""
    return [
        word
        for word in text.split('"')
        if len(word) == 3 and word[2] in "abcd" and word[0] in "A23456789TJQK"
    ]


def test_when_the_match_is_over_everything_is_shown() -> None:
    table = Table("buraco-fechado", stock="4C", mortos=0, lixo="9O 8P", phase="draw")
    table.draw(0)
    view = table.game.view(table.state, None)
    assert [hand.cards for hand in view.hands] == list(table.state.hands)
    assert view.lixo == table.state.lixo
    assert view.scored is not None
    assert view.to_play is None


def test_a_view_says_what_is_on_the_table() -> None:
    table = Table(
        "canastra",
        {0: "JC KE 9O"},
        melds=[(0, "4C 5C 6C 7C 8C 9C TC"), (1, "4P 2O 6P")],
        lixo="4P 7E",
        takers=(2, None),
        mortos=1,
    )
    view = table.game.view(table.state, Seat(0))
    assert [(meld.side, meld.is_clean, meld.is_canastra, meld.points) for meld in view.melds] == [
        (0, True, True, 200),
        (1, False, False, 0),
    ]
    assert [(side.card_points, side.canastra_points, side.morto_taker) for side in view.sides] == [
        (50, 200, 2),
        (20, 0, None),
    ]
    assert (view.stock_count, view.mortos_left, view.lixo_count) == (6, 1, 2)
    assert [hand.count for hand in view.hands] == [3, 3, 3, 3]
    assert view.legal is not None
    others = table.game.view(table.state, Seat(1))
    assert others.legal is None
    assert others.legal_moves == ()


def test_there_is_nothing_to_see_before_the_first_deal() -> None:
    match = ChanceMatch("tranca", 2, "early")
    with pytest.raises(ValueError, match="before the first deal"):
        match.game.view(match.initial, None)
