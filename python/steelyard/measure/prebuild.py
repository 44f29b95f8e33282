"""The images that come with Steelyard: built here, used if the compiler is missing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog, load_catalog, read_file
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.measure.plan import Build, make_plan
from steelyard.measure.selection import Selection, SelectionFile
from steelyard.measure.workers import workers
from steelyard.toolchain import BuildResult, Toolchain, build, find_toolchain, prebuilt_key
from steelyard.toolchain.family import families
from steelyard.toolchain.prebuilt import Entry, Manifest, image_name, prebuilt_folder, write
from steelyard.toolchain.sources import Readings

_FLAGS = "-Os"
"""Flags of the call layer of assembly, which itself is the same at all flags."""


@dataclass(frozen=True)
class Prebuilt:
    """A written archive."""

    path: Path
    images: int
    toolchain_version: str


def prebuild(target: str, folder: Path | None = None, jobs: int | None = None) -> Prebuilt:
    """Build `prebuilt_builds` of a chip with the GCC that is built from source; write the archive.

    The default folder is `prebuilt` of the checkout. UsageError for a chip whose compiler is not built from
    source, or an archive beyond the limit; EnvironmentProblem if the compiler is missing.
    """
    toolchain = source_built(target)
    builds = prebuilt_builds(target, toolchain)
    version = toolchain.require().version
    cache, readings = Cache(), Readings()

    def made(one: Build) -> BuildResult:
        return build(one.request(toolchain), cache, readings)

    with workers(jobs) as pool:
        results = list(pool.map(made, builds))
    images, entries = {}, {}
    for one, result in zip(builds, results, strict=True):
        name = prebuilt_name(one)
        images[name] = result.elf
        entries[name] = Entry(
            key=prebuilt_key(one.request(toolchain), version),
            sha256=hashlib.sha256(result.elf).hexdigest(),
            object_flags=dict(result.object_flags),
        )
    manifest = Manifest(
        target=target,
        family=toolchain.family,
        toolchain=toolchain.id,
        toolchain_version=version,
        archive_sha256="",
        images=entries,
    )
    path = write(folder or prebuilt_folder(), manifest, images)
    return Prebuilt(path, len(images), version)


def source_built(target: str) -> Toolchain:
    """Return the compiler of a chip that is built from source; UsageError if there is none."""
    family = load_catalog().target(target).file.family
    ids = [name for name, facts in families()[family].toolchain.items() if facts.build is not None]
    if not ids:
        raise UsageError(f"The compilers of {target} install quickly: there is nothing to build beforehand.")
    return find_toolchain(family, ids[0])


def prebuilt_builds(target: str, toolchain: Toolchain) -> list[Build]:
    """Return the builds that are prebuilt for a chip: those that bench.toml selects, and assembly with the
    pointer interface in each footprint.

    For a chip that bench.toml does not name yet, those that it selects for other chips.
    """
    catalog = load_catalog()
    bench = read_file(data_root() / "bench.toml", SelectionFile).selections
    named = [one for one in bench if any(fnmatchcase(target, pattern) for pattern in one.target or "*")]
    of_target = [
        one.model_copy(update={"target": (target,), "toolchain": (toolchain.id,)}) for one in named or bench
    ]
    of_target += _by_pointer(catalog, target, toolchain)
    return make_plan(catalog, of_target, {(toolchain.family, toolchain.id): True}).builds


def _by_pointer(catalog: Catalog, target: str, toolchain: Toolchain) -> Iterator[Selection]:
    for algorithm in catalog.algorithms:
        variants = tuple(
            one.id
            for one in algorithm.variants
            if one.file.interface is not None and toolchain.family in (one.file.families or ())
        )
        if variants:
            footprints = ("encrypt", "decrypt", "both") if algorithm.file.kind == "block" else ("both",)
            named = {"variant": variants, "target": (target,), "toolchain": (toolchain.id,)}
            yield Selection.model_validate({**named, "flags": (_FLAGS,), "footprint": footprints})


def prebuilt_name(build: Build) -> str:
    """Return the name of a build's image in a manifest."""
    mode = build.mode.id if build.mode is not None else None
    return image_name(build.primitive.id, build.variant.id, mode, build.footprint, build.flags.split())
