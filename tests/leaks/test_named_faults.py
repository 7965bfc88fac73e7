"""The named faults of hidden information, on the whole platform with a tagged deck."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from carteado.cards.v1 import cards_pb2
from carteado.games.truco.v1 import truco_pb2
from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from tests.leaks.deck import tagged_deck
from tests.leaks.moves import Towards, by_chance, calm, covering, play
from tests.leaks.scanner import tokens_in
from tests.leaks.stage import Stage, on_stage

pytestmark = [pytest.mark.integration, pytest.mark.timeout(240)]

EVERYBODY = (None, 0, 1, 2, 3)


@asynccontextmanager
async def table(seed: str, postgres: str, nats_url: str, folder: Path) -> AsyncIterator[Stage]:
    """A stage with a table of four persons, and everybody listening."""
    with tagged_deck(seed) as deck:
        async with on_stage(deck, postgres, nats_url, folder) as stage:
            await stage.open_table()
            await stage.listen()
            yield stage


def last_deal(stage: Stage) -> list[set[str]]:
    """The cards of the current hand, by seat."""
    dealt = [payload for name, payload in stage.events() if name == "truco.hand_dealt"][-1]
    return [set(cards) for cards in dealt["cards"]]


def vira(stage: Stage) -> str:
    dealt = [payload for name, payload in stage.events() if name == "truco.hand_dealt"][-1]
    found: str = dealt["vira"]
    return found


async def test_b069_a_the_side_at_eleven_sees_both_its_hands_until_it_decides_and_nobody_else_does(
    clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    async with table("b069a", clean_postgres, nats_url, tmp_path) as stage:
        score = Towards((11, 5))
        await play(stage, score, "b069a", until=score.is_reached)
        cards = last_deal(stage)
        views = {viewer: await stage.view(viewer) for viewer in EVERYBODY}
        assert all(view.truco.phase == truco_pb2.PHASE_ELEVEN_HAND for view in views.values())
        for seat in (0, 2):
            assert tokens_in(stage.deck, views[seat]) == cards[0] | cards[2] | {vira(stage)}
        for seat in (1, 3):
            assert tokens_in(stage.deck, views[seat]) == cards[seat] | {vira(stage)}
        assert tokens_in(stage.deck, views[None]) == {vira(stage)}
        command = stage.command(
            truco=truco_pb2.Move(play_eleven_hand=truco_pb2.PlayElevenHand(hand=views[0].truco.hand))
        )
        assert (await stage.submit(0, command)).HasField("accepted")
        # Decided: from now on the partner's cards are the partner's own again.
        for seat in range(4):
            assert tokens_in(stage.deck, await stage.view(seat)) == cards[seat] | {vira(stage)}
        await play(stage, by_chance, "b069a", moves=20)
        await stage.until_all_have_heard()
        assert stage.leaks() == []


async def test_b069_b_in_the_mao_de_ferro_nobody_sees_a_card_not_even_its_own_before_it_is_played(
    clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    async with table("b069b", clean_postgres, nats_url, tmp_path) as stage:
        score = Towards((11, 11))
        await play(stage, score, "b069b", until=score.is_reached)
        dealt = set().union(*last_deal(stage))
        for viewer in EVERYBODY:
            view = await stage.view(viewer)
            assert view.truco.blind
            assert [hand.count for hand in view.truco.hands] == [3, 3, 3, 3]
            assert not any(hand.cards for hand in view.truco.hands)
            assert tokens_in(stage.deck, view) == {vira(stage)}
            if viewer is not None:
                assert list(view.truco.hands[viewer].positions) == [0, 1, 2]
        assert not any(tokens_in(stage.deck, one.payload) & dealt for one in stage.heard)
        await play(stage, covering, "b069b")
        await stage.until_all_have_heard()
        assert stage.leaks() == []
        played = [payload for name, payload in stage.events() if name == "truco.card_played"]
        assert any(one["covered"] and one["card"] in dealt for one in played)


async def test_b069_c_a_covered_card_is_never_shown_also_after_its_hand_until_the_match_has_ended(
    clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    async with table("b069c", clean_postgres, nats_url, tmp_path) as stage:
        await play(stage, covering, "b069c", moves=40)
        events = stage.events()
        covered = [
            (payload["seat"], payload["card"])
            for name, payload in events
            if name == "truco.card_played" and payload["covered"]
        ]
        assert len(covered) > 5
        assert any(name == "truco.hand_ended" for name, _ in events)
        await stage.until_all_have_heard()
        for seat, card in covered:
            told = {one.receiver for one in stage.heard if card in tokens_in(stage.deck, one.payload)}
            assert told <= {seat}
        for seat in range(4):
            await stage.submit(seat, stage.command(leave=pb.Leave()))
        knowledge = await stage.until_all_have_heard()
        assert knowledge.ended_at is not None
        assert stage.leaks() == []
        request = pb.GetRecordRequest(table_id=stage.table_id, viewer=stage.viewer(1))
        record = await stage.stub.GetRecord(request, timeout=30, metadata=stage.credential("gateway"))
        # The end is the one exception: from here on everybody may check what was covered.
        assert {card for _, card in covered} <= tokens_in(stage.deck, record)


async def test_b069_c_a_signal_is_seen_by_all_and_its_meaning_by_one_side_alone(
    clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    async with table("b069c-signals", clean_postgres, nats_url, tmp_path) as stage:
        await play(stage, calm, "b069c-signals", moves=25)
        hand = (await stage.view(None)).truco.hand
        signal = truco_pb2.Signal(hand=hand, gesture=truco_pb2.GESTURE_PISCAR)
        command = stage.command(truco=truco_pb2.Move(signal=signal))
        already = [
            one.seat for one in (await stage.view(None)).truco.signals if one.gesture == signal.gesture
        ]
        assert (await stage.submit(0, command)).HasField("accepted") == (0 not in already)
        knowledge = await stage.until_all_have_heard()
        tables = {
            payload["hand"]: payload["signal_tables"]
            for name, payload in stage.events()
            if name == "truco.hand_dealt"
        }
        assert all(one != other for one, other in tables.values())
        updates = [
            (one.receiver, one.payload.update)
            for one in stage.heard
            if isinstance(one.payload, pb.WatchResponse)
        ]
        for receiver in EVERYBODY:
            mine = [update for to, update in updates if to == receiver]
            told = [event.truco.signal_sent for update in mine for event in update.events]
            assert signal.gesture in {one.gesture for one in told if one.seat == 0}
            for update in mine:
                if knowledge.is_over(update.to_version):
                    continue
                shown = {one.side: meanings(one) for one in update.view.truco.signal_tables}
                own = {} if receiver is None else {receiver % 2: tables[update.view.truco.hand][receiver % 2]}
                assert shown == own
        # Over every channel, as protobuf or JSON: what a side's table says reaches that side alone.
        sides = {
            one.receiver % 2
            for one in stage.heard
            if isinstance(one.receiver, int) and has_meanings(one.payload)
        }
        assert sides == {0, 1}
        outside = [one for one in stage.heard if not isinstance(one.receiver, int)]
        assert not any(has_meanings(one.payload) and not knowledge.is_over(one.version) for one in outside)


def meanings(table: truco_pb2.SignalTable) -> str:
    """A side's table as the log writes it."""
    suits = {one.gesture: cards_pb2.Suit.Name(one.suit)[len("SUIT_")] for one in table.meanings}
    return "".join(suits[gesture] for gesture in sorted(suits))


