"""Every code with which the gateway answers, over HTTP and over the WebSocket: one table."""

from __future__ import annotations

from collections.abc import Mapping

import grpc

from libs.service.errors import UNAVAILABLE, Catalogue, ErrorCode
from libs.service.tokens import PLAYER_BANNED, SESSION_REVOKED

_Status = grpc.StatusCode

SIGN_IN_REQUIRED = ErrorCode(
    "SIGN_IN_REQUIRED",
    "No token, or one that is not valid: wrong, expired, or revoked. A socket is closed.",
    _Status.UNAUTHENTICATED,
    "Entre de novo para jogar.",
    "Sign in again to play.",
)
HELLO_EXPECTED = ErrorCode(
    "HELLO_EXPECTED",
    "The socket's first message was no Hello, or none came in time. The socket is closed.",
    _Status.UNAUTHENTICATED,
    "A conexão precisa começar com a identificação.",
    "The connection must begin with Hello.",
)
SESSION_EXPIRED = ErrorCode(
    "SESSION_EXPIRED",
    "The token has expired and was not renewed. The socket is closed; the seat stays.",
    _Status.UNAUTHENTICATED,
    "Sua sessão terminou. Entre de novo.",
    "Your session has ended. Sign in again.",
)
OTHER_PLAYER = ErrorCode(
    "OTHER_PLAYER",
    "A later Hello came with another player's token. The socket is closed.",
    _Status.PERMISSION_DENIED,
    "Esta conexão é de outro jogador.",
    "This connection belongs to another player.",
)
MALFORMED_MESSAGE = ErrorCode(
    "MALFORMED_MESSAGE",
    "What came is no message of the contract, or lacks what it must have. Nothing was done.",
    _Status.INVALID_ARGUMENT,
    "Mensagem inválida.",
    "Malformed message.",
)
WRONG_FRAME_TYPE = ErrorCode(
    "WRONG_FRAME_TYPE",
    "A text frame came where the subprotocol has binary ones, or the other way round. The socket is closed.",
    _Status.INVALID_ARGUMENT,
    "Tipo de mensagem inválido.",
    "Wrong type of frame.",
)
MESSAGE_TOO_BIG = ErrorCode(
    "MESSAGE_TOO_BIG",
    "A message or a request's body is over 16 KiB. A socket is closed.",
    _Status.RESOURCE_EXHAUSTED,
    "Mensagem grande demais.",
    "Message too big.",
)
RATE_LIMITED = ErrorCode(
    "RATE_LIMITED",
    "More than 20 messages a second (60 at once) over one socket, which is closed; or more than 60 training tables, "
    "or 30 pages of records, at once by one player, and one a second after that; or more than 300 new guests (5 a second "
    "after that), or 600 renewals (20 a second), from one address.",
    _Status.RESOURCE_EXHAUSTED,
    "Pedidos demais em pouco tempo. Espere um instante.",
    "Too much at once. Wait a moment.",
)
SLOW_READER = ErrorCode(
    "SLOW_READER",
    "The client does not read what it is sent, and too much waits. The socket is closed; attach again.",
    _Status.RESOURCE_EXHAUSTED,
    "Sua conexão está lenta demais.",
    "Your connection is too slow.",
)
TOO_MANY_SOCKETS = ErrorCode(
    "TOO_MANY_SOCKETS",
    "The player has more than 32 sockets at this gateway. The one that said Hello first is closed: it may connect again "
    "once others are closed.",
    _Status.RESOURCE_EXHAUSTED,
    "Você abriu o jogo em janelas demais. Feche algumas.",
    "You have opened too many windows. Close some.",
)
TOO_MANY_TABLES = ErrorCode(
    "TOO_MANY_TABLES",
    "One socket may follow at most 8 tables.",
    _Status.RESOURCE_EXHAUSTED,
    "Mesas demais abertas nesta conexão.",
    "Too many tables on this connection.",
)
TOO_MANY_COMMANDS = ErrorCode(
    "TOO_MANY_COMMANDS",
    "One socket may have at most 16 commands without an outcome. The command was not taken.",
    _Status.RESOURCE_EXHAUSTED,
    "Espere a resposta da jogada anterior.",
    "Wait for the answers of earlier commands.",
)
SERVER_FULL = ErrorCode(
    "SERVER_FULL",
    "This gateway has as many sockets as it may: try again, perhaps another one answers.",
    _Status.UNAVAILABLE,
    "Servidor cheio. Tente de novo em instantes.",
    "Server full. Try again in a moment.",
)
SERVER_RESTARTING = ErrorCode(
    "SERVER_RESTARTING",
    "This gateway is going down. Connect again: another one, or its successor, goes on from the last version.",
    _Status.UNAVAILABLE,
    "O servidor está reiniciando. Reconectando.",
    "The server is restarting. Connect again.",
)
FOREIGN_ORIGIN = ErrorCode(
    "FOREIGN_ORIGIN",
    "A page of another origin tried to open the WebSocket.",
    _Status.PERMISSION_DENIED,
    "Origem não permitida.",
    "Origin not allowed.",
)
UNSUPPORTED_SUBPROTOCOL = ErrorCode(
    "UNSUPPORTED_SUBPROTOCOL",
    "The client offered no subprotocol that the gateway speaks.",
    _Status.INVALID_ARGUMENT,
    "Protocolo não suportado.",
    "Unsupported subprotocol.",
)
UNSUPPORTED_MEDIA_TYPE = ErrorCode(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body of a request is not said to be application/json.",
    _Status.INVALID_ARGUMENT,
    "O corpo do pedido precisa ser JSON.",
    "The body must be JSON.",
)
IDEMPOTENCY_KEY_REQUIRED = ErrorCode(
    "IDEMPOTENCY_KEY_REQUIRED",
    "The header Idempotency-Key is missing or no UUID.",
    _Status.INVALID_ARGUMENT,
    "Falta o cabeçalho Idempotency-Key.",
    "The header Idempotency-Key is missing.",
)
GAME_WITHOUT_TRAINING = ErrorCode(
    "GAME_WITHOUT_TRAINING",
    "There is no training for a game of this name.",
    _Status.INVALID_ARGUMENT,
    "Esse jogo não existe no treino.",
    "No such game in training.",
)
ERASURE_NOT_CONFIRMED = ErrorCode(
    "ERASURE_NOT_CONFIRMED",
    "The body of the request does not repeat the player's own id.",
    _Status.INVALID_ARGUMENT,
    "Confirme a exclusão da conta.",
    "Confirm that the account is to be deleted.",
)
NOT_FOUND = ErrorCode(
    "NOT_FOUND",
    "There is nothing at this address.",
    _Status.NOT_FOUND,
    "Página não encontrada.",
    "Not found.",
)
METHOD_NOT_ALLOWED = ErrorCode(
    "METHOD_NOT_ALLOWED",
    "The address does not take this method.",
    _Status.UNIMPLEMENTED,
    "Método não permitido.",
    "Method not allowed.",
)

