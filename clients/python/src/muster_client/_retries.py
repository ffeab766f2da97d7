"""When a request is sent again. Nothing here waits."""

from __future__ import annotations

import random

from ._errors import MusterError
from ._operation import Request

FIRST_PAUSE = 0.25
MAX_PAUSE = 60.0
"""The longest pause that a service may request, in seconds."""


class Attempts:
    """Counts the tries of a request."""

    def __init__(self, request: Request, retries: int) -> None:
        self._request = request
        self._left = retries
        self._pause = FIRST_PAUSE

    def pause_after(self, error: MusterError) -> float:
        """Return the seconds until the next try. Raises the error when there is none.

        A request over the rate limit was not executed; any other one may have been.
        """
        may_help = error.status == 429 or (self._request.may_repeat and error.is_transient)
        if self._left == 0 or not may_help:
            raise error
        self._left -= 1
        backoff = self._pause * random.uniform(0.5, 1)
        self._pause *= 2
        return min(max(error.retry_after or 0, backoff), MAX_PAUSE)
