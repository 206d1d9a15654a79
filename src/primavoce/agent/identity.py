"""Session ids, as Amazon Bedrock AgentCore has them."""

import re
import uuid
from collections.abc import Mapping

from primavoce.errors import InvalidField

SESSION_HEADER = "X-Amzn-Bedrock-AgentCore-Runtime-Session-Id"
"""Carries the id; on a socket, which a browser can't give headers, a field of the query does."""
_ID = re.compile(r"[A-Za-z0-9_-]{33,256}")


def new_session_id() -> str:
    """Return an id that nobody has."""
    return f"{uuid.uuid4().hex}-{uuid.uuid4().hex}"


def session_id_in(headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
    """Return the session id that a request carries, or `None`.

    Raises:
        InvalidField: it is none.
    """
    given = headers.get(SESSION_HEADER) or query.get(SESSION_HEADER)
    if given is None:
        return None
    if not _ID.fullmatch(given):
        raise InvalidField(SESSION_HEADER, "must be 33 to 256 of the characters A-Z a-z 0-9 - _")
    return given
