"""A service's configuration: environment variables and nothing else, read once and checked before any port opens.

The variables are listed in docs/architecture.md. What a single service needs beyond these it reads with `require_env`
in its own `config.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

import msgspec
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

Environment = Literal["development", "production"]
LogLevel = Literal["debug", "info", "warning", "error"]

_PREFIX = "CARTEADO_"
_REPLICAS = "_REPLICAS"
_LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})


class ConfigError(Exception):
    """The configuration is missing something or wrong; the message says what to set. The process exits with 64."""


class ServiceConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What every service knows about where it stands.

    Addresses are `HOST:PORT`. `postgres` is a libpq connection string of the service's own database
    (`carteado_<name>`), or None if the variable is not set. `metrics_address` is where `/metrics` is served, or None for
    beside the rest at `http_address`. `replicas` gives the gRPC addresses of other services by
    name.
    """

    name: str
    environment: Environment
    grpc_address: str | None
    http_address: str
    metrics_address: str | None = None
    postgres: str | None
    nats: str
    keys: Path
    log_level: LogLevel = "info"
    replicas: Mapping[str, tuple[str, ...]] = {}

    @property
    def is_development(self) -> bool:
        """Whether what must never run for real players (guests, their tokens, open reflection) may run here."""
        return self.environment == "development"

    def require_postgres(self) -> str:
        """The connection string, or ConfigError that says what to set."""
        if self.postgres is None:
            raise ConfigError(
                f"CARTEADO_POSTGRES is not set: {self.name} keeps its log in Postgres. Set it to a libpq connection "
                "string without a database name, such as 'host=127.0.0.1 port=5432 user=carteado'"
            )
        return self.postgres

    def require_grpc_address(self) -> str:
        """Where to listen for gRPC, or ConfigError that says what to set."""
        if self.grpc_address is None:
            raise ConfigError(_missing(f"{_PREFIX}{self.name.upper()}_GRPC", "where it listens, HOST:PORT"))
        return self.grpc_address

    def require_own_metrics_address(self) -> None:
        """For a service whose HTTP port faces the public: ConfigError where that would serve `/metrics` to real strangers."""
        if self.metrics_address is None and not self.is_development:
            variable = f"{_PREFIX}{self.name.upper()}_METRICS"
            raise ConfigError(
                _missing(variable, "where /metrics is served, HOST:PORT, as its HTTP port is for everybody")
            )

    def require_replicas(self, service: str) -> tuple[str, ...]:
        """The gRPC addresses of another service, or ConfigError that says what to set."""
        addresses = self.replicas.get(service, ())
        if not addresses:
            raise ConfigError(
                _missing(
                    f"{_PREFIX}{service.upper()}{_REPLICAS}", f"the gRPC addresses of {service}, HOST:PORT,…"
                )
            )
        return addresses


def load_config(name: str, environ: Mapping[str, str] | None = None) -> ServiceConfig:
    """Reads the configuration of the service `name`; ConfigError if something is missing or wrong."""
    env = os.environ if environ is None else environ
    own = f"{_PREFIX}{name.upper()}"
    grpc_address = env.get(f"{own}_GRPC", "")
    metrics_address = env.get(f"{own}_METRICS", "")
    return ServiceConfig(
        name=name,
        environment=_environment(env),
        grpc_address=_address(f"{own}_GRPC", grpc_address) if grpc_address else None,
        http_address=_address(
            f"{own}_HTTP", require_env(f"{own}_HTTP", "where it serves HTTP, HOST:PORT", environ=env)
        ),
        metrics_address=_address(f"{own}_METRICS", metrics_address) if metrics_address else None,
        postgres=_postgres(env.get(f"{_PREFIX}POSTGRES", ""), name),
        nats=_nats(require_env(f"{_PREFIX}NATS", "the URL of NATS, nats://HOST:PORT", environ=env)),
        keys=_keys(Path(require_env(f"{_PREFIX}KEYS", "the folder of service credentials", environ=env))),
        log_level=_log_level(env.get(f"{_PREFIX}LOG_LEVEL", "") or "info"),
        replicas=_replicas(env),
    )


def require_env(name: str, hint: str, environ: Mapping[str, str] | None = None) -> str:
    """The value of an environment variable, or ConfigError with `hint`, which says what to set it to."""
    value = (os.environ if environ is None else environ).get(name, "")
    if not value:
        raise ConfigError(_missing(name, hint))
    return value


def split_address(address: str) -> tuple[str, int]:
    """The host and port of `HOST:PORT` (an IPv6 host stands in brackets); ValueError if it is no such thing."""
    host, colon, port = address.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError(address)
    return host, int(port)


def is_loopback(address: str) -> bool:
    """Whether `HOST:PORT` is reachable from this machine only."""
    return is_loopback_host(split_address(address)[0])


def is_loopback_host(host: str) -> bool:
    """Whether a host name or address (IPv6 without brackets) is this machine itself."""
    return host in _LOOPBACK_HOSTS


def _missing(name: str, hint: str) -> str:
    return f"{name} is not set: set it to {hint}"


def _environment(env: Mapping[str, str]) -> Environment:
    value = require_env(f"{_PREFIX}ENVIRONMENT", "development or production", environ=env)
    for known in get_args(Environment):
        if value == known:
            environment: Environment = known
            return environment
    raise ConfigError(f"CARTEADO_ENVIRONMENT is {value!r}: set it to development or production")


def _log_level(value: str) -> LogLevel:
    for known in get_args(LogLevel):
        if value.lower() == known:
            level: LogLevel = known
            return level
    raise ConfigError(f"CARTEADO_LOG_LEVEL is {value!r}: set it to {', '.join(get_args(LogLevel))}")


def _address(variable: str, value: str) -> str:
    try:
        split_address(value)
    except ValueError:
        raise ConfigError(f"{variable} is {value!r}: set it to HOST:PORT, such as 127.0.0.1:7001") from None
    return value


def _postgres(value: str, name: str) -> str | None:
    if not value:
        return None
    try:
        if conninfo_to_dict(value).get("dbname"):
            raise ConfigError(
                "CARTEADO_POSTGRES names a database: leave the database out, each service uses its own carteado_<name>"
            )
        return make_conninfo(value, dbname=f"carteado_{name}")
    except ProgrammingError:
        # The value may hold a password, so the message does not repeat it.
        raise ConfigError("CARTEADO_POSTGRES is no libpq connection string or postgresql:// URL") from None


def _nats(value: str) -> str:
    if not value.startswith(("nats://", "tls://")):
        raise ConfigError("CARTEADO_NATS is no NATS URL: set it to nats://HOST:PORT, credentials included")
    return value


def _keys(folder: Path) -> Path:
    if not folder.is_dir():
        raise ConfigError(
            f"CARTEADO_KEYS is {str(folder)!r}, which is no folder: it holds the services' credentials"
        )
    return folder


def _replicas(env: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    replicas: dict[str, tuple[str, ...]] = {}
    for variable, value in env.items():
        if variable.startswith(_PREFIX) and variable.endswith(_REPLICAS) and value:
            service = variable.removeprefix(_PREFIX).removesuffix(_REPLICAS).lower()
            addresses = (address.strip() for address in value.split(","))
            replicas[service] = tuple(_address(variable, address) for address in addresses if address)
    return replicas
