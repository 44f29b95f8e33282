"""What a reader of trees finds: implementations, and what it leaves out with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from steelyard.catalog.models import Kind, Primitive, VariantFile, Vector


@dataclass(frozen=True)
class Implementation:
    """One implementation of a tree.

    `algorithm` and `primitive` name what the catalogue knows, by identifier, or what the tree brings:
    `primitive` then has its sizes. `name` is the variant's, unique within the algorithm. Paths in `file`
    (sources, include_dirs, headers) are relative to the tree's root; sources are plain paths. `vectors` are
    answers of the tree for a primitive that it brings, `answers` files of them as `catalog.answers` reads
    them. `where` is the folder or file that a user would name, relative to the root.
    """

    algorithm: str
    kind: Kind
    primitive: Primitive | str
    name: str
    where: str
    file: VariantFile
    title: str = ""
    specification: str = ""
    vectors: tuple[Vector, ...] = ()
    answers: tuple[Path, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """What a reader recognises and does not take: `reason` is a clause that says why."""

    where: str
    reason: str


Found = Implementation | LeftOut


class Reader(Protocol):
    """A format of trees; each is a module of this package, registered in `readers`."""

    TITLE: str

    def recognises(self, root: Path) -> bool:
        """Whether a folder is the root of such a tree; quick, and False for any other folder."""

    def read(self, root: Path) -> Iterator[Found]:
        """Yield what the tree holds, in the order of its paths; never runs anything of it."""
