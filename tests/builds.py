"""Builds of primitives by their default variants, for tests that run the images themselves."""

from __future__ import annotations

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Footprint, Target
from steelyard.measure.plan import Build
from steelyard.toolchain import BuildResult, build, find_toolchain


def default_build(
    catalog: Catalog, name: str, target: Target, toolchain: str, flags: str, footprint: Footprint
) -> Build:
    """A primitive's build, without a mode."""
    algorithm = catalog.algorithm_of(name)
    primitive, variant = algorithm.primitive(name), catalog.default_variant(algorithm.id, target.cpu_class)
    parts = tuple(catalog.default_variant(part.algorithm_id, target.cpu_class) for part in primitive.parts)
    return Build(algorithm, primitive, variant, None, target, toolchain, flags, footprint, parts)


def built(build_of: Build) -> BuildResult:
    """Its image."""
    return build(build_of.request(find_toolchain(build_of.target.file.family, build_of.toolchain)))
