"""Pages of lists."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qs, urlsplit

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of a list. Iterating over it yields its items and those of all following pages."""

    items: Sequence[T]
    cursor: str | None
    """The parameter `cursor` of the next page, for a program that continues later; None: this is the last one."""
    _read: Callable[[str], Page[T]] = field(repr=False)

    @property
    def has_more(self) -> bool:
        """Whether there is another page."""
        return self.cursor is not None

    def next(self) -> Page[T] | None:
        """Read the next page; None when this is the last one."""
        return None if self.cursor is None else self._read(self.cursor)

    def __iter__(self) -> Iterator[T]:
        page: Page[T] | None = self
        while page is not None:
            yield from page.items
            page = page.next()


@dataclass(frozen=True)
class AsyncPage(Generic[T]):
    """A page of a list, whose following pages are awaited."""

    items: Sequence[T]
    cursor: str | None
    """The parameter `cursor` of the next page, for a program that continues later; None: this is the last one."""
    _read: Callable[[str], Awaitable[AsyncPage[T]]] = field(repr=False)

    @property
    def has_more(self) -> bool:
        """Whether there is another page."""
        return self.cursor is not None

    async def next(self) -> AsyncPage[T] | None:
        """Read the next page; None when this is the last one."""
        return None if self.cursor is None else await self._read(self.cursor)

    async def __aiter__(self) -> AsyncIterator[T]:
        page: AsyncPage[T] | None = self
        while page is not None:
            for item in page.items:
                yield item
            page = await page.next()


def items_of(body: Any, link: str | None) -> tuple[Sequence[Any], str | None]:
    """Return the items of a list, which is records or records with a cursor, and the cursor of the next page."""
    if isinstance(body, dict):
        return body["items"], body.get("next_cursor")
    return body, _cursor_in(link)


def _cursor_in(link: str | None) -> str | None:
    found = re.search(r'<([^<>]*)>; rel="next"', link or "")
    return None if found is None else parse_qs(urlsplit(found[1]).query).get("cursor", [None])[0]
