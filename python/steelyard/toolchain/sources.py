"""Files that a compilation reads: a source file and every header it can include, by name and content.

A source is compiled in a folder that holds only these files, so that a compiler cannot read anything outside
the cache key, and no path of this machine reaches the object.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

from steelyard.cache.content import content_key
from steelyard.errors import UsageError

_Made = TypeVar("_Made")

_INCLUDE = re.compile(
    rb"""^[ \t]*(?:\#[ \t]*(?:include|embed)|\.include|\.incbin)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)""",
    re.MULTILINE,
)
_PASTE = b"##"
_COMMENT = re.compile(rb"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/""", re.DOTALL)
_WORD = re.compile(rb"\b[A-Z][A-Z0-9_]*\b|##")


@dataclass(frozen=True)
class SourceFile:
    """A file as it was read; `includes` are the names it includes, each with whether it is in quotes."""

    content: bytes
    digest: str
    includes: tuple[tuple[str, bool], ...]

    @cached_property
    def words(self) -> frozenset[bytes]:
        """Words outside comments that may be macros of a build; `##` if the file pastes words together."""
        return frozenset(_WORD.findall(_COMMENT.sub(lambda match: match[1] or b" ", self.content)))


@dataclass(frozen=True)
class SourceTree:
    """Folders under names of their own (`mounts`), and those that are searched for headers.

    A file that a folder lacks is taken from its parent folder within the mount, so that a variant's folder
    also holds what it shares with other variants of its algorithm.
    """

    mounts: Mapping[str, str]
    include: tuple[str, ...]

    @property
    def identity(self) -> tuple[object, ...]:
        """Hashable identity that distinguishes this tree from others."""
        return tuple(self.mounts.items()), self.include

    def closure(self, source: str) -> dict[str, SourceFile]:
        """Return, by name in the tree, a source and everything it may include.

        A header that is in no folder of the tree is the compiler's own, or missing; the compiler decides.
        UsageError for an include that leaves the tree, or a source that cannot be read.
        """
        file = self._file(source)
        if file is None:
            raise UsageError(f"{self._path(source)}: cannot be read.")
        found = {source: file}
        pending = [source]
        while pending:
            includer = pending.pop()
            for name, quoted in found[includer].includes:
                for candidate in self._candidates(includer, name, quoted):
                    if candidate in found:
                        break
                    file = self._file(candidate)
                    if file is not None:
                        found[candidate] = file
                        pending.append(candidate)
                        break
        return found

    def _candidates(self, includer: str, name: str, quoted: bool) -> Iterator[str]:
        folders = (posixpath.dirname(includer), *self.include) if quoted else self.include
        for folder in folders:
            candidate = posixpath.normpath(f"{folder}/{name}")
            if name.startswith("/") or candidate.partition("/")[0] not in self.mounts:
                raise UsageError(
                    f'{self._path(includer)}: "{name}" leads out of the folder; a variant includes what is'
                    " beside it, in its algorithm's folder or in primitives/include."
                )
            yield candidate

    def _file(self, name: str) -> SourceFile | None:
        for path in self._paths(name):
            file = _read(path)
            if file is not None:
                return file
        return None

    def _path(self, name: str) -> str:
        """Return the path of a file, for messages."""
        paths = list(self._paths(name))
        return next((path for path in paths if os.path.exists(path)), paths[0])

    def _paths(self, name: str) -> Iterator[str]:
        """Yield the paths where a file may be; the first that exists counts."""
        mount, _, rest = name.partition("/")
        yield f"{self.mounts[mount]}/{rest}"
        folder, _, base = rest.rpartition("/")
        if folder:
            yield posixpath.join(self.mounts[mount], posixpath.dirname(folder), base)


@dataclass(frozen=True)
class Closure:
    """A source with everything it may include, by name, and a digest over these names and contents."""

    files: Mapping[str, SourceFile]
    digest: str

    @property
    def contents(self) -> dict[str, bytes]:
        """Bytes of the files by name."""
        return {name: file.content for name, file in self.files.items()}

    def can_name(self, macro: str) -> bool:
        """Whether some file holds the macro's name, or pastes names together."""
        name = macro.encode()
        return any(name in file.words or _PASTE in file.words for file in self.files.values())


class Readings:
    """Results that many builds share, for one run, whose sources do not change meanwhile."""

    def __init__(self) -> None:
        self._made: dict[object, object] = {}

    def closure(self, tree: SourceTree, source: str) -> Closure:
        """Return the closure of a source in a tree, computed once."""

        def read() -> Closure:
            files = tree.closure(source)
            parts = (part for name, file in sorted(files.items()) for part in (name, file.digest))
            return Closure(files, content_key(*parts))

        return self.once((tree.identity, source), read)

    def once(self, key: object, make: Callable[[], _Made]) -> _Made:
        """Return what `make` returned the first time for that key; two threads may both be the first."""
        if key not in self._made:
            self._made[key] = make()
        made: _Made = self._made[key]  # type: ignore[assignment]
        return made


def _read(path: str) -> SourceFile | None:
    try:
        status = os.stat(path)
        return _read_once(path, status.st_mtime_ns, status.st_size, status.st_ino)
    except OSError:
        return None


@lru_cache(maxsize=4096)
def _read_once(path: str, _mtime_ns: int, _size_bytes: int, _inode: int) -> SourceFile:
    """Return the file, read again if its stamp has changed, so that a warm run opens no file twice."""
    with open(path, "rb") as file:
        content = file.read()
    includes = tuple(
        ((match[1] or match[2]).decode("utf-8", "surrogateescape"), match[1] is not None)
        for match in _INCLUDE.finditer(content)
    )
    return SourceFile(content, hashlib.sha256(content).hexdigest(), includes)


def folder_digest(folder: Path) -> str:
    """Return a digest over the names and contents of all files in a folder and below it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    contents = ((str(path.relative_to(folder)), path.read_bytes()) for path in files)
    return content_key(*(part for content in contents for part in content))
