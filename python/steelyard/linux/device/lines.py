"""Lines that another machine sends, each awaited for a time and read up to a limit of bytes."""

from __future__ import annotations

import os
import select
import time

_PIECE_BYTES = 1 << 16


class Silence(Exception):
    """No whole line came in time."""


class TooLong(Exception):
    """A line has more bytes than the limit."""


class Lines:
    """Reads the lines of a file descriptor; `limit_bytes` is for one line."""

    def __init__(self, handle: int, limit_bytes: int) -> None:
        self._handle = handle
        self._limit_bytes = limit_bytes
        self._rest = bytearray()

    def next(self, end: float) -> bytes:
        """Return the next line without its end. `end` is a moment of `time.monotonic`.

        EOFError at the end of input, also within a line; Silence; TooLong.
        """
        seen = 0
        while (place := self._rest.find(b"\n", seen)) < 0:
            seen = len(self._rest)
            if seen > self._limit_bytes:
                raise TooLong
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._handle], [], [], left)[0]:
                raise Silence
            piece = os.read(self._handle, _PIECE_BYTES)
            if not piece:
                raise EOFError
            self._rest += piece
        line = bytes(self._rest[:place])
        del self._rest[: place + 1]
        return line
