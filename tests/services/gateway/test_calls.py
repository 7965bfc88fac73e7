"""What a client is told when a call to another service fails outside of that service's code."""

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from services.gateway.calls import told_onwards
from services.gateway.errors import http_status


@pytest.mark.parametrize(
    ("status", "code", "http"),
    [
        (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", 503),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", 504),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", 429),
        (grpc.StatusCode.UNKNOWN, "INTERNAL", 500),
    ],
)
def test_a_status_without_details_is_told_as_what_it_means(
    status: grpc.StatusCode, code: str, http: int
) -> None:
    told = told_onwards(AioRpcError(status, Metadata(), Metadata(), "Concurrent RPC limit exceeded!"))
    assert (told.code, http_status(told.code, told.status)) == (code, http)
