"""Random programs leave the same registers and memory as on Unicorn."""

from __future__ import annotations

import pytest

pytest.importorskip("unicorn", reason="Unicorn, the simulator to compare with, is not installed")

from riscv.pair import Subject, compare
from riscv.stream import words

SEED = 20_190_702
INSTRUCTIONS = 60_000
FAULT_INSTRUCTIONS = 20_000


def test_random_programs_agree_with_unicorn() -> None:
    stream = compare(SEED, INSTRUCTIONS)
    for name in stream.kinds():
        assert stream.made[name] > 0, f"{name} never ran"


class _Faulty(Subject):
    """The emulator with one instruction replaced by another one wherever it stands."""

    def __init__(self, size: int, mask: int, bits: int, instead: int) -> None:
        super().__init__()
        self._fault = size, mask, bits, instead

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        size, mask, bits, instead = self._fault
        changed = bytearray(code)
        at = 0
        while at < len(code):
            length = 4 if code[at] & 3 == 3 else 2
            value = int.from_bytes(code[at : at + length], "little")
            if length == size and value & mask == bits:
                changed[at : at + length] = (value ^ instead).to_bytes(length, "little")
            at += length
        return super().run(bytes(changed), state, frame)


@pytest.mark.parametrize(
    ("size", "mask", "bits", "instead"),
    [
        (4, 0xFE00707F, 0x40005033, 1 << 30),  # sra is srl
        (4, 0xFE00707F, 0x02001033, 3 << 12),  # mulh is mulhsu
        (4, 0xFE00707F, 0x02006033, 1 << 12),  # rem is remu
        (4, 0x0000707F, 0x00005003, 1 << 14),  # lhu is lh
        (4, 0xF800707F, 0x8000202F, 1 << 30),  # amomin is amominu
        (4, 0x0000707F, 0x00003073, 1 << 12),  # csrrc is csrrs
        (2, 0xEC03, 0x8401, 1 << 10),  # c.srai is c.srli
    ],
)
def test_a_wrong_instruction_is_caught(size: int, mask: int, bits: int, instead: int) -> None:
    with pytest.raises(AssertionError, match="seed"):
        compare(SEED, FAULT_INSTRUCTIONS, subject=_Faulty(size, mask, bits, instead))


def test_a_fault_of_the_emulator_is_caught() -> None:
    with pytest.raises(AssertionError, match="calls an operating system"):
        Subject().run(words(0x73), bytes(128), b"")
