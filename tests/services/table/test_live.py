"""Updates over the Play and Watch streams: contiguous for every viewer, resumed from any version, equal to time travel."""

import asyncio
import uuid
from collections.abc import AsyncIterator

import grpc
import pytest

from carteado.table.v1 import table_service_pb2 as pb
from carteado.table.v1 import view_pb2
from libs.eventlog.runtime import Loaded
from libs.service.grpc_client import error_code
from services.table import play_stream
from services.table.live import MAX_GAP
from tests.services.table.conftest import TIMEOUT_S, Serving

SPECTATOR = pb.Viewer(spectator=pb.Spectator())


class Player:
    """One caller's Play stream: sends items, and keeps what comes back."""

    def __init__(self, serving: Serving) -> None:
        self._requests: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        self.call = serving.stub.Play(self._sending(), metadata=serving.credential("gateway"))
        self.updates: dict[int, list[view_pb2.TableUpdate]] = {}
        self.answers: dict[int, pb.CommandOutcome] = {}
        self.ended: dict[int, str] = {}
        self.update_frames = 0
        self._changed = asyncio.Condition()
        self.reading = asyncio.create_task(self._read())

    async def _sending(self) -> AsyncIterator[pb.PlayRequest]:
        while (request := await self._requests.get()) is not None:
            yield request

    async def _read(self) -> None:
        async for response in self.call:
            async with self._changed:
                for item in response.items:
                    match item.WhichOneof("reply"):
                        case "update":
                            update = view_pb2.TableUpdate.FromString(item.update.update)
                            assert (update.from_version, update.to_version) == (
                                item.update.from_version,
                                item.update.to_version,
                            )
                            self.update_frames += 1
                            for subscription in (item.update.subscription, *item.update.also):
                                self.updates.setdefault(subscription, []).append(update)
                        case "answer":
                            self.answers[item.answer.tag] = item.answer.outcome
                        case "ended":
                            self.ended[item.ended.subscription] = item.ended.code
                self._changed.notify_all()

    def send(self, *items: pb.PlayItem) -> None:
        self._requests.put_nowait(pb.PlayRequest(items=items))

    def attach(self, subscription: int, table_id: str, viewer: pb.Viewer, last_version: int = 0) -> None:
        attach = pb.Attach(
            subscription=subscription, table_id=table_id, viewer=viewer, last_version=last_version
        )
        self.send(pb.PlayItem(attach=attach))

    async def until_version(self, subscription: int, version: int) -> list[view_pb2.TableUpdate]:
        def reached() -> bool:
            updates = self.updates.get(subscription)
            return bool(updates) and updates[-1].to_version >= version

        async with asyncio.timeout(TIMEOUT_S), self._changed:
            await self._changed.wait_for(reached)
        return self.updates[subscription]

    async def until(self, condition: object) -> None:
        async with asyncio.timeout(TIMEOUT_S), self._changed:
            await self._changed.wait_for(condition)

    async def close(self) -> None:
        self._requests.put_nowait(None)
        await asyncio.wait_for(self.reading, TIMEOUT_S)


def assert_contiguous(updates: list[view_pb2.TableUpdate], first_from: int = 0) -> None:
    for update in updates:
        assert update.from_version == first_from
        assert update.to_version == update.view.version > update.from_version
        first_from = update.to_version


@pytest.fixture
async def player(serving: Serving) -> AsyncIterator[Player]:
    caller = Player(serving)
    yield caller
    caller.call.cancel()


