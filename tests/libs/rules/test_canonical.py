"""The canonical form and the state hash."""

import doctest
import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from libs.rules import canonical as module
from libs.rules.canonical import canonical, state_hash
from libs.rules.truco import cards
from libs.rules.truco.game import TRUCO_PAULISTA
from tests.libs.rules.truco.tables import ChanceMatch

FACTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abcdefghijklmnopqrstuvwxyz_"), inner),
)


@given(FACTS)
def test_form_1_is_sorted_json_without_spaces_as_its_docstring_says(facts):
    text = canonical(facts)
    assert json.loads(text) == {"facts": facts, "form": 1}
    in_order = json.dumps(
        {"facts": facts, "form": 1}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert json.loads(in_order) == json.loads(text)
    assert [key for key, _ in json.loads(text, object_pairs_hook=list)] == ["facts", "form"]
    assert text == in_order.encode() or "\\" in in_order


@given(st.permutations(["vira", "hands", "score", "turn", "dealer"]))
def test_the_order_of_keys_does_not_matter(names):
    assert state_hash(dict.fromkeys(names, 1)) == state_hash(dict.fromkeys(sorted(names), 1))


def test_tuples_and_lists_are_the_same_facts():
    assert canonical({"cards": ("4P", "5P")}) == canonical({"cards": ["4P", "5P"]})


def test_the_hash_is_blake2b_with_32_bytes():
    assert state_hash({"a": 1}) == hashlib.blake2b(b'{"facts":{"a":1},"form":1}', digest_size=32).digest()


def test_a_hash_of_form_1_stays_what_it_was():
    assert state_hash({"a": [1, "é", None]}).hex() == (
        hashlib.blake2b('{"facts":{"a":[1,"é",null]},"form":1}'.encode(), digest_size=32).hexdigest()
    )


def _only_plain_values(facts):
    if isinstance(facts, dict):
        return all(isinstance(key, str) and _only_plain_values(value) for key, value in facts.items())
    if isinstance(facts, list | tuple):
        return all(map(_only_plain_values, facts))
    return facts is None or isinstance(facts, str | bool | int)


def test_the_facts_of_truco_hold_no_fraction_at_any_version():
    match = ChanceMatch("canonical", {"answer": "run_needs_both"})
    while TRUCO_PAULISTA.awaited(match.state) is not None:
        assert _only_plain_values(TRUCO_PAULISTA.facts(match.state))
        match.step()


def test_the_facts_tell_every_part_of_a_state_but_rules_and_players():
    state = ChanceMatch("canonical", {}).state
    facts = TRUCO_PAULISTA.facts(state)
    assert isinstance(facts, dict)
    assert set(facts) == {name for name in state.__struct_fields__ if name not in {"rules", "players"}}


def test_the_examples_in_the_docstrings_are_true():
    for told in (module, cards):
        result = doctest.testmod(told)
        assert result.attempted > 0
        assert result.failed == 0
