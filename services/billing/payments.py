"""Payment providers: the small face that billing needs of one, and the sandbox that moves no money."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol
from uuid import UUID, uuid5

import msgspec

from libs.service.config import ConfigError, ServiceConfig

_IDS: Final = UUID("8f5f2f4d-7a61-5d0f-b9f3-1d8a1a1c4e55")


class Charge(msgspec.Struct, frozen=True):
    """Money that a player owes. `key` names what is paid: the purchase, or a period of a passport."""

    key: str
    player_id: str
    amount_centavos: int
    attempt: int = 1


class Paid(msgspec.Struct, frozen=True):
    """The provider has the money."""

    payment_id: str


class Declined(msgspec.Struct, frozen=True):
    """The provider did not get the money."""


class Returned(msgspec.Struct, frozen=True):
    """The provider gave money back."""

    return_id: str


class PaymentProvider(Protocol):
    """What billing asks of a provider. Who pays, and by what, is known there and never here."""

    @property
    def name(self) -> str:
        """As events name it."""

    async def charge(self, charge: Charge) -> Paid | Declined:
        """Takes money, once for a key: what is paid is answered as paid again, and a declined attempt as declined again.

        The key's next attempt may succeed. Raises ProviderError.
        """

    async def give_up(self, key: str) -> Paid | Declined:
        """Nothing is wanted under this key any more: what was taken is told, and nothing more is taken.

        Raises ProviderError.
        """

    async def give_back(self, payment_id: str, amount_centavos: int, key: str) -> Returned:
        """Gives money of a payment back, once for a key. Raises ProviderError."""


class ProviderError(Exception):
    """The provider cannot be asked now; what it was asked may yet be done."""


class Sandbox:
    """Says that everything is paid, and moves no money. Its ids are computed, so every replica gives the same ones."""

    name = "sandbox"

    def __init__(self, declines: Callable[[Charge], bool] = lambda _: False) -> None:
        """`declines` says which charges fail."""
        self._declines = declines

    async def charge(self, charge: Charge) -> Paid | Declined:
        """Paid, unless it is to fail."""
        return Declined() if self._declines(charge) else Paid(str(uuid5(_IDS, f"charge {charge.key}")))

    async def give_up(self, key: str) -> Paid | Declined:  # noqa: ARG002 - the protocol's
        """Nothing was taken: it moves no money."""
        return Declined()

    async def give_back(self, payment_id: str, amount_centavos: int, key: str) -> Returned:
        """Given back."""
        return Returned(str(uuid5(_IDS, f"return {payment_id} {amount_centavos} {key}")))


def open_provider(config: ServiceConfig) -> PaymentProvider:
    """The provider of this platform. Raises ConfigError outside development, where the sandbox would give passports away."""
    if not config.is_development:
        raise ConfigError("billing has no payment provider but the sandbox, which runs in development alone")
    return Sandbox()
