"""Every variant, as clang compiles it, does what it does on Unicorn; `make benchmark` takes all images."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unicorn", reason="Unicorn, the simulator to compare with, is not installed")

from arm.images import CHIPS as ARM_CHIPS
from riscv.images import CHIPS as RISCV_CHIPS
from sparc.images import CHIPS as SPARC_CHIPS
from targets.beside_unicorn import compare
from targets.image_jobs import MESSAGE_BYTES, Image, images, job

from steelyard.catalog.load import load_catalog
from steelyard.machine.emulator import Emulator
from steelyard.toolchain.compilers import discover

CHIPS = {"arm": ARM_CHIPS, "riscv": RISCV_CHIPS, "sparc": SPARC_CHIPS}
CLANG = [one for one in discover() if one.id == "clang" and one.available]


def _by_variant(family: str) -> dict[str, Image]:
    """A primitive of each variant, on the chips in turn."""
    chips = CHIPS[family]
    toolchains = [one for one in CLANG if one.family == family]
    found: dict[str, list[Image]] = {}
    for image in chain.from_iterable(images(load_catalog(), toolchains, chips)):
        if image.mode is None:
            found.setdefault(image.variant.id, []).append(image)
    return {
        variant: next(one for one in found[variant] if one.target.id == chips[number % len(chips)])
        for number, variant in enumerate(sorted(found))
    }


IMAGES = {family: _by_variant(family) for family in CHIPS}


def _job(image: Image, folder: Path) -> tuple[bytes, dict[str, Any]]:
    elf = image.elf()
    assert elf is not None, f"{image.name} does not fit"
    return elf, job(image, elf, folder / "image.elf", MESSAGE_BYTES)


@pytest.mark.parametrize(
    ("family", "variant"), [(family, variant) for family, found in IMAGES.items() for variant in found]
)
def test_a_compiled_variant_agrees_with_unicorn(family: str, variant: str, tmp_path: Path) -> None:
    image = IMAGES[family][variant]
    elf, calls = _job(image, tmp_path)
    instructions = compare(calls, image.target, elf)
    assert instructions > 100 or not calls["calls"]


def _arm(word: int) -> int:
    """`orr` for `eor` of three registers."""
    return word ^ 0x01A00000 if word & 0xFFF00010 == 0xE0200000 else word


def _compressed(half: int) -> int:
    """`c.or` for `c.xor`."""
    return half ^ 0x60 if half & 0xFC63 == 0x8C21 else half


def _sparc(word: int) -> int:
    """`or` for `xor`."""
    return word ^ 1 << 19 if word >> 30 == 2 and word >> 19 & 0x3F == 3 else word


@pytest.mark.parametrize(
    ("family", "unit", "wrong"), [("arm", "<I", _arm), ("riscv", "<H", _compressed), ("sparc", ">I", _sparc)]
)
def test_a_wrong_instruction_of_an_image_is_caught(
    family: str, unit: str, wrong: Callable[[int], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not IMAGES[family]:
        pytest.skip(f"no clang for {family}")
    image = IMAGES[family]["xtea/compact"]
    elf, calls = _job(image, tmp_path)
    size = struct.calcsize(unit)
    changed = [wrong(one) for (one,) in struct.iter_unpack(unit, elf[: len(elf) - len(elf) % size])]
    spoilt = b"".join(struct.pack(unit, one) for one in changed) + elf[len(elf) - len(elf) % size :]
    assert spoilt != elf
    load = Emulator.load
    monkeypatch.setattr(Emulator, "load", lambda emulator, _, start: load(emulator, spoilt, start))
    with pytest.raises(AssertionError, match="on Unicorn"):
        compare(calls, image.target, elf)
