"""What the games refuse: the codes of `libs/rules/<game>/rejections.py`, with their texts. One code serves several games."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import ErrorCode

GAME_ERRORS: tuple[ErrorCode, ...] = (
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
    ErrorCode(
        "SIGNAL_NOT_ALLOWED",
        "The table plays without signals, the hand is blind, or there is no such gesture (R-20, R-23).",
        StatusCode.FAILED_PRECONDITION,
        "Não há sinais nesta mão.",
        "There are no signals in this hand.",
    ),
    ErrorCode(
        "SIGNAL_ALREADY_SENT",
        "The seat has made this gesture in this hand (R-23).",
        StatusCode.FAILED_PRECONDITION,
        "Você já fez esse sinal nesta mão.",
        "You have made this signal in this hand.",
    ),
    ErrorCode(
        "OUT_OF_THE_MATCH",
        "The seat has lost all its points and takes no part any more (C-12).",
        StatusCode.FAILED_PRECONDITION,
        "Você já saiu do jogo.",
        "You are out of the match.",
    ),
    ErrorCode(
        "LIXO_EMPTY",
        "There is no discard to take (B-03, C-07).",
        StatusCode.FAILED_PRECONDITION,
        "O lixo está vazio.",
        "The discard pile is empty.",
    ),
    ErrorCode(
        "HAND_DOES_NOT_FIT",
        "The hand cannot be laid down whole, with the discard that was named or with none (C-06).",
        StatusCode.FAILED_PRECONDITION,
        "Suas cartas não fecham para bater.",
        "Your cards do not fit to go out.",
    ),
    ErrorCode(
        "DISCARD_REQUIRED",
        "Nine of the cards fit, so one must be named for the discard (C-06).",
        StatusCode.INVALID_ARGUMENT,
        "Escolha a carta do descarte para bater.",
        "Name the discard to go out with.",
    ),
    ErrorCode(
        "ALREADY_ANNOUNCED",
        "The seat has said in this round that it is na boa (C-08).",
        StatusCode.FAILED_PRECONDITION,
        "Você já anunciou que está na boa.",
        "You have announced that you are na boa.",
    ),
    ErrorCode(
        "NOT_NA_BOA",
        "Only who announced it before the discard, or the next player, may claim (C-08, C-09).",
        StatusCode.FAILED_PRECONDITION,
        "Só fura a fila quem anunciou antes que está na boa.",
        "Only who announced na boa before the discard may jump the queue.",
    ),
    ErrorCode(
        "BURNT",
        "The seat has claimed in vain in this round (C-10).",
        StatusCode.FAILED_PRECONDITION,
        "Você se queimou: não fura mais a fila nesta rodada.",
        "You are burnt: no more jumping the queue in this round.",
    ),
    ErrorCode(
        "MUST_FOLLOW_SUIT",
        "The seat holds a card of the suit that was led and has to play one (S-03).",
        StatusCode.FAILED_PRECONDITION,
        "Você tem o naipe puxado: é preciso assistir.",
        "You hold the suit that was led: follow it.",
    ),
)
