"""Random Thumb programs: each loads all registers and flags, runs a random stream and stores them again.

A program is a function of one argument, the address of its initial state (r0 to r12, lr, flags). It leaves
its final state below its stack frame, so that two simulators are compared by memory alone. The stream is made
of units; a unit is one instruction, or a few that make its operands usable before it: a base register that
points into the frame, a small offset, a target that lies ahead. Encodings: ARM DDI 0403, chapter A5.
"""

from __future__ import annotations

import random
import struct
from collections import Counter
from dataclasses import dataclass, field

FRAME_BYTES = 0x4000
"""Data below the saved registers; bases lie in its middle half."""

FREE = [*range(13), 14]
"""Registers that wide instructions may write: neither stack pointer nor program counter."""
SP, LR, PC = 13, 14, 15
FLAG_BITS = 0xF80F0000
LOW = range(8)

# push.w {r4-r11, lr}; push {r0}; sub.w sp, sp, #frame; ldr r1, [r0, #56]; msr apsr_nzcvqg, r1
# ldmia.w r0, {r0-r12, lr}
_ENTRY = "e92d4ff0 b401 f5ad4d80 6b81 f3818c00 e8905fff"
# push.w {r0-r12, lr}; mrs r0, apsr; push {r0}; add.w sp, sp, #60; add.w sp, sp, #frame; pop {r0}
# pop.w {r4-r11, pc}
_EXIT = "e92d5fff f3ef8000 b401 f10d0d3c f50d4d80 bc01 e8bd8ff0"
# The same in sixteen bits: the state is stored as flags, r8 to r12, r0 to r7, lr.
_ENTRY_NARROW = (
    "b5f0 4644464d4656465f b4f0 b401 2101 0389 466a 1a52 4695 6b81 f3818800 4602 3220 caf8"
    "4698 46a1 46aa 46b3 46bc 6813 469e 6b81 f3818800 c8ff"
)
_EXIT_NARROW = "b5ff f3ef8000 4641464a4653465c4665 b43f b00f 2101 0389 448d bc01 bcf0 46a046a946b246bb bdf0"


def halves(*words: int) -> bytes:
    """Little-endian bytes of halfwords."""
    return struct.pack(f"<{len(words)}H", *words)


def _of_hex(text: str) -> bytes:
    digits = text.replace(" ", "")
    return halves(*(int(digits[at : at + 4], 16) for at in range(0, len(digits), 4)))


@dataclass
class Program:
    """Code of a function and what it holds."""

    code: bytes
    units: int
    instructions: int


