"""Content-addressed cache: the content of a key never changes, so an entry is either right or missing."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from steelyard.data import user_folder
from steelyard.errors import EnvironmentProblem

# Part of the path: a version that writes another format, or vouches for more, never meets these entries.
# Since 2 every object was compared with what its compiler said that it read.
CACHE_FORMAT = 2

_DIGEST_BYTES = hashlib.sha256().digest_size


def cache_root() -> Path:
    """Return `STEELYARD_CACHE`, or `steelyard` in the user's cache directory (XDG Base Directory
    Specification).
    """
    chosen = os.environ.get("STEELYARD_CACHE")
    if chosen:
        return Path(chosen)
    return user_folder("XDG_CACHE_HOME", ".cache", "STEELYARD_CACHE") / "steelyard"


def content_key(*parts: bytes | str) -> str:
    """Return the hexadecimal SHA-256 over the parts, each with its length, so that no two lists collide."""
    raw = [part.encode() if isinstance(part, str) else part for part in parts]
    return hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in raw)).hexdigest()


class Cache:
    """Byte entries by kind and key, shared by any number of threads and processes.

    An entry is written beside its place and renamed into it, so that a reader sees all of it or nothing. It
    carries its checksum; an entry with a wrong one, and anything else in its place, counts as missing.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._folder = (cache_root() if root is None else root) / f"v{CACHE_FORMAT}"

    def path(self, kind: str, key: str) -> Path:
        """Return the path of an entry, whether it exists or not."""
        return self._folder / kind / key[:2] / key[2:]

    def get(self, kind: str, key: str) -> bytes | None:
        """Return the entry's bytes, or None if no valid entry exists."""
        # A warm run is little else than thousands of these: no Path is made of what is there.
        try:
            with open(f"{self._folder}/{kind}/{key[:2]}/{key[2:]}", "rb", opener=_open_at_once) as file:
                raw = file.read()
        except OSError:
            # Whatever lies there is no entry: it is made again, and `put` says if that cannot be.
            return None
        payload = raw[_DIGEST_BYTES:]
        if hashlib.sha256(payload).digest() == raw[:_DIGEST_BYTES]:
            return payload
        with suppress(OSError):
            self.path(kind, key).unlink()
        return None

    def put(self, kind: str, key: str, payload: bytes) -> None:
        """Store the bytes; EnvironmentProblem if the disk is full or the folder is not writable."""
        path = self.path(kind, key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(payload).digest())
                    file.write(payload)
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                os.replace(temporary, path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise _problem(path, error) from error


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes is empty instead of waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


def _problem(path: Path, error: OSError) -> EnvironmentProblem:
    reason = (error.strerror or str(error)).lower()
    return EnvironmentProblem(
        f"The cache entry {path} is out of reach ({reason});"
        " make room, or name another folder in STEELYARD_CACHE."
    )
