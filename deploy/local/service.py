"""What a stack runs: its services as values, and the environment that tells each where everything is."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deploy.local.data_folder import DataFolder
from deploy.local.ports import HOST, free_ports

_NO_PROXY = ("no_grpc_proxy", "no_proxy", "NO_PROXY")


@dataclass(frozen=True)
class Service:
    """A process of the stack. `has_log`: owns a database; `is_front`: serves the people, on the stack's port."""

    name: str
    has_log: bool = False
    is_front: bool = False
    has_table_secret: bool = False
    argv: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """How it is started: `python -m services.<name>` unless `argv` says otherwise.

        -P: a folder `services` where the person happens to stand is not ours.
        """
        return self.argv or (sys.executable, "-P", "-m", f"services.{self.name}")


SERVICES = (
    Service("accounts", has_log=True),
    Service("table", has_log=True, has_table_secret=True),
    Service("robots"),
    Service("gateway", is_front=True),
)


@dataclass(frozen=True)
class Addresses:
    """Where one service listens, each as HOST:PORT."""

    grpc: str
    http: str


def place(services: Sequence[Service], port: int) -> dict[str, Addresses]:
    """Addresses on loopback for every service; the front's HTTP is the stack's own port."""
    ports = iter(free_ports(2 * len(services)))
    return {
        service.name: Addresses(
            grpc=f"{HOST}:{next(ports)}", http=f"{HOST}:{port if service.is_front else next(ports)}"
        )
        for service in services
    }


def environment_of(
    service: Service,
    addresses: Mapping[str, Addresses],
    folder: DataFolder,
    *,
    postgres: str,
    nats: str,
    inherited: Mapping[str, str],
) -> dict[str, str]:
    """The environment of a service, as docs/architecture.md lists it, on top of what the stack inherited."""
    environment = {
        **inherited,
        "CARTEADO_ENVIRONMENT": "development",
        "CARTEADO_NATS": nats,
        "CARTEADO_KEYS": str(folder.keys),
        "PYTHONUNBUFFERED": "1",
    }
    # A proxy meant for the outside must not be asked for services on this machine; gRPC would.
    for name in _NO_PROXY:
        environment[name] = ",".join(filter(None, (inherited.get(name), HOST, "localhost")))
    for secret in ("CARTEADO_POSTGRES", "CARTEADO_TABLE_SECRET_FILE"):
        environment.pop(secret, None)
    # Compiling every library again at each start would cost a good part of the start's time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if service.has_log:
        environment["CARTEADO_POSTGRES"] = postgres
    if service.has_table_secret:
        environment["CARTEADO_TABLE_SECRET_FILE"] = str(folder.table_secret)
    for name, address in addresses.items():
        variable = f"CARTEADO_{name.upper()}"
        environment[f"{variable}_GRPC"] = address.grpc
        environment[f"{variable}_HTTP"] = address.http
        environment[f"{variable}_REPLICAS"] = address.grpc
    if "accounts" in addresses:
        environment.pop("CARTEADO_TOKEN_ISSUER", None)  # the local issuer's keys go with its own name
        environment["CARTEADO_JWKS_URL"] = f"http://{addresses['accounts'].http}/.well-known/jwks.json"
    return environment
