"""A primitive's program (host_build) as a process that is asked: drivers/driver.c says in which words."""

from __future__ import annotations

import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from host_build import Case, modes

# A pipe holds 64 KiB: what has been asked and not been answered has to fit, each way.
_UNANSWERED_BYTES = 24 << 10


@dataclass(frozen=True)
class Request:
    """One call, with buffers of exactly these bytes; `skew` is what their addresses are off by (0 to 7)."""

    operation: str
    mode: str | None = None
    key: bytes = b""
    iv: bytes = b""
    ad: bytes = b""
    data: bytes = b""
    tag: bytes = b""
    cuts: Sequence[int] = ()
    in_place: bool = False
    skew: int = 0


@dataclass(frozen=True)
class Answer:
    """What was written and returned."""

    out: bytes
    tag: bytes
    returned: int


class Program:
    """A running program; AssertionError with its last words where it stops, as a sanitizer makes it do."""

    def __init__(self, case: Case, path: Path, runner: Sequence[str] = ()) -> None:
        self.case = case
        self._modes = list(modes(case.root))
        self._inverse = {
            name for name, mode in modes(case.root).items() if mode.decrypts_with == "decrypt"
        } | {None}
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [*runner, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process; AssertionError where it does not end well, as with a leak."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if not self._process.stdin.closed:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process.stdout.close()
            self._process.wait()
            said = self._said()
            self._errors.close()
            assert self._process.returncode == 0, said

    def one(self, request: Request) -> Answer:
        """The answer to a single request."""
        return self.ask([request])[0]

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """The answers, in the order of the requests."""
        return [answer for portion in self._portions(requests) for answer in self._asked(*portion)]

    def _portions(self, requests: Sequence[Request]) -> Iterator[tuple[bytes, int]]:
        text, count = b"", 0
        for request in requests:
            encoded = self._encoded(request)
            if count and len(text) + len(encoded) > _UNANSWERED_BYTES:
                yield text, count
                text, count = b"", 0
            text, count = text + encoded, count + 1
        if count:
            yield text, count

    def _encoded(self, request: Request) -> bytes:
        mode = 0 if request.mode is None else 1 + self._modes.index(request.mode)
        apart = self.case.variant.init_decrypt and request.mode in self._inverse
        inverse = request.operation == "d" and apart
        cuts = sorted(cut for cut in request.cuts if cut <= len(request.data))
        head = struct.pack(
            f"<cBBBBH{len(cuts)}H",
            request.operation.encode(),
            mode,
            request.in_place,
            inverse,
            request.skew,
            len(cuts),
            *cuts,
        )
        fields = (request.key, request.iv, request.ad, request.data, request.tag)
        return head + b"".join(struct.pack("<I", len(field)) + field for field in fields)

    def _asked(self, text: bytes, count: int) -> list[Answer]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
            return [Answer(self._field(), self._field(), self._read(1)[0]) for _ in range(count)]
        except (BrokenPipeError, EOFError):
            self._process.wait()
            raise AssertionError(self._said()) from None

    def _field(self) -> bytes:
        (length,) = struct.unpack("<I", self._read(4))
        return self._read(length)

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        found = self._process.stdout.read(size)
        if len(found) != size:
            raise EOFError
        return found

    def _said(self) -> str:
        self._errors.seek(0)
        return f"{self.case}: {self._errors.read().decode(errors='replace')[-4000:]}"
