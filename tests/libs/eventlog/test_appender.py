"""Group commit, without a database: what is grouped, what is tried again, what is answered when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime

import pytest

from libs.eventlog.appender import Appender, AppenderLimits, ConnectionLostError, StatementRefusedError
from libs.eventlog.errors import AppendTimeoutError, LogUnavailableError, UnstorableError
from libs.eventlog.linger import Linger
from libs.eventlog.store import AppendCommand, Appended, AppendOutcome, NewEvent, Outage, Span, StreamWrite
from libs.eventlog.streams import stream_id

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
QUICK = AppenderLimits(patience_s=0.2, reconnect_first_s=0.001, reconnect_most_s=0.01)


def to(name: str, command_id: str = "") -> AppendCommand:
    return AppendCommand(
        command_id or name, b"", (StreamWrite(stream_id("said", name), 0, (NewEvent("Said", 1, b"{}"),)),)
    )


class ScriptedWriter:
    """A writer that a test holds up, or makes fail."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.beats = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.began = asyncio.Event()
        self.closed = False
        self.judge: Callable[[Sequence[AppendCommand]], None] = lambda commands: None

    async def write(self, commands: Sequence[AppendCommand]) -> Sequence[AppendOutcome]:
        self.groups.append([command.id for command in commands])
        self.began.set()
        await self.gate.wait()
        await asyncio.sleep(0)  # no database answers within one turn of the loop
        self.judge(commands)
        return [Appended((Span(one.writes[0].stream, 0, 1),), (1,), NOON) for one in commands]

    async def beat(self, outage_after_s: float) -> Outage | None:
        self.beats += 1
        return None

    async def close(self) -> None:
        self.closed = True


class Scene:
    """An appender, and the writers that it is given one after another; an exception stands for a failed connection."""

    def __init__(self, limits: AppenderLimits = QUICK, linger: Linger | None = None) -> None:
        self.writer = ScriptedWriter()
        self.next: list[ScriptedWriter | Exception] = [self.writer]
        self.appender = Appender(self._open, limits=limits, linger=linger)

    async def _open(self) -> ScriptedWriter:
        found = self.next.pop(0) if len(self.next) > 1 else self.next[0]
        if isinstance(found, Exception):
            raise found
        self.writer = found
        return found


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    await scene.appender.start()
    yield scene
    await scene.appender.close()


async def test_what_comes_at_once_is_one_group(scene):
    await asyncio.gather(*(scene.appender.append(to(str(number))) for number in range(12)))
    assert [len(group) for group in scene.writer.groups] == [12]


async def test_what_waits_behind_a_statement_that_nobody_answers_is_answered_in_time(scene):
    """A frozen server is given up after five seconds; who has sent nothing to it need not wait for that."""
    scene.writer.gate.clear()
    under_way = scene.appender.append(to("a"))
    await scene.writer.began.wait()
    try:
        with pytest.raises(LogUnavailableError, match="waited too long and was not appended"):
            await asyncio.wait_for(scene.appender.append(to("b")), 10)
        assert not under_way.done()
    finally:
        scene.writer.gate.set()
    assert isinstance(await under_way, Appended)
    assert isinstance(await scene.appender.append(to("b")), Appended)


async def test_beats_that_nobody_waits_for_any_more_are_not_made_up_for(scene):
    scene.writer.gate.clear()
    under_way = scene.appender.append(to("a"))
    await scene.writer.began.wait()
    for _ in range(100):
        scene.appender.beat(3.0).cancel()
    last = scene.appender.beat(3.0)
    scene.writer.gate.set()
    await asyncio.gather(under_way, last)
    assert scene.writer.beats == 1


async def test_what_waits_for_a_connection_that_is_long_in_coming_is_answered_in_time():
    scene = Scene()
    await scene.appender.start()
    never = asyncio.Event()

    async def connect_in_vain() -> ScriptedWriter:
        await never.wait()
        raise LogUnavailableError("away")

    def lose(commands: Sequence[AppendCommand]) -> None:
        raise ConnectionLostError("gone")

    scene.writer.judge = lose
    scene.appender._open_writer = connect_in_vain
    in_doubt = scene.appender.append(to("a"))
    try:
        with pytest.raises(AppendTimeoutError):
            await asyncio.wait_for(in_doubt, 10)
        with pytest.raises(LogUnavailableError):
            await asyncio.wait_for(scene.appender.append(to("b")), 10)
    finally:
        never.set()
        await scene.appender.close()


