"""Matches against robots over HTTP: the page's quick start, training as one likes it, and the commitment beforehand.

Both ways begin at matchmaking, which asks for access and knows where the player is; the table's id follows from the
player and the key of the wish, so that its commitment can be asked for before it is there.
"""

from __future__ import annotations

import asyncio

import msgspec
from aiohttp import web

from carteado.matchmaking.v1 import matchmaking_service_pb2 as pb
from carteado.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from carteado.table.v1 import table_service_pb2 as table_pb
from carteado.table.v1.table_service_pb2_grpc import TableServiceStub
from libs.rules.registry import GAMES
from libs.service.errors import UNAVAILABLE
from libs.service.tokens import VerifiedPlayer
from services.gateway.calls import Calls
from services.gateway.errors import GAME_WITHOUT_TRAINING, RATE_LIMITED
from services.gateway.limits import Limits
from services.gateway.rate import Buckets
from services.gateway.requests import entropy_bytes, idempotency_key, json_response, training_table
from services.gateway.room_calls import MOST_SEATS, RoomCalls, command_id, place_response, within
from services.gateway.wishes import NewTraining

_ROBOT = "simple"


class NewPractice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `POST /api/v1/practice`; `entropy` is base64 of 32 bytes that go into the shuffle."""

    game: str
    entropy: str = ""


class TrainingApi:
    """The handlers. Each raises ServiceError for `error_middleware` to write."""

    def __init__(self, rooms: RoomCalls, calls: Calls, limits: Limits) -> None:
        """`calls` are those of the table service."""
        self._rooms = rooms
        self._calls = calls
        self._practices = Buckets(limits.practices_per_s, limits.practices_burst)

    def routes(self) -> list[web.AbstractRouteDef]:
        """What the HTTP server adds."""
        return [
            web.post("/api/v1/practice", self.create_practice),
            web.get("/api/v1/practice/commitment", self.get_commitment),
            web.post("/api/v1/training", self.start_training),
        ]

    async def create_practice(self, request: web.Request) -> web.Response:
        """Opens a training table: the caller on seat 0, robots on the others; the same key is the same table.

        A player who is somewhere else is told where: the table that stands already is no reason to open another one.
        """
        player = await self._rooms.requests.player(request)
        key = idempotency_key(request)
        body = await self._rooms.requests.body(request, NewPractice)
        game = GAMES.get(body.game)
        if game is None:
            raise GAME_WITHOUT_TRAINING.error("game")
        entropy = entropy_bytes(body.entropy)
        if not self._practices.take(player.player_id, asyncio.get_running_loop().time()):
            raise RATE_LIMITED.error()
        training = NewTraining(key, body.game, _ROBOT, game.player_counts[0])
        place = await self._start(player, key, training, entropy)
        if place.kind == pb.PLACE_KIND_STARTING:
            # Its table is not there yet: asked again, the same wish finds it.
            raise UNAVAILABLE.error()
        return json_response({"table_id": training_table(player.player_id, key)}, status=201)

    async def get_commitment(self, request: web.Request) -> web.Response:
        """The commitment to the secret that will deal the training table of this key, to be kept before it is opened."""
        player = await self._rooms.player(request)
        table_id = training_table(player.player_id, idempotency_key(request))
        told = await self._calls.call(
            "table",
            table_id,
            lambda channel: TableServiceStub(channel).GetCommitment,
            table_pb.GetCommitmentRequest(table_id=table_id),
        )
        return json_response({"table_id": table_id, "commitment": told.commitment.hex()})

    async def start_training(self, request: web.Request) -> web.Response:
        """Begins a match against robots, at the table whose commitment `GET /api/v1/practice/commitment` tells."""
        player = await self._rooms.player(request)
        body = await self._rooms.requests.body(request, NewTraining)
        place = await self._start(player, command_id(body.command_id), body, entropy_bytes(body.entropy))
        return place_response(place)

    async def _start(
        self, player: VerifiedPlayer, wish: str, training: NewTraining, entropy: bytes
    ) -> pb.Place:
        asked = pb.StartTrainingRequest(
            player_id=player.player_id,
            command_id=wish,
            preset=training.preset,
            strength=training.strength,
            seats=within(training.seats, MOST_SEATS, "seats"),
            entropy=entropy,
            switches=training.switches,
            table_id=training_table(player.player_id, wish),
        )
        done = await self._rooms.call(
            player, lambda channel: MatchmakingServiceStub(channel).StartTraining, asked
        )
        return done.place
