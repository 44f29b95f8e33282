"""Compiled images and the calls in them, as jobs for the differential tester.

`python differential/jobs.py FOLDER` writes `jobs.json`, one job for each variant, primitive, mode, chip and
compiler that fits, with the images beside it. Of signatures the public key's derivation is compared. Where no
compiler of a chip is at hand its prebuilt images serve.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Algorithm, Mode, Primitive, Target, Variant
from steelyard.measure.choice import decrypts
from steelyard.toolchain.build import Build, BuildResult, build
from steelyard.toolchain.compilers import Toolchain, discover
from steelyard.toolchain.prebuilt import prebuilt_images
from steelyard.toolchain.run import BuildFailed
from steelyard.toolchain.sizes import does_not_fit, image_sizes
from steelyard.toolchain.sources import Readings

STEPPED = (
    ("atmega128", "atmega328p", "attiny45", "atmega2560"),
    ("rl78-g13",),
    ("m30102",),
    ("msp430f1611", "msp430f5529"),
    ("erc32",),
)
"""Chips whose reference shows its state as it runs; those of a group are of one family."""
WHOLE = (
    ("sa1100", "pxa250-400"),
    ("stm32f051", "stm32f100", "stm32f407", "stm32l552"),
    ("gd32vf103", "esp32-c3"),
    ("leon3",),
)
"""Chips whose reference, Unicorn, runs a call as a whole."""
BESIDE_RTL = (("ibex-small", "ibex-maxperf"), ("openmsp430",))
"""Chips whose reference is their core's RTL, which not every machine has: only where they are named."""

MODES_WITH = "aes-128"
"""Every mode is compared with this block cipher, every cipher without a mode."""
TIMED = (("aes-128", "cbc"), ("rc4-128", None), ("md5", None), ("sha-1", None))
"""What speed is measured on: the default variant by a chip's first compiler."""

MESSAGE_BYTES = 96
TIMED_MESSAGE_BYTES = 2048
SMALL_BUFFERS_BYTES = 512
"""What a job's buffers take besides the message and the output."""
CALL_BYTES = 8
DATA_SPACE = 0x800000
FLAGS = ("-Os",)
FAILING_COMPILERS = ("m16c", "msp430", "rl78")
"""Families whose compilers fail on some sources."""
LEAST_STACK_BYTES = 128
"""An image with less room for its stack would write over its own data, and may never return."""

_CACHE = Cache()
_READINGS = Readings()


@dataclass(frozen=True)
class Image:
    """What is built for a job; the footprint is `both`, of a variant that only encrypts `encrypt`."""

    algorithm: Algorithm
    variant: Variant
    primitive: Primitive
    mode: Mode | None
    target: Target
    toolchain: Toolchain
    prebuilt: bytes | None = None

    @property
    def name(self) -> str:
        """As shown beside the result."""
        mode = f" {self.mode.id}" if self.mode else ""
        return f"{self.variant.id} {self.primitive.id}{mode} {self.target.id} {self.toolchain.id}"

    def elf(self, catalog: Catalog) -> bytes | None:
        """The linked image, or None where it does not fit or leaves no room for a planted call."""
        if self.prebuilt is not None:
            return self.prebuilt
        result = self.built(catalog)
        if result is None:
            return None
        too_full = self.target.file.family == "avr" and _is_too_full(result.elf, self.target)
        return None if result.does_not_fit or too_full else result.elf

    def built(self, catalog: Catalog) -> BuildResult | None:
        """What the compiler makes of it, None if it fails as it may."""
        request = Build(
            kind=self.algorithm.file.kind,
            variant=self.variant,
            primitive=self.primitive,
            mode=self.mode,
            target=self.target,
            toolchain=self.toolchain,
            flags=FLAGS,
            footprint="both" if decrypts(self.variant, self.mode) else "encrypt",
            parts=tuple(
                catalog.default_variant(part.algorithm_id, self.target.cpu_class)
                for part in self.primitive.parts
            ),
        )
        try:
            return build(request, _CACHE, _READINGS)
        except BuildFailed as error:
            if self.target.file.family not in FAILING_COMPILERS:
                raise
            print(f"left out: {error}", file=sys.stderr)
            return None