async def test_every_viewer_gets_every_command_contiguously_to_the_end(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create("ana", "bia")
    viewers = [pb.Viewer(player_id="ana"), pb.Viewer(player_id="bia"), SPECTATOR]
    for number, viewer in enumerate(viewers):
        player.attach(number, table_id, viewer)
    await serving.play(table_id)
    head = (await serving.runtime.load(table_id)).version
    for number in range(len(viewers)):
        updates = await player.until_version(number, head)
        assert_contiguous(updates)
        assert updates[-1].view.HasField("result")
        assert not any(update.is_resync for update in updates)


async def test_what_a_tables_onlookers_see_alike_is_sent_once(serving: Serving, player: Player) -> None:
    table_id = await serving.create("ana", "bia")
    for number in range(40):
        player.attach(number, table_id, SPECTATOR)
    player.attach(40, table_id, pb.Viewer(player_id="ana"))
    for number in range(41):
        await player.until_version(number, 1)
    before = player.update_frames
    await serving.play(table_id, moves=3)
    head = (await serving.runtime.load(table_id)).version
    for number in range(41):
        assert_contiguous(await player.until_version(number, head))
    moves = len(player.updates[40]) - 1
    # A batch holds 128 replies, so a move's 41 may be parted between two.
    assert player.update_frames - before <= 4 * moves
    assert len({update.SerializeToString() for update in player.updates[0]}) == moves + 1
    assert player.updates[0][1:] == player.updates[39][1:]
    assert player.updates[40][-1].view.your_seat == 0


async def test_time_travel_equals_what_was_seen_live(serving: Serving, player: Player) -> None:
    table_id = await serving.create("ana")
    viewers = [pb.Viewer(player_id="ana"), SPECTATOR]
    for number, viewer in enumerate(viewers):
        player.attach(number, table_id, viewer)
    await serving.play(table_id)
    head = (await serving.runtime.load(table_id)).version
    for number, viewer in enumerate(viewers):
        for update in await player.until_version(number, head):
            seen = update.view
            if viewer is SPECTATOR:
                # Who has not played a finished match gets pseudonyms, also for what was seen live.
                seen.seats[0].player_id = "pseudonym-0"
            assert await serving.view(table_id, viewer, update.to_version) == seen


async def test_b077_a_viewer_that_comes_back_gets_exactly_what_it_missed_and_no_new_time(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    player.attach(1, table_id, pb.Viewer(player_id="ana"))
    seen = (await player.until_version(1, 1))[-1]
    player.send(pb.PlayItem(detach=pb.Detach(subscription=1)))
    await serving.play(table_id, moves=6)
    head = (await serving.runtime.load(table_id)).version
    player.attach(2, table_id, pb.Viewer(player_id="ana"), seen.to_version)
    missed = await player.until_version(2, head)
    assert_contiguous(missed, seen.to_version)
    assert len(missed) == 6
    due_at = missed[-1].view.clock.due_at
    player.attach(3, table_id, pb.Viewer(player_id="ana"), head - 1)
    assert (await player.until_version(3, head))[-1].view.clock.due_at == due_at
    assert player.updates[1] == [seen]


async def test_a_viewer_that_joins_a_table_in_full_play_reads_the_log_once(
    serving: Serving, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0

    class Overtaken:
        """A move is made during every look at the log."""

        async def load(self, table_id: str) -> Loaded:
            nonlocal reads
            reads += 1
            loaded = await serving.runtime.load(table_id)
            await serving.play(table_id, moves=1)
            return loaded

    table_id = await serving.create("ana", "bia", "caio", "davi")
    monkeypatch.setattr(serving.live, "_runtime", Overtaken())
    player.attach(1, table_id, SPECTATOR)
    await player.until_version(1, 2)
    await serving.play(table_id, moves=3)
    assert_contiguous(await player.until_version(1, (await serving.runtime.load(table_id)).version))
    assert len(player.updates[1]) == 5
    assert reads == 1


async def test_viewers_that_come_together_share_a_look_and_who_comes_later_has_another(
    serving: Serving, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0

    class Counted:
        async def load(self, table_id: str) -> Loaded:
            nonlocal reads
            reads += 1
            loaded = await serving.runtime.load(table_id)
            if reads == 1:
                # Made before the second group came: a look that had begun would keep it from them.
                await serving.play(table_id, moves=1)
                player.send(*attaches(range(4, 7)))
                await player.until_version(0, 2)
            return loaded

    def attaches(numbers: range) -> list[pb.PlayItem]:
        return [
            pb.PlayItem(attach=pb.Attach(subscription=number, table_id=table_id, viewer=SPECTATOR))
            for number in numbers
        ]

    table_id = await serving.create("ana", "bia", "caio", "davi")
    player.attach(0, table_id, SPECTATOR)
    await player.until_version(0, 1)
    monkeypatch.setattr(serving.live, "_runtime", Counted())
    player.send(*attaches(range(1, 4)))
    for number in range(1, 7):
        assert_contiguous(await player.until_version(number, 2))
    assert reads == 2


async def test_a_viewer_that_has_missed_more_than_is_kept_reads_again(
    serving: Serving, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = 8  # fewer than the shortest match has moves
    monkeypatch.setattr("services.table.live.MAX_KEPT", kept)
    reads = 0

    class OvertakenOnce:
        """So many moves are made during the first look at the log that not all of them are kept."""

        async def load(self, table_id: str) -> Loaded:
            nonlocal reads
            reads += 1
            loaded = await serving.runtime.load(table_id)
            if reads == 1:
                await serving.play(table_id, moves=kept + 1)
            return loaded

        async def history(self, table_id: str, after_version: int) -> object:
            return await serving.runtime.history(table_id, after_version)

    table_id = await serving.create("ana", "bia", "caio", "davi")
    monkeypatch.setattr(serving.live, "_runtime", OvertakenOnce())
    player.attach(1, table_id, SPECTATOR)
    await player.until_version(1, 1)
    head = (await serving.runtime.load(table_id)).version
    assert_contiguous(await player.until_version(1, head))
    assert reads == 2


async def test_a_viewer_from_the_future_or_too_far_back_gets_a_marked_view(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create()
    player.attach(1, table_id, SPECTATOR, last_version=MAX_GAP * 10)
    first = (await player.until_version(1, 1))[0]
    assert first.is_resync
    assert not first.events


async def test_commands_are_answered_by_their_tag_and_seen_by_all(serving: Serving, player: Player) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    player.attach(1, table_id, SPECTATOR)
    await player.until_version(1, 1)
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    actor, command = wanted
    stale = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, truco=command.truco)
    player.send(
        pb.PlayItem(command=pb.PlayCommand(tag=7, actor=actor, command=command)),
        pb.PlayItem(command=pb.PlayCommand(tag=8, actor=actor, command=stale)),
    )
    await player.until(lambda: {7, 8} <= player.answers.keys())
    assert player.answers[8].refused.code == "STALE"
    await player.until_version(1, player.answers[7].accepted.version)
    assert_contiguous(player.updates[1])


async def test_a_subscription_to_no_table_ends_with_its_code(serving: Serving, player: Player) -> None:
    player.attach(1, str(uuid.uuid4()), SPECTATOR)
    player.attach(2, "nonsense", SPECTATOR)
    player.attach(3, str(uuid.uuid4()), pb.Viewer(robot_seat=0))
    await player.until(lambda: {1, 2, 3} <= player.ended.keys())
    assert player.ended == {1: "TABLE_NOT_FOUND", 2: "INVALID_ARGUMENT", 3: "CALLER_NOT_ALLOWED"}


async def test_ending_the_requests_ends_the_stream_after_the_last_answer(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    player.send(pb.PlayItem(command=pb.PlayCommand(tag=1, actor=wanted[0], command=wanted[1])))
    await player.close()
    assert player.answers[1].HasField("accepted")
    assert serving.live.count == 0


async def test_a_caller_that_does_not_read_is_cut_off_and_others_go_on(
    serving: Serving, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_stream, "MAX_QUEUED", 16)
    table_id = await serving.create("ana", "bia", "caio", "davi")
    player.attach(1, table_id, SPECTATOR)
    await player.until_version(1, 1)

    async def attach_many() -> AsyncIterator[pb.PlayRequest]:
        yield pb.PlayRequest(
            items=[
                pb.PlayItem(attach=pb.Attach(subscription=number, table_id=table_id, viewer=SPECTATOR))
                for number in range(400)
            ]
        )
        await asyncio.Event().wait()

    stalled = serving.stub.Play(attach_many(), metadata=serving.credential("gateway"))

    async def read_on() -> None:
        async for _ in stalled:
            pass

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(read_on(), TIMEOUT_S)
    assert error_code(caught.value) == "SLOW_CONSUMER"
    assert await serving.play(table_id, moves=2) == 2
    assert_contiguous(await player.until_version(1, (await serving.runtime.load(table_id)).version))


async def test_watch_streams_one_viewers_updates(serving: Serving) -> None:
    table_id = await serving.create("ana")
    call = serving.stub.Watch(
        pb.WatchRequest(table_id=table_id, viewer=pb.Viewer(player_id="ana")),
        metadata=serving.credential("gateway"),
    )
    await serving.play(table_id)
    updates: list[view_pb2.TableUpdate] = []
    async with asyncio.timeout(TIMEOUT_S):
        async for response in call:
            updates.append(response.update)
            if response.update.view.HasField("result"):
                break
    assert_contiguous(updates)
    assert updates[0].view.your_seat == 0


async def test_watching_no_table_is_not_found(serving: Serving) -> None:
    call = serving.stub.Watch(
        pb.WatchRequest(table_id=str(uuid.uuid4()), viewer=SPECTATOR), metadata=serving.credential("gateway")
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async with asyncio.timeout(TIMEOUT_S):
            await call.read()
    assert error_code(caught.value) == "TABLE_NOT_FOUND"


async def test_draining_ends_the_streams_after_what_is_under_way_is_answered(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    watching = serving.stub.Watch(
        pb.WatchRequest(table_id=table_id, viewer=SPECTATOR), metadata=serving.credential("gateway")
    )
    await watching.read()
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    player.send(pb.PlayItem(command=pb.PlayCommand(tag=1, actor=wanted[0], command=wanted[1])))
    await player.until(lambda: 1 in player.answers)
    async with asyncio.timeout(TIMEOUT_S):
        await serving.tables.drain()
        await player.reading
        assert (await watching.read()).update.to_version == player.answers[1].accepted.version
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watching.read()
    assert error_code(caught.value) == "UNAVAILABLE"
    assert serving.live.count == 0


def claim_of(table_id: str, device: str) -> pb.TableCommand:
    return pb.TableCommand(
        command_id=str(uuid.uuid4()), table_id=table_id, claim=device, claim_seat=pb.ClaimSeat()
    )


async def test_b084_the_device_that_claimed_last_acts_and_the_other_is_told_why(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create("ana", "bia", "caio", "davi")
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    wanted = await serving.next_move(table_id)
    assert wanted is not None
    actor, move = wanted
    seat = (await serving.view(table_id, actor)).your_seat
    player.attach(1, table_id, actor)
    player.attach(2, table_id, SPECTATOR)
    for device in (first, second):
        assert (await serving.submit(actor, claim_of(table_id, device))).HasField("accepted")
    move.claim = first
    refused = await serving.submit(actor, move)
    assert refused.refused.code == "SEAT_TAKEN_ELSEWHERE"
    move.claim, move.command_id = second, str(uuid.uuid4())
    accepted = await serving.submit(actor, move)
    version = accepted.accepted.version
    mine = await player.until_version(1, version)
    assert [e.seat_claimed.claim for update in mine for e in update.events if e.HasField("seat_claimed")] == [
        first,
        second,
    ]
    assert mine[-1].view.seats[seat].claim == second
    others = await player.until_version(2, version)
    assert_contiguous(others)
    assert not any(
        device.encode() in update.SerializeToString() for update in others for device in (first, second)
    )


async def test_a_seat_is_claimed_once_by_a_device_and_by_nobody_else(serving: Serving) -> None:
    table_id = await serving.create("ana")
    device = str(uuid.uuid4())
    ana = pb.Viewer(player_id="ana")
    assert (await serving.submit(ana, claim_of(table_id, device))).HasField("accepted")
    assert (await serving.submit(ana, claim_of(table_id, device))).refused.code == "SEAT_ALREADY_YOURS"
    stranger = pb.Viewer(player_id="eva")
    assert (await serving.submit(stranger, claim_of(table_id, device))).refused.code == "NOT_SEATED"
    nameless = claim_of(table_id, "")
    assert (await serving.submit(ana, nameless)).refused.code == "INVALID_ARGUMENT"


async def test_nobody_watches_a_ranked_table_before_its_end(serving: Serving, player: Player) -> None:
    table_id = await serving.create("ana", room=view_pb2.ROOM_RANQUEADA)
    player.attach(1, table_id, SPECTATOR)
    player.attach(2, table_id, pb.Viewer(player_id="eva"))
    player.attach(3, table_id, pb.Viewer(player_id="ana"))
    await player.until_version(3, 1)
    await player.until(lambda: {1, 2} <= player.ended.keys())
    assert player.ended == {1: "NOT_WATCHABLE", 2: "NOT_WATCHABLE"}
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await serving.view(table_id, SPECTATOR)
    assert error_code(caught.value) == "NOT_WATCHABLE"
    outcome = await serving.submit(
        pb.Viewer(player_id="ana"),
        pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, leave=pb.Leave()),
    )
    assert outcome.HasField("accepted")
    player.attach(4, table_id, SPECTATOR)
    ended = (await player.until_version(4, outcome.accepted.version))[-1].view
    assert ended.HasField("result")
    assert ended.seats[0].player_id == "pseudonym-0"


@pytest.mark.parametrize("room", [view_pb2.ROOM_LIVRE, view_pb2.ROOM_RANQUEADA])
async def test_who_comes_back_to_a_finished_match_is_told_pseudonyms_from_its_first_version(
    serving: Serving, player: Player, room: view_pb2.Room.ValueType
) -> None:
    table_id = await serving.create("ana", room=room)
    leave = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, leave=pb.Leave())
    head = (await serving.submit(pb.Viewer(player_id="ana"), leave)).accepted.version
    for number, viewer in enumerate((SPECTATOR, pb.Viewer(player_id="eva"), pb.Viewer(player_id="ana"))):
        # Whatever a client says that it has.
        player.attach(number, table_id, viewer, last_version=1)
    for number, told in enumerate(("pseudonym-0", "pseudonym-0", "ana")):
        updates = await player.until_version(number, head)
        assert not updates[0].view.HasField("result"), "it begins before the end"
        assert {update.view.seats[0].player_id for update in updates} == {told}


async def test_fifty_may_watch_a_table_and_its_players_always(serving: Serving, player: Player) -> None:
    table_id = await serving.create("ana")
    for number in range(51):
        player.attach(number, table_id, SPECTATOR)
    await player.until(lambda: len(player.updates) == 50 and len(player.ended) == 1)
    assert set(player.ended.values()) == {"TOO_MANY_SPECTATORS"}
    player.attach(100, table_id, pb.Viewer(player_id="ana"))
    await player.until_version(100, 1)


async def test_one_person_does_not_take_all_places_of_those_who_watch(
    serving: Serving, player: Player
) -> None:
    table_id = await serving.create("ana")
    for number in range(6):
        player.attach(number, table_id, pb.Viewer(player_id="eva"))
    await player.until(lambda: len(player.updates) == 4 and len(player.ended) == 2)
    assert set(player.ended.values()) == {"WATCHING_ALREADY"}
    player.attach(100, table_id, pb.Viewer(player_id="rui"))
    await player.until_version(100, 1)
    # Who has a seat may look from anywhere.
    for number in range(200, 206):
        player.attach(number, table_id, pb.Viewer(player_id="ana"))
        await player.until_version(number, 1)


async def test_a_stream_with_nothing_to_say_says_so_twice_a_second(serving: Serving) -> None:
    async def nothing() -> AsyncIterator[pb.PlayRequest]:
        await asyncio.Event().wait()
        yield pb.PlayRequest()

    call = serving.stub.Play(nothing(), metadata=serving.credential("gateway"))
    async with asyncio.timeout(play_stream.HEARTBEAT_S * 4):
        assert [await call.read(), await call.read()] == [pb.PlayResponse(), pb.PlayResponse()]
    call.cancel()


async def test_a_bug_is_told_to_the_viewer_and_to_who_gave_the_command(
    serving: Serving, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await serving.create("ana")

    async def bug(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(serving.runtime, "load", bug)
    monkeypatch.setattr(serving.runtime, "handle", bug)
    player.attach(1, table_id, pb.Viewer(player_id="ana"))
    leave = pb.TableCommand(command_id=str(uuid.uuid4()), table_id=table_id, leave=pb.Leave())
    player.send(pb.PlayItem(command=pb.PlayCommand(tag=7, actor=pb.Viewer(player_id="ana"), command=leave)))
    await player.until(lambda: 1 in player.ended and 7 in player.answers)
    assert (player.ended[1], player.answers[7].refused.code) == ("INTERNAL", "INTERNAL")
