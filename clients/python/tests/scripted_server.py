"""A service that answers as it is told, on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class ScriptedServer:
    """Answers request after request, and remembers them."""

    def __init__(self, answers: list[tuple[int, Any, dict[str, str]]]) -> None:
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.url = ""
        self._answers = answers

    def next(self, method: str, path: str, headers: dict[str, str]) -> tuple[int, bytes, dict[str, str]]:
        """Return the next answer."""
        self.requests.append((method, path, headers))
        status, body, more = self._answers[min(len(self.requests), len(self._answers)) - 1]
        return status, body if isinstance(body, bytes) else json.dumps(body).encode(), more

    def headers(self, name: str) -> list[str | None]:
        """Return a header of each request."""
        return [headers.get(name) for _, _, headers in self.requests]


@contextmanager
def answering(*answers: tuple[int, Any, dict[str, str]]) -> Iterator[ScriptedServer]:
    """Start a service whose last answer is repeated."""
    script = ScriptedServer(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, body, more = script.next(self.command, self.path, headers)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