def images(catalog: Catalog, chips: tuple[str, ...], toolchains: list[Toolchain]) -> Iterator[list[Image]]:
    """For every variant, primitive and mode (the modes with one cipher): each of the chips and compilers."""
    family = catalog.target(chips[0]).file.family
    available = [one for one in toolchains if one.available]
    if not available:
        yield from _prebuilt(catalog, chips, toolchains)
        return
    for algorithm in catalog.algorithms:
        for variant in algorithm.variants:
            if family not in (variant.file.families or (family,)):
                continue
            for primitive in _measured(algorithm, variant):
                for mode in (None, *(catalog.modes if primitive.id == MODES_WITH else ())):
                    yield [
                        Image(algorithm, variant, primitive, mode, catalog.target(chip), toolchain)
                        for chip in chips
                        for toolchain in available
                    ]


def sample(groups: Iterable[list[Image]]) -> Iterator[list[Image]]:
    """Every variant once, with its first primitive, and every mode once.

    Chip and compiler go round, and the next ones stand in where an image does not fit.
    """
    seen: set[str] = set()
    for group in groups:
        name = group[0].variant.id if group[0].mode is None else group[0].mode.id
        if name not in seen:
            first = len(seen) % len(group)
            seen.add(name)
            yield group[first:] + group[:first]


