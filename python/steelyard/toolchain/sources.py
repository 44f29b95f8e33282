"""What a compilation reads: a source file and every header it can include, by name and content.

A source is compiled in a folder that holds these files and no others, so a compiler cannot read what the cache
key does not cover, and no path of this machine reaches the object.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from steelyard.errors import UsageError

_INCLUDE = re.compile(
    rb"""^[ \t]*(?:\#[ \t]*(?:include|embed)|\.include|\.incbin)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)""", re.MULTILINE
)


@dataclass(frozen=True)
class SourceTree:
    """Folders under names of their own (`mounts`), and those of them that are searched for headers."""

    mounts: Mapping[str, Path]
    include: tuple[str, ...]

    def closure(self, source: str) -> dict[str, bytes]:
        """Contents by name in the tree of a source and all it includes, whatever the preprocessor will choose.

        A header that is in no folder of the tree is the compiler's own, or its absence is the compiler's to report.
        UsageError for an include that leaves the tree, or a source that cannot be read.
        """
        text = self._read(source)
        if text is None:
            raise UsageError(f"{self._path(source)}: cannot be read.")
        found = {source: text}
        pending = [source]
        while pending:
            includer = pending.pop()
            for name, quoted in _includes(found[includer]):
                for candidate in self._candidates(includer, name, quoted):
                    text = found.get(candidate) or self._read(candidate)
                    if text is not None:
                        if candidate not in found:
                            found[candidate] = text
                            pending.append(candidate)
                        break
        return found

    def _candidates(self, includer: str, name: str, quoted: bool) -> Iterator[str]:
        folders = (posixpath.dirname(includer), *self.include) if quoted else self.include
        for folder in folders:
            candidate = posixpath.normpath(posixpath.join(folder, name))
            if name.startswith("/") or candidate.partition("/")[0] not in self.mounts:
                raise UsageError(
                    f'{self._path(includer)}: "{name}" leads out of the folder; a variant includes what is beside'
                    " it, in its algorithm's folder or in primitives/include."
                )
            yield candidate

    def _path(self, name: str) -> Path:
        mount, _, rest = name.partition("/")
        return self.mounts[mount] / rest

    def _read(self, name: str) -> bytes | None:
        try:
            return self._path(name).read_bytes()
        except OSError:
            return None


@lru_cache(maxsize=1024)
def _includes(text: bytes) -> tuple[tuple[str, bool], ...]:
    return tuple(
        ((match[1] or match[2]).decode("utf-8", "surrogateescape"), match[1] is not None)
        for match in _INCLUDE.finditer(text)
    )
