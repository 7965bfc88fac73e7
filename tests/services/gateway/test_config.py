"""What an operator may set of the gateway's bounds, and what is told of a wrong value."""

import pytest

from libs.service.config import ConfigError
from services.gateway.config import load_limits
from services.gateway.limits import Limits

VARIABLE = "CARTEADO_GATEWAY_SOCKETS_PER_PLAYER"


def test_the_sockets_of_one_player_may_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert load_limits() == Limits()
    monkeypatch.setenv(VARIABLE, "5")
    assert load_limits() == Limits(sockets_per_player=5)


@pytest.mark.parametrize("value", ["", "0", "-1", "many", "10001", "²"])
def test_a_value_that_is_no_number_of_sockets_is_told(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(
        ConfigError, match=f"{VARIABLE} is '{value}': set it to a number of sockets, 1 to 10000"
    ):
        load_limits()
