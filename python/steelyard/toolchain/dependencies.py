"""Files that a compiler says it read (its `-MD` output), compared with those that a build's key covers."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache

from steelyard.nearest import printable
from steelyard.toolchain.run import BuildFailed

_WORD = re.compile(r"(?:\\.|\$\$|[^\s\\])+")
_ESCAPED = re.compile(r"\\([\s#\\:])|\$(\$)")


def rules(text: str) -> Iterator[list[str]]:
    """Yield the prerequisites of each rule of a makefile as compilers write it."""
    for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
        _, separator, after = line.partition(": ")
        names = [_ESCAPED.sub(r"\1\2", word) for word in _WORD.findall(after)] if separator else []
        if names:
            yield names


def first_rules(text: str) -> dict[str, list[str]]:
    """Return, by source, the first rule whose first prerequisite it is.

    clang's front end, given several sources, writes after each of them a rule of each source so far, the
    latest first; the later ones of a source also hold what other sources read.
    """
    found: dict[str, list[str]] = {}
    for names in rules(text):
        found.setdefault(posixpath.normpath(names[0]), names)
    return found


@lru_cache(maxsize=4096)
def _real(path: str) -> str:
    """Return where a path leads to: thousands of compilations read the same few headers of the compiler."""
    return os.path.realpath(path)


def check_read(what: str, names: Iterable[str], covered: Container[str], installation: Sequence[str]) -> None:
    """Check what a compiler has read, by name in the folder of the compilation.

    BuildFailed, beginning with `what`, for a file that is neither covered nor in a folder of `installation`.
    """
    folders = tuple(f"{folder}/" for folder in installation)
    for name in names:
        if posixpath.normpath(name) in covered:
            continue
        if not name.startswith("/") or not _real(name).startswith(folders):
            raise BuildFailed(
                f"{what} does not compile: it reads {printable(name)}, which its record does not cover;"
                " a source includes what is beside it, in its algorithm's folder or in primitives/include.",
                "",
                "",
            )
