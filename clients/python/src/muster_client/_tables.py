"""Rows of the table API, with the key of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ._answers import body_of
from ._operation import Operation, Params, request_of
from ._page import AsyncPage, Page
from ._transport import AsyncTransport, Transport
from .gen.models import TableRow

_SELECT_ROWS: Operation[TableRow] = Operation("GET", "/rest/v1/{table}")


class Tables:
    """Reads rows."""

    _transport: Transport

    def select_rows(
        self, table: str, query: Mapping[str, str] | None = None, *, limit: int = 1000, cursor: str | None = None
    ) -> Page[TableRow]:
        """Return rows by their ids, oldest first, in pages that miss and repeat none while rows are added.

        Args:
            table: The name of a table, such as `tasks`.
            query: As the table API takes it: `{"select": "id,title", "status": "eq.failed"}`.
            limit: The size of a page.
            cursor: The `cursor` of the previous page.
        """
        params = rows_after(cursor, table, query or {}, limit)
        rows: list[TableRow] = body_of(self._transport.send(request_of(_SELECT_ROWS, self._transport.options, params)))
        following = cursor_after(rows, limit)
        return Page(rows, following, lambda after: self.select_rows(table, query, limit=limit, cursor=after))


class AsyncTables:
    """Reads rows."""

    _transport: AsyncTransport

    async def select_rows(
        self, table: str, query: Mapping[str, str] | None = None, *, limit: int = 1000, cursor: str | None = None
    ) -> AsyncPage[TableRow]:
        """Return rows by their ids, oldest first, in pages that miss and repeat none while rows are added.

        Args:
            table: The name of a table, such as `tasks`.
            query: As the table API takes it: `{"select": "id,title", "status": "eq.failed"}`.
            limit: The size of a page.
            cursor: The `cursor` of the previous page.
        """
        params = rows_after(cursor, table, query or {}, limit)
        response = await self._transport.send(request_of(_SELECT_ROWS, self._transport.options, params))
        rows: list[TableRow] = body_of(response)
        following = cursor_after(rows, limit)
        return AsyncPage(rows, following, lambda after: self.select_rows(table, query, limit=limit, cursor=after))


def rows_after(cursor: str | None, table: str, query: Mapping[str, str], limit: int) -> Params:
    """Return the parameters of a page: ids ascend with time, so a page starts after the last id of the one before."""
    if not {"order", "limit", "offset"}.isdisjoint(query):
        raise ValueError("rows are read in the order of their ids: leave out order, limit and offset")
    after = [] if cursor is None else [f"gt.{cursor}"]
    ids: Sequence[str] = [*([query["id"]] if "id" in query else []), *after]
    return {**query, "id": ids, "table": table, "order": "id.asc", "limit": limit}


def cursor_after(rows: Sequence[TableRow], limit: int) -> str | None:
    """Return the cursor of the next page; None when a page is not full."""
    if len(rows) < limit:
        return None
    if "id" not in rows[-1]:
        raise ValueError("select must have the id: pages continue after it")
    return str(rows[-1]["id"])
