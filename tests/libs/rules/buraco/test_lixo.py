"""Taking the lixo: when, with what justification, what of it is seen, and what it bars (B-03, B-27 to B-34, T-07, T-13)."""

from __future__ import annotations

import pytest

from libs.rules.buraco.cards import pack
from libs.rules.buraco.events import DealStarted, LixoTaken, MeldExtended, MeldLaid
from libs.rules.buraco.moves import TakeLixo
from libs.rules.buraco.view import LixoTakenSeen
from libs.rules.game import Seat
from tests.libs.rules.buraco.tables import ChanceMatch, Table, has, only

OPEN = ("buraco-aberto", "canastra", "buraco-aberto@004")
CLOSED = (
    "buraco-fechado",
    "buraco-fechado-stbl",
    "tranca",
    "tranca@003",
    "buraco-fechado@004",
    "buraco-fechado-stbl@004",
)


# B-03 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [*OPEN, *CLOSED])
def test_b03_the_lixo_starts_empty_and_an_empty_lixo_is_not_taken(preset: str) -> None:
    match = ChanceMatch(preset, 4, "start")
    assert match.state.lixo == ()
    table = Table(preset, phase="draw")
    assert table.code(0, table.taking()) == "LIXO_EMPTY"


def test_b03_by_switch_a_card_is_turned_and_may_be_taken() -> None:
    """B-03: `lixo_start` = one_turned; a red three goes under the stock."""
    switches, put_under = {"lixo_start": "one_turned"}, 0
    for number in (*range(20), 78, 128, 142, 143):
        match = ChanceMatch("tranca", 4, f"turned {number}", switches)
        (top,) = match.state.lixo
        assert top[:2] not in {"3C", "3O"}
        dealt = match.events[0]
        assert isinstance(dealt, DealStarted)
        whole = match.draws.shuffled("deal-1", pack(0))[66:]
        turned = whole.index(top)
        assert dealt.stock == (*whole[turned + 1 :], *whole[:turned])
        put_under += turned
    assert put_under >= 4, "in some of these deals a red three would be turned"
    table = Table("buraco-aberto", {0: "4C 5C 9O"}, lixo="7E", phase="draw", lixo_start="one_turned")
    table.take()
    assert table.hand(0) == "4C 5C 9O 7E"


# B-27 -----------------------------------------------------------------------------------------------------------------


def seen(table: Table, seat: int | None) -> str:
    view = table.game.view(table.state, None if seat is None else Seat(seat))
    assert view.lixo_count == len(table.state.lixo)
    return " ".join(card[:2] for card in view.lixo)


@pytest.mark.parametrize("preset", OPEN)
def test_b27_an_open_lixo_is_seen_whole(preset: str) -> None:
    table = Table(preset, lixo="4P 7E 9O")
    assert {seen(table, viewer) for viewer in (0, 1, 2, 3, None)} == {"4P 7E 9O"}


@pytest.mark.parametrize("preset", CLOSED)
def test_b27_of_a_closed_lixo_the_top_card_is_seen(preset: str) -> None:
    table = Table(preset, lixo="4P 7E 9O")
    assert {seen(table, viewer) for viewer in (0, 1, 2, 3, None)} == {"9O"}


def test_b27_visibility_is_a_switch_apart_from_the_duty_to_justify() -> None:
    """B-27: `lixo` = open, closed."""
    assert seen(Table("tranca", lixo="4P 7E 9O", lixo_is="open"), 1) == "4P 7E 9O"
    table = Table("buraco-aberto", {0: "5C KE 9O"}, lixo="4P 7E 9O", lixo_is="closed", phase="draw")
    assert seen(table, 0) == "9O"
    table.take()


def test_b27_who_looks_on_is_told_what_could_be_seen_of_a_taken_lixo() -> None:
    for preset, told in (("canastra", "4P 7E 9O"), ("buraco-fechado", "9O")):
        words = "9E 9C" if preset == "buraco-fechado" else ""
        table = Table(preset, {0: "9E 9C KO AE"}, lixo="4P 7E 9O", phase="draw")
        before = table.state
        taken = only(table.take(0, words), LixoTaken)
        for viewer in (0, 1, 2, 3, None):
            update = table.game.observe(taken, before, table.state, None if viewer is None else Seat(viewer))
            assert isinstance(update, LixoTakenSeen)
            assert update.count == 3
            faces = " ".join(card[:2] for card in update.cards)
            assert faces == ("4P 7E 9O" if viewer == 0 else told)


