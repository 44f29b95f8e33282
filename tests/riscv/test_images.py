"""Every variant, as clang compiles it, does what it does on Unicorn; `make benchmark` takes all images."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unicorn", reason="Unicorn, the simulator to compare with, is not installed")

from riscv.images import CHIPS, compare
from targets.image_jobs import MESSAGE_BYTES, Image, images, job

from steelyard.catalog.load import load_catalog
from steelyard.machine.emulator import Emulator
from steelyard.toolchain.compilers import discover

CLANG = [one for one in discover() if one.family == "riscv" and one.id == "clang" and one.available]
ALL = [image for image in chain.from_iterable(images(load_catalog(), CLANG, CHIPS)) if image.mode is None]
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
    image = next(one for one in ALL if one.primitive.id == "xtea" and one.target.id == "gd32vf103")
    elf, calls = _job(image, tmp_path)
    # Every `c.xor` becomes `c.or` for the emulator alone.
    halves = [int.from_bytes(elf[at : at + 2], "little") for at in range(0, len(elf) - 1, 2)]
    assert any(one & 0xFC63 == 0x8C21 for one in halves)
    wrong = b"".join((one ^ 0x60 if one & 0xFC63 == 0x8C21 else one).to_bytes(2, "little") for one in halves)
    load = Emulator.load
    monkeypatch.setattr(Emulator, "load", lambda emulator, _, start: load(emulator, wrong, start))
    with pytest.raises(AssertionError, match="on Unicorn"):
        compare(calls, image.target, elf)
