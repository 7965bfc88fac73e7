"""A player registers once, and the log knows an id and nothing else."""

from uuid import uuid4

import msgspec

from libs.eventlog.decider import Command
from libs.eventlog.testing import NOON, assert_laws, given
from services.accounts.decider import PLAYER, RegisterPlayer
from services.accounts.events import PlayerRegistered, player_events

PLAYER_ID = "0f1e2d3c-4b5a-5697-8897-a6b5c4d3e2f1"


def test_a_new_player_is_registered():
    after = given(PLAYER).when(RegisterPlayer(PLAYER_ID)).then(PlayerRegistered(PLAYER_ID))
    assert after.state.is_registered


def test_a_registered_player_is_not_registered_again():
    given(PLAYER, PlayerRegistered(PLAYER_ID)).when(RegisterPlayer(PLAYER_ID)).then_rejected(
        "ALREADY_REGISTERED"
    )


def test_it_keeps_the_laws_of_every_decider():
    commands = [Command(str(uuid4()), "player:x", NOON, RegisterPlayer(PLAYER_ID)) for _ in range(3)]
    assert assert_laws(PLAYER, commands).is_registered


def test_the_stored_form_of_an_event_is_this_for_ever():
    registry = player_events()
    stored = ("PlayerRegistered", 1, b'{"player_id":"0f1e2d3c-4b5a-5697-8897-a6b5c4d3e2f1"}')
    assert registry.encode(PlayerRegistered(PLAYER_ID)) == stored
    assert registry.decode(*stored) == PlayerRegistered(PLAYER_ID)


def test_no_event_has_a_field_for_anything_but_ids():
    for _, _, event_type in player_events().types():
        assert all(field.name.endswith("_id") for field in msgspec.structs.fields(event_type))
