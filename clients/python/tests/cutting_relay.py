"""A relay to the service that cuts the first connections with a stream in the middle."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit


class CuttingRelay:
    """Passes bytes on; a connection with a stream is cut after so many bytes of the service."""

    def __init__(self, target: str, cuts: int, after: int) -> None:
        address = urlsplit(target)
        self._target = (address.hostname or "", address.port or 80)
        self._left = cuts
        self._after = after
        self.cuts = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        """Accept connections until the relay is closed."""
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            Thread(target=self._relay, args=(client,), daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _relay(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._target) as service:
            sent = bytearray()
            passing = Thread(target=self._pass_on, args=(client, service, sent), daemon=True)
            passing.start()
            with suppress(OSError):
                self._pass_back(client, service, sent)
            # A socket that another thread reads stays open until it is shut down.
            for end in (client, service):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            passing.join()

    def _pass_back(self, client: socket.socket, service: socket.socket, sent: bytearray) -> None:
        count = 0
        while piece := service.recv(256):
            client.sendall(piece)
            count += len(piece)
            if b"/sse HTTP/1.1" in sent and count >= self._after and self.cuts < self._left:
                self.cuts += 1
                return

    def _pass_on(self, client: socket.socket, service: socket.socket, sent: bytearray) -> None:
        with suppress(OSError):
            while piece := client.recv(65536):
                sent.extend(piece)
                service.sendall(piece)


@contextmanager
def cutting(target: str, cuts: int, after: int) -> Iterator[CuttingRelay]:
    """Start a relay."""
    relay = CuttingRelay(target, cuts, after)
    thread = Thread(target=relay.serve)
    thread.start()
    try:
        yield relay
    finally:
        relay.close()
        thread.join()
