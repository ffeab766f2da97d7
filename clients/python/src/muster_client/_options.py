"""What a client knows about its service."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

TIMEOUT = 30.0
RETRIES = 4


@dataclass(frozen=True)
class Options:
    """The service, the key, and how often requests are sent."""

    url: str
    key: str = field(repr=False)
    timeout: float
    retries: int
    on_warning: Callable[[str], None] | None


def options_of(
    url: str | None,
    key: str | None,
    timeout: float,
    retries: int,
    on_warning: Callable[[str], None] | None,
) -> Options:
    """Return valid options, from the environment where they are absent. The key is in no message."""
    url = url or os.environ.get("MUSTER_URL") or "http://127.0.0.1:4400"
    key = key or os.environ.get("MUSTER_API_KEY") or ""
    if not url.startswith(("http://", "https://")):
        raise ValueError("url must start with http:// or https://")
    if not (key.isascii() and key.isprintable() and key.strip()):
        raise ValueError("key must be a key of the workspace, mst_…; MUSTER_API_KEY is read when it is absent")
    if retries < 0:
        raise ValueError("retries must be 0 or more")
    return Options(url.rstrip("/"), key.strip(), timeout, retries, on_warning)
