"""What each service is told by its environment."""

from pathlib import Path

from deploy.local.data_folder import DataFolder
from deploy.local.service import SERVICES, environment_of, place

FOLDER = DataFolder(Path("/data"))


def environments(inherited: dict[str, str]) -> dict[str, dict[str, str]]:
    addresses = place(SERVICES, 8420)
    return {
        service.name: environment_of(
            service, addresses, FOLDER, postgres="host=/run", nats="nats://n", inherited=inherited
        )
        for service in SERVICES
    }


def test_only_those_who_own_a_database_are_told_of_postgres() -> None:
    told = environments({"CARTEADO_POSTGRES": "host=/elsewhere"})
    assert {name: environment.get("CARTEADO_POSTGRES") for name, environment in told.items()} == {
        "accounts": "host=/run",
        "table": "host=/run",
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
