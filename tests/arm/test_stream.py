"""Random programs leave the same registers, flags and memory as on Unicorn's SA1100 and PXA250."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("unicorn", reason="Unicorn, the simulator to compare with, is not installed")

from arm.pair import Subject, compare
from arm.stream import arm

SEED = 20_030_919
INSTRUCTIONS = 60_000
FAULT_INSTRUCTIONS = 20_000


@pytest.mark.parametrize("architecture", ["armv4", "armv5te"])
def test_random_programs_agree_with_unicorn(architecture: str) -> None:
    stream = compare(architecture, SEED, INSTRUCTIONS)
    for name in stream.kinds():
        assert stream.made[name] > 0, f"{name} never ran"


class _Faulty(Subject):
    """The emulator with one instruction replaced by another one wherever it stands."""

    def __init__(self, architecture: str, mask: int, word: int, instead: int) -> None:
        super().__init__(architecture)
        self._fault = mask, word, instead

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        mask, word, instead = self._fault
        words = struct.unpack(f"<{len(code) // 4}I", code)
        return super().run(
            arm(*(one ^ instead if one & mask == word else one for one in words)), state, frame
        )


@pytest.mark.parametrize(
    ("architecture", "mask", "word", "instead"),
    [
        ("armv4", 0x0FE0_0010, 0x00A0_0000, 1 << 22),  # adc of a register is sbc
        ("armv4", 0x0FF0_00F0, 0x0010_0090, 1 << 20),  # muls sets no flags
        ("armv4", 0x0FF0_00F0, 0x00D0_00F0, 1 << 5),  # ldrsh loads half
        ("armv5te", 0x0FF0_00F0, 0x0140_0050, 1 << 22),  # qdadd is qadd
    ],
)
def test_a_wrong_instruction_is_caught(architecture: str, mask: int, word: int, instead: int) -> None:
    with pytest.raises(AssertionError, match="seed"):
        compare(architecture, SEED, FAULT_INSTRUCTIONS, subject=_Faulty(architecture, mask, word, instead))


def test_a_fault_of_the_emulator_is_caught() -> None:
    subject = Subject("armv4")
    with pytest.raises(AssertionError, match="is no instruction of the sample core"):
        subject.run(arm(0xE12FFF1E), bytes(64), b"")