# B-28 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", OPEN)
def test_b28_an_open_lixo_is_taken_whole_and_nothing_must_be_laid(preset: str) -> None:
    table = Table(preset, {0: "4C 9O"}, lixo="4P 7E KE", phase="draw")
    assert table.code(0, TakeLixo(7, table.cards(0, "4C 9O"))) == "NO_JUSTIFICATION_ASKED"
    table.take()
    assert table.hand(0) == "4C 9O 4P 7E KE"
    assert table.state.lixo == ()
    table.discard(0, "4C")


def test_b28_after_forty_idle_turns_somebody_must_draw() -> None:
    table = Table(
        "buraco-aberto", {0: "4C 9O", 1: "4E 9P", 2: "4O 9C", 3: "JE QP"}, lixo="7E 8E", phase="draw"
    )
    for number in range(40):
        seat = number % 4
        table.take(seat)
        assert table.state.idle_turns == number
        table.do(seat, table.discarding(seat, table.hand(seat).split()[0]))
    assert table.state.idle_turns == 40
    assert table.code(0, table.taking()) == "LIXO_EXHAUSTED"
    table.draw(0)
    assert table.state.idle_turns == 0
    table.do(0, table.discarding(0, table.hand(0).split()[0]))
    table.take(1)


def test_b28_a_laid_card_or_a_drawn_one_breaks_the_row_of_idle_turns() -> None:
    table = Table("buraco-aberto", {0: "4C 5C 6C 9O KE"}, lixo="7E 8E", phase="draw", idle_turns=39)
    table.take()
    table.lay(0, "4C 5C 6C")
    table.discard(0, "9O")
    assert table.state.idle_turns == 0
    drawn = Table("buraco-aberto", {0: "4C 9O KE"}, lixo="7E 8E", phase="draw", idle_turns=39)
    drawn.draw_and_discard(0)
    assert drawn.state.idle_turns == 0


# B-29 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", CLOSED)
def test_b29_the_top_of_a_closed_lixo_goes_straight_to_the_table(preset: str) -> None:
    table = Table(preset, {0: "5C 6C KE"}, lixo="QP 4O 7C", phase="draw")
    assert table.code(0, table.taking()) == "TOP_NOT_JUSTIFIED"
    assert table.code(0, table.taking(0, "5C")) == "TOP_NOT_JUSTIFIED"
    assert table.code(0, table.taking(0, "5C KE")) == "TOP_NOT_JUSTIFIED"
    events = table.take(0, "5C 6C")
    assert [type(event) for event in events] == [LixoTaken, MeldLaid]
    assert table.hand(0) == "KE QP 4O"


def test_b29_the_top_may_go_onto_a_meld_alone_or_with_cards_of_the_hand() -> None:
    alone = Table("buraco-fechado", {0: "9O KE"}, melds=[(0, "4C 5C 6C")], lixo="QP 7C", phase="draw")
    assert has(alone.take(0, meld=0), MeldExtended)
    assert alone.hand(0) == "9O KE QP"
    with_one = Table("buraco-fechado", {0: "7C KE"}, melds=[(0, "4C 5C 6C")], lixo="QP 8C", phase="draw")
    assert with_one.code(0, with_one.taking(0, meld=0)) == "TOP_NOT_JUSTIFIED"
    with_one.take(0, "7C", meld=0)
    assert with_one.hand(0) == "KE QP"


def test_b29_the_hidden_cards_do_not_help_and_the_others_melds_neither() -> None:
    table = Table("buraco-fechado", {0: "5C KE 9O"}, melds=[(1, "8C 9C TC")], lixo="6C 7C", phase="draw")
    hidden = table.state.lixo[0]
    assert table.code(0, TakeLixo(7, (*table.cards(0, "5C"), hidden))) == "CARD_NOT_IN_HAND"
    assert table.code(0, table.taking(0, meld=0)) == "NO_SUCH_MELD"
    assert table.code(0, table.taking(0, meld=5)) == "NO_SUCH_MELD"


