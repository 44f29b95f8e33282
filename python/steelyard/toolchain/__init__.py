"""Compilers: find them, build images with them, measure the sizes of images."""

from steelyard.toolchain.build import (
    Build,
    BuildResult,
    build,
    build_identity,
    image_roots,
    measured_hash,
    prebuilt_key,
    prebuilt_refusal,
    sources_of,
)
from steelyard.toolchain.compilers import Toolchain, discover, find_toolchain
from steelyard.toolchain.debug import DebugImage, NoDebugInformation, debug_image
from steelyard.toolchain.run import BuildFailed
from steelyard.toolchain.sizes import Sizes, rom_by_symbol

__all__ = [
    "Build",
    "BuildFailed",
    "BuildResult",
    "DebugImage",
    "NoDebugInformation",
    "Sizes",
    "Toolchain",
    "build",
    "build_identity",
    "debug_image",
    "discover",
    "find_toolchain",
    "image_roots",
    "measured_hash",
    "prebuilt_key",
    "prebuilt_refusal",
    "rom_by_symbol",
    "sources_of",
]
