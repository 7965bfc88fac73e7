"""Sessions: renewed once per refresh token, listed, and ended for good (fault B126)."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import grpc
import pytest

from carteado.accounts.v1 import profile_service_pb2 as profile_pb
from carteado.accounts.v1 import sessions_service_pb2 as pb
from libs.service.tokens import TokenVerifier
from tests.services.accounts.actors import barred, open_sessions, revoke, session_id_of, until_barred

REFUSED = ("UNAUTHENTICATED", "TOKEN_REFUSED")


async def test_a_session_is_renewed_for_the_same_player_with_a_new_refresh_token(accounts):
    guest = await accounts.register("Ana")
    renewed = (await accounts.renew(guest.session.refresh_token)).session
    verifier = TokenVerifier(f"{accounts.http}/.well-known/jwks.json")
    first, second = await verifier.verify(guest.session.token), await verifier.verify(renewed.token)
    assert (first.player_id, first.session_id) == (second.player_id, second.session_id)
    assert renewed.refresh_token != guest.session.refresh_token
    days = (renewed.refresh_expires_at.ToDatetime(UTC) - datetime.now(UTC)).total_seconds() / 86_400
    assert 29 < days <= 30
    for _ in range(3):
        renewed = (await accounts.renew(renewed.refresh_token)).session


async def test_a_refresh_token_used_twice_ends_its_session(accounts, refusal, rows):
    guest = await accounts.register("Ana")
    session_id = await session_id_of(accounts, guest.session.token)
    renewed = await accounts.renew(guest.session.refresh_token)
    assert await refusal(accounts.renew(guest.session.refresh_token)) == REFUSED
    assert await refusal(accounts.renew(renewed.session.refresh_token)) == REFUSED
    assert await open_sessions(accounts, guest.player_id) == []
    assert rows("select payload->>'reason' from events where type = 'SessionRevoked'") == [
        ("refresh_token_reused",)
    ]
    assert (await until_barred(accounts, session_id)).cause == pb.BARRED_CAUSE_SESSION_REVOKED


async def test_a_lost_answer_to_a_renewal_comes_again_under_its_key(accounts, refusal):
    guest, key = await accounts.register("Ana"), str(uuid4())
    first, again = [await accounts.renew(guest.session.refresh_token, key) for _ in range(2)]
    assert first.session.refresh_token == again.session.refresh_token
    # A key of one's own renewal is no key to a later one's.
    later = await accounts.renew(first.session.refresh_token)
    assert await refusal(accounts.renew(guest.session.refresh_token, key)) == REFUSED
    assert await refusal(accounts.renew(later.session.refresh_token)) == REFUSED


async def test_of_twenty_renewals_at_once_one_succeeds_and_the_session_is_over(accounts, rows, refusal):
    guest = await accounts.register("Ana")
    attempts = await asyncio.gather(
        *(accounts.renew(guest.session.refresh_token) for _ in range(20)), return_exceptions=True
    )
    (renewed,) = [one for one in attempts if not isinstance(one, grpc.aio.AioRpcError)]
    assert await refusal(accounts.renew(renewed.session.refresh_token)) == REFUSED
    assert rows("select count(*) from events where type = 'SessionRevoked'") == [(1,)]


async def test_the_same_renewal_given_twenty_times_at_once_is_one(accounts, rows):
    guest, key = await accounts.register("Ana"), str(uuid4())
    renewed = await asyncio.gather(*(accounts.renew(guest.session.refresh_token, key) for _ in range(20)))
    assert len({one.session.refresh_token for one in renewed}) == 1
    assert rows("select generation, ended_at from sessions") == [(1, None)]


async def test_what_is_no_refresh_token_of_ours_renews_nothing_and_ends_nothing(accounts, refusal):
    guest = await accounts.register("Ana")
    genuine = guest.session.refresh_token
    for token in ("", "x", guest.session.token, genuine[:-2] + "AA", genuine + "A", "rt1." + "A" * 70):
        assert await refusal(accounts.renew(token)) == REFUSED
    assert len(await open_sessions(accounts, guest.player_id)) == 1
    await accounts.renew(genuine)


async def test_a_session_that_was_not_renewed_for_a_month_is_over(accounts, rows, refusal):
    guest = await accounts.register("Ana")
    rows("update sessions set expires_at = now() - interval '1 second' returning 1")
    assert await open_sessions(accounts, guest.player_id) == []
    assert await refusal(accounts.renew(guest.session.refresh_token)) == REFUSED
    assert rows("select count(*) from events where type = 'SessionRevoked'") == [(0,)]


async def test_a_session_that_was_ended_is_refused_and_told_to_every_gateway(accounts, refusal):
    guest = await accounts.register("Ana")
    session_id = await session_id_of(accounts, guest.session.token)
    await revoke(accounts, guest.player_id, session_id)
    await revoke(accounts, guest.player_id, session_id)  # it has ended, and has again
    assert await open_sessions(accounts, guest.player_id) == []
    assert await refusal(accounts.renew(guest.session.refresh_token)) == REFUSED
    one = await until_barred(accounts, session_id)
    left = one.until.ToDatetime(UTC) - datetime.now(UTC)
    assert timedelta(hours=23) < left < timedelta(hours=25)  # as long as any token may live


async def test_nobody_ends_anothers_session(accounts, refusal):
    """Fault B124."""
    ana, bia = await accounts.register("Ana"), await accounts.register("Bia")
    session_id = await session_id_of(accounts, ana.session.token)
    for stranger in (bia.player_id, str(uuid4())):
        call = revoke(accounts, stranger, session_id)
        assert await refusal(call) == ("NOT_FOUND", "SESSION_NOT_FOUND")
    assert await open_sessions(accounts, ana.player_id) == [session_id]


async def test_every_other_session_is_ended_by_one_wish(accounts):
    command_id = str(uuid4())
    guests = [await accounts.register("Ana", command_id)]
    await accounts.renew(guests[0].session.refresh_token)
    guests += [await accounts.register("Ana", command_id) for _ in range(3)]
    ids = {await session_id_of(accounts, guest.session.token) for guest in guests}
    assert len(ids) == 4
    kept = await session_id_of(accounts, guests[2].session.token)
    request = pb.RevokeOtherSessionsRequest(player_id=guests[0].player_id, kept_session_id=kept)
    ended = await accounts.call(accounts.sessions.RevokeOtherSessions, request)
    assert ended.ended == 3
    assert await open_sessions(accounts, guests[0].player_id) == [kept]


async def test_a_guest_who_comes_back_after_signing_out_gets_another_session(accounts):
    command_id = str(uuid4())
    guest = await accounts.register("Ana", command_id)
    first = await session_id_of(accounts, guest.session.token)
    await revoke(accounts, guest.player_id, first)
    back = await accounts.register("Ana", command_id)
    assert back.player_id == guest.player_id
    assert await session_id_of(accounts, back.session.token) != first
    await accounts.renew(back.session.refresh_token)


async def test_a_player_has_twenty_sessions_at_most_and_the_longest_unused_make_room(accounts, rows):
    command_id = str(uuid4())
    first = await accounts.register("Ana", command_id)
    await accounts.renew(first.session.refresh_token)
    for _ in range(22):
        await accounts.register("Ana", command_id)
    assert len(await open_sessions(accounts, first.player_id)) == 20
    assert rows(
        "select payload->>'reason', count(*) from events where type = 'SessionRevoked' group by 1"
    ) == [("too_many", 3)]


async def test_the_list_is_given_in_pages_and_then_what_changed(accounts, monkeypatch):
    monkeypatch.setattr("services.accounts.barred.PAGE", 2)
    ended = []
    for number in range(22, 27):
        guest = await accounts.register(f"Jogador {number}")
        ended.append(await session_id_of(accounts, guest.session.token))
        await revoke(accounts, guest.player_id, ended[-1])
    async with asyncio.timeout(30):
        seen: set[str] = set()
        while seen < set(ended):
            cursor, seen, has_more = 0, set(), True
            while has_more:
                request = pb.ListBarredRequest(after=cursor)
                page = await accounts.call(accounts.sessions.ListBarred, request)
                assert len(page.barred) <= 2
                seen |= {one.id for one in page.barred}
                cursor, has_more = page.cursor, page.has_more
    assert set(ended) == seen


@pytest.mark.parametrize("after", [1, 10**15, 2**63, 2**64 - 1])
async def test_any_cursor_is_answered(accounts, after):
    await barred(accounts, after)


async def test_an_event_counts_although_the_row_of_the_session_was_not_reached(accounts, rows, refusal):
    """A crash between the event and the row: the log is the truth."""
    guest = await accounts.register("Ana")
    session_id = await session_id_of(accounts, guest.session.token)
    await revoke(accounts, guest.player_id, session_id)
    rows("update sessions set ended_at = null returning 1")
    assert await refusal(accounts.renew(guest.session.refresh_token)) == REFUSED


async def test_a_subject_is_one_player_also_when_it_signs_in_fifty_times_at_once(outside, rows):
    players = await asyncio.gather(*(outside.sign_in("auth0|ana") for _ in range(50)))
    assert len(set(players)) == 1
    assert rows("select count(*) from events where type = 'PlayerRegistered'") == [(1,)]
    assert await outside.sign_in("auth0|bia") != players[0]
    assert await outside.sign_in("auth0|ana", issuer="https://other.example") != players[0]


async def test_a_subject_never_stands_in_the_log(outside, rows):
    await outside.sign_in("ana@example.org")
    ((everything,),) = rows("select string_agg(events::text, ' ') from events")
    assert "PlayerRegistered" in everything
    assert "example.org" not in everything
    assert rows("select subject from sign_in_subjects") == [("ana@example.org",)]


async def test_a_player_of_an_outside_issuer_has_no_name_until_one_is_chosen(accounts, outside, refusal):
    player_id = await outside.sign_in("auth0|ana")
    request = profile_pb.GetProfileRequest(player_id=player_id)
    profile = await accounts.call(accounts.profile.GetProfile, request)
    assert not profile.HasField("name")
    await accounts.call(accounts.profile.SetName, profile_pb.SetNameRequest(player_id=player_id, name="Ana"))
    assert (await accounts.call(accounts.profile.GetProfile, request)).name == "Ana"


async def test_an_outside_session_that_was_ended_stays_ended(accounts, outside, refusal):
    session_id = str(uuid4())
    player_id = await outside.sign_in("auth0|ana", session_id)
    assert await open_sessions(accounts, player_id) == [session_id]
    await revoke(accounts, player_id, session_id)
    assert await refusal(outside.sign_in("auth0|ana", session_id)) == ("UNAUTHENTICATED", "SESSION_REVOKED")
    assert await outside.sign_in("auth0|ana", str(uuid4())) == player_id


@pytest.mark.parametrize(
    "fields",
    [
        {"issuer": ""},
        {"issuer": "carteado-local"},
        {"issuer": "x" * 256},
        {"subject": ""},
        {"subject": "a\0b"},
        {"subject": "x" * 256},
        {"session_id": "s1"},
    ],
)
async def test_a_malformed_sign_in_is_refused(outside, refusal, rows, fields):
    call = outside.sign_in(**{"subject": "ana", "session_id": str(uuid4()), **fields})
    assert await refusal(call) == ("INVALID_ARGUMENT", "INVALID_ARGUMENT")
    assert rows("select count(*) from events") == [(0,)]