def test_b29_off_a_closed_lixo_is_taken_for_nothing() -> None:
    """B-29: `justify_top` = false; and on where it is open."""
    table = Table("buraco-fechado", {0: "5C KE 9O"}, lixo="6C 7C", phase="draw", justify_top="false")
    table.take()
    assert table.hand(0) == "5C KE 9O 6C 7C"
    strict = Table("buraco-aberto", {0: "5C KE 9O"}, lixo="6C 7C", phase="draw", justify_top="true")
    assert strict.code(0, strict.taking()) == "TOP_NOT_JUSTIFIED"


def test_b30_the_cards_that_justify_may_include_a_wild() -> None:
    table = Table("buraco-fechado", {0: "JK 6C KE"}, lixo="QP 7C", phase="draw")
    table.take(0, "JK 6C")
    assert table.hand(0) == "KE QP"


def test_b30_by_switch_they_may_not_act_as_wilds() -> None:
    """B-30: `justify_naturals_only` = true; a 2 in its own place is natural."""
    only_naturals = {"justify_naturals_only": "true"}
    table = Table("buraco-fechado", {0: "JK 6C KE"}, lixo="QP 7C", phase="draw", **only_naturals)
    assert table.code(0, table.taking(0, "JK 6C")) == "TOP_NOT_JUSTIFIED"
    natural = Table("buraco-fechado", {0: "2C 3C KE"}, lixo="QP 4C", phase="draw", **only_naturals)
    natural.take(0, "2C 3C")
    onto = Table(
        "buraco-fechado",
        {0: "2P 9O KE"},
        melds=[(0, "4C 5C 6C")],
        lixo="QP 8C",
        phase="draw",
        **only_naturals,
    )
    assert onto.code(0, onto.taking(0, "2P", meld=0)) == "TOP_NOT_JUSTIFIED"
    # The top itself may act as a wild (B-31).
    wild_top = Table("buraco-fechado", {0: "5C 6C KE"}, lixo="QP 2O", phase="draw", **only_naturals)
    wild_top.take(0, "5C 6C")


@pytest.mark.parametrize("top", ["2O", "JK"])
def test_b31_a_wild_top_is_justified_like_another(top: str) -> None:
    """B-31: `wild_top_takeable` = true, and false."""
    table = Table("buraco-fechado", {0: "5C 6C KE"}, lixo=f"QP {top}", phase="draw")
    table.take(0, "5C 6C")
    never = Table(
        "buraco-fechado", {0: "5C 6C KE"}, lixo=f"QP {top}", phase="draw", wild_top_takeable="false"
    )
    assert never.code(0, never.taking(0, "5C 6C")) == "TOP_NOT_JUSTIFIED"
    assert never.moves() == [never.drawing()]


# B-32, B-33 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["buraco-aberto", "canastra"])
def test_b011_b32_a_lixo_of_one_card_is_not_taken_and_returned(preset: str) -> None:
    table = Table(preset, {0: "4C 9O KP"}, lixo="7Ea", phase="draw", held=4)
    table.take()
    assert table.code(0, table.discarding(0, "7E")) == "CARD_BARRED"
    table.discard(0, "9O")
    assert table.state.to_play == 1
    table.draw_and_discard(1, 2, 3)
    table.draw(0)
    table.discard(0, "7E")
    control = Table(preset, {0: "4C 9O KP"}, lixo="4P 7E", phase="draw")
    control.take()
    control.discard(0, "7E")


@pytest.mark.parametrize("preset", ["buraco-aberto", "canastra"])
def test_b011_b32_that_card_may_be_laid_at_once(preset: str) -> None:
    table = Table(preset, {0: "5E 6E KP 9O"}, melds=[(0, "8E 9E TE")], lixo="7E", phase="draw")
    table.take()
    table.add(0, 0, "7E")
    other = Table(preset, {0: "5E 6E KP 9O"}, lixo="7E", phase="draw")
    other.take()
    other.lay(0, "5E 6E 7E")
    other.discard(0, "9O")


def test_b32_it_may_not_be_all_that_is_left_even_to_go_out() -> None:
    table = Table(
        "buraco-aberto",
        {0: "TC 5O 6O 7O"},
        melds=[(0, "3C 4C 5C 6C 7C 8C 9C"), (0, "8E 9E TE")],
        lixo="7E",
        phase="draw",
        takers=(0, None),
    )
    table.take()
    table.add(0, 0, "TC")
    assert table.code(0, table.laying(0, "5O 6O 7O")) == "KEEP_A_CARD"
    table.add(0, 1, "7E")
    table.lay(0, "5O 6O 7O")
    assert table.is_over


