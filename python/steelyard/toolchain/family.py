"""A CPU family's data file, `firmware/<family>/family.toml`: its toolchains and the parts of its images."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from steelyard.catalog.models import Identifier, Strict
from steelyard.data import data_root
from steelyard.errors import UsageError


class ToolchainFacts(Strict):
    """One toolchain of a family. `command` is looked up on PATH; the `ziglang` driver is a Python package.

    `linker` is looked up on PATH too; for a family that the package's own linker does not know.
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


class Family(Strict):
    """`family.toml`; file names are relative to `firmware/`."""

    linker_script: str
    harness: tuple[str, ...]
    support_flags: tuple[str, ...] = ()
    toolchain: dict[Identifier, ToolchainFacts]


@cache
def families() -> dict[str, Family]:
    """All families by name; UsageError where a file does not hold what it should."""
    return {
        path.parent.name: _load(path) for path in sorted((data_root() / "firmware").glob("*/family.toml"))
    }


def _load(path: Path) -> Family:
    try:
        return Family.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
