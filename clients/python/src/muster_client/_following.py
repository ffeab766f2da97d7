"""Follows the events of a run across connections. Nothing here connects or waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from ._errors import MusterError
from ._operation import Request, credentials
from ._options import Options
from ._retries import MAX_PAUSE
from ._sse import SseParser

if TYPE_CHECKING:
    from .gen.models import StreamEvent

PAUSES = (0.2, 0.4, 0.8, 1.5, 3, 5, 5, 5, 5, 5, 5, 5)
"""Seconds before each try: a restart of the service takes a few seconds, an outage ends the tries."""
SILENCE = 45.0
"""A connection that is silent for so many seconds is dead: the service sends a comment every 15 s."""
FINAL = ("RUN_FINISHED", "RUN_ERROR")
"""The types of event that end a run."""


class StreamedEvent(NamedTuple):
    """An event with its id, after which a stream can continue."""

    id: str
    event: StreamEvent


OnReconnect = Callable[[MusterError], None]


class Following:
    """A stream of a run: what it has seen, and what to ask for next."""

    def __init__(
        self,
        options: Options,
        path: str,
        *,
        thread_id: str | None,
        attempt: int | None,
        last_event_id: str | None,
        on_reconnect: OnReconnect | None,
    ) -> None:
        self._options = options
        self._path = path
        body = {"threadId": thread_id, "attempt": attempt}
        self._body = {name: value for name, value in body.items() if value is not None}
        self._last_event_id = last_event_id
        self._on_reconnect = on_reconnect
        self._failures = 0
        self._is_greeted = False
        self._parser = SseParser()
        self.is_over = False

    def request(self) -> Request:
        """Return the request that continues after the last event. It starts a new connection."""
        self._parser = SseParser()
        self._is_greeted = False
        headers = {
            "Accept": "text/event-stream",
            "Content-Type": "application/json",
            **credentials(self._path, self._options.key),
        }
        if self._last_event_id is not None:
            headers["Last-Event-ID"] = self._last_event_id
        return Request("POST", self._options.url + self._path, headers, content=json.dumps(self._body).encode())

    def take(self, chunk: bytes) -> Iterator[StreamedEvent]:
        """Yield the events that a chunk ends, until the run's last one."""
        # An agent may think for long: a heartbeat after the greeting shows that the connection works.
        if self._is_greeted:
            self._failures = 0
        self._is_greeted = True
        for id, data in self._parser.feed(chunk):
            event = _parsed(data)
            self._failures = 0
            self._last_event_id = id or self._last_event_id
            self.is_over = event["type"] in FINAL
            yield StreamedEvent(id, event)
            if self.is_over:
                return

    def pause_after(self, error: MusterError) -> float:
        """Return the seconds until the next connection. Raises the error when there is none."""
        if self._failures == len(PAUSES) or not error.is_transient:
            raise error
        if self._failures == 0 and self._on_reconnect is not None:
            self._on_reconnect(error)
        pause = max(PAUSES[self._failures], error.retry_after or 0)
        self._failures += 1
        return min(pause, MAX_PAUSE)

    def ended(self) -> MusterError:
        """Return the error of a connection that ended before the run did."""
        message = f"The service at {self._options.url} closed the stream before the run had ended."
        return MusterError(message, code="network_error")


def task_path(agent_id: str) -> str:
    """Return the path of the streams of an agent's tasks."""
    return f"/ag-ui/{quote(agent_id, safe='')}/sse"


def run_path(run_id: str) -> str:
    """Return the path of the stream of a team run."""
    return f"/ag-ui/runs/{quote(run_id, safe='')}/sse"


def _parsed(data: str) -> StreamEvent:
    try:
        event: StreamEvent = json.loads(data)
        return event
    except ValueError as cause:
        raise MusterError("The service sent an event that is not JSON.", code="invalid_response") from cause
