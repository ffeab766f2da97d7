"""Runs a test with both clients."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from muster_client import AsyncMuster, Muster, MusterError

URL = os.environ.get("MUSTER_URL", "")
KEY = os.environ.get("MUSTER_API_KEY", "")
KINDS = ("sync", "async")


def using(kind: str, do: Callable[[Any], Any], url: str = URL, key: str = KEY, **options: Any) -> Any:
    """Return what `do` returns with a client of a kind: a page or a stream as a list."""
    if kind == "async":
        return asyncio.run(_using_async(do, url, key, options))
    with Muster(url, key, **options) as muster:
        result = do(muster)
        return list(result) if _is_many(result, "__iter__") else result


async def _using_async(do: Callable[[Any], Any], url: str, key: str, options: Any) -> Any:
    async with AsyncMuster(url, key, **options) as muster:
        result = do(muster)
        if hasattr(result, "__await__"):
            result = await result
        return [each async for each in result] if _is_many(result, "__aiter__") else result


def _is_many(result: Any, method: str) -> bool:
    return hasattr(result, method) and not isinstance(result, (dict, list, str))


def failure(kind: str, do: Callable[[Any], Any], url: str = URL, key: str = KEY, **options: Any) -> MusterError:
    """Return the error that `do` raises."""
    try:
        using(kind, do, url, key, **options)
    except MusterError as error:
        return error
    raise AssertionError("no error was raised")
