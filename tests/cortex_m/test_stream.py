"""Random Thumb programs leave the same registers, flags and memory as on Unicorn's Cortex-M."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("unicorn", reason="Unicorn, the simulator to compare with, is not installed")

from cortex_m.pair import MODELS, Subject, compare
from cortex_m.stream import halves

SEED = 20_041_019
INSTRUCTIONS = 20_000
FAULT_INSTRUCTIONS = 6_000


@pytest.mark.parametrize("architecture", MODELS)
def test_random_programs_agree_with_unicorn(architecture: str) -> None:
    stream = compare(architecture, SEED, INSTRUCTIONS)
    for name in stream.kinds():
        assert stream.made[name] > 0, f"{name} never ran"


class _Faulty(Subject):
    """The emulator with a halfword of an instruction replaced wherever it seems to stand."""

    def __init__(self, architecture: str, mask: int, half: int, instead: int) -> None:
        super().__init__(architecture)
        self._fault = mask, half, instead

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        mask, half, instead = self._fault
        words = struct.unpack(f"<{len(code) // 2}H", code)
        return super().run(
            halves(*(one ^ instead if one & mask == half else one for one in words)), state, frame
        )


@pytest.mark.parametrize(
    ("architecture", "mask", "half", "instead"),
    [
        ("armv6-m", 0xFFC0, 0x4140, 0x00C0),  # adcs is sbcs
        ("armv6-m", 0xFFC0, 0xB2C0, 0x0040),  # uxtb is uxth
        ("armv7-m", 0xFFF0, 0xFBA0, 0x0020),  # umull is smull
        ("armv7e-m", 0xFFF0, 0xFA90, 0x0010),  # a parallel sum of halves is exchanged
        ("armv8-m-mainline", 0xFFF0, 0xEAC0, 0x0020),  # pkh becomes a data processing instruction
    ],
)
def test_a_wrong_instruction_is_caught(architecture: str, mask: int, half: int, instead: int) -> None:
    with pytest.raises(AssertionError, match=r"seed|no instruction"):
        compare(architecture, SEED, FAULT_INSTRUCTIONS, subject=_Faulty(architecture, mask, half, instead))


def test_a_fault_of_the_emulator_is_caught() -> None:
    with pytest.raises(AssertionError, match="is no instruction of the cortex-m0 core"):
        Subject("armv6-m").run(halves(0xFBA0, 0x0001), bytes(64), b"")
