"""Every variant, as clang compiles it, does what it does on Unicorn; `make benchmark` takes all images."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unicorn", reason="Unicorn, the simulator to compare with, is not installed")

from arm.images import CHIPS, compare
from targets.image_jobs import MESSAGE_BYTES, Image, images, job

from steelyard.catalog.load import load_catalog
from steelyard.machine.emulator import Emulator
from steelyard.toolchain.compilers import discover

CLANG = [one for one in discover() if one.family == "arm" and one.id == "clang" and one.available]
ALL = [image for image in images(load_catalog(), CLANG, CHIPS) if image.mode is None]
# A primitive of each variant, on the two chips in turn.
VARIANTS = sorted({image.variant.id for image in ALL})
BY_VARIANT = {
    variant: next(one for one in ALL if one.variant.id == variant and one.target.id == CHIPS[number % 2])
    for number, variant in enumerate(VARIANTS)
}


def _job(image: Image, folder: Path) -> tuple[bytes, dict[str, Any]]:
    elf = image.elf()
    assert elf is not None, f"{image.name} does not fit"
    return elf, job(image, elf, folder / "image.elf", MESSAGE_BYTES)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_compiled_variant_agrees_with_unicorn(variant: str, tmp_path: Path) -> None:
    image = BY_VARIANT[variant]
    elf, calls = _job(image, tmp_path)
    instructions = compare(calls, image.target, elf)
    assert instructions > 100 or not calls["calls"]


def test_a_wrong_instruction_of_an_image_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = next(one for one in ALL if one.primitive.id == "xtea" and one.target.id == "sa1100")
    elf, calls = _job(image, tmp_path)
    # The first `eor` of three registers becomes `orr` for the emulator alone.
    words = struct.iter_unpack("<I", elf[: len(elf) & ~3])
    at = next(4 * number for number, (word,) in enumerate(words) if word & 0xFFF00010 == 0xE0200000)
    wrong = elf[: at + 2] + bytes([elf[at + 2] & 0x0F | 0x80]) + b"\xe1" + elf[at + 4 :]
    load = Emulator.load
    monkeypatch.setattr(Emulator, "load", lambda emulator, _, start: load(emulator, wrong, start))
    with pytest.raises(AssertionError, match="on Unicorn"):
        compare(calls, image.target, elf)
