"""Friends with their presence, and blocks: asked, accepted, ended; seen by the two alone."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import nats
import pytest

from carteado.accounts.v1 import social_service_pb2 as pb
from carteado.gateway.v1.presence_pb2 import PresenceHint
from services.accounts import social
from services.accounts.presence import COUNTS_FOR_S, SUBJECT, PresenceBook

FRIENDS, ASKED, ASKED_BY_OTHER = (
    pb.FRIEND_STATUS_FRIENDS,
    pb.FRIEND_STATUS_ASKED,
    pb.FRIEND_STATUS_ASKED_BY_OTHER,
)


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(250):
        if await condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen")


async def test_a_request_is_seen_from_both_sides_and_accepted_by_asking_back(people):
    ana, bia = people.ana, people.bia
    assert await people.befriend(ana, bia) == ASKED
    assert (await people.status(ana, bia), await people.status(bia, ana)) == (ASKED, ASKED_BY_OTHER)
    assert await people.befriend(ana, bia) == ASKED  # asked again, it is asked
    assert await people.befriend(bia, ana) == FRIENDS
    assert (await people.status(ana, bia), await people.status(bia, ana)) == (FRIENDS, FRIENDS)
    assert await people.befriend(ana, bia) == FRIENDS
    assert (await people.friends(ana))[bia].name == "Bia"


async def test_two_requests_that_cross_are_a_friendship(people, rows):
    statuses = await asyncio.gather(
        *(
            people.befriend(*pair)
            for pair in ((people.ana, people.bia), (people.bia, people.ana))
            for _ in range(5)
        )
    )
    assert FRIENDS in statuses
    assert await people.status(people.ana, people.bia) == FRIENDS
    assert rows("select type, count(*) from events where stream like 'pair-%' group by 1 order by 1") == [
        ("FriendshipBegan", 1),
        ("FriendshipRequested", 1),
    ]


@pytest.mark.parametrize("is_accepted", [False, True])
async def test_either_ends_it_and_ending_nothing_is_no_error(people, is_accepted):
    for by, other in ((people.ana, people.bia), (people.bia, people.ana)):
        await people.befriend(people.ana, people.bia)
        if is_accepted:
            await people.befriend(people.bia, people.ana)
        await people.unfriend(by, other)
        assert await people.status(people.ana, people.bia) is None
        assert await people.status(people.bia, people.ana) is None
        await people.unfriend(by, other)


async def test_a_block_ends_a_friendship_and_refuses_the_other(people, refusal):
    ana, bia = people.ana, people.bia
    await people.befriend(ana, bia)
    await people.befriend(bia, ana)
    await people.block(bia, ana)
    await people.block(bia, ana)
    assert await people.friends(ana) == await people.friends(bia) == {}
    assert await people.blocks(bia) == [(ana, "Ana")]
    assert await people.blocks(ana) == []  # the blocked one is not told
    assert await refusal(people.befriend(ana, bia)) == ("PERMISSION_DENIED", "FRIENDSHIP_REFUSED")
    assert await refusal(people.befriend(bia, ana)) == ("FAILED_PRECONDITION", "OTHER_IS_BLOCKED")
    await people.unblock(bia, ana)
    await people.unblock(bia, ana)
    assert await people.blocks(bia) == []
    assert await people.befriend(ana, bia) == ASKED


async def test_nobody_befriends_or_blocks_nobody_or_themselves(people, refusal):
    for act in (people.befriend, people.block):
        assert await refusal(act(people.ana, people.ana)) == ("INVALID_ARGUMENT", "NOTHING_WITH_ONESELF")
        assert await refusal(act(people.ana, str(uuid4()))) == ("NOT_FOUND", "PLAYER_NOT_FOUND")
        assert await refusal(act(people.ana, "'; --")) == ("INVALID_ARGUMENT", "INVALID_ARGUMENT")


async def test_requests_and_blocks_have_a_bound(people, refusal, monkeypatch):
    monkeypatch.setattr(social, "MOST_ASKED", 1)
    monkeypatch.setattr(social, "MOST_BLOCKS", 1)
    cida = (await people.accounts.register("Cida")).player_id
    await people.befriend(people.ana, people.bia)
    full = ("RESOURCE_EXHAUSTED", "TOO_MANY_FRIENDS")
    assert await refusal(people.befriend(people.ana, cida)) == full
    await people.block(people.ana, cida)
    assert await refusal(people.block(people.ana, people.bia)) == ("RESOURCE_EXHAUSTED", "TOO_MANY_BLOCKS")
    monkeypatch.setattr(social, "MOST_FRIENDS", 1)
    assert await refusal(people.befriend(cida, people.bia)) == full  # one request waits for Bia already


async def test_a_flood_of_requests_keeps_nobody_from_answering(people, refusal, monkeypatch):
    ana, bia = people.ana, people.bia
    cida, dora = [(await people.accounts.register(name)).player_id for name in ("Cida", "Dora")]
    await people.befriend(ana, bia)
    await people.befriend(cida, ana)
    await people.befriend(dora, bia)
    monkeypatch.setattr(social, "MOST_FRIENDS", 1)
    monkeypatch.setattr(social, "MOST_ASKED", 1)
    # Ana has asked as many as she may, and as many wait for her as may: Bia's answer is no request.
    assert await people.befriend(ana, bia) == ASKED
    assert await people.befriend(bia, ana) == FRIENDS
    assert await people.befriend(bia, ana) == FRIENDS
    full = ("RESOURCE_EXHAUSTED", "TOO_MANY_FRIENDS")
    assert await refusal(people.befriend(ana, cida)) == full  # one friend is all that she may have


async def test_who_is_blocked_already_is_blocked_also_at_the_bound(people, monkeypatch):
    await people.block(people.ana, people.bia)
    monkeypatch.setattr(social, "MOST_BLOCKS", 1)
    await people.block(people.ana, people.bia)


async def test_friends_are_seen_online_while_a_gateway_says_so(people, nats_url):
    ana, bia = people.ana, people.bia
    await people.befriend(ana, bia)
    client = await nats.connect(nats_url)

    async def say(**players: list[str]) -> None:
        hint = PresenceHint(
            gateway_id="g1", **{key: [UUID(one).bytes for one in ids] for key, ids in players.items()}
        )
        await client.publish(SUBJECT, hint.SerializeToString())

    async def is_seen(presence: int) -> bool:
        return (await people.friends(ana))[bia].presence == presence

    await client.publish(SUBJECT, b"\xff no hint")
    await say(online=[bia])
    assert (await people.friends(ana))[bia].presence == pb.PRESENCE_UNSPECIFIED  # they are not friends yet
    await people.befriend(bia, ana)
    await until(lambda: is_seen(pb.PRESENCE_ONLINE))
    await say(offline=[bia])
    await until(lambda: is_seen(pb.PRESENCE_OFFLINE))
    await client.close()


class Time:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def hint(gateway: str, online: list[str] = [], offline: list[str] = []) -> PresenceHint:  # noqa: B006 - not changed
    return PresenceHint(
        gateway_id=gateway,
        online=[UUID(one).bytes for one in online],
        offline=[UUID(one).bytes for one in offline],
    )


def test_presence_expires_unless_it_is_said_again():
    time, player = Time(), str(uuid4())
    book = PresenceBook(time)
    book.take(hint("g1", [player]))
    time.now_s = COUNTS_FOR_S - 1
    assert book.is_online(player)
    book.take(hint("g1", [player]))
    time.now_s += COUNTS_FOR_S - 1
    assert book.is_online(player)
    time.now_s += 1
    assert not book.is_online(player)


def test_a_player_is_online_until_the_last_gateway_says_otherwise():
    book, player = PresenceBook(Time()), str(uuid4())
    book.take(hint("g1", [player]))
    book.take(hint("g2", [player]))
    book.take(hint("g1", offline=[player]))
    assert book.is_online(player)
    book.take(hint("g2", offline=[player]))
    assert not book.is_online(player)
    assert len(book) == 0


def test_what_is_remembered_of_presence_is_bounded(monkeypatch):
    monkeypatch.setattr("services.accounts.presence.MOST_PLAYERS", 3)
    book, players = PresenceBook(Time()), [str(uuid4()) for _ in range(5)]
    book.take(hint("g1", players))
    assert [book.is_online(player) for player in players] == [False, False, True, True, True]
    for number in range(100):
        book.take(hint(f"g{number}", players[-1:]))
    assert len(book) == 3
    book.take(PresenceHint(gateway_id="g1", online=[b"short", b"x" * 1000]))
    assert len(book) == 3
