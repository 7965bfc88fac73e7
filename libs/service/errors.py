"""Errors that a service answers with: each has a code from a closed list, a gRPC status and a text for people.

A catalogue is one table per service (`services/<name>/errors.py`); what every service may answer stands here. Refusals
of commands (a `Rejection`) take their codes from the same tables. docs/errors.md lists them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import grpc
import msgspec

DOMAIN = "carteado"


class ServiceError(Exception):
    """An answer with a code instead of a result; the gRPC server turns it into a status with google.rpc details.

    `field` names the offending field of the request, `facts` explain (never a secret: callers see them).
    """

    def __init__(
        self,
        code: str,
        status: grpc.StatusCode,
        text_pt: str,
        text_en: str,
        *,
        field: str | None = None,
        facts: Mapping[str, str] | None = None,
    ) -> None:
        """Prefer `ErrorCode.error`, which takes the texts from the catalogue."""
        super().__init__(code)
        self.code = code
        self.status = status
        self.text_pt = text_pt
        self.text_en = text_en
        self.field = field
        self.facts: Mapping[str, str] = MappingProxyType(dict(facts or {}))


class ErrorCode(msgspec.Struct, frozen=True):
    """One row of a catalogue: `meaning` is for developers, the texts are for players."""

    code: str
    meaning: str
    status: grpc.StatusCode
    text_pt: str
    text_en: str

    def error(self, field: str | None = None, facts: Mapping[str, str] | None = None) -> ServiceError:
        """The error to raise."""
        return ServiceError(self.code, self.status, self.text_pt, self.text_en, field=field, facts=facts)


class Catalogue:
    """The closed list of one service's codes; ValueError at import if a code stands twice or has no text."""

    def __init__(self, service: str, codes: tuple[ErrorCode, ...]) -> None:
        """`service` is the name that docs/errors.md shows the codes under."""
        self.service = service
        self._by_code = {code.code: code for code in codes}
        if len(self._by_code) != len(codes):
            raise ValueError(f"a code stands twice in the catalogue of {service}")
        for code in codes:
            if not (code.code and code.meaning and code.text_pt and code.text_en):
                raise ValueError(f"{service}: {code.code!r} lacks its meaning or a text")

    def __getitem__(self, code: str) -> ErrorCode:
        """The row of a code; KeyError if the list does not have it."""
        return self._by_code[code]

    def __contains__(self, code: object) -> bool:
        """Whether the list has the code."""
        return code in self._by_code

    def __iter__(self) -> Iterator[ErrorCode]:
        """The rows in the order of the list."""
        return iter(self._by_code.values())


UNAUTHENTICATED = ErrorCode(
    "UNAUTHENTICATED",
    "The call carries no valid service credential (a user's token is none).",
    grpc.StatusCode.UNAUTHENTICATED,
    "Acesso não autorizado.",
    "Not authorised.",
)
CALLER_NOT_ALLOWED = ErrorCode(
    "CALLER_NOT_ALLOWED",
    "The calling service is known, but this method does not serve it.",
    grpc.StatusCode.PERMISSION_DENIED,
    "Este serviço não pode fazer isso.",
    "This service may not do that.",
)
DEADLINE_REQUIRED = ErrorCode(
    "DEADLINE_REQUIRED",
    "A unary call came without a deadline.",
    grpc.StatusCode.INVALID_ARGUMENT,
    "A chamada precisa de um prazo.",
    "The call needs a deadline.",
)
DEADLINE_EXCEEDED = ErrorCode(
    "DEADLINE_EXCEEDED",
    "The call took longer than its deadline or the server's cap; whether it took effect is not known.",
    grpc.StatusCode.DEADLINE_EXCEEDED,
    "Demorou demais. Tente de novo.",
    "It took too long. Try again.",
)
INVALID_ARGUMENT = ErrorCode(
    "INVALID_ARGUMENT",
    "A field of the request is malformed; the details name it.",
    grpc.StatusCode.INVALID_ARGUMENT,
    "Pedido inválido.",
    "Invalid request.",
)
UNAVAILABLE = ErrorCode(
    "UNAVAILABLE",
    "The service can't answer now (starting, draining, or something that it needs is down): try again.",
    grpc.StatusCode.UNAVAILABLE,
    "Serviço indisponível. Tente de novo em instantes.",
    "Unavailable. Try again in a moment.",
)
OVERLOADED = ErrorCode(
    "OVERLOADED",
    "A bounded queue is full: try again later.",
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "Muita gente ao mesmo tempo. Tente de novo em instantes.",
    "Too many requests. Try again in a moment.",
)
INTERNAL = ErrorCode(
    "INTERNAL",
    "A bug: the log of the service has the traceback, the answer has no details.",
    grpc.StatusCode.INTERNAL,
    "Algo deu errado do nosso lado.",
    "Something went wrong on our side.",
)

COMMON = Catalogue(
    "every service",
    (
        UNAUTHENTICATED,
        CALLER_NOT_ALLOWED,
        DEADLINE_REQUIRED,
        DEADLINE_EXCEEDED,
        INVALID_ARGUMENT,
        UNAVAILABLE,
        OVERLOADED,
        INTERNAL,
    ),
)