CATALOGUE = Catalogue(
    "gateway",
    (
        SIGN_IN_REQUIRED,
        HELLO_EXPECTED,
        SESSION_EXPIRED,
        OTHER_PLAYER,
        SESSION_REVOKED,
        PLAYER_BANNED,
        MALFORMED_MESSAGE,
        WRONG_FRAME_TYPE,
        MESSAGE_TOO_BIG,
        RATE_LIMITED,
        SLOW_READER,
        TOO_MANY_SOCKETS,
        TOO_MANY_TABLES,
        TOO_MANY_COMMANDS,
        SERVER_FULL,
        SERVER_RESTARTING,
        FOREIGN_ORIGIN,
        UNSUPPORTED_SUBPROTOCOL,
        UNSUPPORTED_MEDIA_TYPE,
        IDEMPOTENCY_KEY_REQUIRED,
        GAME_WITHOUT_TRAINING,
        ERASURE_NOT_CONFIRMED,
        NOT_FOUND,
        METHOD_NOT_ALLOWED,
    ),
)

CLOSE_CODES: Mapping[str, int] = {
    SIGN_IN_REQUIRED.code: 4401,
    HELLO_EXPECTED.code: 4401,
    SESSION_EXPIRED.code: 4401,
    SESSION_REVOKED.code: 4401,
    OTHER_PLAYER.code: 4403,
    PLAYER_BANNED.code: 4403,
    WRONG_FRAME_TYPE.code: 1003,
    MESSAGE_TOO_BIG.code: 1009,
    SERVER_RESTARTING.code: 1012,
    UNAVAILABLE.code: 1013,
    RATE_LIMITED.code: 4429,
    SLOW_READER.code: 4430,
    TOO_MANY_SOCKETS.code: 4431,
}
"""The WebSocket close code of the errors after which a socket is closed."""

KEPT_OUT: Mapping[str, ErrorCode] = {reason.code: reason for reason in (SESSION_REVOKED, PLAYER_BANNED)}
"""Why a good token does not let its player in."""

_HTTP_STATUS: Mapping[str, int] = {
    MESSAGE_TOO_BIG.code: 413,
    UNSUPPORTED_MEDIA_TYPE.code: 415,
    METHOD_NOT_ALLOWED.code: 405,
}
_HTTP_STATUS_BY_GRPC: Mapping[grpc.StatusCode, int] = {
    _Status.INVALID_ARGUMENT: 400,
    _Status.OUT_OF_RANGE: 400,
    _Status.UNAUTHENTICATED: 401,
    _Status.PERMISSION_DENIED: 403,
    _Status.NOT_FOUND: 404,
    _Status.ALREADY_EXISTS: 409,
    _Status.FAILED_PRECONDITION: 409,
    _Status.ABORTED: 409,
    _Status.RESOURCE_EXHAUSTED: 429,
    _Status.UNAVAILABLE: 503,
    _Status.DEADLINE_EXCEEDED: 504,
}


def http_status(code: str, status: grpc.StatusCode) -> int:
    """The HTTP status for a code: its own, or what its gRPC status stands for; 500 for the rest."""
    return _HTTP_STATUS.get(code) or _HTTP_STATUS_BY_GRPC.get(status, 500)
