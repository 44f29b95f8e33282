"""Measured parts of an image: the sources of the variant, its parts, its mode, and their compilation."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from steelyard.catalog.models import Kind, Mode, Primitive, Variant
from steelyard.toolchain.sources import SourceTree


class Measured(Protocol):
    """One variant of one primitive; `parts` are the variants of the primitive's parts, in their order."""

    @property
    def kind(self) -> Kind:
        """Kind of the primitive."""

    @property
    def variant(self) -> Variant:
        """Implementation of the primitive."""

    @property
    def primitive(self) -> Primitive:
        """Primitive that the variant implements."""

    @property
    def mode(self) -> Mode | None:
        """Mode of operation of a block cipher, None for other kinds."""

    @property
    def parts(self) -> tuple[Variant, ...]:
        """Variants of a construction's parts, empty for other primitives."""


@dataclass(frozen=True)
class MeasuredSource:
    """A source of a tree; the object's name says who owns its bytes, `macros` are options."""

    name: str
    path: str
    tree: SourceTree
    macros: tuple[str, ...]


def measured_tree(code: Measured, root: Path) -> SourceTree:
    """Return all folders with sources of an image; headers are searched in some of them."""
    part_folders = [f"part{number}/{variant.folder.name}" for number, variant in enumerate(code.parts)]
    return SourceTree(
        _mounts(code, root), (f"own/{code.variant.folder.name}", *part_folders, "include", "libc")
    )


def measured_macros(code: Measured) -> tuple[str, ...]:
    """Return the macros of the compilation of the variant, of the mode and of the harness."""
    inverse = any(variant.file.init_decrypt for variant in code.parts)
    apart = {"PART_INIT_DECRYPT": 1} if inverse else {}
    return _options({**code.primitive.macros, **apart})


def measured_sources(code: Measured, root: Path) -> Iterator[MeasuredSource]:
    """Yield the sources whose bytes are measured, each to be compiled separately.

    A source of the algorithm's folder is compiled as if it lay in the variant's own.
    """
    mounts, tree, macros = _mounts(code, root), measured_tree(code, root), measured_macros(code)
    for source in code.variant.file.sources:
        path = f"own/{code.variant.folder.name}/{posixpath.basename(source)}"
        yield MeasuredSource(object_name("own", path), path, tree, macros)
    for number, (variant, part) in enumerate(zip(code.parts, code.primitive.parts, strict=True)):
        # Compiled as it is where it is measured by itself, so that the objects are the same.
        folder = f"own/{variant.folder.name}"
        part_tree = SourceTree({**mounts, "own": mounts[f"part{number}"]}, (folder, "include", "libc"))
        # Each name holds the one before: prebuilt images are known by these names among other things.
        before = f"part{number}"
        for source in map(posixpath.basename, variant.file.sources):
            stem = f"{before}/{variant.folder.name}/{source}".replace("/", "_").replace(".", "_")
            before = f"own_{stem}.o"
            yield MeasuredSource(before, f"{folder}/{source}", part_tree, _options(part.primitive.macros))
    if code.mode is not None:
        for source in code.mode.file.sources:
            path = f"mode/{code.mode.id}/{source}"
            yield MeasuredSource(object_name("mode", path), path, tree, macros)
    glue = {"hash": "digest", "mac": "mac"}.get(code.kind)
    if glue is not None:
        for file in sorted((root / "modes" / glue).glob("*.c")):
            path = f"mode/{glue}/{file.name}"
            yield MeasuredSource(object_name("mode", path), path, tree, macros)


def object_name(owner: str, path: str) -> str:
    """Return the object name of a source; no two of an image are equal."""
    stem = path.partition("/")[2].replace("/", "_").replace(".", "_")
    return f"{owner}_{stem}.o"


def _mounts(code: Measured, root: Path) -> dict[str, str]:
    return {
        "own": str(code.variant.folder.parent),
        **{f"part{number}": str(variant.folder.parent) for number, variant in enumerate(code.parts)},
        "include": f"{root}/primitives/include",
        "libc": f"{root}/firmware/include",
        "mode": f"{root}/modes",
        "firmware": f"{root}/firmware",
    }


def _options(macros: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"-D{name}={value}" for name, value in macros.items())