def has_meanings(payload: object) -> bool:
    """Whether anything in a message, of whatever form, names a table of signals."""
    return "meanings" in str(payload)


async def test_b071_no_card_on_metrics_logs_errors_or_messages_and_hands_of_others_are_counts(
    clean_postgres: str, nats_url: str, tmp_path: Path
) -> None:
    async with table("b071", clean_postgres, nats_url, tmp_path) as stage:
        for number in range(6):
            await play(stage, by_chance, f"b071-{number}", moves=6, probe_every=2)
            await stage.hear_metrics()
        await stage.until_all_have_heard()
        outside = [one for one in stage.heard if one.channel.startswith(("metrics", "nats", "refused"))]
        assert {one.channel.split()[0] for one in outside} == {"metrics", "nats", "refused"}
        for one in outside:
            assert tokens_in(stage.deck, one.payload) <= tokens_in(stage.deck, one.asked)
        assert len(stage.log_lines.getvalue().splitlines()) > 20
        assert tokens_in(stage.deck, stage.log_lines.getvalue()) == set()
        views = [
            (one.receiver, one.payload.view)
            for one in stage.heard
            if isinstance(one.payload, pb.GetViewResponse)
        ]
        views += [
            (one.receiver, one.payload.update.view)
            for one in stage.heard
            if isinstance(one.payload, pb.WatchResponse)
        ]
        assert len(views) > 100
        for receiver, view in views:
            assert_others_are_counts(receiver, view)


def assert_others_are_counts(receiver: object, view: view_pb2.TableView) -> None:
    """Neither faces nor places of what others hold: an order would tell what was drawn and what is left."""
    if view.HasField("result"):
        return
    for hand in view.truco.hands:
        partner_is_seen = view.truco.phase == truco_pb2.PHASE_ELEVEN_HAND
        if hand.seat != receiver and not partner_is_seen:
            assert not hand.cards
            assert not hand.positions
