"""What a stack runs: its services as values, and the environment that tells each where everything is."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deploy.local.data_folder import DataFolder
from deploy.local.failure import EXIT_REFUSED, StackError
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
    Service("billing", has_log=True),
    Service("league", has_log=True),
    Service("matchmaking", has_log=True),
    Service("robots"),
    Service("gateway", is_front=True),
)


@dataclass(frozen=True)
class Replica:
    """One process of a service; `number` counts from 1."""

    service: Service
    number: int = 1

    @property
    def name(self) -> str:
        """What it is called in logs and in stack.json: the service's name, and its number from the second on."""
        return self.service.name if self.number == 1 else f"{self.service.name}-{self.number}"


MAX_REPLICAS = 8


def replicas_of(services: Sequence[Service], counts: Mapping[str, int]) -> list[Replica]:
    """Every process of the stack; `counts` says of which services there is more than one.

    Raises StackError for a service that there is not, or a number out of 1 to MAX_REPLICAS.
    """
    names = [service.name for service in services]
    for name, count in counts.items():
        if name not in names:
            raise StackError(f"there is no service {name!r}", f"there are: {', '.join(names)}", EXIT_REFUSED)
        if not 1 <= count <= MAX_REPLICAS:
            raise StackError(
                f"{count} replicas of {name} are not possible", f"say 1 to {MAX_REPLICAS}", EXIT_REFUSED
            )
    return [
        Replica(service, number)
        for service in services
        for number in range(1, counts.get(service.name, 1) + 1)
    ]


@dataclass(frozen=True)
class Addresses:
    """Where one replica listens, each as HOST:PORT."""

    grpc: str
    http: str


def place(replicas: Sequence[Replica], port: int) -> dict[str, Addresses]:
    """Addresses on loopback by replica; the HTTP of the front's first one is the stack's own port."""
    ports = iter(free_ports(2 * len(replicas)))
    return {
        replica.name: Addresses(
            grpc=f"{HOST}:{next(ports)}",
            http=f"{HOST}:{port if replica.service.is_front and replica.number == 1 else next(ports)}",
        )
        for replica in replicas
    }


def environment_of(
    replica: Replica,
    replicas: Sequence[Replica],
    addresses: Mapping[str, Addresses],
    folder: DataFolder,
    *,
    postgres: str,
    nats: str,
    inherited: Mapping[str, str],
) -> dict[str, str]:
    """The environment of a replica, as docs/architecture.md lists it, on top of what the stack inherited."""
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
    if replica.service.has_log:
        environment["CARTEADO_POSTGRES"] = postgres
    if replica.service.has_table_secret:
        environment["CARTEADO_TABLE_SECRET_FILE"] = str(folder.table_secret)
    for other in replicas:
        variable = f"CARTEADO_{other.service.name.upper()}"
        if other.number == 1 or other == replica:
            environment[f"{variable}_GRPC"] = addresses[other.name].grpc
            environment[f"{variable}_HTTP"] = addresses[other.name].http
        known = environment.get(f"{variable}_REPLICAS") if other.number > 1 else None
        environment[f"{variable}_REPLICAS"] = ",".join(filter(None, (known, addresses[other.name].grpc)))
    if "accounts" in addresses:
        environment.pop("CARTEADO_TOKEN_ISSUER", None)  # the local issuer's keys go with its own name
        environment["CARTEADO_JWKS_URL"] = f"http://{addresses['accounts'].http}/.well-known/jwks.json"
    return environment
