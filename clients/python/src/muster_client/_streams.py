"""Streams of runs, which resume."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing

import httpx

from ._answers import arguments_of, checked, reaching
from ._errors import MusterError
from ._following import SILENCE, Following, OnReconnect, StreamedEvent, run_path, task_path
from ._transport import AsyncTransport, Transport


class Streams:
    """Streams to iterate over."""

    _transport: Transport

    def stream_task(
        self,
        agent_id: str,
        task_id: str,
        *,
        last_event_id: str | None = None,
        attempt: int | None = None,
        on_reconnect: OnReconnect | None = None,
    ) -> Generator[StreamedEvent, None, None]:
        """Yield the events of a task until its run ends, across broken connections and restarts of the service.

        Args:
            agent_id: The agent of the task.
            task_id: The task.
            last_event_id: Continue after this event; absent: from the start of the attempt.
            attempt: An earlier attempt; absent: the current one.
            on_reconnect: Called at the first of several failures in a row.
        """
        return self._follow(
            Following(
                self._transport.options,
                task_path(agent_id),
                thread_id=task_id,
                attempt=attempt,
                last_event_id=last_event_id,
                on_reconnect=on_reconnect,
            )
        )

    def stream_team_run(
        self,
        run_id: str,
        *,
        last_event_id: str | None = None,
        attempt: int | None = None,
        on_reconnect: OnReconnect | None = None,
    ) -> Generator[StreamedEvent, None, None]:
        """Yield the events of a team run in the same way."""
        return self._follow(
            Following(
                self._transport.options,
                run_path(run_id),
                thread_id=None,
                attempt=attempt,
                last_event_id=last_event_id,
                on_reconnect=on_reconnect,
            )
        )

    def _follow(self, following: Following) -> Generator[StreamedEvent, None, None]:
        while not following.is_over:
            try:
                yield from self._connection(following)
            except MusterError as error:
                time.sleep(following.pause_after(error))

    def _connection(self, following: Following) -> Generator[StreamedEvent, None, None]:
        options = self._transport.options
        arguments = arguments_of(following.request())
        timeout = httpx.Timeout(options.timeout, read=SILENCE)
        with reaching(options), self._transport.http.stream(
            timeout=timeout, follow_redirects=False, **arguments
        ) as response:
            if not response.is_success:
                response.read()
            if checked(response, options).status_code == 204:
                following.is_over = True
                return
            for chunk in response.iter_bytes():
                yield from following.take(chunk)
                if following.is_over:
                    return
        raise following.ended()


class AsyncStreams:
    """Streams to iterate over with `async for`."""

    _transport: AsyncTransport

    def stream_task(
        self,
        agent_id: str,
        task_id: str,
        *,
        last_event_id: str | None = None,
        attempt: int | None = None,
        on_reconnect: OnReconnect | None = None,
    ) -> AsyncGenerator[StreamedEvent, None]:
        """Yield the events of a task until its run ends, across broken connections and restarts of the service.

        Args:
            agent_id: The agent of the task.
            task_id: The task.
            last_event_id: Continue after this event; absent: from the start of the attempt.
            attempt: An earlier attempt; absent: the current one.
            on_reconnect: Called at the first of several failures in a row.
        """
        return self._follow(
            Following(
                self._transport.options,
                task_path(agent_id),
                thread_id=task_id,
                attempt=attempt,
                last_event_id=last_event_id,
                on_reconnect=on_reconnect,
            )
        )

    def stream_team_run(
        self,
        run_id: str,
        *,
        last_event_id: str | None = None,
        attempt: int | None = None,
        on_reconnect: OnReconnect | None = None,
    ) -> AsyncGenerator[StreamedEvent, None]:
        """Yield the events of a team run in the same way."""
        return self._follow(
            Following(
                self._transport.options,
                run_path(run_id),
                thread_id=None,
                attempt=attempt,
                last_event_id=last_event_id,
                on_reconnect=on_reconnect,
            )
        )

    async def _follow(self, following: Following) -> AsyncGenerator[StreamedEvent, None]:
        while not following.is_over:
            try:
                async with aclosing(self._connection(following)) as events:
                    async for event in events:
                        yield event
            except MusterError as error:
                await asyncio.sleep(following.pause_after(error))

    async def _connection(self, following: Following) -> AsyncGenerator[StreamedEvent, None]:
        options = self._transport.options
        arguments = arguments_of(following.request())
        timeout = httpx.Timeout(options.timeout, read=SILENCE)
        with reaching(options):
            async with self._transport.http.stream(
                timeout=timeout, follow_redirects=False, **arguments
            ) as response:
                if not response.is_success:
                    await response.aread()
                if checked(response, options).status_code == 204:
                    following.is_over = True
                    return
                async for chunk in response.aiter_bytes():
                    for event in following.take(chunk):
                        yield event
                    if following.is_over:
                        return
        raise following.ended()
