"""Every code that the table answers with: refusals of commands and errors of calls, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode
from services.table.buraco_errors import BURACO_ERRORS
from services.table.game_errors import GAME_ERRORS

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
            "ELIMINATED",
            "The player is out of this match: too many automatic plays, or left it (rulings G-07, G-09).",
            StatusCode.FAILED_PRECONDITION,
            "Você foi eliminado desta partida.",
            "You are out of this match.",
        ),
        ErrorCode(
            "SEAT_TAKEN_ELSEWHERE",
            "Another device of this player has claimed the seat; claim it to play from here.",
            StatusCode.PERMISSION_DENIED,
            "Você está jogando em outro aparelho.",
            "You are playing on another device.",
        ),
        ErrorCode(
            "SEAT_ALREADY_YOURS",
            "This device has the seat already.",
            StatusCode.FAILED_PRECONDITION,
            "Este aparelho já está com o seu lugar.",
            "This device has your seat already.",
        ),
        ErrorCode(
            "NOT_WATCHABLE",
            "A table of the Ranqueada is watched by nobody before its match has ended.",
            StatusCode.PERMISSION_DENIED,
            "Partidas da Ranqueada só podem ser vistas depois do fim.",
            "Ranked matches can be watched once they have ended.",
        ),
        ErrorCode(
            "TOO_MANY_SPECTATORS",
            "Fifty people watch this table already.",
            StatusCode.RESOURCE_EXHAUSTED,
            "Já há muita gente assistindo a esta mesa.",
            "Too many people watch this table.",
        ),
        ErrorCode(
            "WATCHING_ALREADY",
            "This player watches the table from four windows already.",
            StatusCode.RESOURCE_EXHAUSTED,
            "Você já assiste a esta mesa em outras janelas.",
            "You watch this table in other windows already.",
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
        *GAME_ERRORS,
        *BURACO_ERRORS,
    ),
)
"""The table's own codes, then those with which the games refuse a move."""
