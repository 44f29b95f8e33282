"""Compiled images and their calls for chips beside one of gdb's simulators, as jobs for `steelyard-diff`.

`python tests/targets/simulator_jobs.py FOLDER CHIP...` writes `gdb-images.json`, one job for each variant,
primitive and mode that fits, and `gdb-bench.json`, the jobs of the speed benchmark, with their images beside
them; with `--sample` every variant and mode once.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from image_jobs import BENCH, BENCH_MESSAGE_BYTES, MESSAGE_BYTES, images, job, sample

from steelyard.catalog.load import load_catalog
from steelyard.toolchain.build import BuildFailed
from steelyard.toolchain.compilers import discover


def write_jobs(folder: Path, chips: tuple[str, ...], *, sampled: bool) -> tuple[Path, Path]:
    """Builds everything, or the sample, with the compilers at hand; returns the two job files."""
    folder.mkdir(parents=True, exist_ok=True)
    catalog = load_catalog()
    families = {catalog.target(chip).file.family for chip in chips}
    toolchains = [one for one in discover() if one.available and one.family in families]
    groups = images(catalog, toolchains, chips)
    jobs: list[dict[str, Any]] = []
    bench: list[dict[str, Any]] = []
    for group in sample(groups) if sampled else groups:
        for image in group:
            try:
                elf = image.elf()
            except BuildFailed as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            if elf is None:
                continue
            path = folder / f"{len(jobs)}.elf"
            jobs.append(job(image, elf, path, MESSAGE_BYTES))
            if (image.primitive.id, image.mode.id if image.mode else None) in BENCH:
                timed = job(image, elf, path, BENCH_MESSAGE_BYTES)
                timed["calls"] = [call for call in timed["calls"] if "decrypt" not in call["function"]]
                bench.append(timed)
            if sampled:
                break
    files = folder / "gdb-images.json", folder / "gdb-bench.json"
    for file, content in zip(files, (jobs, bench), strict=True):
        file.write_text(json.dumps(content, indent=1))
    return files


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    for written in write_jobs(Path(words[0]), tuple(words[1:]), sampled="--sample" in sys.argv[1:]):
        print(written)
