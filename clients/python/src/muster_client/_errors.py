"""The only error of this client."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict


class FieldIssue(TypedDict):
    """An invalid field of the input, and the reason."""

    path: str
    message: str


class MusterError(Exception):
    """The service rejected a request, or could not be reached."""

    code: str
    """A code of the service, such as `not_found`; else `network_error`, `timeout` or `invalid_response`."""
    message: str
    status: int | None
    """The HTTP status; None when there was no response."""
    request_id: str | None
    """The id of the request in the service's log."""
    details: Sequence[FieldIssue]
    """The invalid fields of the input, with their paths."""
    retry_after: float | None
    """The pause that the service requests, in seconds."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        details: Sequence[FieldIssue] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.details = details
        self.retry_after = retry_after

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        if self.status is None:
            return self.code in ("network_error", "timeout")
        return self.status == 429 or self.status >= 500


def rejection_of(status: int, headers: Mapping[str, str], text: str) -> MusterError:
    """Return the error of a response, in the form of the envelope API, of AG-UI or of the table API."""
    error = _error_in(text)
    return MusterError(
        _text(error.get("message")) or f"The service answered with status {status}.",
        code=_text(error.get("code")) or _code_of(status),
        status=status,
        request_id=headers.get("X-Request-Id"),
        details=_issues(error.get("details")),
        retry_after=_seconds(headers.get("Retry-After")),
    )


def _error_in(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(body, dict):
        return {}
    error = body.get("error", body)
    if isinstance(error, str):
        return {"message": error}
    return error if isinstance(error, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _code_of(status: int) -> str:
    if status == 429:
        return "rate_limit_exceeded"
    return "unavailable" if status >= 500 else "rejected"


def _issues(value: object) -> Sequence[FieldIssue]:
    """The table API's details are a text."""
    if not isinstance(value, list):
        return ()
    return [
        {"path": str(each.get("path", "")), "message": str(each.get("message", ""))}
        for each in value
        if isinstance(each, dict)
    ]


def _seconds(value: str | None) -> float | None:
    return float(value) if value is not None and value.isdecimal() else None
