"""The configuration is read whole or refused with a sentence that says what to set."""

from pathlib import Path

import pytest

from libs.service.config import ConfigError, is_loopback, load_config, require_env, split_address


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_POSTGRES": "host=127.0.0.1 port=5432 user=carteado password='p w'",
        "CARTEADO_NATS": "nats://u:p@127.0.0.1:4222",
        "CARTEADO_TABLE_GRPC": "127.0.0.1:7001",
        "CARTEADO_TABLE_HTTP": "127.0.0.1:7002",
        "CARTEADO_ACCOUNTS_REPLICAS": "127.0.0.1:7101, 127.0.0.1:7102",
        "CARTEADO_KEYS": str(tmp_path),
    }


def test_reads_all_that_a_service_knows_about_where_it_stands(environ, tmp_path):
    config = load_config("table", environ)
    assert (config.name, config.environment, config.log_level) == ("table", "development", "info")
    assert (config.grpc_address, config.http_address) == ("127.0.0.1:7001", "127.0.0.1:7002")
    assert "dbname=carteado_table" in config.require_postgres()
    assert config.replicas == {"accounts": ("127.0.0.1:7101", "127.0.0.1:7102")}
    assert config.keys == tmp_path
    assert config.is_development


def test_real_strangers_are_served_no_metrics(environ):
    load_config("table", environ).require_own_metrics_address()
    environ["CARTEADO_ENVIRONMENT"] = "production"
    with pytest.raises(
        ConfigError, match="CARTEADO_TABLE_METRICS is not set: set it to where /metrics is served"
    ):
        load_config("table", environ).require_own_metrics_address()
    environ["CARTEADO_TABLE_METRICS"] = "127.0.0.1:7003"
    config = load_config("table", environ)
    config.require_own_metrics_address()
    assert config.metrics_address == "127.0.0.1:7003"


def test_a_postgres_url_gets_the_services_own_database(environ):
    environ["CARTEADO_POSTGRES"] = "postgresql://carteado@127.0.0.1:5432"
    assert "dbname=carteado_table" in load_config("table", environ).require_postgres()


@pytest.mark.parametrize("variable", ["ENVIRONMENT", "NATS", "TABLE_HTTP", "KEYS"])
def test_a_missing_variable_is_named(environ, variable):
    del environ[f"CARTEADO_{variable}"]
    with pytest.raises(ConfigError, match=f"CARTEADO_{variable} is not set: set it to"):
        load_config("table", environ)


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("CARTEADO_ENVIRONMENT", "staging", "development or production"),
        ("CARTEADO_LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("CARTEADO_TABLE_GRPC", "7001", "HOST:PORT"),
        ("CARTEADO_TABLE_METRICS", "7003", "HOST:PORT"),
        ("CARTEADO_TABLE_HTTP", "127.0.0.1:seven", "HOST:PORT"),
        ("CARTEADO_TABLE_HTTP", "127.0.0.1:70000", "HOST:PORT"),
        ("CARTEADO_NATS", "127.0.0.1:4222", "nats://HOST:PORT"),
        ("CARTEADO_POSTGRES", "host=127.0.0.1 dbname=mine", "leave the database out"),
        ("CARTEADO_POSTGRES", "127.0.0.1 secret", "libpq connection string"),
        ("CARTEADO_ACCOUNTS_REPLICAS", "here,there", "HOST:PORT"),
        ("CARTEADO_KEYS", "/does/not/exist", "is no folder"),
    ],
)
def test_a_wrong_value_is_refused_with_what_to_set(environ, variable, value, says):
    environ[variable] = value
    with pytest.raises(ConfigError) as refused:
        load_config("table", environ)
    assert variable in str(refused.value)
    assert says in str(refused.value)


def test_a_refused_connection_string_is_not_repeated(environ):
    environ["CARTEADO_POSTGRES"] = "host=127.0.0.1 hunter2"
    with pytest.raises(ConfigError) as refused:
        load_config("table", environ)
    assert "hunter2" not in str(refused.value)


def test_what_only_some_services_need_is_asked_for_when_it_is_needed(environ):
    del environ["CARTEADO_POSTGRES"], environ["CARTEADO_TABLE_GRPC"], environ["CARTEADO_ACCOUNTS_REPLICAS"]
    config = load_config("table", environ)
    for ask, names in (
        (config.require_postgres, "CARTEADO_POSTGRES"),
        (config.require_grpc_address, "CARTEADO_TABLE_GRPC"),
        (lambda: config.require_replicas("accounts"), "CARTEADO_ACCOUNTS_REPLICAS"),
    ):
        with pytest.raises(ConfigError, match=names):
            ask()


def test_a_services_own_variable_says_what_to_set():
    with pytest.raises(ConfigError, match="CARTEADO_X is not set: set it to a number"):
        require_env("CARTEADO_X", "a number", {})


def test_addresses():
    assert split_address("[::1]:80") == ("::1", 80)
    assert is_loopback("[::1]:80")
    assert is_loopback("127.0.0.1:1")
    assert not is_loopback("0.0.0.0:1")
