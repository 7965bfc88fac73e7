"""What each viewer may know (G-11): a twin with other hidden cards looks the same, and no hidden card is in any view."""

import random

import msgspec
import pytest

from libs.rules.cacheta.events import CardDrawn, RoundDealt, StockReshuffled
from libs.rules.cacheta.game import CACHETA as GAME
from libs.rules.cacheta.moves import Discard, GoOut
from libs.rules.game import Rejection
from tests.libs.rules.cacheta.tables import NA_BOA, SEATS, RobotsMatch, Table, cards, robots_match

VIEWERS = (*SEATS, None)


def states(seed, count=40):
    """Some states of a running match."""
    match = RobotsMatch(seed, points=(3, 3, 3, 3))
    chance = random.Random(seed)
    found = []
    while len(found) < count and not match.is_over:
        match.step()
        if chance.random() < 0.2 and not match.is_over:
            found.append((match.state, match.draws))
    return found


def hidden(state, viewer):
    """The cards that this viewer must not know."""
    others = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand]
    return [*state.stock, *others, *state.discards[:-1]]


def twin(state, viewer, chance):
    """The same table with the hidden cards dealt otherwise."""
    found = hidden(state, viewer)
    chance.shuffle(found)
    spare = iter(found)
    stock = tuple(next(spare) for _ in state.stock)
    hands = tuple(
        hand if seat == viewer else tuple(next(spare) for _ in hand) for seat, hand in enumerate(state.hands)
    )
    under = tuple(next(spare) for _ in state.discards[:-1])
    return msgspec.structs.replace(state, stock=stock, hands=hands, discards=(*under, *state.discards[-1:]))


@pytest.mark.parametrize("seed", ["a", "b"])
def test_g11_a_twin_with_other_hidden_cards_looks_the_same(seed):
    chance = random.Random(f"twin {seed}")
    for state, draws in states(seed):
        for viewer in VIEWERS:
            other = twin(state, viewer, chance)
            assert msgspec.json.encode(GAME.view(other, viewer)) == msgspec.json.encode(
                GAME.view(state, viewer)
            )
            if viewer is None:
                continue
            number, turn = state.round, state.turn
            for move in (
                *(Discard(number, turn, card) for card in cards("7C KO")),
                *(GoOut(number, turn, card) for card in (None, *state.hands[viewer][:2])),
            ):
                here = GAME.decide(state, viewer, move, draws)
                there = GAME.decide(other, viewer, move, draws)
                assert isinstance(here, Rejection) == isinstance(there, Rejection)
                if isinstance(here, Rejection):
                    assert here == there


def test_g11_no_view_and_no_event_of_a_running_match_names_a_hidden_card():
    match = RobotsMatch("hidden", points=(3, 3, 3, 3))
    state = match.initial
    for _ in range(150):
        match.step()
    for event in match.log:
        before, state = state, GAME.evolve(state, event)
        if state.is_over:
            break
        for viewer in VIEWERS:
            shown = msgspec.json.encode(GAME.view(state, viewer)).decode()
            told = msgspec.json.encode(GAME.observe(event, before, state, viewer)).decode()
            for card in hidden(state, viewer):
                assert f'"{card}"' not in shown, (viewer, card)
                # A discard that is taken was seen by all before.
                assert f'"{card}"' not in told or card in before.discards[-1:], (viewer, card)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_g11_a_drawn_card_is_told_to_its_seat_alone(viewer):
    state = Table().state
    seen = GAME.observe(CardDrawn(1, 1, 2, "7Ca"), state, state, viewer)
    assert seen.card == ("7Ca" if viewer == 2 else None)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_g11_a_deal_and_a_new_stock_are_told_without_their_cards(viewer):
    table = Table()
    dealt = table.log[0]
    assert isinstance(dealt, RoundDealt)
    seen = GAME.observe(dealt, table.state, table.state, viewer)
    assert msgspec.to_builtins(seen) == {"round": 1, "starter": 0, "vira": "TEa"}
    seen = GAME.observe(StockReshuffled(1, ("7Ca", "8Ca")), table.state, table.state, viewer)
    assert msgspec.to_builtins(seen) == {"round": 1, "stock_count": 2}


def test_g11_only_the_top_of_the_discard_pile_is_shown():
    table = Table(stock="9O 4E")
    table.turn(0)
    table.turn(1)
    view = GAME.view(table.state, None)
    assert (view.discard_top, view.discard_count) == ("4Ea", 2)


def test_g11_when_the_match_is_over_every_hand_is_public():
    match = robots_match("over", points=(1, 1, 1, 1))
    for viewer in VIEWERS:
        view = GAME.view(match.state, viewer)
        assert tuple(hand.cards for hand in view.hands) == match.state.hands
        assert view.laid == match.state.laid
        assert view.laid
        assert view.legal_moves == ()


def test_c09_the_window_and_its_answers_are_public():
    table = Table({3: NA_BOA}, stock="KO")
    table.announce(2, 3)
    table.turn(0)
    table.pass_jump(2)
    for viewer in VIEWERS:
        view = GAME.view(table.state, viewer)
        assert view.phase == "window"
        assert (view.window.discarder, view.window.may_claim) == (0, (1, 2, 3))
        assert (view.window.claimed, view.window.passed) == ((), (2,))


@pytest.mark.parametrize(
    ("cacheta_max_wilds", "four_suit_set", "told"),
    [("none", "false", (None, False)), ("1", "true", (1, True)), ("2", "false", (2, False))],
)
def test_a_view_tells_what_melds_are_judged_by(cacheta_max_wilds, four_suit_set, told):
    state = Table(cacheta_max_wilds=cacheta_max_wilds, four_suit_set=four_suit_set).state
    view = GAME.view(state, 0)
    assert (view.max_wilds, view.four_suit_set) == told


def test_there_is_nothing_to_see_before_the_first_deal():
    with pytest.raises(ValueError, match="before the first deal"):
        GAME.view(GAME.initial(GAME.rule_set({}), 4), None)
