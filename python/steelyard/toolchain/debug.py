"""The image of a build with debug information: the measured one, and which source line each address is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.cache.content import Cache
from steelyard.data import data_root
from steelyard.errors import SteelyardError
from steelyard.toolchain.build import Build, BuildResult, build
from steelyard.toolchain.run import BuildFailed
from steelyard.toolchain.sizes import allocated
from steelyard.toolchain.sources import Readings
from steelyard.toolchain.units import measured_sources


class NoDebugInformation(SteelyardError):
    """No image with debug information has the bytes of the measured one; the message says why."""


@dataclass(frozen=True)
class DebugImage:
    """An image with DWARF whose bytes on the chip are those of the measured one.

    `sources` holds the text of each file that the compiler read, by the name that DWARF has for it.
    """

    elf: bytes = field(repr=False)
    sources: Mapping[str, str] = field(repr=False)


def debug_image(
    request: Build, measured: BuildResult, cache: Cache | None = None, readings: Readings | None = None
) -> DebugImage:
    """Build a measured image again with debug information, or take that from the cache.

    Both have the same bytes on the chip, or NoDebugInformation is raised: an option for debugging should
    change no code, but that is up to the compiler.
    """
    readings = readings or Readings()
    if measured.prebuilt:
        raise NoDebugInformation(
            f"{request.toolchain.title} for {request.toolchain.family} is not installed, and the prebuilt"
            f" image has no debug information; run: {request.toolchain.install}"
        )
    try:
        built = build(request, cache, readings, debug=True)
    except BuildFailed as failed:
        raise NoDebugInformation(f"with debug information the build fails: {failed}") from failed
    if allocated(built.elf) != allocated(measured.elf):
        raise NoDebugInformation(
            f"{request.toolchain.title} makes other code with debug information than without"
        )
    return DebugImage(built.elf, _sources(request, readings))


def _sources(request: Build, readings: Readings) -> dict[str, str]:
    root = data_root()
    found: dict[str, bytes] = {}
    for one in measured_sources(request, root):
        found |= readings.closure(one.tree, one.path).contents
    for source in request.toolchain.facts.support:
        found[f"firmware/{source}"] = (root / "firmware" / source).read_bytes()
    return {name: content.decode("utf-8", "replace") for name, content in found.items()}
