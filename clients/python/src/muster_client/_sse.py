"""Parses server-sent events."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple


class SseEvent(NamedTuple):
    """One message of a stream."""

    id: str
    """The id to send as `Last-Event-ID` to continue after this event; "" if the stream had none so far."""
    data: str
    """The data lines, joined by line feeds."""


class SseParser:
    """Parses `text/event-stream` from chunks of any size. An unfinished event at the end is dropped."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._id = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[SseEvent]:
        """Yield the events that a chunk ends."""
        text = self._rest + self._decoder.decode(chunk)
        # The line feed of the last carriage return may come with the next chunk.
        held = "\r" if text.endswith("\r") else ""
        *lines, last = re.split(r"\r\n|\n|\r", text[: len(text) - len(held)])
        self._rest = last + held
        for line in lines:
            event = self._take(line)
            if event is not None:
                yield event

    def _take(self, line: str) -> SseEvent | None:
        if line == "":
            data, self._data = self._data, []
            return SseEvent(self._id, "\n".join(data)) if data else None
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        return None
