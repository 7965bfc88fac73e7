"""Every code that the Liga answers with, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode

MATCH_ALREADY_SCORED = ErrorCode(
    "MATCH_ALREADY_SCORED",
    "The match stands in the player's week already; its result is counted once.",
    StatusCode.ALREADY_EXISTS,
    "Esta partida já foi contada.",
    "This match was counted already.",
)
RESULT_TOO_LATE = ErrorCode(
    "RESULT_TOO_LATE",
    "The result came over fifteen days after its week was closed; it is put aside for an operator.",
    StatusCode.FAILED_PRECONDITION,
    "O resultado chegou tarde demais para esta semana.",
    "The result came too late for this week.",
)
NOTHING_TO_SEAL = ErrorCode(
    "NOTHING_TO_SEAL",
    "The player has no match in this week.",
    StatusCode.FAILED_PRECONDITION,
    "Não há partidas nesta semana.",
    "There are no matches in this week.",
)
ACHIEVEMENT_ALREADY_WON = ErrorCode(
    "ACHIEVEMENT_ALREADY_WON",
    "The player did this feat before; an achievement is won once.",
    StatusCode.ALREADY_EXISTS,
    "Esta conquista já foi ganha.",
    "This achievement was won already.",
)
STANDING_NOT_BEGUN = ErrorCode(
    "STANDING_NOT_BEGUN",
    "The player's year in this game has not begun; the Liga begins it and counts the result then.",
    StatusCode.FAILED_PRECONDITION,
    "O ano deste jogador ainda não começou.",
    "This player's year has not begun.",
)
STANDING_ALREADY_BEGUN = ErrorCode(
    "STANDING_ALREADY_BEGUN",
    "The player's year in this game has begun already.",
    StatusCode.ALREADY_EXISTS,
    "O ano deste jogador já começou.",
    "This player's year has begun already.",
)
STANDING_ENDED = ErrorCode(
    "STANDING_ENDED",
    "The player's year in this game is over; the result counts in the next one.",
    StatusCode.FAILED_PRECONDITION,
    "O ano deste jogador já terminou.",
    "This player's year is over.",
)
WEEK_ALREADY_OPEN = ErrorCode(
    "WEEK_ALREADY_OPEN",
    "The week has begun already.",
    StatusCode.ALREADY_EXISTS,
    "Esta semana já começou.",
    "This week has begun already.",
)
WEEK_ALREADY_CLOSED = ErrorCode(
    "WEEK_ALREADY_CLOSED",
    "The week is closed already. An operator is answered that it is so.",
    StatusCode.ALREADY_EXISTS,
    "Esta semana já foi fechada.",
    "This week is closed already.",
)
WEEK_NOT_OVER = ErrorCode(
    "WEEK_NOT_OVER",
    "A week is closed on the Monday after it, from 00:10 in São Paulo on.",
    StatusCode.FAILED_PRECONDITION,
    "Esta semana ainda não terminou.",
    "This week is not over yet.",
)
WEEK_NOT_FOUND = ErrorCode(
    "WEEK_NOT_FOUND",
    "No match of this game was counted in this week.",
    StatusCode.NOT_FOUND,
    "Não há partidas deste jogo nesta semana.",
    "There are no matches of this game in this week.",
)

ERRORS = Catalogue(
    "league",
    (
        MATCH_ALREADY_SCORED,
        RESULT_TOO_LATE,
        NOTHING_TO_SEAL,
        ACHIEVEMENT_ALREADY_WON,
        STANDING_NOT_BEGUN,
        STANDING_ALREADY_BEGUN,
        STANDING_ENDED,
        WEEK_ALREADY_OPEN,
        WEEK_ALREADY_CLOSED,
        WEEK_NOT_OVER,
        WEEK_NOT_FOUND,
    ),
)
