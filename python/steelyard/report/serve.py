"""Serve one page to the browsers of this machine, and nothing else to anybody."""

from __future__ import annotations

import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket

from steelyard.errors import UsageError

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")
_AT_ONCE = 16
"""Connections served at the same time; others wait their turn in the kernel's queue."""
_SECONDS = 10
"""How long a connection may say or take nothing."""


class PageServer(ThreadingHTTPServer):
    """Answers `GET /` with a page at a loopback address; port 0 is any free one.

    UsageError for a port that is taken or not allowed.
    """

    daemon_threads = True
    request_queue_size = _AT_ONCE

    def __init__(self, page: bytes, port: int = 0) -> None:
        self.page = page
        self._places = threading.BoundedSemaphore(_AT_ONCE)
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise UsageError(f"--port {port}: cannot be served at: {error.strerror}.") from None

    @property
    def address(self) -> str:
        """The page's address for a browser."""
        return f"http://{HOST}:{self.server_port}/"

    def process_request(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Serve a connection in a thread of its own, as soon as there is a place."""
        self._places.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Serve a connection and give its place free."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    server_version = "Steelyard"
    sys_version = ""
    timeout = _SECONDS

    def do_GET(self) -> None:
        if self._answer_head():
            self.wfile.write(self.server.page)

    def do_HEAD(self) -> None:
        self._answer_head()

    def _answer_head(self) -> bool:
        """Send the head of an answer; False without a page behind it."""
        # A name that a foreign page had resolved to this machine is none of ours.
        host = (self.headers.get("Host") or "").rpartition(":")[0] or self.headers.get("Host")
        if host not in _NAMES:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return False
        if self.path != "/":
            self.send_error(HTTPStatus.NOT_FOUND)
            return False
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.server.page)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        return True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of requests."""