def test_b32_off_it_may_be_thrown_back() -> None:
    """B-32: `one_card_lixo` = false, as in buraco-aberto@004."""
    for table in (
        Table("buraco-aberto@004", {0: "4C 9O KP"}, lixo="7E", phase="draw"),
        Table("buraco-aberto", {0: "4C 9O KP"}, lixo="7E", phase="draw", one_card_lixo="false"),
    ):
        table.take()
        table.discard(0, "7E")


def test_b33_the_twin_of_that_card_may_be_thrown_unless_the_face_is_barred() -> None:
    """B-33: `one_card_lixo_match` = physical, face."""
    table = Table("buraco-aberto", {0: "7Eb 9O KP"}, lixo="7Ea", phase="draw")
    table.take()
    table.do(0, table.discarding(0, "7Eb"))
    strict = Table("buraco-aberto", {0: "7Eb 9O KP"}, lixo="7Ea", phase="draw", one_card_lixo_match="face")
    strict.take()
    assert strict.code(0, strict.discarding(0, "7Eb")) == "CARD_BARRED"
    assert strict.code(0, strict.discarding(0, "7Ea")) == "CARD_BARRED"
    strict.discard(0, "9O")


def test_b32_b33_twins_may_not_be_all_that_is_left_where_the_face_is_barred() -> None:
    """B-33: `one_card_lixo_match` = face."""
    hand = {0: "7Eb 9O TO JO"}
    strict = Table("buraco-aberto", hand, lixo="7Ea", phase="draw", one_card_lixo_match="face")
    strict.take()
    assert strict.code(0, strict.laying(0, "9O TO JO")) == "KEEP_A_CARD"
    free = Table("buraco-aberto", hand, lixo="7Ea", phase="draw")
    free.take()
    free.lay(0, "9O TO JO")
    assert free.code(0, free.discarding(0, "7Ea")) == "CARD_BARRED"
    free.discard(0, "7Eb")


def test_b33_with_nothing_but_barred_faces_the_turn_ends_without_a_discard() -> None:
    table = Table("buraco-aberto", {0: "7Eb"}, lixo="7Ea", phase="draw", one_card_lixo_match="face")
    table.take()
    assert [type(move).__name__ for move in table.moves()] == ["EndTurn"]
    table.end_turn()
    assert table.state.to_play == 1


@pytest.mark.parametrize("card", ["2O", "JK"])
def test_b34_wilds_may_be_discarded_also_as_the_last_card(card: str) -> None:
    table = Table("canastra", {0: f"{card} 9O"}, lixo="4P")
    table.discard(0, card)
    assert table.lixo == f"4P {card}"
    table.take(1)
    last = Table("canastra", {0: card}, lixo="4P")
    last.discard(0, card)
    assert len(last.state.hands[0]) == 11


# T-07, T-13 -----------------------------------------------------------------------------------------------------------


def test_b022_t07_t13_a_black_three_locks_only_the_next_player() -> None:
    table = Table("tranca", {0: "3P KO JE", 1: "3E 3P 9O", 2: "9E 9C KE"}, lixo="4O 8C")
    table.discard(0, "3P")
    assert table.code(1, table.taking(1, "3E 3P")) == "LIXO_LOCKED"
    table.draw(1)
    table.discard(1, "9O")
    table.take(2, "9E 9C")
    assert table.hand(2) == "KE 4O 8C 3P"


def test_t07_where_threes_are_ordinary_a_black_three_locks_nothing() -> None:
    table = Table("buraco-aberto", {0: "3P KO JE"}, lixo="4O 8C")
    table.discard(0, "3P")
    table.take(1)


def test_t07_a_black_three_may_be_thrown_again_and_as_the_last_card() -> None:
    table = Table("tranca", {0: "3P"}, lixo="4O")
    table.discard(0, "3P")
    assert len(table.state.hands[0]) == 11
    out = Table("tranca", {0: "3E"}, melds=[(0, "4C 5C 6C 7C 8C 9C TC")], takers=(0, None))
    out.discard(0, "3E")
    assert out.is_over
