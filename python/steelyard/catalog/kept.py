"""The catalogue as it was last loaded, kept in the cache until one of its files changes."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from steelyard.cache.content import Cache, content_key
from steelyard.errors import EnvironmentProblem

_Made = TypeVar("_Made")

_KIND = "catalog"
_ANSWERS = (b".txt", b".rsp", b".json")
"""Ends of names of published answers."""
_PRODUCT = ("modes", "primitives", "targets", "vectors")

_loaded: dict[str, tuple[bytes, object]] = {}


def kept(
    root: Path, folders: Sequence[Path], depth: int, limit_bytes: int, load: Callable[[], _Made]
) -> _Made:
    """Return the result of `load` for the data folders below `root` and the user's folders, kept or new.

    It is made again if a data file (.toml, of up to `limit_bytes`) within `depth` folders has another
    content, if a file of published answers has another size or time, if a file was added or removed beside
    one, and by another version of this package.
    """
    slot = content_key(str(root), *map(str, folders))
    try:
        state = _state(root, folders, depth, limit_bytes)
    except OSError:
        # Loading says in a sentence what cannot be read.
        return load()
    if _loaded.get(slot, (b"",))[0] != state:
        _loaded[slot] = state, _restored(slot, state, load)
    made: _Made = _loaded[slot][1]  # type: ignore[assignment]
    return made


def _restored(slot: str, state: bytes, load: Callable[[], object]) -> object:
    stored = None
    with suppress(EnvironmentProblem):
        stored = Cache().get(_KIND, slot)
    if stored is not None and stored.startswith(state):
        return pickle.loads(zlib.decompress(stored[len(state) :]))
    made = load()
    # Reading the catalogue needs no cache that can be written.
    with suppress(EnvironmentProblem):
        Cache().put(_KIND, slot, state + zlib.compress(pickle.dumps(made, pickle.HIGHEST_PROTOCOL), 1))
    return made


def _state(root: Path, folders: Sequence[Path], depth: int, limit_bytes: int) -> bytes:
    """Return a digest over everything that loading can see: names, and the contents of the data files."""
    digest = hashlib.sha256(_code())
    for folder in (*(root / name for name in _PRODUCT), *folders):
        for part in _seen(str(folder), depth, limit_bytes):
            digest.update(b"%d:%b" % (len(part), part))
    for folder in folders:
        # A variant's sources may lie in its algorithm's folder, which is the one above.
        for part in _seen(str(folder.parent), 1, 0):
            digest.update(b"%d:%b" % (len(part), part))
    return digest.digest()


def _seen(folder: str, depth: int, limit_bytes: int) -> Iterator[bytes]:
    """Yield names in a folder and below it, each with its kind, and the contents of data files."""
    yield os.fsencode(folder)
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as listed:
        entries = sorted(listed, key=lambda entry: entry.name)
    for entry in entries:
        name = os.fsencode(entry.name)
        if entry.is_dir():
            yield b"/" + name
            if depth > 1:
                yield from _seen(entry.path, depth - 1, limit_bytes)
        elif entry.is_file():
            yield name
            if limit_bytes and name.endswith(b".toml"):
                with open(entry.path, "rb") as file:
                    yield file.read(limit_bytes + 1)
            elif limit_bytes and name.endswith(_ANSWERS):
                # Too large to be read every time.
                told = entry.stat()
                yield b"%d %d" % (told.st_size, told.st_mtime_ns)
        else:
            yield b"?" + name


@cache
def _code() -> bytes:
    """Return a digest of the code that makes a catalogue of its files."""
    digest = hashlib.sha256(f"{sys.version} pydantic {version('pydantic')}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()