async def test_under_load_two_groups_take_turns(scene):
    async def come_back(name: str) -> None:
        for time in range(5):
            await scene.appender.append(to(f"{name}-{time}"))

    await asyncio.gather(*(come_back(str(number)) for number in range(64)))
    sizes = [len(group) for group in scene.writer.groups]
    assert sum(sizes) == 64 * 5
    assert sizes[:9] == [32] * 9, "one half is appended while the other decides"


async def test_a_lone_command_does_not_wait(scene):
    for number in range(3):
        await scene.appender.append(to(str(number)))
    assert [len(group) for group in scene.writer.groups] == [1, 1, 1]


async def test_the_next_group_gathers_while_a_commit_is_under_way(scene):
    scene.writer.gate.clear()
    first = scene.appender.append(to("first"))
    await scene.writer.began.wait()
    others = [scene.appender.append(to(str(number))) for number in range(7)]
    scene.writer.gate.set()
    await asyncio.gather(first, *others)
    assert [len(group) for group in scene.writer.groups] == [1, 7]


async def test_a_group_has_a_largest_size():
    scene = Scene(AppenderLimits(group=4))
    await scene.appender.start()
    await asyncio.gather(*(scene.appender.append(to(str(number))) for number in range(10)))
    assert [len(group) for group in scene.writer.groups] == [4, 4, 2]
    await scene.appender.close()


async def test_two_commands_on_one_stream_are_two_groups_in_order(scene):
    commands = [to("a", "1"), to("b", "2"), to("a", "3"), to("c", "4"), to("a", "5")]
    await asyncio.gather(*map(scene.appender.append, commands))
    assert scene.writer.groups == [["1", "2", "4"], ["3"], ["5"]]


async def test_a_refused_group_is_tried_again_command_by_command(scene):
    def refuse(commands: Sequence[AppendCommand]) -> None:
        if any(command.id == "17" for command in commands):
            raise StatementRefusedError("bad text")

    scene.writer.judge = refuse
    outcomes = await asyncio.gather(
        *(scene.appender.append(to(str(number))) for number in range(50)), return_exceptions=True
    )
    assert isinstance(outcomes[17], UnstorableError)
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 49
    sizes = [len(group) for group in scene.writer.groups]
    first = next(index for index, group in enumerate(scene.writer.groups) if "17" in group)
    assert sizes[first : first + sizes[first] + 1] == [sizes[first]] + [1] * sizes[first]
    assert sizes[first] > 1


async def test_a_statement_that_appended_nothing_fails_its_group_at_once(scene):
    def refuse(commands: Sequence[AppendCommand]) -> None:
        raise LogUnavailableError("disk full")

    scene.writer.judge = refuse
    with pytest.raises(LogUnavailableError, match="disk full"):
        await scene.appender.append(to("a"))
    assert scene.writer.groups == [["a"]]


def lose(commands: Sequence[AppendCommand]) -> None:
    raise ConnectionLostError("gone")


async def test_a_group_in_doubt_is_sent_again_on_a_new_connection(scene):
    scene.writer.judge = lose
    first, second = scene.writer, ScriptedWriter()
    scene.next = [LogUnavailableError("not yet"), LogUnavailableError("not yet"), second]
    outcomes = await asyncio.gather(*(scene.appender.append(to(name)) for name in "abc"))
    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    assert (first.groups, second.groups) == ([["a", "b", "c"]], [["a", "b", "c"]])
    assert first.closed
    assert scene.appender.generation == 1


async def test_a_connection_lost_while_commands_are_tried_one_by_one_loses_none(scene):
    def refuse_then_lose(commands: Sequence[AppendCommand]) -> None:
        if len(commands) > 1:
            raise StatementRefusedError("bad")
        if commands[0].id == "b":
            raise ConnectionLostError("gone")

    scene.writer.judge = refuse_then_lose
    second = ScriptedWriter()
    scene.next = [second]
    outcomes = await asyncio.gather(*(scene.appender.append(to(name)) for name in "abcd"))
    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    assert sorted(second.groups[0]) == ["b", "c", "d"]