@dataclass
class Stream:
    """Makes programs for one architecture; `made` counts the units by their name."""

    architecture: str
    seed: int
    made: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._narrow_only = self.architecture == "armv6-m"
        kinds = [
            (self._shift_narrow, 10),
            (self._sum_narrow, 10),
            (self._immediate_narrow, 8),
            (self._register_narrow, 16),
            (self._high, 5),
            (self._extend_narrow, 4),
            (self._single_narrow, 14),
            (self._multiple_narrow, 4),
            (self._stack, 3),
            (self._branch_narrow, 4),
            (self._call, 2),
            (self._jump, 2),
            (self._status, 3),
            (self._literal_narrow, 2),
        ]
        if not self._narrow_only:
            kinds += [
                (self._modified, 16),
                (self._shifted, 16),
                (self._plain, 10),
                (self._field, 8),
                (self._saturate, 4),
                (self._shift_wide, 5),
                (self._extend_wide, 4),
                (self._bits_wide, 4),
                (self._multiply, 5),
                (self._long, 5),
                (self._divide, 3),
                (self._single_wide, 14),
                (self._unaligned, 4),
                (self._multiple_wide, 5),
                (self._pair, 4),
                (self._exclusive, 2),
                (self._branch_wide, 3),
                (self._compare_branch, 3),
                (self._table, 2),
                (self._block, 12),
                (self._literal_wide, 2),
            ]
        if self.architecture in ("armv7e-m", "armv8-m-mainline"):
            kinds += [
                (self._parallel, 12),
                (self._select, 4),
                (self._saturating, 4),
                (self._extend_add, 6),
                (self._pack, 4),
                (self._dsp, 12),
                (self._dsp_long, 8),
                (self._saturate_halves, 3),
            ]
        if self.architecture == "armv8-m-mainline":
            kinds += [(self._ordered, 4)]
        self._kinds = [kind for kind, _ in kinds]
        self._weights = [weight for _, weight in kinds]

    def kinds(self) -> list[str]:
        """Names of all units of this architecture."""
        return [kind.__name__[1:] for kind in self._kinds]

    def state(self) -> bytes:
        """Registers with values at the turning points, and flags."""
        mask = FLAG_BITS if self.architecture in ("armv7e-m", "armv8-m-mainline") else 0xF0000000
        values = [self._value() for _ in range(14)]
        return struct.pack("<16I", *values, self._random.getrandbits(32) & mask, 0)

    def frame(self) -> bytes:
        """Bytes for the frame."""
        return self._random.randbytes(FRAME_BYTES)

    def program(self, units: int) -> Program:
        """A function of so many units."""
        entry, leave = (_ENTRY_NARROW, _EXIT_NARROW) if self._narrow_only else (_ENTRY, _EXIT)
        body = bytearray(_of_hex(entry))
        first = len(body)
        for kind in self._random.choices(self._kinds, self._weights, k=units):
            self._aligned = len(body) % 4 == 0
            body += kind()
            self.made[kind.__name__[1:]] += 1
        return Program(bytes(body) + _of_hex(leave), units, (len(body) - first) // 3)

    # Operands

    def _value(self) -> int:
        kind = self._random.random()
        if kind < 0.4:
            return self._random.getrandbits(32)
        if kind < 0.6:
            return self._random.choice((0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x8000, 0x10000))
        value = self._random.getrandbits(32) >> self._random.randrange(32)
        return value if kind < 0.8 else ~value & 0xFFFFFFFF

    def _below(self, end: int) -> int:
        return self._random.randrange(end)

    def _low(self, *taken: int) -> int:
        return self._random.choice([register for register in LOW if register not in taken])

    def _free(self, *taken: int) -> int:
        return self._random.choice([register for register in FREE if register not in taken])

    def _base_narrow(self, register: int) -> bytes:
        """`add rN, sp, #n; movs` of a step into the middle of the frame: `mov r, #0x10; lsl 8; add r, sp`."""
        step = self._random.randrange(0x10, 0x2C)
        return halves(0x2000 | register << 8 | step, register << 3 | register | 8 << 6, 0x4468 | register)

    def _base(self, register: int, fine: int = 0) -> bytes:
        """`add.w register, sp, #0x1000`, and a finer step."""
        step = 64 * self._random.randrange(4, 60) + fine
        return halves(0xF50D, 0x5080 | register << 8) + self._wide_add(register, step)

    def _wide_add(self, register: int, amount: int) -> bytes:
        return halves(
            0xF200 | register | (amount >> 11 & 1) << 10,
            (amount >> 8 & 7) << 12 | register << 8 | amount & 0xFF,
        )

    def _constant(self, register: int, value: int) -> bytes:
        """`movw`."""
        return halves(
            0xF240 | (value >> 11 & 1) << 10 | value >> 12 & 15,
            (value >> 8 & 7) << 12 | register << 8 | value & 0xFF,
        )

    # Sixteen bits

    def _shift_narrow(self) -> bytes:
        return halves(self._below(3) << 11 | self._below(32) << 6 | self._low() << 3 | self._low())

    def _sum_narrow(self) -> bytes:
        return halves(0x1800 | self._below(0x800))

    def _immediate_narrow(self) -> bytes:
        return halves(0x2000 | self._below(0x2000))

    def _register_narrow(self) -> bytes:
        return halves(0x4000 | self._below(0x400))

    def _high(self) -> bytes:
        kind = self._below(3)
        rd, rm = self._free(), self._free()
        if kind == 1 and rd < 8 and rm < 8:
            rd = self._random.choice((8, 9, 10, 11, 12, 14))
        if kind != 1 and self._below(4) == 0:
            rm = SP if kind == 2 else PC if self._below(2) else rm
        return halves(0x4400 | kind << 8 | (rd >> 3) << 7 | rm << 3 | rd & 7)

    def _extend_narrow(self) -> bytes:
        registers = self._low() << 3 | self._low()
        return halves(
            self._random.choice((0xB200, 0xB240, 0xB280, 0xB2C0, 0xBA00, 0xBA40, 0xBAC0)) | registers
        )

    def _single_narrow(self) -> bytes:
        kind = self._below(4)
        base = self._low()
        setup = self._base_narrow(base)
        rt = self._low()
        if kind == 0:  # by a register
            operation = self._below(8)
            offset = self._low(base)
            width = (4, 2, 1, 1, 4, 2, 1, 2)[operation]
            setup += halves(0x2000 | offset << 8 | self._random.randrange(0, 256, width))
            return setup + halves(0x5000 | operation << 9 | offset << 6 | base << 3 | rt)
        if kind == 1:
            return setup + halves(0x6000 | self._below(4) << 11 | self._below(32) << 6 | base << 3 | rt)
        if kind == 2:
            return setup + halves(0x8000 | self._below(2) << 11 | self._below(32) << 6 | base << 3 | rt)
        if self._below(4) == 0:
            return halves(0xA800 | rt << 8 | self._below(256))
        return halves(0x9000 | self._below(2) << 11 | rt << 8 | self._below(256))

    def _multiple_narrow(self) -> bytes:
        base = self._low()
        load = self._below(2)
        registers = self._below(255) + 1
        if not load:
            registers &= ~((1 << base) - 1) if registers >> base & 1 else 0xFF
        return self._base_narrow(base) + halves(0xC000 | load << 11 | base << 8 | registers)

    def _stack(self) -> bytes:
        registers = self._below(255) + 1
        count = registers.bit_count()
        link = self._below(2)
        back = self._below(256)
        while back.bit_count() != count:
            back = self._below(256)
        code = halves(0xB400 | link << 8 | registers)
        # The link register's word is the highest one.
        drop = halves(0xB001) if link else b""
        return code + halves(0xBC00 | back) + drop

    def _branch_narrow(self) -> bytes:
        skipped = self._register_narrow() * self._below(4)
        ahead = len(skipped) // 2 - 1 & 0xFF
        if self._below(3):
            return halves(0xD000 | self._below(14) << 8 | ahead) + skipped
        return halves(0xE000 | len(skipped) // 2 - 1 & 0x7FF) + skipped

    def _call(self) -> bytes:
        skipped = self._register_narrow() * self._below(4)
        return halves(0xF000, 0xF800 | len(skipped) // 2) + skipped

    def _jump(self) -> bytes:
        """`mov r, pc; adds r, #n; bx or blx r` over what is skipped; with an odd address."""
        register = self._low()
        skipped = self._register_narrow() * self._below(4)
        # The register holds the address behind the addition, which is that of the jump.
        code = halves(0x4678 | register, 0x3000 | register << 8 | len(skipped) + 3)
        return code + halves(0x4700 | self._below(2) << 7 | register << 3) + skipped

    def _status(self) -> bytes:
        register = self._low()
        mask = 0x8C00 if self.architecture in ("armv7e-m", "armv8-m-mainline") else 0x8800
        return self._random.choice(
            (
                halves(0xF3EF, 0x8000 | register << 8),
                halves(0xF380 | register, mask),
                halves(0xBF00),
                halves(0xF3BF, 0x8F5F),
                halves(0xF3EF, 0x8010 | register << 8),
            )
        )

    def _literal_narrow(self) -> bytes:
        word = halves(self._below(0x10000), self._below(0x10000))
        # Behind a branch over the literal, which lies at a multiple of four.
        pad = b"" if self._aligned else halves(0xBF00)
        return pad + halves(0x4800 | self._low() << 8, 0xE001) + word

    # Thirty-two bits

    def _modified(self) -> bytes:
        operation = self._random.choice((0, 1, 2, 3, 4, 8, 10, 11, 13, 14))
        flags = self._below(2)
        rn, rd = self._free(), self._free()
        if operation in (2, 3) and self._below(4) == 0:
            rn = PC
        if operation in (0, 4, 8, 13) and flags and self._below(4) == 0:
            rd = PC
        first = 0xF000 | self._below(2) << 10 | operation << 5 | flags << 4 | rn
        second = self._below(8) << 12 | rd << 8
        byte = self._random.randrange(1, 256)
        return halves(first, second | byte)

    def _shifted(self) -> bytes:
        operation = self._random.choice((0, 1, 2, 3, 4, 8, 10, 11, 13, 14))
        flags = self._below(2)
        rn, rd = self._free(), self._free()
        if operation in (2, 3) and self._below(3) == 0:
            rn = PC
        if operation in (0, 4, 8, 13) and flags and self._below(4) == 0:
            rd = PC
        shift = self._below(8) << 12 | self._below(16) << 4
        return halves(0xEA00 | operation << 5 | flags << 4 | rn, shift | rd << 8 | self._free())

    def _plain(self) -> bytes:
        operation = self._random.choice((0b00000, 0b01010, 0b00100, 0b01100))
        rn = self._free() if operation in (0, 0b01010) else self._below(16)
        if operation in (0, 0b01010) and self._below(8) == 0:
            rn = self._random.choice((SP, PC))
        first = 0xF200 | self._below(2) << 10 | operation << 4 | rn
        return halves(first, self._below(8) << 12 | self._free() << 8 | self._below(256))

    def _field(self) -> bytes:
        operation = self._random.choice((0b10100, 0b10110, 0b11100))
        lowest = self._below(32)
        rn = self._free()
        if operation == 0b10110:
            last = self._random.randrange(lowest, 32)
            rn = PC if self._below(4) == 0 else rn
        else:
            last = self._below(32 - lowest)
        return halves(
            0xF200 | operation << 4 | rn, (lowest >> 2) << 12 | self._free() << 8 | (lowest & 3) << 6 | last
        )

    def _saturate(self) -> bytes:
        amount = self._below(32)
        right = self._below(2) if amount else 0
        unsigned = self._below(2)
        return halves(
            0xF300 | unsigned << 7 | right << 5 | self._free(),
            (amount >> 2) << 12 | self._free() << 8 | (amount & 3) << 6 | self._below(32),
        )

    def _shift_wide(self) -> bytes:
        amount = self._free()
        setup = b""
        if self._below(2):
            setup = self._constant(amount, self._random.choice((0, 1, 31, 32, 33, 63, 64, 255)))
        return setup + halves(
            0xFA00 | self._below(4) << 5 | self._below(2) << 4 | self._free(),
            0xF000 | self._free() << 8 | amount,
        )

    def _extend_wide(self) -> bytes:
        operation = self._random.choice((0, 1, 4, 5))
        return halves(
            0xFA0F | operation << 4, 0xF080 | self._free() << 8 | self._below(4) << 4 | self._free()
        )

    def _bits_wide(self) -> bytes:
        rm = self._free()
        if self._below(5) == 0:
            return halves(0xFAB0 | rm, 0xF080 | self._free() << 8 | rm)
        return halves(0xFA90 | rm, 0xF080 | self._free() << 8 | self._below(4) << 4 | rm)

    def _multiply(self) -> bytes:
        kind = self._below(3)
        ra = PC if kind == 0 else self._free()
        return halves(0xFB00 | self._free(), ra << 12 | self._free() << 8 | (kind == 2) << 4 | self._free())

    def _long(self) -> bytes:
        high = self._free()
        low = self._free(high)
        operation = self._random.choice((0, 2, 4, 6))
        return halves(0xFB80 | operation << 4 | self._free(), low << 12 | high << 8 | self._free())

    def _divide(self) -> bytes:
        return halves(0xFB90 | self._below(2) << 5 | self._free(), 0xF0F0 | self._free() << 8 | self._free())

    def _wide_access(self) -> tuple[int, int, bool, int]:
        """First halfword without its base, width, whether it loads, and the bits of its form."""
        load = self._below(2)
        size = self._below(3)
        signed = self._below(2) if load and size < 2 else 0
        return 0xF800 | signed << 8 | size << 5 | load << 4, 1 << size, bool(load), size

    def _single_wide(self) -> bytes:
        first, width, _, _ = self._wide_access()
        return self._access(first, 0, width)

    def _unaligned(self) -> bytes:
        first, width, _, _ = self._wide_access()
        return self._access(first, self._below(4), width, any_offset=True)

    def _access(self, first: int, fine: int, width: int, any_offset: bool = False) -> bytes:
        base = self._free()
        rt = self._free(base)
        step = 1 if any_offset else width
        setup = self._base(base, fine)
        kind = self._below(3)
        if kind == 0:
            offset = self._random.randrange(0, 0x800, step)
            return setup + halves(first | 0x80 | base, rt << 12 | offset)
        if kind == 1:
            before, up, writeback = self._random.choice(
                ((1, 0, 0), (1, 0, 1), (1, 1, 1), (0, 0, 1), (0, 1, 1))
            )
            offset = self._random.randrange(0, 256, step)
            form = 0x800 | before << 10 | up << 9 | writeback << 8
            return setup + halves(first | base, rt << 12 | form | offset)
        offset = self._free(base)
        setup += self._constant(offset, self._random.randrange(0, 0x100, step))
        return setup + halves(first | base, rt << 12 | self._below(4) << 4 | offset)

    def _multiple_wide(self) -> bytes:
        base = self._free()
        load, writeback = self._below(2), self._below(2)
        registers = self._below(1 << 13) | self._below(2) << 14
        if writeback or not load:
            registers &= ~(1 << base)
        if registers.bit_count() < 2:
            registers |= 3 if base not in (0, 1) else 0xC
        direction = self._random.choice((0x80, 0x100))
        first = 0xE800 | direction | writeback << 5 | load << 4 | base
        return self._base(base) + halves(first, registers)

    def _pair(self) -> bytes:
        base = self._free()
        load = self._below(2)
        first = self._free(base)
        second = self._free(base, first)
        before, up, writeback = self._random.choice(
            ((1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1), (0, 0, 1), (0, 1, 1))
        )
        form = before << 8 | up << 7 | writeback << 5 | load << 4
        return self._base(base) + halves(0xE840 | form | base, first << 12 | second << 8 | self._below(256))

    def _exclusive(self) -> bytes:
        base = self._free()
        value = self._free(base)
        other = self._free(base)
        result = self._free(base, other)
        width = self._below(3)
        if width == 0:
            offset = self._below(256)
            load = halves(0xE850 | base, value << 12 | 0xF00 | offset)
            store = halves(0xE840 | base, other << 12 | result << 8 | offset)
        else:
            code = 0x40 if width == 1 else 0x50
            load = halves(0xE8D0 | base, value << 12 | 0xF0F | code)
            store = halves(0xE8C0 | base, other << 12 | 0xF00 | code | result)
        return self._base(base) + load + store

    def _ordered(self) -> bytes:
        base = self._free()
        rt = self._free(base)
        load = self._below(2)
        return self._base(base) + halves(0xE8C0 | load << 4 | base, rt << 12 | 0xF8F | self._below(3) << 4)

    def _branch_wide(self) -> bytes:
        skipped = self._shifted() * self._below(3)
        ahead = len(skipped) // 2
        if self._below(2):
            return halves(0xF000 | self._below(14) << 6, 0x8000 | ahead) + skipped
        return halves(0xF000, 0xB800 | ahead) + skipped

    def _compare_branch(self) -> bytes:
        skipped = self._register_narrow() * (1 + self._below(3))
        offset = len(skipped) // 2 - 1
        register = self._low()
        setup = halves(0x2000 | register << 8) if self._below(2) else b""
        return setup + halves(0xB100 | self._below(2) << 11 | offset << 3 | register) + skipped

    def _table(self) -> bytes:
        """`mov.w rM, #index; tbb [pc, rM]`, the table, and a narrow instruction for each way."""
        index = self._free()
        ways = 4
        chosen = self._below(ways)
        body = b"".join(self._register_narrow() for _ in range(ways))
        if self._below(2):
            table = bytes(ways // 2 + way for way in range(ways))
            return self._constant(index, chosen) + halves(0xE8DF, 0xF000 | index) + table + body
        table = halves(*(ways + way for way in range(ways)))
        return self._constant(index, chosen) + halves(0xE8DF, 0xF010 | index) + table + body

    def _block(self) -> bytes:
        """`it` and one to four instructions of any size that write no flags or do."""
        length = 1 + self._below(4)
        first = self._below(14)
        others = [self._below(2) for _ in range(length - 1)]
        mask = 0
        for place, other in enumerate(others):
            mask |= ((first & 1) ^ other) << (3 - place)
        mask |= 1 << (4 - length)
        kinds = (
            self._shift_narrow,
            self._sum_narrow,
            self._immediate_narrow,
            self._register_narrow,
            self._modified,
            self._shifted,
            self._plain,
            self._field,
            self._multiply,
            self._bits_wide,
            self._extend_narrow,
        )
        ruled = [self._random.choice(kinds)() for _ in range(length)]
        return halves(0xBF00 | first << 4 | mask) + b"".join(ruled)

    def _literal_wide(self) -> bytes:
        word = halves(self._below(0x10000), self._below(0x10000))
        pad = b"" if self._aligned else halves(0xBF00)
        # Two instructions of four bytes, then the word: 4 from the first one's aligned counter.
        load = self._random.choice((0xF8DF, 0xF8BF, 0xF89F, 0xF99F, 0xF9BF))
        return pad + halves(load, self._free() << 12 | 4, 0xF000, 0xB802) + word

    # DSP

    def _parallel(self) -> bytes:
        operation = self._random.choice((0, 1, 2, 4, 5, 6))
        kind = self._random.choice((0, 1, 2, 4, 5, 6))
        return halves(
            0xFA80 | operation << 4 | self._free(), 0xF000 | self._free() << 8 | kind << 4 | self._free()
        )

    def _select(self) -> bytes:
        return halves(0xFAA0 | self._free(), 0xF080 | self._free() << 8 | self._free())

    def _saturating(self) -> bytes:
        return halves(0xFA80 | self._free(), 0xF080 | self._free() << 8 | self._below(4) << 4 | self._free())

    def _extend_add(self) -> bytes:
        operation = self._below(6)
        rn = self._free() if self._below(2) or operation not in (2, 3) else PC
        return halves(
            0xFA00 | operation << 4 | rn, 0xF080 | self._free() << 8 | self._below(4) << 4 | self._free()
        )

    def _pack(self) -> bytes:
        amount = self._below(32)
        return halves(
            0xEAC0 | self._free(),
            (amount >> 2) << 12 | self._free() << 8 | (amount & 3) << 6 | self._below(2) << 5 | self._free(),
        )

    def _dsp(self) -> bytes:
        operation = 1 + self._below(7)
        option = self._below(4) if operation == 1 else 0 if operation == 7 else self._below(2)
        ra = self._free() if operation == 6 or self._below(2) else PC
        return halves(
            0xFB00 | operation << 4 | self._free(), ra << 12 | self._free() << 8 | option << 4 | self._free()
        )

    def _dsp_long(self) -> bytes:
        high = self._free()
        low = self._free(high)
        operation, option = self._random.choice(
            ((4, 8), (4, 9), (4, 10), (4, 11), (4, 12), (4, 13), (5, 12), (5, 13), (6, 6))
        )
        return halves(
            0xFB80 | operation << 4 | self._free(), low << 12 | high << 8 | option << 4 | self._free()
        )

    def _saturate_halves(self) -> bytes:
        return halves(0xF320 | self._below(2) << 7 | self._free(), self._free() << 8 | self._below(16))
