"""The secret of each match: derived from a key that lies outside the database, so that the log alone deals nothing."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

from libs.service.config import ConfigError
from libs.service.credentials import check_private_file

KEY_BYTES = 32


def read_key(path: Path) -> bytes:
    """The key in a private file; raises ConfigError when it is missing, open to others, or not 32 bytes."""
    check_private_file(path)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise ConfigError(
            f"{path} holds {len(key)} bytes: CARTEADO_TABLE_SECRET_FILE names a file of {KEY_BYTES}"
        )
    return key


def match_secret(key: bytes, table_id: str) -> bytes:
    """The 32 bytes that deal one match; committed to when the table opens, revealed when it ends."""
    return hmac.digest(key, b"carteado match secret\x00" + table_id.encode(), hashlib.sha256)
