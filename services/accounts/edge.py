"""What every face of accounts checks first: ids in their one spelling, and refusals told as errors."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar
from uuid import UUID

from libs.eventlog.committed import Committed
from libs.eventlog.decider import Rejection
from libs.service.errors import INVALID_ARGUMENT
from libs.service.tokens import PLAYER_BANNED
from services.accounts.decider import PlayerState, ban_facts
from services.accounts.errors import ERRORS, PLAYER_ERASED, PLAYER_NOT_FOUND

State = TypeVar("State")
Event = TypeVar("Event")


def uuid_of(text: str, field: str) -> str:
    """The UUID in its one canonical form, so that two spellings are never two players; raises INVALID_ARGUMENT."""
    try:
        if str(UUID(text)) == text:
            return text
    except ValueError:
        pass
    raise INVALID_ARGUMENT.error(field=field, facts={"reason": "must be a UUID in lower case with hyphens"})


def accepted(
    outcome: Committed[State, Event] | Rejection, *already: str
) -> Committed[State, Event] | Rejection:
    """The outcome; a refusal is raised as its error, unless its code is one of `already`, which says: it is so."""
    if isinstance(outcome, Rejection) and outcome.code not in already:
        raise ERRORS[outcome.code].error(facts=outcome.facts)
    return outcome


def refuse_unknown(state: PlayerState) -> None:
    """Raises PLAYER_NOT_FOUND or PLAYER_ERASED unless there is this player."""
    if not state.is_registered:
        raise PLAYER_NOT_FOUND.error()
    if state.is_erased:
        raise PLAYER_ERASED.error()


def refuse_out(state: PlayerState, at: datetime) -> None:
    """Raises what `refuse_unknown` does, and PLAYER_BANNED for whom an operator keeps out at this moment."""
    refuse_unknown(state)
    ban = state.running_ban(at)
    if ban is not None:
        raise PLAYER_BANNED.error(facts=ban_facts(ban.until))
