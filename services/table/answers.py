"""How a command ended, as the caller is told."""

from __future__ import annotations

from collections.abc import Mapping

import structlog

from carteado.table.v1 import table_service_pb2 as pb
from libs.eventlog.decider import Rejection
from libs.eventlog.errors import EventLogError
from libs.service.errors import COMMON, ErrorCode, ServiceError
from libs.service.log_errors import service_error_of
from services.table.errors import ERRORS

log = structlog.get_logger()


def accepted(version: int) -> pb.CommandOutcome:
    """The command is in the log; the table is at this version after it."""
    return pb.CommandOutcome(accepted=pb.Accepted(version=version))


def refused(rejection: Rejection) -> pb.CommandOutcome:
    """The command changed nothing."""
    return _refused(ERRORS[rejection.code], rejection.facts)


def failed(error: ServiceError) -> pb.CommandOutcome:
    """The command could not be given to the table: malformed, not allowed, or the log is out of reach."""
    facts = dict(error.facts)
    if error.field:
        facts["field"] = error.field
    catalogue = COMMON if error.code in COMMON else ERRORS
    return _refused(catalogue[error.code], facts)


def error_of(rejection: Rejection) -> ServiceError:
    """A rejection as the error of a call."""
    return ERRORS[rejection.code].error(facts=rejection.facts)


def error_of_log(table_id: str, error: EventLogError) -> EventLogError | ServiceError:
    """The answer for the log's trouble, which is logged; a damaged log or a bug is given as it is."""
    told = service_error_of(error)
    if told is None:
        return error
    log.warning("the log could not serve a table", table=table_id, code=told.code, why=str(error))
    return told


def _refused(code: ErrorCode, facts: Mapping[str, str]) -> pb.CommandOutcome:
    return pb.CommandOutcome(
        refused=pb.Refused(code=code.code, text_pt=code.text_pt, text_en=code.text_en, facts=dict(facts))
    )