async def test_while_the_log_is_away_what_waits_too_long_is_answered(scene):
    scene.writer.judge = lose
    scene.next = [LogUnavailableError("away")]
    in_doubt = scene.appender.append(to("a"))
    with pytest.raises(AppendTimeoutError):
        await in_doubt
    with pytest.raises(LogUnavailableError):
        await scene.appender.append(to("b"))
    scene.next = [ScriptedWriter()]
    assert isinstance(await scene.appender.append(to("c")), Appended)
    assert scene.writer.groups == [["c"]], "nothing that was answered is appended afterwards"


async def test_the_queue_is_bounded():
    scene = Scene(AppenderLimits(waiting=5))
    scene.writer.gate.clear()
    await scene.appender.start()
    sent = scene.appender.append(to("sent"))
    await scene.writer.began.wait()
    waiting = [scene.appender.append(to(str(number))) for number in range(5)]
    with pytest.raises(LogUnavailableError, match="5 commands wait"):
        scene.appender.append(to("more"))
    scene.writer.gate.set()
    await asyncio.gather(sent, *waiting)
    await scene.appender.close()


async def test_beats_go_between_two_groups(scene):
    scene.writer.gate.clear()
    append = scene.appender.append(to("a"))
    await scene.writer.began.wait()
    beat = scene.appender.beat(3.0)
    await asyncio.sleep(0)
    assert scene.writer.beats == 0
    scene.writer.gate.set()
    assert await beat is None
    await append
    assert scene.writer.beats == 1


async def test_a_beat_that_cannot_be_committed_says_so(scene):
    scene.writer.judge = lose
    scene.next = [LogUnavailableError("away")]
    with pytest.raises(AppendTimeoutError):
        await scene.appender.append(to("a"))
    with pytest.raises(LogUnavailableError):
        await scene.appender.beat(3.0)


async def test_whoever_sends_messages_on_hears_of_each_group(scene):
    heard: list[list[str]] = []
    scene.appender.on_appended = lambda commands: heard.append([command.id for command in commands])
    await asyncio.gather(scene.appender.append(to("a")), scene.appender.append(to("b")))
    assert heard == [["a", "b"]]


async def test_closing_appends_what_waits_and_then_refuses(scene):
    waiting = [scene.appender.append(to(str(number))) for number in range(3)]
    await scene.appender.close()
    assert all(isinstance(outcome, Appended) for outcome in await asyncio.gather(*waiting))
    assert scene.writer.closed
    with pytest.raises(LogUnavailableError):
        scene.appender.append(to("late"))


async def test_a_bug_in_the_writer_leaves_nobody_waiting():
    def break_down(commands: Sequence[AppendCommand]) -> None:
        raise ZeroDivisionError

    scene = Scene()
    scene.writer.judge = break_down
    await scene.appender.start()
    waiting = scene.appender.append(to("a"))
    behind = scene.appender.append(to("a", "behind"))
    with pytest.raises(LogUnavailableError):
        await asyncio.wait_for(waiting, 30)
    with pytest.raises(LogUnavailableError):
        await asyncio.wait_for(behind, 30)
    with pytest.raises(ZeroDivisionError):
        await scene.appender.close()


class TestLinger:
    def test_no_linger_at_first(self):
        assert Linger(0.001).delay_s(0.0) == 0

    def test_no_linger_for_a_lone_stream(self):
        linger = Linger(0.001)
        for number in range(64):
            linger.note(["a"], number * 0.0005)
        assert linger.delay_s(0.033) == 0

    def test_no_linger_when_groups_are_large(self):
        linger = Linger(0.001)
        for number in range(64):
            linger.note([f"{number}-{name}" for name in range(16)], number * 0.0005)
        assert linger.delay_s(0.033) == 0

    def test_no_linger_when_little_happens(self):
        linger = Linger(0.001)
        for number in range(64):
            linger.note([str(number)], number * 0.02)
        assert linger.delay_s(1.3) == 0

    def test_a_little_when_many_streams_come_one_by_one(self):
        linger = Linger(0.001)
        for number in range(64):
            linger.note([str(number)], number * 0.0005)
        assert linger.delay_s(0.033) == 0.001

    async def test_a_trickle_is_gathered(self):
        linger = Linger(0.02)
        scene = Scene(linger=linger)
        loop_time = asyncio.get_running_loop().time
        await scene.appender.start()
        for number in range(64):
            linger.note([f"x{number}"], loop_time())
        first = scene.appender.append(to("a"))
        await asyncio.sleep(0.001)
        second = scene.appender.append(to("b"))
        await asyncio.gather(first, second)
        assert scene.writer.groups == [["a", "b"]]
        await scene.appender.close()
