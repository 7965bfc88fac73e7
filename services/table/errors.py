"""Every code that the table answers with: refusals of commands and errors of calls, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode

ERRORS = Catalogue(
    "table",
    (
        ErrorCode(
            "TABLE_NOT_FOUND",
            "There is no table with this id.",
            StatusCode.NOT_FOUND,
            "Esta mesa não existe.",
            "There is no such table.",
        ),
        ErrorCode(
            "TABLE_EXISTS",
            "A table with this id was opened by another request.",
            StatusCode.ALREADY_EXISTS,
            "Esta mesa já existe.",
            "This table exists already.",
        ),
        ErrorCode(
            "UNKNOWN_GAME",
            "No game has this public name.",
            StatusCode.INVALID_ARGUMENT,
            "Não conhecemos este jogo.",
            "This game is not known.",
        ),
        ErrorCode(
            "INVALID_RULE_SET",
            "A switch does not exist or does not take this value; the facts give the reason.",
            StatusCode.INVALID_ARGUMENT,
            "Esta regra não existe neste jogo.",
            "This game does not have that rule.",
        ),
        ErrorCode(
            "WRONG_PLAYER_COUNT",
            "The game is not played by that many; the facts give the numbers allowed.",
            StatusCode.INVALID_ARGUMENT,
            "Número de jogadores inválido para este jogo.",
            "This game is not played by that many.",
        ),
        ErrorCode(
            "PLAYER_SEATED_TWICE",
            "One player was named for two seats.",
            StatusCode.INVALID_ARGUMENT,
            "O mesmo jogador não pode ocupar dois lugares.",
            "One player cannot take two seats.",
        ),
        ErrorCode(
            "NOT_SEATED",
            "The actor has no seat at this table.",
            StatusCode.PERMISSION_DENIED,
            "Você não está sentado nesta mesa.",
            "You have no seat at this table.",
        ),
        ErrorCode(
            "ALREADY_ABSENT",
            "The player has left, or is absent, already.",
            StatusCode.FAILED_PRECONDITION,
            "Você já saiu desta mesa.",
            "You have left this table already.",
        ),
        ErrorCode(
            "MATCH_OVER",
            "The match has ended.",
            StatusCode.FAILED_PRECONDITION,
            "A partida já terminou.",
            "The match is over.",
        ),
        ErrorCode(
            "STALE",
            "What the command answers has passed: another trick, another raise, or the time is up.",
            StatusCode.ABORTED,
            "Tarde demais: a mesa já seguiu adiante.",
            "Too late: the table has moved on.",
        ),
        ErrorCode(
            "COMMAND_ID_REUSED",
            "This command id was used with another content.",
            StatusCode.ALREADY_EXISTS,
            "Este identificador de comando já foi usado.",
            "This command id was used before.",
        ),
        ErrorCode(
            "PAST_VIEW_OF_RUNNING_MATCH",
            "Views of earlier versions are given once the match has ended.",
            StatusCode.FAILED_PRECONDITION,
            "O histórico só abre quando a partida termina.",
            "The past of a match opens when it has ended.",
        ),
        ErrorCode(
            "RECORD_OF_RUNNING_MATCH",
            "The record of a match is given once it has ended.",
            StatusCode.FAILED_PRECONDITION,
            "O registro da partida só abre quando ela termina.",
            "The record of a match opens when it has ended.",
        ),
        ErrorCode(
            "VERSION_NOT_FOUND",
            "The table has no such version.",
            StatusCode.OUT_OF_RANGE,
            "Esta mesa não tem essa versão.",
            "The table has no such version.",
        ),
        ErrorCode(
            "SLOW_CONSUMER",
            "The caller reads too slowly: its queue is full and the stream ends; resume from the last version.",
            StatusCode.RESOURCE_EXHAUSTED,
            "Conexão lenta demais.",
            "The connection is too slow.",
        ),
        # What the games refuse.
        ErrorCode(
            "NOT_STARTED",
            "No hand has been dealt yet.",
            StatusCode.FAILED_PRECONDITION,
            "A partida ainda não começou.",
            "The match has not begun.",
        ),
        ErrorCode(
            "NO_SUCH_SEAT",
            "The table has no such seat.",
            StatusCode.INVALID_ARGUMENT,
            "Este lugar não existe.",
            "There is no such seat.",
        ),
        ErrorCode(
            "NOT_YET",
            "The move names a hand or trick that has not begun.",
            StatusCode.FAILED_PRECONDITION,
            "Ainda não chegou a vez dessa jogada.",
            "That has not begun yet.",
        ),
        ErrorCode(
            "WRONG_PHASE",
            "The match waits for another kind of move.",
            StatusCode.FAILED_PRECONDITION,
            "A mesa espera outra coisa agora.",
            "The table waits for something else.",
        ),
        ErrorCode(
            "NOT_YOUR_TURN",
            "Another seat is awaited.",
            StatusCode.FAILED_PRECONDITION,
            "Não é a sua vez.",
            "It is not your turn.",
        ),
        ErrorCode(
            "CARD_REQUIRED",
            "A play names a card, and only a card.",
            StatusCode.INVALID_ARGUMENT,
            "Escolha uma carta.",
            "Name a card.",
        ),
        ErrorCode(
            "POSITION_REQUIRED",
            "In a blind hand a play names a position, and only a position (R-20).",
            StatusCode.INVALID_ARGUMENT,
            "Na mão de ferro, escolha a carta pela posição.",
            "In a blind hand, name a position.",
        ),
        ErrorCode(
            "CARD_NOT_IN_HAND",
            "The seat does not hold this card, or nothing at this position.",
            StatusCode.FAILED_PRECONDITION,
            "Você não tem essa carta.",
            "You do not hold that card.",
        ),
        ErrorCode(
            "COVERED_LEAD",
            "Who leads a trick plays an open card (R-21).",
            StatusCode.FAILED_PRECONDITION,
            "Quem abre a rodada não pode esconder a carta.",
            "Who leads a trick cannot cover the card.",
        ),
        ErrorCode(
            "COVER_NOT_ALLOWED",
            "This table plays without covered cards (R-21).",
            StatusCode.FAILED_PRECONDITION,
            "Nesta mesa não se esconde carta.",
            "This table plays without covered cards.",
        ),
        ErrorCode(
            "RAISE_NOT_ALLOWED",
            "Not the next step, or not this side's right (R-11, R-15, R-18).",
            StatusCode.FAILED_PRECONDITION,
            "Você não pode pedir esse aumento agora.",
            "You cannot raise to that now.",
        ),
        ErrorCode(
            "RAISE_NOT_CALLED",
            "The answer names another value than the one that was called.",
            StatusCode.FAILED_PRECONDITION,
            "Esse aumento não foi pedido.",
            "That raise was not called.",
        ),
    ),
)
"""The table's own codes, then those with which the games refuse a move."""
