"""Compiled images and the calls in them, as jobs for `steelyard-diff`.

`python tests/targets/image_jobs.py FOLDER` writes `images.json`, one job for each compiled variant on the
chips that simavr knows, and `bench.json`, the jobs of the speed benchmark, with their images beside them;
with `--sample` every variant and mode once. Of signatures the public key's derivation is compared.
"""

from __future__ import annotations

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

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Algorithm, Mode, Primitive, Target, Variant
from steelyard.toolchain.build import Build, build
from steelyard.toolchain.compilers import Toolchain, discover

CHIPS = ("atmega128", "atmega328p", "attiny45")
MODES_WITH = "aes-128"
"""Every mode is compared with this block cipher, every cipher without a mode."""

MESSAGE_BYTES = 96
BENCH_MESSAGE_BYTES = 2048
BENCH = (("aes-128", "cbc"), ("rc4-128", None), ("md5", None), ("sha-1", None))
BENCH_CHIP = "atmega128"
CALL_BYTES = 8
DATA_SPACE = 0x800000
FLAGS = ("-Os",)
LEAST_STACK_BYTES = 128
"""An image with less room for its stack would write over its own data, and may never return."""


@dataclass(frozen=True)
class Image:
    """What is built for a job; the footprint is always `both`."""

    algorithm: Algorithm
    variant: Variant
    primitive: Primitive
    mode: Mode | None
    target: Target
    toolchain: Toolchain
    parts: tuple[Variant, ...] = ()

    @property
    def name(self) -> str:
        """As shown beside the result."""
        mode = f" {self.mode.id}" if self.mode else ""
        return f"{self.variant.id} {self.primitive.id}{mode} {self.target.id} {self.toolchain.id}"

    def elf(self) -> bytes | None:
        """The linked image, or None where it does not fit the chip, or leaves no room for a planted call."""
        result = build(
            Build(
                kind=self.algorithm.file.kind,
                variant=self.variant,
                primitive=self.primitive,
                mode=self.mode,
                target=self.target,
                toolchain=self.toolchain,
                flags=FLAGS,
                footprint="both",
                parts=self.parts,
            )
        )
        if self.target.file.family != "avr":
            return None if result.does_not_fit else result.elf
        too_large = _program_bytes(result.elf) + CALL_BYTES > self.target.size_bytes("flash")
        ram = next(memory for memory in self.target.file.memory if memory.name == "sram")
        free = ram.base + self.target.size_bytes("ram") - _symbols(result.elf, self.target)["_end"]
        return None if result.does_not_fit or too_large or free < LEAST_STACK_BYTES else result.elf


def measured(algorithm: Algorithm, variant: Variant) -> list[Primitive]:
    """The primitives a variant does; of those that a construction makes, one of each parameters."""
    done = [one for one in algorithm.file.primitive if one.counted and variant.does(one.id)]
    if algorithm.file.over is None:
        return done
    return [one for one in done if one.over[0] in ("aes-128", "sha-256")]


def images(
    catalog: Catalog, toolchains: list[Toolchain], chips: tuple[str, ...] = CHIPS
) -> Iterator[list[Image]]:
    """For every variant, primitive and mode (the modes with one cipher): each chip and compiler."""
    family = catalog.target(chips[0]).file.family
    for algorithm in catalog.algorithms:
        for variant in algorithm.variants:
            if family not in (variant.file.families or (family,)):
                continue
            for primitive in measured(algorithm, variant):
                parts = tuple(catalog.default_variant(part.algorithm_id) for part in primitive.parts)
                for mode in (None, *(catalog.modes if primitive.id == MODES_WITH else ())):
                    group = [
                        Image(algorithm, variant, primitive, mode, target, toolchain, parts)
                        for target in map(catalog.target, chips)
                        if variant.file.families is None or target.file.family in variant.file.families
                        for toolchain in toolchains
                    ]
                    if group:
                        yield group


def sample(groups: Iterable[list[Image]]) -> Iterator[list[Image]]:
    """Every variant once, with its first primitive, and every mode once; signatures take too long.

    Chip and compiler go round, and the next ones stand in where an image does not fit.
    """
    seen: set[str] = set()
    for group in groups:
        name = group[0].variant.id if group[0].mode is None else group[0].mode.id
        if name not in seen and group[0].algorithm.file.kind != "signature":
            first = len(seen) % len(group)
            seen.add(name)
            yield group[first:] + group[:first]


def job(image: Image, elf: bytes, path: Path, message_bytes: int) -> dict[str, Any]:
    """The calls of all operations of an image, on buffers in lab memory."""
    primitive = image.primitive
    sizes = {
        "key": primitive.key_bytes,
        "iv": max(primitive.iv_bytes, primitive.block_bytes),
        "input": message_bytes,
        "output": max(message_bytes, primitive.digest_bytes, primitive.public_key_bytes),
        "tag": primitive.tag_bytes,
    }
    lab = next(memory for memory in image.target.file.memory if memory.name == "lab")
    addresses, memory, end = {}, [], lab.base
    for name, size in sizes.items():
        addresses[name] = end
        memory.append({"address": end, "hex": _bytes(f"{image.name} {name}", size).hex()})
        end += size
    symbols = _symbols(elf, image.target)
    pointer_bytes = max(2, image.target.file.word_bits // 8)
    pointers = {name: [address, pointer_bytes] for name, address in addresses.items()}
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


def write_jobs(folder: Path, *, sampled: bool = False) -> tuple[Path, Path]:
    """Builds everything, or the sample, with the compilers at hand; returns the two job files."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog = load_catalog()
    toolchains = [toolchain for toolchain in discover() if toolchain.available and toolchain.family == "avr"]
    groups = images(catalog, toolchains)
    jobs: list[dict[str, Any]] = []
    bench: list[dict[str, Any]] = []
    for group in sample(groups) if sampled else groups:
        for image in group:
            elf = image.elf()
            if elf is None:
                continue
            path = folder / f"{len(jobs)}.elf"
            jobs.append(job(image, elf, path, MESSAGE_BYTES))
            wanted = (image.primitive.id, image.mode.id if image.mode else None) in BENCH
            if wanted and image.target.id == BENCH_CHIP and image.toolchain == toolchains[0]:
                timed = job(image, elf, path, BENCH_MESSAGE_BYTES)
                # The last call is the one that is timed: encryption or the digest.
                timed["calls"] = [call for call in timed["calls"] if "decrypt" not in call["function"]]
                bench.append(timed)
            if sampled:
                break
    files = folder / "images.json", folder / "bench.json"
    for file, content in zip(files, (jobs, bench), strict=True):
        file.write_text(json.dumps(content, indent=1))
    return files


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


def _program_bytes(elf: bytes) -> int:
    """Bytes of flash the whole image takes, harness included."""
    segments = (segment.header for segment in ELFFile(io.BytesIO(elf)).iter_segments("PT_LOAD"))
    return max(int(one.p_paddr + one.p_filesz) for one in segments if one.p_paddr < DATA_SPACE)


def _bytes(seed: str, size: int) -> bytes:
    """Reproducible bytes that look random."""
    return hashlib.shake_128(seed.encode()).digest(size)


if __name__ == "__main__":
    for written in write_jobs(Path(sys.argv[1]), sampled="--sample" in sys.argv[2:]):
        print(written)
