"""Measured parts of an image: the sources of the variant, its parts, its mode, and their compilation."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from steelyard.cache.content import content_key
from steelyard.catalog.models import InMode, Kind, Mode, Primitive, Variant
from steelyard.errors import UsageError
from steelyard.toolchain.family import families
from steelyard.toolchain.sources import SourceTree

_CALL = "call"
"""Owner of the objects between the functions of `primitives/include` and routines that take a pointer; linker
scripts count them as support."""
MEASURED_OWNERS = ("own_", "mode_", f"{_CALL}_")
"""Beginnings of the names of objects that are made from sources of the catalogue."""


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


_LONGEST_STEM = 160
"""Characters of an object's name, far below what file systems allow; a longer one becomes a digest of it."""


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
    if code.variant.is_foreign:
        return foreign_tree(code.variant, root)
    own = f"own/{code.variant.folder.name}"
    folders = [posixpath.normpath(f"{own}/{name}") for name in code.variant.file.include_dirs]
    # The context that all pointer variants have hides that of the algorithm.
    pointer = () if code.variant.file.interface is None else ("include/pointer",)
    return SourceTree(_mounts(code, root), (*pointer, *folders, own, *part_folders, "include", "libc"))


def is_cplusplus(source: str) -> bool:
    """Whether a source is C++, by its name."""
    return source.endswith((".cc", ".cpp", ".cxx"))


def foreign_tree(
    variant: Variant, root: Path, forced: tuple[str, ...] = (), *, cplusplus: bool = False
) -> SourceTree:
    """Return the folders of code with an interface of its own; `forced` are headers that a source includes
    without naming them.
    """
    below = "." if variant.root is not None else variant.folder.name
    # Beside its variant.toml a variant finds its own headers; a tree says where they are.
    named = variant.file.include_dirs if variant.root is not None else (*variant.file.include_dirs, ".")
    folders = (posixpath.normpath(f"own/{below}/{name}") for name in named)
    headers = (posixpath.normpath(f"own/{below}/{name}") for name in variant.file.headers)
    mounts = {
        "own": str(variant.root or variant.folder.parent),
        "libc": f"{root}/firmware/include",
        "firmware": f"{root}/firmware",
    }
    library = ("libc/cplusplus", "libc") if cplusplus else ("libc",)
    return SourceTree(mounts, (*folders, *library), foreign=True, also=tuple(headers), forced=forced)


def measured_macros(code: Measured) -> tuple[str, ...]:
    """Return the macros of the compilation of the variant, of the mode and of the harness."""
    if code.variant.is_foreign:
        return _options({**code.variant.defines, **_in_mode(code).defines})
    inverse = any(variant.file.init_decrypt for variant in code.parts)
    apart: dict[str, int | str] = {"PART_INIT_DECRYPT": 1} if inverse else {}
    # A construction's context holds those of its parts.
    for variant in (*code.parts, code.variant):
        apart |= variant.defines
    record_bytes = code.variant.record_bytes(code.primitive.id)
    if record_bytes:
        apart["RECORD_BYTES"] = record_bytes
    return _options({**code.primitive.macros, **apart})


def measured_sources(code: Measured, root: Path) -> Iterator[MeasuredSource]:
    """Yield the sources whose bytes are measured, each to be compiled separately.

    A source of the algorithm's folder is compiled as if it lay in the variant's own.
    """
    tree, macros = measured_tree(code, root), measured_macros(code)
    for source in (*code.variant.file.sources, *_in_mode(code).sources):
        path = _path(code.variant, source)
        cplusplus = code.variant.is_foreign and is_cplusplus(source)
        of_source = foreign_tree(code.variant, root, cplusplus=True) if cplusplus else tree
        yield MeasuredSource(object_name("own", path), path, of_source, macros)
    if code.variant.is_foreign:
        return
    mounts = _mounts(code, root)
    for path in _call_sources(code):
        yield MeasuredSource(object_name(_CALL, path), path, tree, macros)
    for number, (variant, part) in enumerate(zip(code.parts, code.primitive.parts, strict=True)):
        # Compiled as it is where it is measured by itself, so that the objects are the same.
        folder = f"own/{variant.folder.name}"
        folders = (posixpath.normpath(f"{folder}/{name}") for name in variant.file.include_dirs)
        part_tree = SourceTree(
            {**mounts, "own": mounts[f"part{number}"]}, (*folders, folder, "include", "libc")
        )
        part_macros = _options({**part.primitive.macros, **variant.defines})
        # Each name holds the one before: prebuilt images are known by these names among other things.
        before = f"part{number}"
        for source in variant.file.sources:
            path = _path(variant, source)
            stem = f"{before}/{path.removeprefix('own/')}".replace("/", "_").replace(".", "_")
            if len(stem) > _LONGEST_STEM:
                stem = f"part{number}_{content_key(stem)[: _LONGEST_STEM // 4]}"
            before = f"own_{stem}.o"
            yield MeasuredSource(before, path, part_tree, part_macros)
    passing = _passing_tree(root)
    for path in _passing_sources(code, root):
        yield MeasuredSource(object_name("mode", path), path, passing, macros)


def _passing_sources(code: Measured, root: Path) -> Iterator[str]:
    """Yield the sources that go from a primitive to whole messages: of the mode, of a hash, of a MAC."""
    if code.mode is not None:
        for source in code.mode.file.sources:
            yield f"mode/{code.mode.id}/{source}"
    folder = {"hash": "digest", "mac": "mac"}.get(code.kind)
    if folder is not None:
        for file in sorted((root / "modes" / folder).glob("*.c")):
            yield f"mode/{folder}/{file.name}"


def _passing_tree(root: Path) -> SourceTree:
    """Return the folders of sources that only pass contexts on: the same for all variants."""
    mounts = {
        "mode": f"{root}/modes",
        "include": f"{root}/primitives/include",
        "libc": f"{root}/firmware/include",
    }
    return SourceTree(mounts, ("include/opaque", "include", "libc"))


def _in_mode(code: Measured) -> InMode:
    """Return what code with an interface of its own has for the mode of an image."""
    mode = code.mode.id if code.mode is not None else None
    return code.variant.file.in_mode.get(mode or "", InMode())


def _call_sources(code: Measured) -> Iterator[str]:
    """Yield the sources between the functions of the contract and routines that take a pointer."""
    file = code.variant.file
    if file.interface is None:
        return
    for source in file.call_sources:
        yield f"own/{code.variant.folder.name}/{posixpath.basename(source)}"
    for name in file.families or ():
        interface = families()[name].pointer_interface
        if interface is None or code.kind not in interface.sources:
            raise UsageError(f"Variant {code.variant.id}: {name} has no pointer interface for a {code.kind}.")
        yield f"firmware/{interface.sources[code.kind]}"


def object_name(owner: str, path: str) -> str:
    """Return the object name of a source; no two of an image are equal."""
    stem = path.partition("/")[2].replace("/", "_").replace(".", "_")
    if len(stem) > _LONGEST_STEM:
        stem = content_key(stem)[: _LONGEST_STEM // 4]
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


def _path(variant: Variant, source: str) -> str:
    """Return the place of a variant's source; one beside the variant's folder is compiled as if in it."""
    if variant.root is not None:
        return f"own/{source}"
    below = source.removeprefix("../")
    if "/" in below and below != source:
        return f"own/{below}"
    return f"own/{variant.folder.name}/{below}"


def _options(macros: Mapping[str, int | str]) -> tuple[str, ...]:
    return tuple(f"-D{name}={value}" for name, value in macros.items())
