"""Cards: the rules write "7C", or "TCb" in games of several packs; the contract writes rank, suit and pack."""

from __future__ import annotations

from carteado.cards.v1 import cards_pb2
from libs.wire.errors import WireError

_RANKS = {
    "A": cards_pb2.RANK_ACE,
    "2": cards_pb2.RANK_TWO,
    "3": cards_pb2.RANK_THREE,
    "4": cards_pb2.RANK_FOUR,
    "5": cards_pb2.RANK_FIVE,
    "6": cards_pb2.RANK_SIX,
    "7": cards_pb2.RANK_SEVEN,
    "8": cards_pb2.RANK_EIGHT,
    "9": cards_pb2.RANK_NINE,
    "10": cards_pb2.RANK_TEN,
    "J": cards_pb2.RANK_JACK,
    "Q": cards_pb2.RANK_QUEEN,
    "K": cards_pb2.RANK_KING,
}
_SUITS = {
    "O": cards_pb2.SUIT_OUROS,
    "E": cards_pb2.SUIT_ESPADAS,
    "C": cards_pb2.SUIT_COPAS,
    "P": cards_pb2.SUIT_PAUS,
}
_CARDS = {
    rank + suit: cards_pb2.Card(rank=rank_value, suit=suit_value)
    for rank, rank_value in _RANKS.items()
    for suit, suit_value in _SUITS.items()
}
_CODES = {(card.rank, card.suit): code for code, card in _CARDS.items()}
_PACKED = {
    **{
        ("T" if rank == "10" else rank) + suit + pack: cards_pb2.Card(
            rank=rank_value, suit=suit_value, pack=number
        )
        for number, pack in enumerate("ab")
        for rank, rank_value in _RANKS.items()
        for suit, suit_value in _SUITS.items()
    },
    **{
        f"JK{letter}": cards_pb2.Card(rank=cards_pb2.RANK_JOKER, pack=number)
        for number, letter in enumerate("abcd")
    },
}
_PACKED_CODES = {(card.rank, card.suit, card.pack): code for code, card in _PACKED.items()}
_SUIT_CODES = {value: code for code, value in _SUITS.items()}
_RANK_CODES = {value: code for code, value in _RANKS.items()}


def card_to_proto(code: str) -> cards_pb2.Card:
    """The message for a code such as "7C"; shared, so to be copied and never changed."""
    return _CARDS[code]


def card_from_proto(card: cards_pb2.Card, field: str) -> str:
    """The code of a card of one pack; raises WireError for what is no such card."""
    code = _CODES.get((card.rank, card.suit))
    if code is None or card.pack:
        raise WireError(field, "there is no such card")
    return code


def packed_card_to_proto(code: str) -> cards_pb2.Card:
    """The message for a code of rank, suit and pack such as "TCb", or of a joker; shared, so to be copied."""
    return _PACKED[code]


def packed_card_from_proto(card: cards_pb2.Card, field: str) -> str:
    """The code of a card of two packs with four jokers; raises WireError for what is no such card."""
    code = _PACKED_CODES.get((card.rank, card.suit, card.pack))
    if code is None:
        raise WireError(field, "there is no such card")
    return code


def suit_to_proto(code: str) -> cards_pb2.Suit.ValueType:
    """The suit of a code such as "P"."""
    return _SUITS[code]


def suit_from_proto(suit: cards_pb2.Suit.ValueType) -> str:
    """The code of a suit; an unknown one gives an empty text."""
    return _SUIT_CODES.get(suit, "")


def rank_to_proto(code: str) -> cards_pb2.Rank.ValueType:
    """The rank of a code such as "7" or "Q"."""
    return _RANKS[code]


def rank_from_proto(rank: cards_pb2.Rank.ValueType) -> str:
    """The code of a rank; an unknown one gives an empty text."""
    return _RANK_CODES.get(rank, "")
