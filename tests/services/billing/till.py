"""A payment provider with a memory: what it took and gave back, by key, and a way to do something in the middle of a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import NAMESPACE_OID, uuid5

from services.billing.payments import Charge, Declined, Paid, Returned

Meanwhile = Callable[[], Awaitable[object]]


class Till:
    """Keeps the contract of `PaymentProvider`: once for a key, and nothing more once a key was given up.

    `in_charge` and `in_return` run once, after the money has moved and before billing is told.
    """

    name = "till"

    def __init__(self) -> None:
        self.declines = False
        self.charged: list[Charge] = []
        self.in_charge: Meanwhile | None = None
        self.in_return: Meanwhile | None = None
        self._paid: dict[str, Charge] = {}
        self._declined: set[tuple[str, int]] = set()
        self._given_up: set[str] = set()
        self._returned: dict[str, tuple[str, int]] = {}

    async def charge(self, charge: Charge) -> Paid | Declined:
        """Takes money."""
        if charge.key in self._given_up or (charge.key, charge.attempt) in self._declined:
            return Declined()
        if charge.key not in self._paid:
            self.charged.append(charge)
            if self.declines:
                self._declined.add((charge.key, charge.attempt))
                return Declined()
            self._paid[charge.key] = charge
        meanwhile, self.in_charge = self.in_charge, None
        if meanwhile is not None:
            await meanwhile()
        return Paid(_payment_id(charge.key))

    async def give_up(self, key: str) -> Paid | Declined:
        """Says what was taken, and takes nothing more."""
        self._given_up.add(key)
        return Paid(_payment_id(key)) if key in self._paid else Declined()

    async def give_back(self, payment_id: str, amount_centavos: int, key: str) -> Returned:
        """Gives money back."""
        self._returned.setdefault(key, (payment_id, amount_centavos))
        assert self._returned[key] == (payment_id, amount_centavos), "one key for two returns"
        meanwhile, self.in_return = self.in_return, None
        if meanwhile is not None:
            await meanwhile()
        return Returned(str(uuid5(NAMESPACE_OID, f"return {key}")))

    @property
    def taken_centavos(self) -> int:
        """All that was ever taken."""
        return sum(charge.amount_centavos for charge in self._paid.values())

    @property
    def returned_centavos(self) -> int:
        """All that ever went back."""
        return sum(amount for _, amount in self._returned.values())


def _payment_id(key: str) -> str:
    return str(uuid5(NAMESPACE_OID, f"charge {key}"))
