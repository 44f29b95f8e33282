"""How a compiler is built from the distribution's source packages, and its place in the user's cache."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from steelyard.cache.content import cache_root, content_key
from steelyard.catalog.models import Strict
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.toolchain.family import SourceBuild, families

BINUTILS_OPTIONS = (
    "--disable-nls",
    "--disable-gdb",
    "--disable-gprofng",
    "--disable-sim",
    "--disable-werror",
)
GCC_OPTIONS = (
    "--enable-languages=c",
    "--without-headers",
    "--disable-nls",
    "--disable-lto",
    "--disable-plugin",
    "--disable-libssp",
    "--disable-libquadmath",
    "--disable-shared",
    "--disable-threads",
    "--disable-bootstrap",
    "--disable-werror",
)
# Neither changes what the compilers write, only how long they take to build and how large they are.
HOST_VARIABLES = ("CFLAGS=-O1", "CXXFLAGS=-O1", "LDFLAGS=-s")

_MANIFEST = "manifest.json"


class SourceArchive(Strict):
    """One archive: the Debian package that contains it, its path once installed, its SHA-256.

    `needless` are folders that no build for a small chip reads.
    """

    version: str
    package: str
    archive: str
    sha256: str
    needless: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """File name of the archive."""
        return Path(self.archive).name

    @property
    def folder(self) -> str:
        """Folder inside the archive."""
        return self.name.removesuffix(".tar.xz").removesuffix("-dfsg")


@cache
def source_archives() -> dict[str, SourceArchive]:
    """Return the entries of `firmware/sources.toml`, by `binutils` and `gcc`."""
    path = data_root() / "firmware" / "sources.toml"
    try:
        return TypeAdapter(dict[str, SourceArchive]).validate_python(tomllib.loads(path.read_text("utf-8")))
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error


@dataclass(frozen=True)
class Recipe:
    """All inputs of a compiler; `key` is their hash. `libraries` are those that its images link."""

    family: str
    build: SourceBuild
    libraries: tuple[str, ...] = ()

    @property
    def triplet(self) -> str:
        """GCC's name of the target, before `-gcc`."""
        return self.build.triplet

    @property
    def key(self) -> str:
        """Hash of everything that can change the result."""
        archives = (f"{one.sha256} {one.version}" for one in source_archives().values())
        without = () if self.build.libgcc else ("without libgcc",)
        options = (*BINUTILS_OPTIONS, *self.gcc_options, *self.make_variables, *without)
        edits = (edit.model_dump_json(exclude={"reason"}) for edit in self.build.edits)
        return content_key(self.triplet, *archives, *options, *edits)

    @property
    def gcc_options(self) -> tuple[str, ...]:
        """Options with which GCC is configured."""
        return GCC_OPTIONS if self.build.multilib is not None else (*GCC_OPTIONS, "--disable-multilib")

    @property
    def make_variables(self) -> tuple[str, ...]:
        """Variables passed to GCC's Makefile."""
        return tuple(f"{name}={value}" for name, value in (self.build.multilib or {}).items())

    @property
    def version(self) -> str:
        """Version in records: GCC's version, binutils', and a hash of the changes, if any."""
        archives = source_archives()
        made = f"binutils {archives['binutils'].version}"
        if self.build.edits:
            edits = (edit.model_dump_json(exclude={"reason"}) for edit in self.build.edits)
            made += f", changed {content_key(*edits)[:8]}"
        return f"{archives['gcc'].version} ({made})"

    @property
    def folder(self) -> Path:
        """Folder of the installation, whether it exists or not."""
        return toolchains_folder() / f"{self.triplet}-{self.key[:12]}"

    @property
    def driver(self) -> Path | None:
        """The installed `gcc`, None if it is not completely installed."""
        driver = self.folder / "bin" / f"{self.triplet}-gcc"
        return driver if (self.folder / _MANIFEST).is_file() and driver.is_file() else None


def toolchains_folder() -> Path:
    """Return the folder in which compilers are built and kept."""
    return cache_root() / "toolchains"


def recipes() -> dict[str, Recipe]:
    """Return the compilers that are built from source, by CPU family."""
    return {
        name: Recipe(name, facts.build, facts.libraries)
        for name, family in families().items()
        for facts in family.toolchain.values()
        if facts.build is not None
    }


def file_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder except the manifest, by path; for a link, of its
    target.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name == _MANIFEST or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink():
            found[name] = hashlib.sha256(str(path.readlink()).encode()).hexdigest()
        else:
            with open(path, "rb") as file:
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def seal(recipe: Recipe, folder: Path) -> None:
    """Write the manifest of a finished installation."""
    manifest = {
        "version": recipe.version,
        "recipe": recipe.key,
        "sources": {one.name: one.sha256 for one in source_archives().values()},
        "files": file_digests(folder),
    }
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")


def damage(recipe: Recipe) -> str | None:
    """Return the first installed file that differs from the manifest, or None."""
    try:
        expected = json.loads((recipe.folder / _MANIFEST).read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError):
        return _MANIFEST
    found = file_digests(recipe.folder)
    different = {name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)}
    return min(different, default=None)
