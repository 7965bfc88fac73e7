"""Every code that billing answers with, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode


def _code(code: str, status: StatusCode, meaning: str, text_pt: str, text_en: str) -> ErrorCode:
    return ErrorCode(code, meaning, status, text_pt, text_en)


ACCOUNT_ALREADY_OPEN = _code(
    "ACCOUNT_ALREADY_OPEN",
    StatusCode.ALREADY_EXISTS,
    "The registration is known; an account has one trial.",
    "Esta conta já existe.",
    "This account exists already.",
)
ACCOUNT_ERASED = _code(
    "ACCOUNT_ERASED",
    StatusCode.NOT_FOUND,
    "The player was erased.",
    "Esta conta foi apagada.",
    "This account was erased.",
)
ACCOUNT_NOT_FOUND = _code(
    "ACCOUNT_NOT_FOUND",
    StatusCode.NOT_FOUND,
    "No registration of this player has come yet.",
    "Conta não encontrada. Tente de novo em instantes.",
    "There is no such account. Try again in a moment.",
)
UNKNOWN_PLAN = _code(
    "UNKNOWN_PLAN",
    StatusCode.INVALID_ARGUMENT,
    "The plan catalogue has no plan of this name.",
    "Este plano não existe.",
    "There is no such plan.",
)
PASSPORT_ALREADY_VALID = _code(
    "PASSPORT_ALREADY_VALID",
    StatusCode.ALREADY_EXISTS,
    "A passport runs, cancelled or not; nothing was charged.",
    "Você já tem um Passaporte válido.",
    "You have a valid passport already.",
)
PURCHASE_UNDER_WAY = _code(
    "PURCHASE_UNDER_WAY",
    StatusCode.ABORTED,
    "An earlier purchase waits for the payment provider; nothing was charged for this one.",
    "Outra compra ainda está em andamento. Tente de novo em instantes.",
    "Another purchase is under way. Try again in a moment.",
)
PROVIDER_AWAY = _code(
    "PROVIDER_AWAY",
    # Not UNAVAILABLE: another replica would be asked at once, and would ask the same provider.
    StatusCode.ABORTED,
    "The payment provider did not answer in time; what it was asked for is in the log and goes on by itself.",
    "O pagamento está demorando. Ele será concluído em instantes.",
    "The payment takes longer than usual. It will be finished in a moment.",
)
NO_PASSPORT = _code(
    "NO_PASSPORT",
    StatusCode.FAILED_PRECONDITION,
    "No passport is valid now.",
    "Você não tem um Passaporte válido.",
    "You have no valid passport.",
)
PASSPORT_ALREADY_CANCELLED = _code(
    "PASSPORT_ALREADY_CANCELLED",
    StatusCode.ALREADY_EXISTS,
    "It is cancelled and runs to its paid end.",
    "Seu Passaporte já foi cancelado.",
    "Your passport is cancelled already.",
)
PAYMENT_DECLINED = _code(
    "PAYMENT_DECLINED",
    StatusCode.FAILED_PRECONDITION,
    "The payment provider did not get the money; nothing was bought.",
    "O pagamento não foi aprovado.",
    "The payment was declined.",
)
PERIOD_ALREADY_PAID = _code(
    "PERIOD_ALREADY_PAID",
    StatusCode.ALREADY_EXISTS,
    "The period is paid; a second notice of it changes nothing.",
    "Este período já está pago.",
    "This period is paid already.",
)
NOT_DUE = _code(
    "NOT_DUE",
    StatusCode.FAILED_PRECONDITION,
    "The passport has moved on: this renewal, or this end, is not what it waits for.",
    "Não há renovação pendente.",
    "No renewal is due.",
)
PAYMENT_NOT_FOUND = _code(
    "PAYMENT_NOT_FOUND",
    StatusCode.NOT_FOUND,
    "No passport of the account has such a payment.",
    "Pagamento não encontrado.",
    "There is no such payment.",
)
ALREADY_RETURNED = _code(
    "ALREADY_RETURNED",
    StatusCode.ALREADY_EXISTS,
    "This money went back already.",
    "Este valor já foi devolvido.",
    "This money was returned already.",
)
MORE_THAN_PAID = _code(
    "MORE_THAN_PAID",
    StatusCode.INVALID_ARGUMENT,
    "More than is left of the payment, or nothing, cannot go back.",
    "O valor é maior do que foi pago.",
    "The amount is more than was paid.",
)
WITHDRAWAL_TOO_LATE = _code(
    "WITHDRAWAL_TOO_LATE",
    StatusCode.FAILED_PRECONDITION,
    "The seven days after the purchase are over.",
    "O prazo de sete dias para desistir da compra acabou.",
    "The seven days to withdraw are over.",
)
DAILY_LIMIT_REACHED = _code(
    "DAILY_LIMIT_REACHED",
    StatusCode.FAILED_PRECONDITION,
    "A player's matches of the day are used up.",
    "Você já jogou suas partidas de hoje.",
    "Your matches of the day are used up.",
)
ACCESS_REFUSED = _code(
    "ACCESS_REFUSED",
    StatusCode.PERMISSION_DENIED,
    "A player of the match may not play there; `ReserveMatch` answers each one's access.",
    "Um dos jogadores não tem acesso a esta sala.",
    "One of the players has no access to this room.",
)
MATCH_ALREADY_RESERVED = _code(
    "MATCH_ALREADY_RESERVED",
    StatusCode.ALREADY_EXISTS,
    "The match is reserved for other players, another preset or another room.",
    "Esta partida já foi reservada.",
    "This match is reserved already.",
)
MATCH_ALREADY_OVER = _code(
    "MATCH_ALREADY_OVER",
    StatusCode.FAILED_PRECONDITION,
    "The match came to nothing or was played: it cannot begin again.",
    "Esta partida já terminou.",
    "This match is over already.",
)
MATCH_NOT_RESERVED = _code(
    "MATCH_NOT_RESERVED",
    StatusCode.NOT_FOUND,
    "There is no such reservation; releasing or settling it is answered as done.",
    "Esta partida não foi reservada.",
    "This match was not reserved.",
)
MATCH_NOT_OVERDUE = _code(
    "MATCH_NOT_OVERDUE",
    StatusCode.FAILED_PRECONDITION,
    "The end of the match may still be heard of.",
    "Esta partida ainda pode terminar.",
    "This match may still end.",
)
REUSED = _code(
    "COMMAND_ID_REUSED",
    StatusCode.ALREADY_EXISTS,
    "The command id was used for something else.",
    "Este pedido já foi usado para outra coisa.",
    "This request was used for something else already.",
)
DAY_IS_OVER = _code(
    "DAY_IS_OVER",
    StatusCode.FAILED_PRECONDITION,
    "The player's day is long over.",
    "Este dia já terminou.",
    "This day is over.",
)

ERRORS = Catalogue(
    "billing",
    (
        ACCOUNT_ALREADY_OPEN,
        ACCOUNT_ERASED,
        ACCOUNT_NOT_FOUND,
        UNKNOWN_PLAN,
        PASSPORT_ALREADY_VALID,
        PURCHASE_UNDER_WAY,
        PROVIDER_AWAY,
        NO_PASSPORT,
        PASSPORT_ALREADY_CANCELLED,
        PAYMENT_DECLINED,
        PERIOD_ALREADY_PAID,
        NOT_DUE,
        PAYMENT_NOT_FOUND,
        ALREADY_RETURNED,
        MORE_THAN_PAID,
        WITHDRAWAL_TOO_LATE,
        DAILY_LIMIT_REACHED,
        ACCESS_REFUSED,
        MATCH_ALREADY_RESERVED,
        MATCH_ALREADY_OVER,
        MATCH_NOT_RESERVED,
        MATCH_NOT_OVERDUE,
        DAY_IS_OVER,
        REUSED,
    ),
)
