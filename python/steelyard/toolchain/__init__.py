"""Compilers: find them, build images with them, measure the sizes of images."""

from steelyard.toolchain.build import (
    Build,
    BuildResult,
    build,
    build_identity,
    image_roots,
    prebuilt_key,
    prebuilt_refusal,
)
from steelyard.toolchain.compilers import Toolchain, discover, find_toolchain
from steelyard.toolchain.run import BuildFailed
from steelyard.toolchain.sizes import Sizes

__all__ = [
    "Build",
    "BuildFailed",
    "BuildResult",
    "Sizes",
    "Toolchain",
    "build",
    "build_identity",
    "discover",
    "find_toolchain",
    "image_roots",
    "prebuilt_key",
    "prebuilt_refusal",
]
