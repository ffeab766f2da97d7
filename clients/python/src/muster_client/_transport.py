"""Sends requests, with retries where that is safe and may help."""

from __future__ import annotations

import asyncio
import time

import httpx

from ._answers import arguments_of, checked, reaching
from ._errors import MusterError
from ._operation import Request
from ._options import Options
from ._retries import Attempts


class Transport:
    """Sends requests one after another."""

    def __init__(self, options: Options, http: httpx.Client | None) -> None:
        self.options = options
        self.http = http or httpx.Client(timeout=options.timeout)

    def send(self, request: Request) -> httpx.Response:
        """Return a response, read to its end. Raises MusterError."""
        attempts = Attempts(request, self.options.retries)
        while True:
            try:
                with reaching(self.options):
                    response = self.http.request(follow_redirects=False, **arguments_of(request))
                return checked(response, self.options)
            except MusterError as error:
                time.sleep(attempts.pause_after(error))


class AsyncTransport:
    """Sends requests, also concurrently."""

    def __init__(self, options: Options, http: httpx.AsyncClient | None) -> None:
        self.options = options
        self.http = http or httpx.AsyncClient(timeout=options.timeout)

    async def send(self, request: Request) -> httpx.Response:
        """Return a response, read to its end. Raises MusterError."""
        attempts = Attempts(request, self.options.retries)
        while True:
            try:
                with reaching(self.options):
                    response = await self.http.request(follow_redirects=False, **arguments_of(request))
                return checked(response, self.options)
            except MusterError as error:
                await asyncio.sleep(attempts.pause_after(error))
