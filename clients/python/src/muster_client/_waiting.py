"""Waits until a run has ended."""

from __future__ import annotations

import asyncio
import time

from ._errors import MusterError
from .gen.models import RunWithMessages, Task
from .gen.operations import AsyncOperations, Operations

ENDED = ("completed", "failed", "cancelled")
FIRST_PAUSE = 0.1
MAX_PAUSE = 2.0


class Waiting(Operations):
    """Waits by reading the record, ever more rarely."""

    def wait_for_task(self, id: str, *, timeout: float | None = None) -> Task:
        """Return a task that has ended. Raises MusterError with the code `timeout` after as many seconds.

        A task that asks a person a question waits for its answer: its status is then `waiting_for_input`.
        """
        pauses = Pauses(timeout)
        while (task := self.get_task(id))["status"] not in ENDED:
            time.sleep(pauses.next(task["status"]))
        return task

    def wait_for_team_run(self, id: str, *, timeout: float | None = None) -> RunWithMessages:
        """Return a team run that has ended, in the same way."""
        pauses = Pauses(timeout)
        while (run := self.get_team_run(id))["status"] not in ENDED:
            time.sleep(pauses.next(run["status"]))
        return run


class AsyncWaiting(AsyncOperations):
    """Waits by reading the record, ever more rarely."""

    async def wait_for_task(self, id: str, *, timeout: float | None = None) -> Task:
        """Return a task that has ended. Raises MusterError with the code `timeout` after as many seconds.

        A task that asks a person a question waits for its answer: its status is then `waiting_for_input`.
        """
        pauses = Pauses(timeout)
        while (task := await self.get_task(id))["status"] not in ENDED:
            await asyncio.sleep(pauses.next(task["status"]))
        return task

    async def wait_for_team_run(self, id: str, *, timeout: float | None = None) -> RunWithMessages:
        """Return a team run that has ended, in the same way."""
        pauses = Pauses(timeout)
        while (run := await self.get_team_run(id))["status"] not in ENDED:
            await asyncio.sleep(pauses.next(run["status"]))
        return run


class Pauses:
    """The pauses of one wait."""

    def __init__(self, timeout: float | None) -> None:
        self._end = None if timeout is None else time.monotonic() + timeout
        self._pause = FIRST_PAUSE

    def next(self, status: str) -> float:
        """Return the seconds until the next look. Raises MusterError when the time is over."""
        pause, self._pause = self._pause, min(self._pause * 1.5, MAX_PAUSE)
        if self._end is None:
            return pause
        left = self._end - time.monotonic()
        if left <= 0:
            raise MusterError(f"The run has not ended in time: it is {status}.", code="timeout")
        return min(pause, left)
