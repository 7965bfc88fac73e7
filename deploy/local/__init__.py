"""The local stack behind `carteado up`: embedded Postgres and NATS, every service, one supervisor.

Nothing here is imported by a service. `discover` tells other tools where a data folder's log is.
"""
