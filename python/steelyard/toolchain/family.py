"""A CPU family's data file, `firmware/<family>/family.toml`: its toolchains and the parts of its images."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from steelyard.catalog.models import Identifier, Strict
from steelyard.data import data_root
from steelyard.errors import UsageError


class Edit(Strict):
    """A change of the compiler's sources: the body of a C function of `file` becomes `body`, for `reason`."""

    file: Annotated[str, Field(pattern=r"^gcc/config/[a-z0-9]+/[a-z0-9.-]+$")]
    function: str
    body: str
    reason: str


class SourceBuild(Strict):
    """How GCC is built from the archives of `firmware/sources.toml` for one family.

    `multilib` are variables of its Makefile, none for one libgcc of the default options; without `libgcc`,
    images use Steelyard's own routines. `proof` are options with which a small program must compile and link
    before the result counts as installed.
    """

    triplet: Annotated[str, Field(pattern=r"^[a-z0-9]+-elf$")]
    multilib: dict[str, str] | None = None
    libgcc: bool = True
    edits: tuple[Edit, ...] = ()
    proof: tuple[tuple[str, ...], ...] = Field(min_length=1)


class ToolchainFacts(Strict):
    """One toolchain of a family. `command` is looked up on PATH; the `ziglang` driver is a Python package.

    `linker` is also looked up on PATH, for a family that the package's own linker does not support. `build`
    says how `steelyard toolchain install` makes it. `ladder` are options appended to a build's flags, each
    tried for an object that does not compile with the previous one.
    """

    driver: Literal["gcc", "ziglang"]
    title: str
    install: str
    command: str = ""
    linker: str = ""
    compile: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    build: SourceBuild | None = None
    ladder: tuple[tuple[str, ...], ...] = ((),)


class Registers(Strict):
    """Registers as the data space shows them: the address of the first, and their bytes."""

    name: str
    base: int
    size: int


class PointerInterface(Strict):
    """Routines that take one pointer, in `argument`, and leave `kept` as they were.

    `sources` make of them, by the kind of the primitive, the functions of `primitives/include`.
    """

    sources: dict[Literal["block", "hash"], str]
    argument: Registers
    kept: tuple[Registers, ...]


class Family(Strict):
    """Contents of `family.toml`; file names are relative to `firmware/`.

    `symbol_prefix` is what the compilers put before a name of C; images have the names without it.
    `mspgcc` leads from C to a function in assembly for MSPGCC.
    """

    mspgcc: str | None = None
    pointer_interface: PointerInterface | None = None

    linker_script: str
    symbol_prefix: str = ""
    harness: tuple[str, ...]
    support_flags: tuple[str, ...] = ()
    toolchain: dict[Identifier, ToolchainFacts]


@cache
def families() -> dict[str, Family]:
    """Return all families by name; UsageError for an invalid file."""
    return {
        path.parent.name: _load(path) for path in sorted((data_root() / "firmware").glob("*/family.toml"))
    }


def _load(path: Path) -> Family:
    try:
        return Family.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
