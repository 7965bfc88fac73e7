"""The draws of a match: repeatable, apart by label, and even."""

import hashlib
import hmac
from collections import Counter

import pytest

from libs.rules.shuffle import Draws, commitment

SECRET = bytes(32)


def test_the_same_secret_match_and_entropy_give_the_same_draws():
    one, again = Draws(SECRET, "m", [b"a"]), Draws(SECRET, "m", [b"a"])
    assert one.shuffled("hand-1", range(40)) == again.shuffled("hand-1", range(40))
    assert one.below("dealer", 4) == again.below("dealer", 4)


@pytest.mark.parametrize(
    "other",
    [
        Draws(b"\x01" * 32, "m", [b"a"]),
        Draws(SECRET, "n", [b"a"]),
        Draws(SECRET, "m", [b"b"]),
        Draws(SECRET, "m", [b"a", b""]),
    ],
)
def test_another_secret_match_or_entropy_gives_other_draws(other):
    assert Draws(SECRET, "m", [b"a"]).shuffled("x", range(40)) != other.shuffled("x", range(40))


def test_labels_are_streams_of_their_own_and_a_label_repeats_itself():
    draws = Draws(SECRET, "m")
    first = draws.shuffled("hand-1", range(40))
    assert draws.shuffled("hand-2", range(40)) != first
    assert draws.shuffled("hand-1", range(40)) == first


@pytest.mark.parametrize("length", [0, 1, 32, 64, 65, 200])
def test_the_words_are_hmac_sha_256_of_what_the_module_says(length):
    secret = bytes(range(length))
    said = b"m" + b"\x00" + hashlib.sha256(b"\x02ab\x01c").digest() + b"x" + b"\x00"
    blocks = [hmac.digest(secret, said + number.to_bytes(8, "big"), "sha256") for number in range(8)]
    words = [int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4)]
    order, taken = list(range(40)), iter(words)
    for place in range(39, 0, -1):
        word = next(word for word in taken if word < 2**32 - 2**32 % (place + 1))
        other = word % (place + 1)
        order[place], order[other] = order[other], order[place]
    assert Draws(secret, "m", [b"ab", b"c"]).shuffled("x", range(40)) == order


def test_a_shuffle_keeps_the_items_and_leaves_its_argument_alone():
    items = list(range(40))
    assert sorted(Draws(SECRET, "m").shuffled("x", items)) == items == list(range(40))
    assert Draws(SECRET, "m").shuffled("x", []) == []
    assert Draws(SECRET, "m").shuffled("x", ["one"]) == ["one"]


def test_every_order_of_three_is_about_equally_likely():
    orders = Counter(tuple(Draws(SECRET, str(number)).shuffled("x", "abc")) for number in range(3_000))
    assert len(orders) == 6
    assert all(400 < count < 600 for count in orders.values())


def test_a_draw_below_a_bound():
    drawn = Counter(Draws(SECRET, str(number)).below("x", 5) for number in range(2_500))
    assert set(drawn) == {0, 1, 2, 3, 4}
    assert all(400 < count < 600 for count in drawn.values())
    for bound in (0, -1, 2**32 + 1):
        with pytest.raises(ValueError, match="not possible"):
            Draws(SECRET, "m").below("x", bound)


def test_entropy_of_more_than_255_bytes_is_refused():
    with pytest.raises(ValueError, match="255"):
        Draws(SECRET, "m", [b"x" * 256])


def test_a_commitment_is_the_sha256_of_the_secret():
    assert commitment(SECRET) == hashlib.sha256(SECRET).digest()
