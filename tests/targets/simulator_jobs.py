"""Compiled images and their calls for chips beside one of gdb's simulators, as jobs for `steelyard-diff`.

`python tests/targets/simulator_jobs.py FOLDER CHIP...` writes `gdb-images.json`, one job for each variant,
primitive and mode that fits, and `gdb-bench.json`, the jobs of the speed benchmark, with their images beside
them; with `--sample` every variant and mode once. Where a chip's compiler is missing its prebuilt images
serve.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from image_jobs import BENCH, BENCH_MESSAGE_BYTES, MESSAGE_BYTES, Image, images, job, sample

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Target
from steelyard.toolchain.build import BuildFailed
from steelyard.toolchain.compilers import Toolchain, discover
from steelyard.toolchain.prebuilt import prebuilt_images
from steelyard.toolchain.sizes import does_not_fit, image_sizes

SMALL_BUFFERS_BYTES = 512
"""What a job's buffers take besides the message and the output."""


def built(
    catalog: Catalog, toolchains: list[Toolchain], chips: tuple[str, ...], *, sampled: bool
) -> Iterator[tuple[Image, bytes]]:
    """Images for chips of one family by the compilers at hand."""
    groups = images(catalog, toolchains, chips)
    for group in sample(groups) if sampled else groups:
        for image in group:
            try:
                elf = image.elf()
            except BuildFailed as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            if elf is not None:
                yield image, elf
                if sampled:
                    break


def prebuilt(catalog: Catalog, toolchain: Toolchain, chip: str) -> Iterator[tuple[Image, bytes]]:
    """The images for a chip that are in the repository and fit it, each once."""
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
                yield Image(algorithm, variant, primitive, mode, target, toolchain), elf


def bench_message_bytes(target: Target) -> int:
    """The benchmark's message, or what the chip has room for."""
    lab = next(memory for memory in target.file.memory if memory.name == "lab")
    return min(BENCH_MESSAGE_BYTES, (lab.size - SMALL_BUFFERS_BYTES) // 2 // 64 * 64)


def write_jobs(folder: Path, chips: tuple[str, ...], *, sampled: bool) -> tuple[Path, Path]:
    """Writes the two job files, of everything or of the sample, and returns their places."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog = load_catalog()
    jobs: list[dict[str, Any]] = []
    bench: list[dict[str, Any]] = []
    for family in dict.fromkeys(catalog.target(chip).file.family for chip in chips):
        of_family = tuple(chip for chip in chips if catalog.target(chip).file.family == family)
        known = [one for one in discover() if one.family == family]
        available = [one for one in known if one.available]
        if available:
            found = built(catalog, available, of_family, sampled=sampled)
        else:
            found = (pair for chip in of_family for one in known for pair in prebuilt(catalog, one, chip))
        for image, elf in found:
            path = folder / f"{len(jobs)}.elf"
            jobs.append(job(image, elf, path, MESSAGE_BYTES))
            if (image.primitive.id, image.mode.id if image.mode else None) in BENCH:
                timed = job(image, elf, path, bench_message_bytes(image.target))
                timed["calls"] = [call for call in timed["calls"] if "decrypt" not in call["function"]]
                bench.append(timed)
    files = folder / "gdb-images.json", folder / "gdb-bench.json"
    for file, content in zip(files, (jobs, bench), strict=True):
        file.write_text(json.dumps(content, indent=1))
    return files


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    for written in write_jobs(Path(words[0]), tuple(words[1:]), sampled="--sample" in sys.argv[1:]):
        print(written)
