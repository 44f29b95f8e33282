"""The formats of trees that are known, in the order in which a folder is offered to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from steelyard.catalog.trees.found import Found, Reader

_NAMES = ("adapter", "felics", "mupq", "supercop")


@cache
def _readers() -> tuple[Reader, ...]:
    package = __name__.rpartition(".")[0]
    names = (f"{package}.{name}" for name in _NAMES)
    return tuple(cast(Reader, import_module(name)) for name in names if find_spec(name) is not None)


def reader_of(root: Path) -> Reader | None:
    """Return the first reader that recognises a folder, None if there is none."""
    return next((reader for reader in _readers() if reader.recognises(root)), None)


def read_tree(root: Path, adapter: Path | None = None) -> Iterator[Found]:
    """Yield what a recognised tree holds, or what `adapter`, a file, describes of it."""
    if adapter is not None:
        described = import_module(f"{__name__.rpartition('.')[0]}.adapter")
        yield from described.read_with(described.load_adapter(adapter), root)
        return
    reader = reader_of(root)
    if reader is not None:
        yield from reader.read(root)


def titles() -> tuple[str, ...]:
    """Return what the formats are called."""
    return tuple(reader.TITLE for reader in _readers())
