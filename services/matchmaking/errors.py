"""Every code that matchmaking answers with, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode

ALREADY_AT_TABLE = ErrorCode(
    "ALREADY_AT_TABLE",
    "The player has a seat at a match, which the facts name; the table service has confirmed that it runs. One place at a "
    "time: go back to that table until its match is over; where robots alone are left, leaving it ends it.",
    StatusCode.FAILED_PRECONDITION,
    "Você já está em uma mesa. Volte para ela e termine a partida antes de começar outra.",
    "You are at a table already. Go back to it and finish the match before you begin another one.",
)
ALREADY_WAITING = ErrorCode(
    "ALREADY_WAITING",
    "The player waits in a queue or at an open table, as the facts say. One place at a time: leave the queue, or stand up.",
    StatusCode.FAILED_PRECONDITION,
    "Você já está esperando uma partida. Saia da fila ou levante da mesa antes de começar outra.",
    "You are waiting for a match already. Leave the queue, or stand up, before you begin another one.",
)
NOT_WAITING = ErrorCode(
    "NOT_WAITING",
    "The player is not, or no longer, in the queue.",
    StatusCode.FAILED_PRECONDITION,
    "Você não está na fila.",
    "You are not in the queue.",
)
SEAT_TAKEN = ErrorCode(
    "SEAT_TAKEN",
    "Somebody else was faster; the facts name the seat.",
    StatusCode.FAILED_PRECONDITION,
    "Este lugar já foi ocupado.",
    "This seat is taken.",
)
NO_SUCH_SEAT = ErrorCode(
    "NO_SUCH_SEAT",
    "The table does not have this seat.",
    StatusCode.INVALID_ARGUMENT,
    "Este lugar não existe.",
    "There is no such seat.",
)
OPEN_TABLE_NOT_FOUND = ErrorCode(
    "OPEN_TABLE_NOT_FOUND",
    "There is no open table with this id, or nobody sits at it any more.",
    StatusCode.NOT_FOUND,
    "Esta mesa não está mais aberta.",
    "This table is not open any more.",
)
MATCH_ALREADY_FORMED = ErrorCode(
    "MATCH_ALREADY_FORMED",
    "The match has begun, or is about to: who wants to leave it now leaves the table.",
    StatusCode.FAILED_PRECONDITION,
    "A partida já vai começar.",
    "The match is about to begin.",
)
NOT_AT_TABLE = ErrorCode(
    "NOT_AT_TABLE",
    "The player does not sit at this table.",
    StatusCode.FAILED_PRECONDITION,
    "Você não está nesta mesa.",
    "You do not sit at this table.",
)
ACCESS_REFUSED = ErrorCode(
    "ACCESS_REFUSED",
    "The player may not play this game in this room; the facts give billing's reason and rule.",
    StatusCode.PERMISSION_DENIED,
    "Seu acesso não inclui este jogo nesta sala.",
    "Your access does not include this game in this room.",
)
UNKNOWN_PRESET = ErrorCode(
    "UNKNOWN_PRESET",
    "No game that can be played here has this name; the facts list those that can.",
    StatusCode.INVALID_ARGUMENT,
    "Não conhecemos este jogo.",
    "This game is not known.",
)
WRONG_SEATS = ErrorCode(
    "WRONG_SEATS",
    "The game is not played by that many; the facts give the numbers allowed.",
    StatusCode.INVALID_ARGUMENT,
    "Número de jogadores inválido para este jogo.",
    "This game is not played by that many.",
)
NOT_RANKED = ErrorCode(
    "NOT_RANKED",
    "A house's preset is played in the Sala Livre alone.",
    StatusCode.FAILED_PRECONDITION,
    "Este jogo não tem sala ranqueada.",
    "This game has no ranked room.",
)
MATCH_VOID = ErrorCode(
    "MATCH_VOID",
    "The match could not be set up in time; nobody's quota was used.",
    StatusCode.UNAVAILABLE,
    "Não foi possível começar a partida. Tente de novo.",
    "The match could not be begun. Try again.",
)
PLACE_CHANGED = ErrorCode(
    "PLACE_CHANGED",
    "The player, the table or the ticket has moved on in the meantime: look again.",
    StatusCode.ABORTED,
    "A situação mudou. Tente de novo.",
    "Things have moved on. Try again.",
)

ERRORS = Catalogue(
    "matchmaking",
    (
        ALREADY_AT_TABLE,
        ALREADY_WAITING,
        NOT_WAITING,
        SEAT_TAKEN,
        NO_SUCH_SEAT,
        OPEN_TABLE_NOT_FOUND,
        MATCH_ALREADY_FORMED,
        NOT_AT_TABLE,
        ACCESS_REFUSED,
        UNKNOWN_PRESET,
        WRONG_SEATS,
        NOT_RANKED,
        MATCH_VOID,
        PLACE_CHANGED,
    ),
)
