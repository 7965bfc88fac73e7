"""A service's connection to NATS: named, with JetStream, and an error in time if there is none."""

import pytest

from libs.service.config import load_config
from libs.service.nats import NatsUnavailableError, connect


@pytest.fixture
def config_for(tmp_path):
    def make(url):
        return load_config(
            "accounts",
            {
                "CARTEADO_ENVIRONMENT": "development",
                "CARTEADO_NATS": url,
                "CARTEADO_ACCOUNTS_HTTP": "127.0.0.1:0",
                "CARTEADO_KEYS": str(tmp_path),
            },
        )

    return make


async def test_a_message_goes_through_jetstream_and_back(nats_url, config_for, service_log):
    nats = await connect(config_for(nats_url), service_log)
    await nats.jetstream.add_stream(name="carteado", subjects=["carteado.>"])
    await nats.jetstream.publish("carteado.accounts.registered.v1", b"x")
    subscription = await nats.jetstream.pull_subscribe("carteado.>", "test")
    (message,) = await subscription.fetch(1, timeout=30)
    assert message.data == b"x"
    assert nats.is_connected
    await nats.close()
    assert not nats.is_connected


@pytest.mark.parametrize("hears_itself", [True, False])
async def test_a_connection_hears_itself_unless_it_says_otherwise(
    nats_url, config_for, service_log, hears_itself
):
    nats = await connect(config_for(nats_url), service_log, hears_itself=hears_itself)
    other = await connect(config_for(nats_url), service_log)
    heard = await nats.client.subscribe("carteado.hint")
    await nats.client.flush()
    await nats.client.publish("carteado.hint", b"own")
    await nats.client.flush()
    await other.client.publish("carteado.hint", b"other's")
    first = await heard.next_msg(timeout=30)
    assert first.data == (b"own" if hears_itself else b"other's")
    await nats.close()
    await other.close()


async def test_a_nats_that_does_not_come_is_an_error_in_time(config_for, service_log, free_address):
    with pytest.raises(NatsUnavailableError, match=r"within 0\.5 s"):
        await connect(config_for(f"nats://{free_address}"), service_log, wait_s=0.5)
