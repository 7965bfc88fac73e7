"""A log line is JSON, names its service, and holds no secret."""

import io
import logging

import pytest

from libs.service.logging import configure_logging

TOKEN = "eyJhbGciOiJFZDI1NTE5In0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"


def test_a_line_says_when_who_what_and_how_bad(service_log, log_lines):
    service_log.info("table opened", table_id="t1")
    (line,) = log_lines()
    assert line["event"] == "table opened"
    assert (line["level"], line["service"], line["table_id"]) == ("info", "accounts", "t1")
    assert line["timestamp"].endswith("Z")


def test_lines_of_libraries_have_the_same_form(service_log, log_lines):
    logging.getLogger("nats.aio.client").warning("slow %s", "consumer")
    (line,) = log_lines()
    assert (line["event"], line["service"], line["logger"]) == (
        "slow consumer",
        "accounts",
        "nats.aio.client",
    )


def test_the_level_is_kept(service_log, log_lines):
    service_log.debug("details")
    assert log_lines() == []


@pytest.mark.parametrize(
    "key", ["token", "authorization", "name", "cards", "hand", "deck", "secret", "password"]
)
def test_values_that_could_be_secret_are_blanked(service_log, log_stream, key):
    service_log.info("event", **{key: "hunter2"})
    assert "hunter2" not in log_stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        f"Bearer {TOKEN}",
        "nats://carteado:hunter2@127.0.0.1:4222",
        "host=127.0.0.1 password=hunter2 port=5432",
        "host=127.0.0.1 password='hunter2 x' port=5432",
    ],
)
def test_tokens_and_credentials_are_cut_out_of_every_text(service_log, log_stream, text):
    service_log.warning(f"failed with {text}", reason=text)
    service_log.error("failed", exc_info=ValueError(text))
    logging.getLogger("library").error("failed: %s", text)
    assert "hunter2" not in log_stream.getvalue()
    assert TOKEN not in log_stream.getvalue()
    assert "127.0.0.1" in log_stream.getvalue() or TOKEN in text


def test_a_person_at_a_terminal_reads_lines_not_json(log_stream):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    configure_logging("table", "info", out).info("serving", port=7001)
    assert "serving" in out.getvalue()
    assert not out.getvalue().startswith("{")
