"""What Buraco, Tranca and Canastra refuse beside the codes that other games have too."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import ErrorCode

BURACO_ERRORS: tuple[ErrorCode, ...] = (
    ErrorCode(
        "ALREADY_DREW",
        "The turn has had its card from the stock, or the lixo (B-04).",
        StatusCode.FAILED_PRECONDITION,
        "Você já comprou nesta vez.",
        "You have drawn in this turn.",
    ),
    ErrorCode(
        "LIXO_LOCKED",
        "A black three lies on top (T-07).",
        StatusCode.FAILED_PRECONDITION,
        "O lixo está trancado pelo 3 preto.",
        "The black three locks the discard pile.",
    ),
    ErrorCode(
        "LIXO_EXHAUSTED",
        "Forty turns passed without a card from the stock or a card laid (B-28).",
        StatusCode.FAILED_PRECONDITION,
        "O lixo já rodou demais: compre do monte.",
        "The discard pile has gone round too long: draw from the stock.",
    ),
    ErrorCode(
        "NO_JUSTIFICATION_ASKED",
        "This lixo is taken without laying its top card (B-28).",
        StatusCode.INVALID_ARGUMENT,
        "Nesta mesa o lixo não precisa ser justificado.",
        "At this table nothing is laid to take the discard pile.",
    ),
    ErrorCode(
        "TOP_NOT_JUSTIFIED",
        "The top card goes straight to the table, with two cards of the hand or onto a meld (B-29, B-30, B-31).",
        StatusCode.FAILED_PRECONDITION,
        "A carta de cima do lixo precisa entrar em um jogo.",
        "The top of the discard pile must go into a meld.",
    ),
    ErrorCode(
        "NOT_A_MELD",
        "The cards are no run and no set (B-06 to B-09, B-20 to B-22, T-08).",
        StatusCode.FAILED_PRECONDITION,
        "Essas cartas não formam um jogo.",
        "These cards are no meld.",
    ),
    ErrorCode(
        "DUPLICATE_MELD",
        "The side has a meld of this rank or suit (B-24).",
        StatusCode.FAILED_PRECONDITION,
        "Seu lado já tem um jogo assim.",
        "Your side has such a meld.",
    ),
    ErrorCode(
        "NO_SUCH_MELD",
        "The own side has no meld of this number (B-26).",
        StatusCode.FAILED_PRECONDITION,
        "Esse jogo não é do seu lado.",
        "Your side has no such meld.",
    ),
    ErrorCode(
        "CARD_BARRED",
        "The only card of the lixo is not discarded in the turn that took it (B-32, B-33).",
        StatusCode.FAILED_PRECONDITION,
        "A única carta do lixo não pode voltar na mesma vez.",
        "The only card of the discard pile does not go back in the same turn.",
    ),
    ErrorCode(
        "KEEP_A_CARD",
        "The hand may not be emptied now, nor left with a single card by laying (B-39).",
        StatusCode.FAILED_PRECONDITION,
        "Você ainda não pode bater: guarde carta para o descarte.",
        "You may not go out yet: keep a card to discard.",
    ),
    ErrorCode(
        "MUST_DISCARD",
        "A turn ends with a discard wherever one is possible (B-04, T-05).",
        StatusCode.FAILED_PRECONDITION,
        "Descarte uma carta para passar a vez.",
        "Discard a card to end the turn.",
    ),
)
