"""What every robot of the family starts from: what its view describes."""

from __future__ import annotations

from libs.rules.buraco.legal import Legal
from libs.rules.buraco.view import BuracoView


def described(view: BuracoView) -> Legal:
    """What this seat may do; raises ValueError when it has nothing to do."""
    if view.legal is None or view.seat is None:
        raise ValueError("this seat has nothing to do")
    return view.legal
