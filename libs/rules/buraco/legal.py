"""What a seat may do now, described: the melds of forty cards are too many to list.

Everything described is accepted. What is not described may be accepted too: other choices of the cards of a meld, and
whatever a `more` mark stands for; `decide` answers the rest. Of twins the first one in the hand is named, the barred one
before it (B-32).
"""

from __future__ import annotations

import msgspec

from libs.rules.buraco.candidates import new_melds
from libs.rules.buraco.cards import FACE
from libs.rules.buraco.going_out import barred_cards
from libs.rules.buraco.held import FACE_BIT, JOKER, Held
from libs.rules.buraco.laying import discardable, extended_meld, justified, lixo_refusal, new_meld
from libs.rules.buraco.melds import judge
from libs.rules.buraco.moves import BuracoMove, Discard, DrawStock, EndTurn
from libs.rules.buraco.reach import extending, reach, slots_to_fill
from libs.rules.buraco.rule_set import RuleSet
from libs.rules.buraco.state import State
from libs.rules.game import Rejection

MOST_MELDS = 64
"""So many new melds, and so many ways to justify, are described; a mark says that there may be more."""


class Addition(msgspec.Struct, frozen=True, gc=False):
    """The cards that may be added to a meld, each alone; and, if not empty, several at once that prolong it."""

    meld: int
    cards: tuple[str, ...]
    together: tuple[str, ...] = ()


class Justification(msgspec.Struct, frozen=True, gc=False):
    """Cards of the hand that go to the table with the top of the lixo: onto this meld, or as a new one (B-29)."""

    cards: tuple[str, ...]
    meld: int | None = None


class Legal(msgspec.Struct, frozen=True, gc=False):
    """What the seat whose turn it is may do. `take_lixo` is the take without a justification (B-28)."""

    turn: int
    draw_stock: bool = False
    take_lixo: bool = False
    justifications: tuple[Justification, ...] = ()
    more_justifications: bool = False
    new_melds: tuple[tuple[str, ...], ...] = ()
    more_melds: bool = False
    additions: tuple[Addition, ...] = ()
    discards: tuple[str, ...] = ()
    end_turn: bool = False


def describe(state: State, seat: int) -> Legal | None:
    """What this seat may do now; None if it is not its turn."""
    if state.phase == "over" or state.deal == 0 or seat != state.to_play:
        return None
    if state.phase == "draw":
        return _before_the_draw(state, seat)
    discards = hand = state.hands[seat]
    if state.barred or len(hand) == 1:
        discards = discardable(state, seat)
        held = held_by(state, seat)
    else:
        held = Held(hand)
    # So many cards may leave the hand, whichever they are: one is left that may be discarded, and another one.
    surely = min(len(hand) - 2, len(discards) - 1)
    melds, more = _new_melds(state, seat, held, surely)
    return Legal(
        state.turn,
        new_melds=melds,
        more_melds=more,
        additions=_additions(state, seat, held, surely),
        discards=discards,
        end_turn=not discards,
    )


def automatic_move(state: State, seat: int) -> BuracoMove:
    """What the server plays when this seat's time is up: a card from the stock; then the last card that may be discarded
    in order of arrival (G-08). Raises ValueError when the seat is not awaited.
    """
    if state.phase == "over" or state.deal == 0 or seat != state.to_play:
        raise ValueError(f"seat {seat} is not awaited")
    if state.phase == "draw":
        return DrawStock(state.turn)
    discards = discardable(state, seat)
    return Discard(state.turn, discards[-1]) if discards else EndTurn(state.turn)


def held_by(state: State, seat: int) -> Held:
    """The cards of a hand, in order of arrival; of twins a barred one stands first."""
    hand = state.hands[seat]
    if not state.barred:
        return Held(hand)
    held = Held(hand)
    barred = barred_cards(state)
    shown = FACE[barred[0]]
    if shown != JOKER and not FACE_BIT[shown] & held.twins:
        return held
    places = [place for place, card in enumerate(hand) if FACE[card] == shown]
    if len(places) < 2:
        return held
    named = list(hand)
    twins: list[str] = []
    for place in places:
        twins.insert(0 if hand[place] in barred else len(twins), hand[place])
    for place, card in zip(places, twins, strict=True):
        named[place] = card
    return Held(tuple(named))


