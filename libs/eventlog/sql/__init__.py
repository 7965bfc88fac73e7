"""The log's schema and functions, as forward-only migrations: read them in order."""
