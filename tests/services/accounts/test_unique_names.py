"""A name is one person's, by how it looks (fault B130), also when fifty want it at once."""

import asyncio
from uuid import UUID, uuid4

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from carteado.accounts.v1 import profile_service_pb2 as pb
from services.accounts import name_store
from services.accounts.name_keys import name_key, visible_form
from services.accounts.names import display_name
from services.accounts.suggestions import similar_names

TAKEN = ("ALREADY_EXISTS", "NAME_TAKEN")


def facts_of(error: grpc.aio.AioRpcError) -> dict[str, str]:
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    for detail in status_pb2.Status.FromString(details).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return dict(info.metadata)
    return {}


async def suggestion(call) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call
    return facts_of(failed.value)["suggestion"]


def rename(accounts, player_id: str, name: str):
    return accounts.call(accounts.profile.SetName, pb.SetNameRequest(player_id=player_id, name=name))


@pytest.mark.parametrize(
    ("name", "look_alike"),
    [
        ("José", "Jose\u0301"),  # another normal form
        ("José", "JOSÉ"),
        ("José", "Jose"),  # accents make no other name
        ("José", "Jos\u0435"),  # a Cyrillic e: mixed scripts are refused, the key is the same all the same
        ("COCO", "\u0421\u041e\u0421\u041e"),  # all Cyrillic
        ("Ana", "\u0391\u039d\u0391"),  # all Greek
        ("Ana", "Ａｎａ"),  # full width
        ("Ana", "ⒶⓃⒶ"),
        ("Isa", "lsa"),
        ("Isa", "1sa"),
        ("MARIA", "MARlA"),
        ("Mario", "rnario"),
        ("Paulo", "Pau10"),
        ("Ana Maria", "ana_maria"),
        ("Ana Maria", "AnaMaria"),
        ("Ana", "A.n.a!"),
        ("❤️ Bia", "❤ Bia"),  # with and without the emoji's variation selector
        ("Zé", "Z\u0117"),
        ("Maria", "\u1d0d\u1d00\u0280\u026a\u1d00"),  # small capitals
        ("Maria", "\U0001f17c\U0001f170\U0001f181\U0001f178\U0001f170"),  # white on black squares
        ("\u0412\u043e\u0432\u0430", "\u0412\u041e\u0412\u0410"),  # Cyrillic, in both cases
    ],
)
def test_names_that_look_alike_are_one_name(name, look_alike):
    assert name_key(name) == name_key(look_alike)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "Ané"), ("Ana", "Anna"), ("Ana 23", "Ana 24"), ("🔥 Ana", "Ana"), ("João", "Joana")],
)
def test_names_that_look_different_are_two_names(one, other):
    assert name_key(one) != name_key(other)


def test_the_look_of_a_look_is_itself():
    for name in ("Mário I", "0Il1|", "rnario", "İstanbul", "ΑΝΑ", "Иван", "김철수", "🇧🇷 Zé"):
        assert visible_form(visible_form(name)) == visible_form(name)


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "Adrnin",
        "ＡＤＭＩＮ",
        "\u1d00\u1d05\u1d0d\u026a\u0274",
        "C.A.R.T.E.A.D.O",
        "Moderaçao",
        "robo",
        "sup0rte",
    ],
)
def test_a_name_that_speaks_for_the_platform_is_nobodys(name):
    assert display_name(name).code == "NAME_RESERVED"


def test_a_name_of_which_nothing_is_left_to_see_is_refused():
    assert display_name("\u02c8\u02c8").code == "NAME_CHARACTER_REFUSED"


@pytest.mark.parametrize("name", ["Ana", "a" * 20, "👨‍👩‍👧" * 3, "김철수", "José da Silva Souza"])
def test_what_is_offered_is_accepted_and_looks_different(name):
    offered = list(similar_names(name))
    assert len(offered) >= 5
    for candidate in offered:
        assert display_name(candidate) == candidate
        assert name_key(candidate) != name_key(name)


@pytest.mark.parametrize("look_alike", ["Jose\u0301", "JOSE", "jo-sé", "  José\u00a0", "J\u00f3se"])
async def test_a_look_alike_of_a_taken_name_is_refused(accounts, refusal, rows, look_alike):
    await accounts.register("José")
    assert await refusal(accounts.register(look_alike)) == TAKEN
    assert rows("select count(*) from events") == [(1,)]
    assert rows("select name from display_names") == [("José",)]


async def test_who_is_refused_is_offered_a_name_that_is_free(accounts):
    await accounts.register("Ana")
    offered = await suggestion(accounts.register("ANA"))
    assert offered.startswith("ANA ")
    assert (await accounts.register(offered)).name == offered


async def test_fifty_who_want_one_name_at_once_are_one_and_forty_nine_offers(accounts, rows):
    spellings = ["Ana Maria", "ana maria", "ANAMARIA", "Aná-Mária", "Ａｎａ Maria"]
    attempts = await asyncio.gather(
        *(accounts.register(spellings[number % 5]) for number in range(50)), return_exceptions=True
    )
    refused = [attempt for attempt in attempts if isinstance(attempt, grpc.aio.AioRpcError)]
    assert len(refused) == 49
    assert all(facts_of(error)["suggestion"] for error in refused)
    assert rows("select count(*) from display_names") == [(1,)]
    assert rows("select count(*) from events") == [(1,)]