def _before_the_draw(state: State, seat: int) -> Legal:
    if lixo_refusal(state) is not None:
        return Legal(state.turn, draw_stock=True)
    if not state.rules.justify_top:
        return Legal(state.turn, draw_stock=True, take_lixo=True)
    ways, more = _justifications(state, seat)
    return Legal(state.turn, draw_stock=True, justifications=ways, more_justifications=more)


def _additions(state: State, seat: int, held: Held, surely: int) -> tuple[Addition, ...]:
    found = []
    rules, side, shown = state.rules, seat % 2, held.shown
    for meld in state.melds:
        if meld.side != side:
            continue
        beyond = reach(rules, meld.shape)
        if not beyond.touches & shown:
            continue
        adds = beyond.adds & shown
        cards = held.named(adds) if adds else ()
        if surely < 1:
            cards = tuple([card for card in cards if _may_add(state, seat, meld.number, (card,))])
        together: tuple[str, ...] = ()
        near = beyond.nearest & shown
        # Two at once take two faces, or twins.
        if near and (near & near - 1 or near & held.twins or beyond.later & shown):
            together = extending(rules, beyond, held)
            count = len(together)
            if count < 2 or (
                (count > surely or count > beyond.room) and not _may_add(state, seat, meld.number, together)
            ):
                together = ()
        if cards or together:
            found.append(Addition(meld.number, cards, together))
    return tuple(found)


def _may_add(state: State, seat: int, number: int, cards: tuple[str, ...]) -> bool:
    return not isinstance(extended_meld(state, seat, number, cards), Rejection)


def _new_melds(state: State, seat: int, held: Held, surely: int) -> tuple[tuple[tuple[str, ...], ...], bool]:
    more = state.rules.max_wilds_per_meld > 1
    candidates = new_melds(state.rules, held)
    if not candidates:
        return (), more
    if not state.rules.duplicate_melds:
        surely = 0
    for cards in candidates:
        if len(cards) > surely:
            break
    else:
        return tuple(candidates[:MOST_MELDS]), more or len(candidates) >= MOST_MELDS
    most = len(held.cards) - 2
    found: dict[tuple[str, ...], None] = {}
    for cards in candidates:
        if len(cards) <= surely or not isinstance(new_meld(state, seat, cards), Rejection):
            found[cards] = None
        elif 3 <= most < len(cards):
            # Too many for a hand that must keep two cards (B-39): parts of it, where there are any.
            for part in _parts(state.rules, cards, most):
                if not isinstance(new_meld(state, seat, part), Rejection):
                    found[part] = None
        if len(found) >= MOST_MELDS:
            return tuple(found)[:MOST_MELDS], True
    return tuple(found), more


def _justifications(state: State, seat: int) -> tuple[tuple[Justification, ...], bool]:
    rules, top = state.rules, state.lixo[-1]
    held = held_by(state, seat)
    tried: dict[Justification, None] = {}
    for meld in state.melds:
        if meld.side != seat % 2:
            continue
        if FACE_BIT[FACE[top]] & reach(rules, meld.shape).adds:
            tried[Justification((), meld.number)] = None
        for cards in slots_to_fill(rules, meld.shape, top, held):
            tried[Justification(cards, meld.number)] = None
    for found in new_melds(rules, Held((top, *held.cards))):
        cards = _with_top(found, top)
        if top in cards:
            for part in (cards, *_threes_with(rules, cards, top)):
                tried[Justification(tuple([card for card in part if card != top]))] = None
    ways = []
    for way in tried:
        if not isinstance(justified(state, seat, way.cards, way.meld), Rejection):
            ways.append(way)
            if len(ways) == MOST_MELDS:
                return tuple(ways), True
    return tuple(ways), rules.max_wilds_per_meld > 1


def _with_top(cards: tuple[str, ...], top: str) -> tuple[str, ...]:
    """A meld with the top in place of its twin of the hand, where it has the twin alone."""
    if top in cards:
        return cards
    shown = FACE[top]
    return tuple([top if FACE[card] == shown else card for card in cards])


def _parts(rules: RuleSet, cards: tuple[str, ...], length: int) -> list[tuple[str, ...]]:
    """The neighbours in a meld that are so many."""
    shape = judge(rules, cards)
    if shape is None:
        return []
    return [shape.cards[start : start + length] for start in range(len(cards) - length + 1)]


def _threes_with(rules: RuleSet, cards: tuple[str, ...], card: str) -> list[tuple[str, ...]]:
    """The smallest melds within a meld that hold this card."""
    return [part for part in _parts(rules, cards, 3) if card in part]
