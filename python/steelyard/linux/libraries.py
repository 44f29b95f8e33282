"""Names that cryptographic libraries of Linux devices give to the primitives of the catalogue."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from steelyard.catalog.models import HexBytes, Kind, Strict
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.files import read_limited

_LIMIT_BYTES = 1 << 20

OPERATIONS: Mapping[Kind, tuple[str, ...]] = {
    "block": ("init", "encrypt", "decrypt"),
    "stream": ("init", "encrypt", "decrypt"),
    "hash": ("digest",),
    "mac": ("init", "mac"),
    "aead": ("init", "seal", "open"),
    "signature": ("sign", "verify", "encrypt", "decrypt"),
}
"""Operations of libraries by kind of primitive; a MAC also has `derive`, which is PBKDF2."""

DERIVE = "derive"


class LibraryAlgorithm(Strict):
    """A library's name for primitives; `{mode}` in it is the mode, `{MODE}` the mode in capitals.

    `aead` is the mode of an AEAD as the helper knows it. `iv_before` precedes the IV or nonce, `key_order`
    are the offsets of the key's parts of eight bytes. A hash of any length is asked for the digest's length;
    a MAC with `rekey` receives its key with every message. A signature in `der` is a sequence of numbers,
    otherwise one number after the other.
    """

    primitives: Annotated[tuple[str, ...], Field(min_length=1)]
    name: str
    modes: tuple[str, ...] = ()
    aead: Literal["ccm", "gcm", "ocb3", "eax", "poly1305"] | None = None
    operations: tuple[str, ...] | None = None
    iv_before: HexBytes = ""
    key_order: tuple[int, ...] = ()
    effective_bits: bool = False
    any_length: bool = False
    rekey: bool = False
    encoding: Literal["der"] | None = None

    def name_in(self, mode: str | None) -> str:
        """Return the name, with the mode for a block cipher."""
        return self.name if mode is None else self.name.format(mode=mode, MODE=mode.upper())

    def key(self, key: bytes) -> bytes:
        """Return the key in the library's order."""
        return b"".join(key[at : at + 8] for at in self.key_order) if self.key_order else key


class Derivation(Strict):
    """A library's name for the hash of PBKDF2, by the primitive that is HMAC over it."""

    primitive: str
    name: str


class LibraryFile(Strict):
    """Contents of `firmware/linux/libraries/<library>.toml`; `baseline`: it can run without special
    instructions.
    """

    title: str
    sources: Annotated[tuple[str, ...], Field(min_length=1)]
    algorithm: tuple[LibraryAlgorithm, ...]
    baseline: bool = False
    derivation: tuple[Derivation, ...] = ()


@dataclass(frozen=True)
class Library:
    """A library with its names; `id` is its name on the command line and in records."""

    id: str
    file: LibraryFile

    def find(self, primitive: str, mode: str | None = None) -> LibraryAlgorithm | None:
        """Return the library's entry of a primitive (a block cipher in a mode); None if it has none."""
        for one in self.of(primitive):
            if mode is None or mode in one.modes:
                return one
        return None

    def of(self, primitive: str) -> Iterator[LibraryAlgorithm]:
        """Yield every entry of a primitive."""
        return (one for one in self.file.algorithm if primitive in one.primitives)

    def derivation(self, primitive: str) -> Derivation | None:
        """Return PBKDF2 over this HMAC, or None."""
        return next((one for one in self.file.derivation if one.primitive == primitive), None)

    def gap(self, primitive: str, mode: str | None = None) -> str:
        """Return a short reason why `find` has no result."""
        modes = [name.upper() for one in self.of(primitive) for name in one.modes]
        if mode is None or not modes:
            return f"{self.file.title} has no {primitive}"
        listed = " and ".join((", ".join(modes[:-1]), modes[-1]) if len(modes) > 1 else modes)
        return f"{self.file.title} has {primitive} in {listed} alone"


@cache
def libraries() -> Mapping[str, Library]:
    """Return all libraries by id; UsageError in one sentence for an invalid file."""
    found = {}
    for path in sorted((data_root() / "firmware" / "linux" / "libraries").glob("*.toml")):
        try:
            text = read_limited(path, _LIMIT_BYTES, "a list of a library's algorithms").decode()
            file = LibraryFile.model_validate(tomllib.loads(text))
        except (ValueError, RecursionError) as problem:
            first = str(problem).splitlines()
            raise UsageError(
                f"{path.name} is no list of a library's algorithms: {' '.join(first[:3])}"
            ) from None
        found[path.stem] = Library(path.stem, file)
    return found
