"""Every game at a real table: robots play it whole over gRPC, and what it refuses has a text for players."""

from importlib import import_module

import pytest

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.rules.family import AnyGame
from libs.rules.game import Seat
from libs.rules.registry import FAMILIES
from services.table.errors import ERRORS
from tests.services.table.conftest import Serving, serving

__all__ = ["serving"]

SPECTATOR = pb.Viewer(spectator=pb.Spectator())
TABLES = [(family.name, game, max(game.player_counts)) for family in FAMILIES for game in family.games]
"""Every preset, with as many as it takes."""


@pytest.mark.parametrize(
    ("name", "game", "count"), TABLES, ids=[f"{game.preset}-{count}" for _, game, count in TABLES]
)
async def test_robots_play_a_whole_match(serving: Serving, name: str, game: AnyGame, count: int) -> None:
    preset = game.preset
    table_id = await serving.create(preset=preset, count=count)
    assert await serving.play(table_id) > 6
    view = await serving.view(table_id, SPECTATOR)
    assert (view.preset, view.WhichOneof("game")) == (preset, name)
    assert view.result.reason == view_pb2.END_REASON_FINISHED
    sides = {game.side_of(Seat(seat)) for seat in range(count)}
    assert set(view.result.winners) <= sides
    assert len(view.result.score) == len(sides)


async def test_s02_the_trump_card_alone_of_another_hand_of_sueca_is_shown(serving: Serving) -> None:
    players = ["ana", "bia", "caio", "davi"]
    table_id = await serving.create(*players, preset="sueca")
    public = (await serving.view(table_id, SPECTATOR)).sueca
    for seat, player in enumerate(players):
        view = (await serving.view(table_id, pb.Viewer(player_id=player))).sueca
        shown = [1 if other == view.dealer else 0 for other in range(4)]
        shown[seat] = 10
        assert [len(hand.cards) for hand in view.hands] == shown
        assert view.trump_card == public.trump_card == view.hands[view.dealer].cards[-1]
    assert [len(hand.cards) for hand in public.hands] == [int(seat == public.dealer) for seat in range(4)]


@pytest.mark.parametrize("name", [family.name for family in FAMILIES])
def test_every_code_of_a_game_has_a_text_for_players(name: str) -> None:
    codes = import_module(f"libs.rules.{name}.rejections").Code
    known = {row.code for row in ERRORS}
    assert {code.value for code in codes} <= known
