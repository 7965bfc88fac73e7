"""What each service is told by its environment."""

from pathlib import Path

import pytest

from deploy.local.data_folder import DataFolder
from deploy.local.failure import StackError
from deploy.local.service import SERVICES, environment_of, place, replicas_of

FOLDER = DataFolder(Path("/data"))


def environments(inherited: dict[str, str]) -> dict[str, dict[str, str]]:
    return environments_of({}, inherited)


def environments_of(counts: dict[str, int], inherited: dict[str, str]) -> dict[str, dict[str, str]]:
    replicas = replicas_of(SERVICES, counts)
    addresses = place(replicas, 8420)
    return {
        replica.name: environment_of(
            replica, replicas, addresses, FOLDER, postgres="host=/run", nats="nats://n", inherited=inherited
        )
        for replica in replicas
    }


def test_every_replica_has_its_own_addresses_and_all_are_known_to_the_others() -> None:
    told = environments_of({"table": 3, "gateway": 2}, {})
    tables = [told[name]["CARTEADO_TABLE_GRPC"] for name in ("table", "table-2", "table-3")]
    assert len(set(tables)) == 3
    assert {environment["CARTEADO_TABLE_REPLICAS"] for environment in told.values()} == {",".join(tables)}
    assert told["gateway"]["CARTEADO_GATEWAY_HTTP"] == "127.0.0.1:8420"
    assert told["gateway-2"]["CARTEADO_GATEWAY_HTTP"] != "127.0.0.1:8420"
    assert len({environment["CARTEADO_ACCOUNTS_GRPC"] for environment in told.values()}) == 1


@pytest.mark.parametrize(
    ("counts", "said"),
    [({"tables": 2}, "no service 'tables'"), ({"table": 0}, "0 replicas"), ({"table": 9}, "9 replicas")],
)
def test_replicas_that_cannot_be_are_refused(counts: dict[str, int], said: str) -> None:
    with pytest.raises(StackError, match=said):
        replicas_of(SERVICES, counts)


def test_only_those_who_own_a_database_are_told_of_postgres() -> None:
    told = environments({"CARTEADO_POSTGRES": "host=/elsewhere"})
    assert {name: environment.get("CARTEADO_POSTGRES") for name, environment in told.items()} == {
        "accounts": "host=/run",
        "table": "host=/run",
        "billing": "host=/run",
        "league": "host=/run",
        "matchmaking": "host=/run",
        "robots": None,
        "gateway": None,
    }


def test_only_the_table_is_told_of_the_secret_of_the_deals() -> None:
    told = environments({})
    assert [name for name, environment in told.items() if "CARTEADO_TABLE_SECRET_FILE" in environment] == [
        "table"
    ]


def test_every_service_is_told_where_the_others_are() -> None:
    told = environments({})
    for environment in told.values():
        for name in told:
            assert (
                environment[f"CARTEADO_{name.upper()}_REPLICAS"]
                == environment[f"CARTEADO_{name.upper()}_GRPC"]
            )
        accounts = environment["CARTEADO_ACCOUNTS_HTTP"]
        assert environment["CARTEADO_JWKS_URL"] == f"http://{accounts}/.well-known/jwks.json"
    assert told["gateway"]["CARTEADO_GATEWAY_HTTP"] == "127.0.0.1:8420"


def test_the_local_issuer_goes_by_its_own_name() -> None:
    told = environments({"CARTEADO_TOKEN_ISSUER": "https://example.org"})
    assert all("CARTEADO_TOKEN_ISSUER" not in environment for environment in told.values())


def test_a_proxy_is_not_asked_for_this_machine() -> None:
    told = environments({"http_proxy": "http://proxy:3128", "no_proxy": "intranet"})
    assert told["gateway"]["no_grpc_proxy"] == "127.0.0.1,localhost"
    assert told["gateway"]["no_proxy"] == "intranet,127.0.0.1,localhost"
    assert told["gateway"]["http_proxy"] == "http://proxy:3128"


def test_what_a_person_has_set_reaches_the_services() -> None:
    told = environments({"CARTEADO_ROBOT_PACE_MS": "0", "PATH": "/bin"})
    assert told["robots"]["CARTEADO_ROBOT_PACE_MS"] == "0"
    assert told["robots"]["PATH"] == "/bin"
