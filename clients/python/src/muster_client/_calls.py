"""Executes operations; the generated methods call it."""

from __future__ import annotations

from typing import TypeVar

from ._answers import body_of
from ._operation import Operation, Params, request_of
from ._page import AsyncPage, Page, items_of
from ._transport import AsyncTransport, Transport

T = TypeVar("T")


class Calls:
    """Operations that return."""

    _transport: Transport

    def _one(
        self,
        operation: Operation[T],
        params: Params | None = None,
        body: object = None,
        idempotency_key: str | None = None,
    ) -> T:
        request = request_of(operation, self._transport.options, params, body, idempotency_key)
        result: T = body_of(self._transport.send(request))
        return result

    def _list(self, operation: Operation[T], params: Params) -> Page[T]:
        response = self._transport.send(request_of(operation, self._transport.options, params))
        items, cursor = items_of(body_of(response), response.headers.get("Link"))
        return Page(items, cursor, lambda after: self._list(operation, {**params, "cursor": after}))


class AsyncCalls:
    """Operations to await."""

    _transport: AsyncTransport

    async def _one(
        self,
        operation: Operation[T],
        params: Params | None = None,
        body: object = None,
        idempotency_key: str | None = None,
    ) -> T:
        request = request_of(operation, self._transport.options, params, body, idempotency_key)
        result: T = body_of(await self._transport.send(request))
        return result

    async def _list(self, operation: Operation[T], params: Params) -> AsyncPage[T]:
        response = await self._transport.send(request_of(operation, self._transport.options, params))
        items, cursor = items_of(body_of(response), response.headers.get("Link"))
        return AsyncPage(items, cursor, lambda after: self._list(operation, {**params, "cursor": after}))
