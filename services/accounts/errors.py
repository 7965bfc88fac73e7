"""Every code that accounts answers with, in one closed list."""

from __future__ import annotations

from grpc import StatusCode

from libs.service.errors import Catalogue, ErrorCode
from libs.service.tokens import PLAYER_BANNED, SESSION_REVOKED

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
NAME_RESERVED = ErrorCode(
    "NAME_RESERVED",
    "The display name, or one that it looks like, speaks for the platform.",
    StatusCode.INVALID_ARGUMENT,
    "Este nome é reservado.",
    "This name is reserved.",
)
NAME_TAKEN = ErrorCode(
    "NAME_TAKEN",
    "Another player has this display name, or one that looks like it, or gave it up a short while ago; the fact "
    "`suggestion` is one that was free just now.",
    StatusCode.ALREADY_EXISTS,
    "Este nome já é de outra pessoa.",
    "This name is somebody else's.",
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
PLAYER_NOT_FOUND = ErrorCode(
    "PLAYER_NOT_FOUND",
    "There is no such player, or no longer.",
    StatusCode.NOT_FOUND,
    "Este jogador não existe.",
    "There is no such player.",
)
SESSION_NOT_FOUND = ErrorCode(
    "SESSION_NOT_FOUND",
    "The player has no such session.",
    StatusCode.NOT_FOUND,
    "Esta sessão não existe.",
    "There is no such session.",
)
PLAYER_ERASED = ErrorCode(
    "PLAYER_ERASED",
    "The account was deleted.",
    StatusCode.FAILED_PRECONDITION,
    "Esta conta foi excluída.",
    "This account was deleted.",
)
NOT_BANNED = ErrorCode(
    "NOT_BANNED",
    "The player is not banned.",
    StatusCode.FAILED_PRECONDITION,
    "Este jogador não está suspenso.",
    "This player is not banned.",
)
BAN_END_IN_THE_PAST = ErrorCode(
    "BAN_END_IN_THE_PAST",
    "The ban would end before it begins.",
    StatusCode.INVALID_ARGUMENT,
    "O fim da suspensão já passou.",
    "The ban would have ended already.",
)
NOTE_REQUIRED = ErrorCode(
    "NOTE_REQUIRED",
    "An operator must say why, in 1 to 500 characters of text.",
    StatusCode.INVALID_ARGUMENT,
    "Diga o motivo, em até 500 caracteres.",
    "Say why, in at most 500 characters.",
)
NOTHING_WITH_ONESELF = ErrorCode(
    "NOTHING_WITH_ONESELF",
    "The other player is the player.",
    StatusCode.INVALID_ARGUMENT,
    "Escolha outro jogador.",
    "Choose another player.",
)
ALREADY_FRIENDS = ErrorCode(
    "ALREADY_FRIENDS",
    "The two are friends, or the player has asked already. A client is answered how they stand.",
    StatusCode.ALREADY_EXISTS,
    "Vocês já são amigos, ou o pedido já foi feito.",
    "You are friends, or have asked already.",
)
NO_FRIENDSHIP = ErrorCode(
    "NO_FRIENDSHIP",
    "There is neither a friendship nor a request to end. A client is answered that it has ended.",
    StatusCode.FAILED_PRECONDITION,
    "Vocês não são amigos.",
    "You are not friends.",
)
FRIENDSHIP_REFUSED = ErrorCode(
    "FRIENDSHIP_REFUSED",
    "The other player takes no request of this one.",
    StatusCode.PERMISSION_DENIED,
    "Este jogador não recebe o seu pedido.",
    "This player takes no request of yours.",
)
OTHER_IS_BLOCKED = ErrorCode(
    "OTHER_IS_BLOCKED",
    "The player blocks the other: the block must go first.",
    StatusCode.FAILED_PRECONDITION,
    "Você bloqueou este jogador. Desbloqueie antes.",
    "You block this player. Unblock first.",
)
ALREADY_BLOCKED = ErrorCode(
    "ALREADY_BLOCKED",
    "The player blocks the other already. A client is answered that it is so.",
    StatusCode.ALREADY_EXISTS,
    "Este jogador já está bloqueado.",
    "This player is blocked already.",
)
NOT_BLOCKED = ErrorCode(
    "NOT_BLOCKED",
    "The player does not block the other. A client is answered that it is so.",
    StatusCode.FAILED_PRECONDITION,
    "Este jogador não está bloqueado.",
    "This player is not blocked.",
)
TOO_MANY_FRIENDS = ErrorCode(
    "TOO_MANY_FRIENDS",
    "One player may have at most 300 friends and 100 requests without an answer, and one may wait for at most 300.",
    StatusCode.RESOURCE_EXHAUSTED,
    "Há amigos ou pedidos demais.",
    "There are too many friends or requests.",
)
TOO_MANY_BLOCKS = ErrorCode(
    "TOO_MANY_BLOCKS",
    "One player may block at most 1,000 others.",
    StatusCode.RESOURCE_EXHAUSTED,
    "Você bloqueou jogadores demais.",
    "You block too many players.",
)
TOKEN_REFUSED = ErrorCode(
    "TOKEN_REFUSED",
    "The refresh token is none of this issuer, its session has ended, or it came a second time, which ends its session.",
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
        NAME_RESERVED,
        NAME_TAKEN,
        COMMAND_ID_REUSED,
        ALREADY_REGISTERED,
        PLAYER_NOT_FOUND,
        PLAYER_ERASED,
        PLAYER_BANNED,
        SESSION_NOT_FOUND,
        SESSION_REVOKED,
        NOT_BANNED,
        BAN_END_IN_THE_PAST,
        NOTE_REQUIRED,
        NOTHING_WITH_ONESELF,
        ALREADY_FRIENDS,
        NO_FRIENDSHIP,
        FRIENDSHIP_REFUSED,
        OTHER_IS_BLOCKED,
        ALREADY_BLOCKED,
        NOT_BLOCKED,
        TOO_MANY_FRIENDS,
        TOO_MANY_BLOCKS,
        TOKEN_REFUSED,
        GUESTS_NOT_OFFERED,
    ),
)
