"""The local stack behind `carteado up`: embedded Postgres and NATS, every service, one supervisor.

Nothing here is imported by a service. `discover` and `reading_postgres` tell other tools where a data folder's
log is.
"""

from deploy.local.stack_info import StackInfo, discover, reading_postgres

__all__ = ["StackInfo", "discover", "reading_postgres"]
