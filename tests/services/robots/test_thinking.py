"""A robot's thinking: from its seat's view alone, the same however often it is asked, and not to be foretold."""

import uuid

import msgspec
import pytest

from carteado.table.v1 import events_pb2, view_pb2
from libs.rules.game import Seat
from libs.rules.registry import game
from libs.rules.shuffle import Draws
from libs.rules.truco.state import State
from libs.wire.truco import fill_own_view, fill_shared_view
from services.robots.thinking import UnknownStrengthError, choose_move, command_id, turn_goes_on

GAME = game("truco-paulista")
KEY = b"a secret"


def dealt(seed: int) -> State:
    state = GAME.initial(GAME.rule_set({}), 4)
    for event in GAME.start(state, Draws(seed.to_bytes(32, "big"), "match")):
        state = GAME.evolve(state, event)
    return state


def view_of(state: State, seat: int) -> view_pb2.TableView:
    message = view_pb2.TableView(your_seat=seat)
    view = GAME.view(state, Seat(seat))
    fill_shared_view(message.truco, view)
    fill_own_view(message.truco, view)
    return message


def turn_of(seat: int, number: int = 1, strength: str = "simple") -> events_pb2.RobotTurn:
    return events_pb2.RobotTurn(
        table_id="t", seat=seat, turn=number, strength=strength, preset="truco-paulista"
    )


@pytest.mark.parametrize("seed", range(200))
def test_b072_hidden_cards_do_not_change_a_robots_move(seed: int) -> None:
    state = dealt(seed)
    awaited = GAME.awaited(state)
    assert awaited is not None
    seat = awaited.seats[0]
    hands = list(state.hands)
    others = [index for index in range(4) if index != seat]
    for index, other in enumerate(others):
        hands[other] = state.hands[others[index - 1]]
    twin = msgspec.structs.replace(state, hands=tuple(hands))
    assert twin.hands != state.hands
    turn = turn_of(seat)
    assert choose_move(turn, view_of(state, seat), KEY) == choose_move(turn, view_of(twin, seat), KEY)


def test_the_same_turn_gives_the_same_command_and_move() -> None:
    state = dealt(1)
    seat = GAME.awaited(state).seats[0]
    turn, view = turn_of(seat), view_of(state, seat)
    assert command_id(turn, 7) == command_id(turn, 7) == str(uuid.UUID(command_id(turn, 7)))
    assert len({command_id(turn_of(seat, number), 7) for number in range(10)}) == 10
    # A turn may take several moves, each of which the table takes under an id of its own.
    assert len({command_id(turn, version) for version in range(10)}) == 10
    assert choose_move(turn, view, KEY) == choose_move(turn, view, KEY)


def test_without_the_key_a_random_robot_cannot_be_foretold() -> None:
    state = dealt(1)
    seat = GAME.awaited(state).seats[0]
    view, turn = view_of(state, seat), turn_of(seat, strength="random")
    assert len({repr(choose_move(turn, view, bytes([key]))) for key in range(50)}) > 1


def test_a_turn_goes_on_after_a_signal_and_ends_with_a_card() -> None:
    state = dealt(1)
    seat = GAME.awaited(state).seats[0]
    moves = [legal.move for legal in GAME.legal_moves(state, seat)]
    told = {type(move).__name__: turn_goes_on(turn_of(seat), move) for move in moves}
    assert told == {"PlayCard": False, "Raise": False, "Signal": True}


def test_a_robot_that_does_not_exist_is_named() -> None:
    state = dealt(1)
    with pytest.raises(UnknownStrengthError, match="genius"):
        choose_move(turn_of(0, strength="genius"), view_of(state, 0), KEY)
