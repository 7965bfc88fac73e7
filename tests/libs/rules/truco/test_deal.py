"""The deal, and that a stranger can repeat it."""

import hashlib
import hmac
from collections import Counter

import msgspec
import pytest

from libs.rules.game import Seat
from libs.rules.shuffle import Draws
from libs.rules.truco.cards import PACK
from libs.rules.truco.events import HandDealt
from libs.rules.truco.game import TRUCO_PAULISTA as GAME
from tests.libs.rules.truco.tables import SECRET, ChanceMatch, Table, only

RULES = GAME.rule_set({})


def first_deal(match_id="m", entropy=()):
    return only(GAME.start(GAME.initial(RULES, 4), Draws(SECRET, match_id, entropy)), HandDealt)


def test_r01_r02_three_cards_a_seat_and_a_vira_out_of_play():
    deal = first_deal()
    cards = [card for hand in deal.cards for card in hand]
    assert [len(hand) for hand in deal.cards] == [3, 3, 3, 3]
    assert len({*cards, deal.vira}) == 13
    assert (deal.hand, deal.value, deal.may_raise_sides) == (1, 1, (0, 1))


def test_r04_who_sits_after_the_dealer_leads_and_the_dealer_plays_last():
    match = ChanceMatch("r04", {})
    deal = match.log[0]
    assert isinstance(deal, HandDealt)
    assert deal.leader == (deal.dealer + 1) % 4
    for step in range(4):
        assert match.state.to_play == (deal.leader + step) % 4
        seat = Seat((deal.leader + step) % 4)
        decision = GAME.decide(match.state, seat, GAME.automatic_move(match.state, seat), match.draws)
        assert isinstance(decision, tuple)
        match.apply(decision)


def test_g03_r04_the_deal_moves_one_seat_each_hand_tied_hands_included():
    dealers = []
    for number in range(20):
        match = ChanceMatch(f"g03-{number}", {})
        while GAME.awaited(match.state) is not None:
            match.step()
        dealers = [event.dealer for event in match.log if isinstance(event, HandDealt)]
        assert dealers == [(dealers[0] + hand) % 4 for hand in range(len(dealers))]


def test_g03_each_seat_may_deal_first():
    dealers = Counter(first_deal(f"m{number}").dealer for number in range(400))
    assert set(dealers) == {0, 1, 2, 3}
    assert min(dealers.values()) > 60


def test_g01_the_vira_is_turned_once_a_hand():
    match = ChanceMatch("g01", {})
    viras = {}
    while GAME.awaited(match.state) is not None:
        viras.setdefault(match.state.hand, set()).add(match.state.vira)
        match.step()
    assert len(viras) > 1
    assert all(len(turned) == 1 for turned in viras.values())


@pytest.mark.parametrize("seat", range(4))
def test_g02_r03_sides_alternate_round_the_table(seat):
    assert GAME.side_of(Seat(seat)) == seat % 2


def test_r03_truco_paulista_is_played_by_four():
    assert GAME.player_counts == (4,)
    for players in (2, 3, 5, 6):
        with pytest.raises(ValueError, match="not played by"):
            GAME.initial(RULES, players)


def test_the_deal_can_be_repeated_from_the_revealed_secret_with_the_documentation_alone():
    """Written from the docstrings of libs/rules/shuffle.py and libs/rules/truco/deal.py, with nothing of theirs."""
    entropy = [b"", b"one", b"x" * 32]
    deal = first_deal("match-7", entropy)
    listed = b"".join(bytes([len(item)]) + item for item in entropy)

    def words(label):
        for counter in range(100):
            message = (
                b"match-7\x00"
                + hashlib.sha256(listed).digest()
                + label.encode()
                + b"\x00"
                + counter.to_bytes(8, "big")
            )
            block = hmac.new(SECRET, message, hashlib.sha256).digest()
            yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))

    def below(stream, bound):
        return next(word for word in stream if word < 2**32 - 2**32 % bound) % bound

    assert deal.dealer == below(words("dealer"), 4)
    pack = [rank + suit for suit in "PCEO" for rank in "4567QJKA23"]
    stream = words("hand-1")
    for i in range(39, 0, -1):
        j = below(stream, i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    for order in range(4):
        assert list(deal.cards[(deal.dealer + 1 + order) % 4]) == pack[order * 3 : order * 3 + 3]
    assert deal.vira == pack[12]


def test_each_hand_is_dealt_anew():
    table = Table()
    table.call(0, 3)
    second = only(table.fold(1), HandDealt)
    assert second.hand == 2
    assert sorted(PACK) == sorted({*PACK})
    assert second.cards != table.log[0].cards


@pytest.mark.parametrize("direction", ["ccw", "cw"])
def test_g02_the_direction_is_for_clients_alone(direction):
    """A match goes the same way by either value: only the switch itself tells them apart."""
    table = Table(direction=direction)
    usual = Table()
    for played in (table, usual):
        played.play_trick(" ".join(f"{seat}:{played.state.hands[seat][0]}" for seat in range(4)))
    assert table.log == usual.log
    assert GAME.switches(table.state.rules)["direction"] == direction


@pytest.mark.parametrize(
    ("score", "switches", "sides"),
    [
        ((0, 0), {}, (0, 1)),
        ((11, 4), {}, ()),
        ((4, 11), {}, ()),
        ((11, 11), {}, ()),
        ((11, 4), {"eleven_decision": "none"}, (1,)),
        ((4, 11), {"eleven_decision": "none"}, (0,)),
        ((11, 4), {"eleven_decision": "none", "raise_in_eleven_hand": "any_loses"}, ()),
    ],
)
def test_r17_r18_r20_a_deal_says_who_may_raise(score, switches, sides):
    assert only(Table(score=score, **switches).log, HandDealt).may_raise_sides == sides


def test_a_deal_is_fair_if_it_is_what_the_draws_give_and_not_otherwise():
    match = ChanceMatch("fair", {})
    while GAME.awaited(match.state) is not None:
        match.step()
    before, deals = GAME.initial(match.state.rules, 4), 0
    for event in match.log:
        assert GAME.is_fair(event, before, match.draws)
        if isinstance(event, HandDealt):
            deals += 1
            other = next(card for card in PACK if card not in {event.vira, *sum(event.cards, ())})
            for unfair in (
                msgspec.structs.replace(event, vira=other),
                msgspec.structs.replace(event, cards=(*event.cards[1:], event.cards[0])),
                msgspec.structs.replace(event, dealer=(event.dealer + 1) % 4),
                msgspec.structs.replace(event, leader=(event.leader + 1) % 4),
                msgspec.structs.replace(event, hand=event.hand + 1),
                msgspec.structs.replace(event, value=event.value + 2),
            ):
                assert not GAME.is_fair(unfair, before, match.draws)
            assert not GAME.is_fair(event, before, Draws(SECRET, "another match"))
        before = GAME.evolve(before, event)
    assert deals > 1
