"""What analysts see of a log: views in the schema `analysis`, and a role that can read these and nothing else.

They are made after the migrations whenever a service starts, under the same lock, and again when its event registry
has changed. Analysts' logins are members of `carteado_analyst`; docs/analysts.md tells how to use them.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from hashlib import sha256
from importlib import resources
from typing import Any, Final

import msgspec
import psycopg
from psycopg import sql

from libs.eventlog.analyst_views import RESERVED, SCHEMA, analyst_views
from libs.eventlog.connections import Connection
from libs.eventlog.migrations import LOG_MIGRATIONS, schema_lock
from libs.eventlog.registry import EventRegistry
from libs.eventlog.schema_swap import drop_patiently, has_schema, rename_schema

ANALYST: Final = "carteado_analyst"
"""The group role: it owns nothing, cannot log in, and may read the views of every service's log."""

_GENERATOR: Final = 1  # grows when other views are made of the same registry

log = logging.getLogger(__name__)


class _MadeFrom(msgspec.Struct, frozen=True):
    """What views were made from; stored as the comment of their schema."""

    generator: int
    migrations: int
    types: dict[str, int]
    statements: str
    is_granted: bool

    def is_newer_than(self, other: _MadeFrom) -> bool:
        """Whether these come of a later release, which the views of an earlier one must not replace."""
        return (
            self.generator > other.generator
            or self.migrations > other.migrations
            or any(version > other.types.get(name, 0) for name, version in self.types.items())
        )


async def publish_views(conninfo: str, registry: EventRegistry[Any]) -> bool:
    """Bring the views and the role's rights to this release's registry; gives whether anything was changed.

    Safe to run from every replica at once. Views of a later release, whose replicas run beside this one, are left.
    Without the right to create roles the views are made and nobody may read them: a warning says what to do.

    Raises RegistryError for two types whose views would have one name, psycopg.Error when the database cannot be
    reached.
    """
    statements = _statements(registry)
    async with schema_lock(conninfo) as connection:
        is_granted = await _make_role(connection)
        made_from = _MadeFrom(
            _GENERATOR,
            len(LOG_MIGRATIONS),
            {name: version for name, version, _ in registry.types()},
            sha256("\n".join(statements).encode()).hexdigest(),
            is_granted,
        )
        existing = await _existing(connection)
        if existing is None and await has_schema(connection, SCHEMA):
            log.warning("analysts' views are not made: the schema %s is somebody else's; rename it", SCHEMA)
            return False
        if existing is not None and (existing == made_from or existing.is_newer_than(made_from)):
            return False
        replaced = f"{SCHEMA}_old"
        if not await drop_patiently(connection, replaced):
            return False
        async with connection.transaction():
            if await has_schema(connection, SCHEMA):
                await rename_schema(connection, SCHEMA, replaced)
            await _make(connection, statements, made_from)
        await drop_patiently(connection, replaced)
        return True


def _statements(registry: EventRegistry[Any]) -> list[str]:
    files = resources.files("libs.eventlog.sql")
    fixed = [files.joinpath(f"analysis_{name}.sql").read_text(encoding="utf-8") for name in RESERVED]
    return [*fixed, *(statement for view in analyst_views(registry) for statement in view.statements)]


async def _make_role(connection: Connection) -> bool:
    """See to it that there is the role, which all databases of the server share; gives whether there is one."""
    cursor = await connection.execute("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)", (ANALYST,))
    if await cursor.fetchone() == (True,):
        return True
    try:
        await connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(ANALYST)))
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return True  # another service was faster
    except psycopg.errors.InsufficientPrivilege:
        log.warning(
            "analysts can read nothing yet: an administrator must CREATE ROLE %s NOLOGIN, then start again",
            ANALYST,
        )
        return False
    return True


async def _existing(connection: Connection) -> _MadeFrom | None:
    cursor = await connection.execute(
        "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (SCHEMA,)
    )
    row = await cursor.fetchone()
    try:
        return None if row is None else msgspec.json.decode(str(row[0]), type=_MadeFrom)
    except msgspec.DecodeError:
        return None  # not of our making


async def _make(connection: Connection, statements: Sequence[str], made_from: _MadeFrom) -> None:
    schema, role = sql.Identifier(SCHEMA), sql.Identifier(ANALYST)
    await connection.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
    for statement in statements:
        # Of registered names and files of this repository, quoted; no value from outside.
        await connection.execute(statement.encode())
    comment = sql.Literal(msgspec.json.encode(made_from).decode())
    await connection.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(schema, comment))
    # Functions that came with later migrations are for everyone until somebody says otherwise.
    await connection.execute("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC")
    if made_from.is_granted:
        await connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, role))
        await connection.execute(
            sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}").format(schema, role)
        )
