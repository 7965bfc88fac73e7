"""A leak of one card, planted in each place from which one could come, is caught by the same ear and the same judge."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
import structlog
from prometheus_client import Counter

from carteado.table.v1 import table_service_pb2 as pb
from libs.eventlog.decider import PublicMessage
from libs.rules.game import Rejection
from services.table import answers, proofs
from services.table.decider import CLOSED_SUBJECT, TableDecider
from services.table.errors import ERRORS
from tests.leaks.deck import TaggedGame, tagged_deck
from tests.leaks.moves import covering, play
from tests.leaks.stage import JSON, PROTOBUF, Stage, on_stage

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]


class Planted:
    """A game that shows more than it may; everything else is the wrapped one's."""

    def __init__(self, game: TaggedGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class ShowsAnotherHand(Planted):
    """Everybody sees one card of the next seat."""

    def view(self, state: Any, seat: Any) -> Any:
        view = self._game.view(state, seat)
        if seat is None or not state.hands[(seat + 1) % 4]:
            return view
        hands = list(view.hands)
        other = (seat + 1) % 4
        hands[other] = msgspec.structs.replace(hands[other], cards=state.hands[other][:1])
        return msgspec.structs.replace(view, hands=tuple(hands))


class ShowsSpectatorsACard(Planted):
    def view(self, state: Any, seat: Any) -> Any:
        view = self._game.view(state, seat)
        if seat is not None or not state.hands[0]:
            return view
        hands = (msgspec.structs.replace(view.hands[0], cards=state.hands[0][:1]), *view.hands[1:])
        return msgspec.structs.replace(view, hands=hands)


class ShowsLegalMovesOfOthers(Planted):
    """Who waits is told what the awaited seat may play."""

    def view(self, state: Any, seat: Any) -> Any:
        view = self._game.view(state, seat)
        if state.to_play is None or seat == state.to_play:
            return view
        others = self._game.legal_moves(state, state.to_play)
        return msgspec.structs.replace(view, legal_moves=(*view.legal_moves, *others))


class ShowsCoveredFaces(Planted):
    """The event of a covered card holds its face; the view does not."""

    def observe(self, event: Any, before: Any, after: Any, seat: Any) -> Any:
        seen = self._game.observe(event, before, after, seat)
        if getattr(event, "covered", False):
            return msgspec.structs.replace(seen, card=event.card)
        return seen


class RefusesWithACard(Planted):
    """A refusal explains itself by what another seat holds, as a value or as a key."""

    def decide(self, state: Any, seat: Any, move: Any, draws: Any) -> Any:
        decision = self._game.decide(state, seat, move, draws)
        if isinstance(decision, Rejection | tuple | list) and not isinstance(decision, Rejection):
            return decision
        held = state.hands[(seat + 1) % 4] or ("",)
        return Rejection(decision.code, {f"held {held[0]}": "yes"})


class LogsACard(Planted):
    def decide(self, state: Any, seat: Any, move: Any, draws: Any) -> Any:
        structlog.get_logger().debug("deciding", state=repr(state))
        return self._game.decide(state, seat, move, draws)


def nothing(game: TaggedGame) -> Any:
    return game


Patch = Callable[[pytest.MonkeyPatch, Stage], None]


def no_patch(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    """Nothing but the game's own leak."""


def label_of_a_metric(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    counter = Counter("planted_deals", "By vira", ["first"], registry=stage.registries["table"])

    def fed(self: TableDecider, event: Any, before: Any, after: Any) -> None:
        if hasattr(event, "cards"):
            counter.labels(event.cards[0][0]).inc()

    patch.setattr(TableDecider, "publish", fed)


def public_message(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    def published(self: TableDecider, event: Any, before: Any, after: Any) -> PublicMessage | None:
        return PublicMessage(CLOSED_SUBJECT, msgspec.json.encode(event)) if hasattr(event, "cards") else None

    patch.setattr(TableDecider, "publish", published)


def details_of_an_error(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    def failing(error: Any) -> Any:
        raise AssertionError("not reached")

    async def record(self: Any, request: Any, caller: str) -> Any:
        card = next(payload for name, payload in stage.events() if name == "truco.hand_dealt")["cards"][1][0]
        raise ERRORS["RECORD_OF_RUNNING_MATCH"].error(facts={"card": card})

    patch.setattr(proofs.Proofs, "record", record)
    patch.setattr(answers, "error_of_log", failing)


def trace_of_a_bug(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    async def record(self: Any, request: Any, caller: str) -> Any:
        card = next(payload for name, payload in stage.events() if name == "truco.hand_dealt")["cards"][1][0]
        raise KeyError(card)

    patch.setattr(proofs.Proofs, "record", record)


def analysts_view(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    with psycopg.connect(f"{stage.postgres} dbname=carteado_table", autocommit=True) as connection:
        connection.execute("CREATE VIEW analysis.planted AS SELECT version, payload FROM public.events")
        connection.execute("GRANT SELECT ON analysis.planted TO carteado_analyst")


def second_copy(patch: pytest.MonkeyPatch, stage: Stage) -> None:
    """What is filtered in the game's view stands once more among the table's own facts (fault B065)."""
    before = TableDecider.view

    def shown(self: TableDecider, state: Any, viewer: Any) -> Any:
        view = before(self, state, viewer)
        held = state.game_state.hands[1] or ("",)
        return msgspec.structs.replace(view, switches={**view.switches, "first": held[0]})

    patch.setattr(TableDecider, "view", shown)


SEEN = {"Watch", "Play", f"WebSocket {PROTOBUF}", f"WebSocket {JSON}", "GetView"}


@pytest.mark.parametrize(
    ("wrap", "patched", "channels"),
    [
        pytest.param(ShowsAnotherHand, no_patch, SEEN, id="another hand in the view"),
        pytest.param(ShowsSpectatorsACard, no_patch, SEEN, id="a card to spectators"),
        pytest.param(ShowsLegalMovesOfOthers, no_patch, SEEN, id="legal moves of others"),
        pytest.param(ShowsCoveredFaces, no_patch, SEEN - {"GetView"}, id="a covered face in the event"),
        pytest.param(RefusesWithACard, no_patch, {"CheckMove"}, id="a card in a refusal"),
        pytest.param(LogsACard, no_patch, {"log"}, id="a card in the log"),
        pytest.param(nothing, label_of_a_metric, {"metrics of table"}, id="a card in a metric"),
        pytest.param(nothing, public_message, {"nats"}, id="a card in a message between services"),
        pytest.param(nothing, details_of_an_error, {"refused GetRecordRequest"}, id="a card in an error"),
        pytest.param(nothing, trace_of_a_bug, {"log"}, id="a card in a traceback"),
        pytest.param(
            nothing, analysts_view, {"analysts' analysis.planted"}, id="a card in an analysts' view"
        ),
        pytest.param(nothing, second_copy, SEEN, id="a second copy in the view"),
    ],
)
async def test_a_planted_leak_is_caught(
    wrap: Callable[[TaggedGame], Any],
    patched: Patch,
    channels: set[str],
    clean_postgres: str,
    nats_url: str,
    tmp_path: Path,
) -> None:
    with tagged_deck("planted", wrap) as deck, pytest.MonkeyPatch.context() as patch:
        async with on_stage(deck, clean_postgres, nats_url, tmp_path) as stage:
            patched(patch, stage)
            await stage.open_table()
            await stage.listen()
            await play(stage, covering, "planted", moves=16, probe_every=5)
            await stage.until_all_have_heard()
            await stage.hear_metrics()
            stage.hear_analysts()
            request = pb.GetViewRequest(table_id=stage.table_id, viewer=stage.viewer(0))
            await stage.ask("GetView", 0, stage.stub.GetView, request)
            leaks = stage.leaks()
    assert channels <= {leak.channel for leak in leaks}