def job(image: Image, elf: bytes, path: Path, message_bytes: int) -> dict[str, Any]:
    """The calls of all operations of an image, on buffers in lab memory."""
    primitive = image.primitive
    lab = next(memory for memory in image.target.file.memory if memory.name == "lab")
    message_bytes = min(message_bytes, (lab.size - SMALL_BUFFERS_BYTES) // 2 // 64 * 64)
    sizes = {
        "key": primitive.key_bytes,
        "iv": max(primitive.iv_bytes, primitive.block_bytes),
        "input": message_bytes,
        "output": max(message_bytes, primitive.digest_bytes, primitive.public_key_bytes),
        "tag": primitive.tag_bytes,
    }
    addresses, memory, end = {}, [], lab.base
    for name, size in sizes.items():
        addresses[name] = end
        # Reproducible bytes that look random.
        content = hashlib.shake_128(f"{image.name} {name}".encode()).digest(size)
        memory.append({"address": end, "hex": content.hex()})
        end += size
    symbols = _symbols(elf, image.target)
    pointer_bytes = max(2, image.target.file.word_bits // 8)
    pointers = {name: [address, pointer_bytes] for name, address in addresses.items()}
    if "harness_context" in symbols:  # The linker leaves it out where no function uses it.
        pointers["context"] = [symbols["harness_context"], pointer_bytes]
    pointers["key_bytes"] = [primitive.key_bytes, pointer_bytes]
    pointers["length"] = [message_bytes, pointer_bytes]
    calls = [
        {"function": function, "arguments": [pointers[name] for name in arguments.split()]}
        for function, arguments in _calls(image)
        if function in symbols
    ]
    path.write_bytes(elf)
    return {"name": image.name, "target": image.target.id, "elf": str(path), "memory": memory, "calls": calls}


def write_jobs(folder: Path, wanted: list[str], *, sampled: bool = False, timed: bool = False) -> Path:
    """Builds images for the chips of these names or families, or all; returns the file of the jobs."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog, toolchains = load_catalog(), discover()
    jobs: list[dict[str, Any]] = []
    for chips in (*STEPPED, *WHOLE, *BESIDE_RTL):
        family = catalog.target(chips[0]).file.family
        every = chips not in BESIDE_RTL and (not wanted or family in wanted)
        chosen = tuple(chip for chip in chips if every or chip in wanted)
        if not chosen:
            continue
        groups = images(catalog, chosen, [one for one in toolchains if one.family == family])
        if sampled:
            # A signature takes a hundred million cycles.
            groups = sample(
                group
                for group in groups
                if chips not in STEPPED or group[0].algorithm.file.kind != "signature"
            )
        for group in groups:
            for image in group:
                if timed and not _is_timed(catalog, image, group):
                    continue
                elf = image.elf(catalog)
                if elf is None:
                    continue
                path = folder / f"{len(jobs)}.elf"
                made = job(image, elf, path, TIMED_MESSAGE_BYTES if timed else MESSAGE_BYTES)
                if timed:
                    # The last call is the one that is timed: encryption or the digest.
                    made["calls"] = [call for call in made["calls"] if "decrypt" not in call["function"]]
                jobs.append(made)
                if sampled:
                    break
    file = folder / "jobs.json"
    file.write_text(json.dumps(jobs, indent=1))
    return file


def _measured(algorithm: Algorithm, variant: Variant) -> list[Primitive]:
    """The primitives a variant does; of those that a construction makes, one of each parameters."""
    done = [one for one in algorithm.file.primitive if one.counted and variant.does(one.id)]
    if algorithm.file.over is None:
        return done
    return [one for one in done if one.over[0] in ("aes-128", "sha-256")]


def _prebuilt(catalog: Catalog, chips: tuple[str, ...], toolchains: list[Toolchain]) -> Iterator[list[Image]]:
    """The images in the repository that fit their chip, each once."""
    for chip, toolchain in ((chip, toolchain) for chip in chips for toolchain in toolchains):
        found = prebuilt_images(chip, toolchain.id)
        taken: set[str] = set()
        for name, entry in sorted(found.manifest.images.items()) if found else ():
            primitive_id, variant_id, mode_id, *_ = name.split()
            algorithm = next(one for one in catalog.algorithms if one.id == variant_id.split("/")[0])
            primitive = next(one for one in algorithm.file.primitive if one.id == primitive_id)
            mode = next((one for one in catalog.modes if one.id == mode_id), None)
            variant = next(one for one in algorithm.variants if one.id == variant_id)
            if found is not None and entry.sha256 not in taken:
                taken.add(entry.sha256)
                elf, target = found.elf(entry), catalog.target(chip)
                if does_not_fit(image_sizes(elf), target) is None:
                    yield [Image(algorithm, variant, primitive, mode, target, toolchain, elf)]


def _is_timed(catalog: Catalog, image: Image, group: list[Image]) -> bool:
    is_default = (image.variant.id, image.target.id) in catalog.defaults
    what = (image.primitive.id, image.mode.id if image.mode else None)
    return what in TIMED and is_default and image.toolchain == group[0].toolchain


def _calls(image: Image) -> list[tuple[str, str]]:
    match image.algorithm.file.kind:
        case "hash":
            return [("hash_digest", "context output input length")]
        case "stream":
            return [("stream_init", "context key iv"), ("stream_crypt", "context output input length")]
        case "mac":
            return [("mac_init", "context key"), ("mac_compute", "context output input length")]
        case "signature":
            return [("signature_init", "context output key")]
        case "aead":
            sealed = "context output tag iv key key_bytes input length"
            opened = "context input tag iv key key_bytes output length"
            return [("aead_init", "context key"), ("aead_seal", sealed), ("aead_open", opened)]
    if image.mode is None:
        encrypt = ("block_encrypt", "context output input")
        decrypt = ("block_decrypt", "context input output")
    else:
        encrypt = ("mode_encrypt", "context iv output input length")
        decrypt = ("mode_decrypt", "context iv input output length")
    setup = ("block_init", "context key"), ("block_init_decrypt", "context key")
    return [setup[0], encrypt, setup[1], decrypt]


def _symbols(elf: bytes, target: Target) -> dict[str, int]:
    """Addresses of the image's symbols, in their own space."""
    space = 0xFFFF if target.file.family == "avr" else 0xFFFF_FFFF
    sections = ELFFile(io.BytesIO(elf)).iter_sections()
    tables = (section for section in sections if isinstance(section, SymbolTableSection))
    return {
        symbol.name: symbol["st_value"] & space
        for table in tables
        for symbol in table.iter_symbols()
        if symbol["st_shndx"] != "SHN_UNDEF"
    }


def _is_too_full(elf: bytes, target: Target) -> bool:
    """Whether the flash of an AVR has no room for a planted call, or its RAM for a stack."""
    segments = (segment.header for segment in ELFFile(io.BytesIO(elf)).iter_segments("PT_LOAD"))
    program_bytes = max(int(one.p_paddr + one.p_filesz) for one in segments if one.p_paddr < DATA_SPACE)
    ram = next(memory for memory in target.file.memory if memory.name == "sram")
    free = ram.base + target.size_bytes("ram") - _symbols(elf, target)["_end"]
    return program_bytes + CALL_BYTES > target.size_bytes("flash") or free < LEAST_STACK_BYTES


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("only", nargs="*", help="chips or families, instead of all that have a reference")
    parser.add_argument("--sample", action="store_true", help="every variant and every mode once")
    parser.add_argument("--speed", action="store_true", help="what the benchmark of speed runs")
    given = parser.parse_args()
    print(write_jobs(given.folder, given.only, sampled=given.sample, timed=given.speed))
