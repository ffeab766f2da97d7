"""The clients."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

import httpx

from ._options import RETRIES, TIMEOUT, options_of
from ._streams import AsyncStreams, Streams
from ._tables import AsyncTables, Tables
from ._transport import AsyncTransport, Transport
from ._waiting import AsyncWaiting, Waiting


class Muster(Waiting, Streams, Tables):
    """A client of a service with every operation of its API. Threads may share it.

    Args:
        url: The URL of the service; absent: `MUSTER_URL`, else `http://127.0.0.1:4400`.
        key: A key of the workspace, `mst_…`; absent: `MUSTER_API_KEY`.
        timeout: The seconds that one try may wait for the service.
        retries: How often a request that may succeed later is sent again.
        on_warning: Called with each warning of the service, such as a second agent with the same name.
        http: A client of httpx of your own, with your proxies, certificates and timeouts; closed with this one.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        on_warning: Callable[[str], None] | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._transport = Transport(options_of(url, key, timeout, retries, on_warning), http)

    def close(self) -> None:
        """Close all connections."""
        self._transport.http.close()

    def __enter__(self) -> Muster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncMuster(AsyncWaiting, AsyncStreams, AsyncTables):
    """A client whose operations are awaited; the arguments are those of `Muster`."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        on_warning: Callable[[str], None] | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._transport = AsyncTransport(options_of(url, key, timeout, retries, on_warning), http)

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.http.aclose()

    async def __aenter__(self) -> AsyncMuster:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
