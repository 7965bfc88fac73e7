"""Display names: people's names and emoji are welcome, tricks on the reader are not (B100, B130)."""

import pytest

from services.accounts.errors import (
    NAME_CHARACTER_REFUSED,
    NAME_MIXES_SCRIPTS,
    NAME_TOO_LONG,
    NAME_TOO_SHORT,
)
from services.accounts.names import display_name


@pytest.mark.parametrize(
    "name",
    [
        "José",
        "Conceição",
        "Ana 🃏",
        "🔥🔥",
        "👨‍👩‍👧 Silva",
        "🇧🇷🇧🇷",
        "✌🏽 oi",
        "❤️ Bia",
        "d'Ávila-Souza",
        "José 2º",
        "Иван",
        "Ωμέγα",
        "김철수",
        "สวัสดี",
        "नमस्ते",
        "فاطمة",
        "a" * 20,
        "👨‍👩‍👧" * 3,
    ],
)
def test_names_that_people_have_are_kept_as_they_are(name):
    assert display_name(name) == name


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Jose\u0301", "José"),
        ("  José  ", "José"),
        ("José\u00a0", "José"),
        ("José\u3000\u2003da   Silva", "José da Silva"),
    ],
)
def test_one_name_has_one_form(raw, kept):
    assert display_name(raw) == kept


@pytest.mark.parametrize(
    "raw",
    [
        "a\0b",
        "\ud800x",
        "a\nb",
        "a\tb",
        "a\x7fb",
        "a\x85b",
        "Jo\u200bsé",
        "\u200b\u200b",
        "\u202eésoJ",
        "a\u2066b",
        "a\u00adb",
        "a\u200db",
        "a\u200d🔥",
        "🔥\u200d",
        "🔥\u200da",
        "a\ufe0fb",
        "a\ufe00b",
        "a\U000e0101b",
        "a\U000e0041b",
        "\u3164\u3164",
        "\u2800\u2800",
        "\u115f\u1160",
        "a\u034fb",
        "a\ue000",
        "a\U0003fffe",
        "a\u2028b",
        "\ufeffAna",
        "a\ufffcb",
        "\u0301Ana",
        "Ana \u0301",
        "Ana" + "\u0301\u0302\u0303\u0304",
        "1\ufe0f\u20e3 a",
        "!!!",
        "...",
        "🏽🏽",
    ],
)
def test_what_tricks_the_reader_or_the_database_is_refused(raw):
    assert display_name(raw) == NAME_CHARACTER_REFUSED


@pytest.mark.parametrize("raw", ["J\u043esé", "Ωmega", "Pаulo"])
def test_letters_of_alphabets_that_look_alike_are_not_mixed(raw):
    assert display_name(raw) == NAME_MIXES_SCRIPTS


@pytest.mark.parametrize("raw", ["", " ", "\u00a0\u3000", "x", "é", "🔥", "👨‍👩‍👧", "🇧🇷"])
def test_one_character_or_none_is_too_short(raw):
    assert display_name(raw) == NAME_TOO_SHORT


@pytest.mark.parametrize(
    "raw", ["a" * 21, "e\u0301" * 21, "👨‍👩‍👧" * 5, "a" * 100_000, "a" + "\u0301" * 1_000]
)
def test_length_is_bounded_in_characters_and_in_bytes(raw):
    assert display_name(raw) == NAME_TOO_LONG
