"""Every code that accounts answers with, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode

NAME_TOO_SHORT = ErrorCode(
    "NAME_TOO_SHORT",
    "The display name has fewer than two characters.",
    StatusCode.INVALID_ARGUMENT,
    "O nome precisa ter pelo menos 2 caracteres.",
    "The name needs at least 2 characters.",
)
NAME_TOO_LONG = ErrorCode(
    "NAME_TOO_LONG",
    "The display name has more than 20 characters or takes more than 80 bytes.",
    StatusCode.INVALID_ARGUMENT,
    "O nome pode ter no máximo 20 caracteres.",
    "The name may have at most 20 characters.",
)
NAME_CHARACTER_REFUSED = ErrorCode(
    "NAME_CHARACTER_REFUSED",
    "The display name has an invisible, control or direction character, too many marks on one letter, or nothing to read.",
    StatusCode.INVALID_ARGUMENT,
    "O nome tem um caractere que não é aceito.",
    "The name has a character that is not accepted.",
)
NAME_MIXES_SCRIPTS = ErrorCode(
    "NAME_MIXES_SCRIPTS",
    "The display name mixes letters of alphabets that look alike, such as Latin and Cyrillic.",
    StatusCode.INVALID_ARGUMENT,
    "O nome mistura letras de alfabetos diferentes.",
    "The name mixes letters of different alphabets.",
)
COMMAND_ID_REUSED = ErrorCode(
    "COMMAND_ID_REUSED",
    "This command id registered a guest under another name.",
    StatusCode.ALREADY_EXISTS,
    "Este pedido já foi usado com outro nome.",
    "This request was used before, with another name.",
)
ALREADY_REGISTERED = ErrorCode(
    "ALREADY_REGISTERED",
    "The player is registered already.",
    StatusCode.ALREADY_EXISTS,
    "Este jogador já está cadastrado.",
    "This player is registered already.",
)
TOKEN_REFUSED = ErrorCode(
    "TOKEN_REFUSED",
    "The token to renew is no valid token of this issuer: expired, forged, or for somebody else.",
    StatusCode.UNAUTHENTICATED,
    "Sua sessão terminou. Entre de novo.",
    "Your session has ended. Sign in again.",
)
GUESTS_NOT_OFFERED = ErrorCode(
    "GUESTS_NOT_OFFERED",
    "Guests and their tokens exist in the development environment only.",
    StatusCode.FAILED_PRECONDITION,
    "Não há entrada de convidados aqui.",
    "There are no guests here.",
)

ERRORS = Catalogue(
    "accounts",
    (
        NAME_TOO_SHORT,
        NAME_TOO_LONG,
        NAME_CHARACTER_REFUSED,
        NAME_MIXES_SCRIPTS,
        COMMAND_ID_REUSED,
        ALREADY_REGISTERED,
        TOKEN_REFUSED,
        GUESTS_NOT_OFFERED,
    ),
)