async def test_fifty_renames_at_once_to_one_name_are_one(accounts, rows):
    guests = [await accounts.register(f"Jogador {number}") for number in range(22, 42)]
    renamed = await asyncio.gather(
        *(rename(accounts, guest.player_id, "Zica") for guest in guests), return_exceptions=True
    )
    assert sum(not isinstance(one, Exception) for one in renamed) == 1
    assert rows("select count(*) from display_names where name = 'Zica'") == [(1,)]
    assert rows("select count(*) from name_claims where held_until is null") == [(20,)]


async def test_a_name_that_was_given_up_is_its_players_for_a_while_and_nobody_elses(accounts, refusal, rows):
    ana, bia = await accounts.register("Ana"), await accounts.register("Bia")
    assert (await rename(accounts, ana.player_id, "Ana Clara")).name == "Ana Clara"
    assert await refusal(rename(accounts, bia.player_id, "Ana")) == TAKEN
    assert await refusal(accounts.register("ana")) == TAKEN
    assert (await rename(accounts, ana.player_id, "Ana")).name == "Ana"
    assert await refusal(accounts.register("Ana Clara")) == TAKEN
    rows(
        "update name_claims set held_until = now() - interval '1 second' where held_until is not null returning key"
    )
    assert (await accounts.register("Ana Clara")).name == "Ana Clara"


async def test_one_player_does_not_keep_names_without_end(accounts, refusal, monkeypatch):
    monkeypatch.setattr(name_store, "MOST_HELD", 2)
    ana = await accounts.register("Ana")
    for name in ("Bia", "Cida", "Dora"):
        await rename(accounts, ana.player_id, name)
    for name in ("Bia", "Cida", "Dora"):
        assert await refusal(accounts.register(name)) == TAKEN
    assert (await accounts.register("Ana")).name == "Ana"


async def test_another_spelling_of_ones_own_name_is_free(accounts):
    ana = await accounts.register("Ana")
    assert (await rename(accounts, ana.player_id, "ANA")).name == "ANA"
    assert await accounts.names([ana.player_id]) == {ana.player_id: "ANA"}


async def test_a_guest_who_was_renamed_is_known_again_by_the_same_registration(accounts, refusal):
    command_id = str(uuid4())
    ana = await accounts.register("Ana", command_id)
    await rename(accounts, ana.player_id, "Ana Clara")
    assert (await accounts.register("Ana", command_id)).name == "Ana Clara"
    assert await refusal(accounts.register("Ana Clara", command_id)) == (
        "ALREADY_EXISTS",
        "COMMAND_ID_REUSED",
    )


async def test_one_registration_with_two_names_at_once_is_one_of_them(accounts, rows):
    for _ in range(5):
        command_id = str(uuid4())
        names = [f"Ana {uuid4().hex[:6]}", f"Bia {uuid4().hex[:6]}"]
        await asyncio.gather(*(accounts.register(name, command_id) for name in names), return_exceptions=True)
    ((players, names, claims),) = rows(
        "select (select count(*) from events), (select count(*) from display_names), (select count(*) from name_claims)"
    )
    assert (players, names, claims) == (5, 5, 5)


async def test_a_claim_cut_short_before_its_player_was_registered_falls_to_who_asks_later(
    accounts, refusal, rows
):
    nobody = uuid4()
    rows(
        f"insert into display_names (player_id, name, keys_version) values ('{nobody}', 'Ana', 1) returning 1"
    )
    key = name_key("Ana").hex()
    rows(f"insert into name_claims (key, player_id) values ('\\x{key}', '{nobody}') returning 1")
    assert await refusal(accounts.register("Ana")) == TAKEN  # perhaps its registration is just under way
    rows("update name_claims set claimed_at = now() - interval '2 minutes' returning key")
    ana = await accounts.register("Ana")
    assert rows("select player_id from display_names") == [(UUID(ana.player_id),)]


async def test_a_player_is_found_by_any_spelling_of_their_name(accounts, refusal):
    ana = await accounts.register("Ana Maria")
    found = await accounts.call(accounts.profile.FindPlayer, pb.FindPlayerRequest(name="ana_maria"))
    assert (found.player_id, found.name) == (ana.player_id, "Ana Maria")
    call = accounts.call(accounts.profile.FindPlayer, pb.FindPlayerRequest(name="Bia"))
    assert await refusal(call) == ("NOT_FOUND", "PLAYER_NOT_FOUND")


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 21, "\u0301" * 1000, "\u202eésoJ", "Jo\u200bsé"])
async def test_a_name_that_is_refused_at_the_door_is_refused_when_chosen_later(accounts, refusal, name):
    ana = await accounts.register("Ana")
    status, code = await refusal(rename(accounts, ana.player_id, name))
    assert status == "INVALID_ARGUMENT"
    assert code.startswith("NAME_")
    assert await accounts.names([ana.player_id]) == {ana.player_id: "Ana"}
