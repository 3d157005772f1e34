"""Names of entries and sessions."""

import re
import secrets
from collections.abc import Container
from datetime import UTC, datetime

SESSION_ID = re.compile(r"\d{14}-[0-9a-f]{6}")


def new_entry_id(taken: Container[str] = ()) -> str:
    """Eight hex digits that nothing in this session has yet."""
    while (candidate := secrets.token_hex(4)) in taken:
        pass
    return candidate


def new_session_id(moment: datetime) -> str:
    """The moment of birth and six hex digits, so that names sort by age."""
    return f"{moment.astimezone(UTC):%Y%m%d%H%M%S}-{secrets.token_hex(3)}"
