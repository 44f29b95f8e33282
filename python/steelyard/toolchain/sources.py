"""Files that a compilation reads: a source file and every header it can include, by name and content.

A source is compiled in a folder that holds only these files, so that a compiler cannot read anything outside
the cache key, and no path of this machine reaches the object.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

from steelyard.cache.content import content_key
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import printable
from steelyard.toolchain.run import BuildFailed

_Made = TypeVar("_Made")

_LIMIT_BYTES = 16 << 20

_INCLUDE = re.compile(rb"""^[ \t]*\#[ \t]*(?:include|embed)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)""", re.MULTILINE)
_PASTE = b"##"
# Each alternative takes what it begins with in one go, closed or not, so that the search is linear.
_STRING = rb"""("(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)"""
_COMMENT = re.compile(_STRING + rb"|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ANY_COMMENT = re.compile(_STRING + rb"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_WORD = re.compile(rb"\b[A-Z][A-Z0-9_]*\b|##")

# What follows finds the ways to read a file that `_INCLUDE` does not see.
_SPLICE = re.compile(rb"\\[ \t]*\r?\n")
_READING = re.compile(rb"include|incbin|embed|import|__has_|asm|%:|\?\?|\\[ \t]*\r?\n", re.IGNORECASE)
_DIRECTIVE = re.compile(
    rb"^[ \t\v\f]*(?:\#|%:)[ \t\v\f]*(include_next|include|import|embed)\b[ \t\v\f]*([^\n]*)", re.MULTILINE
)
_NAMED = re.compile(rb"""(?:"([^"\n]+)"|<([^>\n]+)>)""")
_NEXT_STRING = re.compile(rb'"[ \t\r\n\v\f]*"')
_ASSEMBLER_READS = re.compile(rb"\.[ \t]*include\b|incbin", re.IGNORECASE)
_ASKS_FOR_FILES = re.compile(rb"\b__has_(?:include(?:_next)?|embed)\b")
_ASSEMBLES = re.compile(rb"\b(?:asm|__asm|__asm__)\b|##|%:%:")


@dataclass(frozen=True)
class SourceFile:
    """A file as it was read; `includes` are the names it includes, each with whether it is in quotes.

    `refused` says, as a clause, why no build may read it: files that it may read cannot be told beforehand.
    `computed` is the same of files whose includes a macro names, which a list of headers can cover.
    """

    content: bytes
    digest: str
    includes: tuple[tuple[str, bool], ...]
    refused: str | None
    computed: str | None = None

    @cached_property
    def words(self) -> frozenset[bytes]:
        """Words outside comments that may be macros of a build; `##` if the file pastes words together."""
        return frozenset(_WORD.findall(_COMMENT.sub(lambda match: match[1] or b" ", self.content)))

    @cached_property
    def assembles(self) -> bool:
        """Whether the file may hold inline assembly."""
        return _ASSEMBLES.search(self.content) is not None


@dataclass(frozen=True)
class SourceTree:
    """Folders under names of their own (`mounts`), and those that are searched for headers.

    A file that a folder lacks is taken from its parent folder within the mount, so that a variant's folder
    also holds what it shares with other variants of its algorithm. A `foreign` tree is taken as it is: a file
    is where it is, and an include that leads out finds nothing. There `also` are further files that a source
    may read, `forced` the names of headers that every source includes.
    """

    mounts: Mapping[str, str]
    include: tuple[str, ...]
    foreign: bool = False
    also: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """Hashable identity that distinguishes this tree from others."""
        return tuple(self.mounts.items()), self.include, self.foreign, self.also, self.forced

    def closure(self, source: str) -> dict[str, SourceFile]:
        """Return, by name in the tree, a source and everything it may include.

        A header that is in no folder of the tree is the compiler's own, or missing; the compiler decides.
        BuildFailed for an include that leaves the tree and for a file that is refused, such as one that may
        read others in a way that cannot be followed; UsageError for a source that is not there.
        """
        file = self._file(source)
        if file is None:
            raise UsageError(f"{self._path(source)}: cannot be read.")
        found = {source: file}
        for name in self.also:
            more = self._file(name)
            if more is not None:
                found[name] = more
        pending = list(found)
        while pending:
            includer = pending.pop()
            refused = found[includer].refused or (None if self.foreign else found[includer].computed)
            if refused is not None:
                raise _refusal(f"{self._path(includer)}: {refused}")
            forced = ((name, True) for name in self.forced) if includer == source else ()
            for name, quoted in (*found[includer].includes, *forced):
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
            if name.startswith("/") or "\0" in name or candidate.partition("/")[0] not in self.mounts:
                if self.foreign:
                    continue
                raise _refusal(
                    f'{self._path(includer)}: "{printable(name)}" leads out of the folder; a variant'
                    " includes what is beside it, in its algorithm's folder or in primitives/include."
                )
            yield candidate

    def _file(self, name: str) -> SourceFile | None:
        """Return a file, None if there is none; BuildFailed for one that is no regular file of its mount."""
        mount = self.mounts[name.partition("/")[0]]
        for path in self._paths(name):
            file = _read(path, mount)
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
        if folder and not self.foreign:
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

    @cached_property
    def assembles(self) -> bool:
        """Whether some file may hold inline assembly."""
        return any(file.assembles for file in self.files.values())

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


Place = tuple[object, ...]
"""A source in a tree, by names that mean the same on every machine."""


def place(tree: SourceTree, source: str, *roots: str) -> Place:
    """Return the place of a source: folders below the data folders, here or at `roots`, by their way from
    there.
    """
    known = tuple(f"{root}/" for root in (str(data_root()), *roots))
    mounts = []
    for name, path in tree.mounts.items():
        below = (path.removeprefix(root) for root in known if path.startswith(root))
        mounts.append((name, next(below, path)))
    return source, tuple(mounts), tree.identity[1:]


class CarriedReadings(Readings):
    """Sources as another machine has read them, which this one need not have; all others are read here.

    `root` is where the data folders are on that machine.
    """

    def __init__(self, root: str, carried: Mapping[Place, Closure]) -> None:
        super().__init__()
        self._root = root
        self._carried = carried

    def closure(self, tree: SourceTree, source: str) -> Closure:
        """Return the closure that was carried here, or read it."""
        found = self._carried.get(place(tree, source, self._root))
        return super().closure(tree, source) if found is None else found


def _refusal(sentence: str) -> BuildFailed:
    """Return the error of a source that no compiler gets to see: what it costs is its own build."""
    return BuildFailed(sentence, "", "")


def _read(path: str, mount: str) -> SourceFile | None:
    try:
        status = os.stat(path)
        return _read_once(path, mount, status.st_mode, status.st_mtime_ns, status.st_size, status.st_ino)
    except OSError:
        return None


@lru_cache(maxsize=4096)
def _read_once(
    path: str, mount: str, mode: int, _mtime_ns: int, _size_bytes: int, _inode: int
) -> SourceFile | None:
    """Return the file, read again if its stamp has changed, so that a warm run opens no file twice."""
    if stat.S_ISDIR(mode):
        return None
    if not stat.S_ISREG(mode):
        raise _refusal(f"{path}: a source is a regular file; this is a device, a pipe or a socket.")
    real = os.path.realpath(path)
    if not real.startswith(f"{os.path.realpath(mount)}/"):
        raise _refusal(
            f"{path}: a link that leads out of {mount}, to {real}, so that no record would cover it;"
            " copy the file instead."
        )
    try:
        content = read_limited(Path(path), _LIMIT_BYTES, "a source")
    except UsageError as error:
        raise _refusal(str(error)) from None
    digest = hashlib.sha256(content).hexdigest()
    found = [(match[1] or match[2], match[1] is not None) for match in _INCLUDE.finditer(content)]
    refused = computed = None
    # Most files name what they include in the plain way, and have none of the other words.
    if len(_READING.findall(content)) > len(found):
        hidden, computed, refused = _hidden(content, assembly=path.endswith((".S", ".s")))
        found += hidden
    includes = dict.fromkeys((name.decode("utf-8", "surrogateescape"), quoted) for name, quoted in found)
    return SourceFile(content, digest, tuple(includes), refused, computed)


def _hidden(content: bytes, *, assembly: bool) -> tuple[list[tuple[bytes, bool]], str | None, str | None]:
    """Return what a file includes once its lines are spliced and its comments gone, and why it is refused.

    The first reason is one that a list of headers would settle.
    """
    text = content.replace(b"??/", b"\\").replace(b"??=", b"#") if b"??" in content else content
    text = _ANY_COMMENT.sub(lambda match: match[1] or b" ", _SPLICE.sub(b"", text))
    found, computed = [], None
    for match in _DIRECTIVE.finditer(text):
        named = _NAMED.match(match[2])
        if match[1] not in (b"include", b"embed") or named is None:
            line = printable(" ".join(match[0].decode("utf-8", "replace").split()), 60)
            computed = f"{line}: only #include of a name in quotes or angle brackets can be followed."
            continue
        found.append((named[1] or named[2], named[1] is not None))
    if computed is None and _ASKS_FOR_FILES.search(text):
        computed = "__has_include and __has_embed ask for files that no record covers; leave them out."
    joined = _NEXT_STRING.sub(b"", text)
    read = _ASSEMBLER_READS.search(joined) if assembly else _read_by_assembler(joined)
    if read:
        reason = ".include and .incbin read files behind the compiler's back; use #include or a table in C."
        return found, computed, reason
    return found, computed, None


def _read_by_assembler(text: bytes) -> bool:
    """Whether a string, or a word outside strings that may become one, makes the assembler read a file."""
    strings = (match[0] for match in re.finditer(_STRING, text, re.DOTALL))
    return b"incbin" in text.lower() or any(_ASSEMBLER_READS.search(one) for one in strings)


def folder_digest(folder: Path) -> str:
    """Return a digest over the names and contents of all files in a folder and below it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    contents = ((str(path.relative_to(folder)), path.read_bytes()) for path in files)
    return content_key(*(part for content in contents for part in content))
