"""What the Liga tells the other services of its events: the only bytes of them that leave it."""

from __future__ import annotations

from collections.abc import Mapping

from carteado.league.v1 import events_pb2 as pb
from libs.eventlog.decider import PublicMessage
from services.league.events import LeagueWeekEvent, TrophyWon, WeekClosed
from services.league.policy import League

WEEK_CLOSED_SUBJECT = "carteado.league.week_closed.v1"
TROPHY_WON_SUBJECT = "carteado.league.trophy_won.v1"
SUBJECTS = (WEEK_CLOSED_SUBJECT, TROPHY_WON_SUBJECT)

LEAGUE_NUMBERS: Mapping[League, pb.League.ValueType] = {
    "bronze": pb.LEAGUE_BRONZE,
    "prata": pb.LEAGUE_PRATA,
    "ouro": pb.LEAGUE_OURO,
    "platina": pb.LEAGUE_PLATINA,
    "diamante": pb.LEAGUE_DIAMANTE,
    "pro": pb.LEAGUE_PRO,
}
"""The leagues as the contracts number them."""


def public_message(event: LeagueWeekEvent) -> PublicMessage | None:
    """The message that an event becomes, if it is told."""
    match event:
        case WeekClosed():
            closed = pb.WeekClosed(
                game=event.game, week=event.week, players=event.players, policy=event.policy
            )
            closed.closed_at.FromDatetime(event.closed_at)
            return PublicMessage(WEEK_CLOSED_SUBJECT, closed.SerializeToString())
        case TrophyWon():
            won = pb.TrophyWon(
                game=event.game,
                week=event.week,
                league=LEAGUE_NUMBERS[event.league],
                player_id=event.player_id,
                place=event.place,
                points=event.points,
            )
            return PublicMessage(TROPHY_WON_SUBJECT, won.SerializeToString())
        case _:
            return None
