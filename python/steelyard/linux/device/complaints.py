"""What programs write to standard error: only its end is kept, however much they write."""

from __future__ import annotations

import os
import select
from contextlib import suppress
from threading import Lock, Thread

from steelyard.nearest import printable

_KEPT_BYTES = 1 << 14
_PIECE_BYTES = 1 << 16


class Complaints:
    """A pipe for the standard error of programs, whose `fileno` they are started with.

    A thread empties it, so that no program waits for a reader.
    """

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        self._closed = False
        self._kept = b""
        self._lock = Lock()
        Thread(target=self._empty, name="complaints", daemon=True).start()

    def __enter__(self) -> Complaints:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the end that programs write to."""
        return self._writing

    def last_line(self) -> str:
        """Return the last line so far, without its full stop; what an ended program wrote is there."""
        with self._lock:
            # As much as a pipe holds; a program that goes on writing is not waited for.
            self._take()
            lines = self._kept.decode("utf-8", "replace").split("\n")
        return next((printable(line.strip().rstrip(".")) for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Take no more complaints, of programs that still run either. Closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        # Something to read, if there is nothing yet, wakes the thread; it may have been awake, and ended.
        if select.select([], [self._writing], [], 0)[1]:
            with suppress(BrokenPipeError):
                os.write(self._writing, b"\n")
        os.close(self._writing)

    def _empty(self) -> None:
        while not self._closed:
            select.select([self._reading], [], [])
            with self._lock:
                self._take()
        with self._lock:
            os.close(self._reading)
            self._reading = -1

    def _take(self) -> None:
        with suppress(BlockingIOError):
            piece = os.read(self._reading, _PIECE_BYTES) if self._reading >= 0 else b""
            self._kept = (self._kept + piece)[-_KEPT_BYTES:]
