"""The scanner finds a token in every form in which something could leave, and nothing where there is none."""

import base64
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf import json_format

from carteado.games.truco.v1 import truco_pb2
from carteado.gateway.v1 import gateway_pb2
from carteado.table.v1 import table_service_pb2, view_pb2
from tests.leaks.deck import Deck, card_to_proto
from tests.leaks.scanner import tokens_in


def on_the_wire(token: str) -> view_pb2.TableUpdate:
    update = view_pb2.TableUpdate(table_id="t", to_version=3)
    hand = update.view.truco.hands.add(seat=2, count=3)
    hand.cards.append(card_to_proto(token))
    return update


FORMS: dict[str, Callable[[str], Any]] = {
    "text": lambda token: f"the card {token} was dealt",
    "upper case": lambda token: token.upper(),
    "bytes": lambda token: b"\x00\x01" + token.encode() + b"\xff",
    "inside longer hex": lambda token: "ab" * 7 + token + "0f",
    "value in a list": lambda token: [{"a": [1, token]}],
    "key": lambda token: {token: 1},
    "representation of a value": lambda token: [card_to_proto(token)],
    "message": on_the_wire,
    "message in a frame": lambda token: table_service_pb2.UpdateFrame(
        subscription=7, update=on_the_wire(token).SerializeToString()
    ),
    "message as the gateway writes it": lambda token: gateway_pb2.ServerMessage(
        update=on_the_wire(token)
    ).SerializeToString(),
    "JSON of a message": lambda token: json_format.MessageToJson(on_the_wire(token)),
    "rank alone": lambda token: json.dumps({"rank": int(token[:8], 16)}),
    "suit alone, as a varint": lambda token: truco_pb2.CardPlayed(
        card={"suit": int(token[8:], 16)}
    ).SerializeToString(),
    "base64": lambda token: base64.b64encode(f"x{token}y".encode()),
    "base64 for addresses": lambda token: base64.urlsafe_b64encode(b"\xfb\xff" + token.encode() + b"\xfb"),
    "base64 of a message": lambda token: {
        "d": base64.b64encode(on_the_wire(token).SerializeToString()).decode()
    },
    "base64 of base64": lambda token: base64.b64encode(base64.b64encode(token.encode())),
    "hex of text": lambda token: token.encode().hex(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_token_is_found(form: str) -> None:
    deck = Deck("scanner")
    token = deck.token(1, "7C")
    deck.token(1, "KP")
    assert tokens_in(deck, FORMS[form](token)) == {token}


def test_nothing_is_found_in_noise() -> None:
    deck, chance = Deck("noise"), random.Random("noise")
    for hand in range(1, 25):
        for card in ("7C", "KP", "4O", "AE"):
            deck.token(hand, card)
    for _ in range(200):
        noise = chance.randbytes(2_000)
        for payload in (noise, noise.hex(), base64.b64encode(noise), str(chance.randrange(10**18))):
            assert tokens_in(deck, payload) == set()
