"""Random ARM programs: each loads all registers and flags, runs a random stream and stores them again.

A program is a function of one argument, the address of its initial state (r0 to r12, lr, flags). It leaves
its final state below its stack frame, so that two simulators are compared by memory alone. The stream is made
of units; a unit is one instruction, or a few that make its operands usable before it: a base register that
points into the frame, an offset that keeps an access aligned, a target that lies ahead.
"""

from __future__ import annotations

import random
import struct
from collections import Counter
from dataclasses import dataclass, field

FRAME_BYTES = 0x4000
"""Data below the saved registers; bases lie in its middle half."""

FREE = [*range(13), 14]
"""Registers that instructions may write: neither stack pointer nor program counter."""
SP, LR, PC = 13, 14, 15
ALWAYS = 14
FLAG_BITS = 0xF8000000

_MULTIPLIES = (0x0, 0x1, 0x4, 0x5, 0x6, 0x7)


def arm(*words: int) -> bytes:
    """Little-endian bytes of A32 words."""
    return struct.pack(f"<{len(words)}I", *words)


def thumb(*halves: int) -> bytes:
    """Little-endian bytes of Thumb halfwords."""
    return struct.pack(f"<{len(halves)}H", *halves)


def _constant(register: int, value: int) -> list[int]:
    """`mov` and three `orr` that make a constant."""
    words = [0xE3A00000 | register << 12 | value & 0xFF]
    for byte in (1, 2, 3):
        part = value >> 8 * byte & 0xFF
        words.append(0xE3800000 | register << 16 | register << 12 | (16 - 4 * byte) << 8 | part)
    return words


@dataclass
class Program:
    """Code of a function and what it holds."""

    code: bytes
    units: int
    instructions: int


@dataclass
class Stream:
    """Makes programs for one architecture; `made` counts the units by their name."""

    enhanced: bool
    seed: int
    made: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        plain = [
            (self._processing, 40),
            (self._shift_by_register, 12),
            (self._multiply, 10),
            (self._single, 16),
            (self._half, 8),
            (self._multiple, 8),
            (self._stack, 3),
            (self._swap, 2),
            (self._status, 4),
            (self._branch, 5),
            (self._call, 2),
            (self._jump, 4),
            (self._literal, 2),
        ]
        if self.enhanced:
            plain += [
                (self._dsp, 8),
                (self._saturating, 5),
                (self._clz, 3),
                (self._pair, 5),
                (self._thumb, 5),
            ]
        self._kinds = [kind for kind, _ in plain]
        self._weights = [weight for _, weight in plain]

    def kinds(self) -> list[str]:
        """Names of all units of this architecture."""
        halves = [f"thumb {kind}" for kind in range(16)] if self.enhanced else []
        return [kind.__name__[1:] for kind in self._kinds] + halves

    def state(self) -> bytes:
        """Registers with values at the turning points, and flags."""
        return arm(*(self._value() for _ in range(14)), self._random.getrandbits(32) & FLAG_BITS, 0)

    def frame(self) -> bytes:
        """Bytes for the frame."""
        return self._random.randbytes(FRAME_BYTES)

    def program(self, units: int) -> Program:
        """A function of so many units."""
        kinds = self._random.choices(self._kinds, self._weights, k=units)
        body = bytearray()
        for kind in kinds:
            body += kind()
            self.made[kind.__name__[1:]] += 1
        return Program(self._entry() + bytes(body) + self._exit(), units, len(body) // 4)

    def _entry(self) -> bytes:
        return arm(
            0xE92D4FF8,  # stmfd sp!, {r3-r11, lr}
            0xE24DDC00 | FRAME_BYTES >> 8,  # sub sp, sp, #frame
            0xE5901038,  # ldr r1, [r0, #56]
            0xE128F001,  # msr cpsr_f, r1
            0xE8905FFF,  # ldmia r0, {r0-r12, lr}
        )

    def _exit(self) -> bytes:
        return arm(
            0xE92D5FFF,  # stmfd sp!, {r0-r12, lr}
            0xE10F0000,  # mrs r0, cpsr
            0xE20004F8,  # and r0, r0, #0xf8000000
            0xE52D0004,  # str r0, [sp, #-4]!
            0xE28DD03C,  # add sp, sp, #60
            0xE28DDC00 | FRAME_BYTES >> 8,  # add sp, sp, #frame
            0xE8BD8FF8,  # ldmfd sp!, {r3-r11, pc}
        )

    def _value(self) -> int:
        kind = self._random.random()
        if kind < 0.4:
            return self._random.getrandbits(32)
        if kind < 0.6:
            return self._random.choice((0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x8000, 0x10000))
        value = self._random.getrandbits(32) >> self._random.randrange(32)
        return value if kind < 0.8 else ~value & 0xFFFFFFFF

    def _condition(self) -> int:
        return ALWAYS if self._random.random() < 0.7 else self._random.randrange(14)

    def _below(self, end: int) -> int:
        return self._random.randrange(end)

    def _free(self, *taken: int) -> int:
        while True:
            register = self._random.choice(FREE)
            if register not in taken:
                return register

    def _even(self, *taken: int) -> int:
        return self._random.choice([r for r in range(0, 12, 2) if r not in taken and r + 1 not in taken])

    def _source(self) -> int:
        return self._below(16) if self._random.random() < 0.2 else self._free()

    def _base(self, register: int, alignment: int = 4) -> list[int]:
        """`add register, sp, #n` with n in the middle of the frame, and a finer step."""
        coarse = self._random.randrange(0x1000, 0x3000, 0x40)
        fine = self._random.randrange(0, 0x40, alignment)
        return [
            0xE28D0D00 | register << 12 | coarse >> 6,
            0xE2800000 | register << 16 | register << 12 | fine,
        ]

    def _operation(self, first: int) -> int:
        """Data processing but for its second operand; fields without a meaning are zero."""
        operation, flags = self._below(16), self._below(2)
        word = self._condition() << 28 | operation << 21
        if 8 <= operation <= 11:
            return word | 1 << 20 | first << 16
        if operation not in (13, 15):
            word |= first << 16
        return word | flags << 20 | self._free() << 12

    def _processing(self) -> bytes:
        word = self._operation(self._source())
        if self._below(2):
            return arm(word | 1 << 25 | self._below(1 << 12))
        return arm(word | self._below(32) << 7 | self._below(4) << 5 | self._source())

    def _shift_by_register(self) -> bytes:
        word = self._operation(self._free())
        amount = self._free()
        setup = []
        if self._below(2):
            # Amounts round the width of a word.
            setup = [0xE3A00000 | amount << 12 | self._random.choice((0, 1, 31, 32, 33, 63, 64, 255))]
        return arm(*setup, word | amount << 8 | self._below(4) << 5 | 1 << 4 | self._free())

    def _multiply(self) -> bytes:
        kind = self._random.choice(_MULTIPLIES)
        high, rm, rs = self._free(), self._free(), self._free()
        low = self._free(high) if kind >= 4 else self._free() if kind else 0
        if kind >= 4:
            rm = self._free(high, low)
        elif rm == high:
            rm = self._free(high)
        word = self._condition() << 28 | kind << 21 | self._below(2) << 20 | high << 16 | low << 12
        return arm(word | rs << 8 | 0x90 | rm)

    def _offset(self, width: int) -> tuple[list[int], int, int, list[int]]:
        """A register whose shifted value is a small multiple of the width: set-up, register, shift, taken."""
        kind = self._below(4)
        amount = self._below(32)
        target = self._random.randrange(0, 0x800, width)
        register = self._free()
        if kind == 0:
            step = max(width, 1 << amount)
            target = self._random.randrange(0, 0x800, step) if step < 0x800 else 0
            value = target >> amount
            if step >= 0x800 and amount:
                value = self._random.getrandbits(32) >> (32 - amount) << (32 - amount)
                value = 0 if amount < 12 else value
        elif kind == 3:
            if amount == 0:  # rrx: the carry would be the highest bit
                amount = 4
            value = (target << amount | target >> (32 - amount)) & 0xFFFFFFFF
        else:
            shift = amount or 32
            value = target << shift & 0x7FFFFFFF if shift < 20 else 0
        return _constant(register, value), register, amount << 7 | kind << 5, [register]

    def _single(self) -> bytes:
        load, byte = self._below(2), self._below(2)
        before, up, writeback = self._below(2), self._below(2), self._below(2)
        width = 1 if byte else 4
        if self._below(2):
            setup, rm, shift, taken = self._offset(width)
            word = 1 << 25 | shift | rm
        else:
            setup, taken = [], []
            word = self._random.randrange(0, 0x1000, width)
        base = self._free(*taken)
        if self._random.random() < 0.1 and before and not writeback and load and not taken:
            base = SP
            up = 1
        else:
            setup += self._base(base, width)
        rd = self._free(base)
        if not load and not byte and before and not writeback and self._below(20) == 0:
            rd = PC
        if not before:
            # Post-indexed with the bit set is a user's access.
            writeback = self._below(2)
        word |= self._condition() << 28 | 1 << 26 | before << 24 | up << 23 | byte << 22 | writeback << 21
        return arm(*setup, word | load << 20 | base << 16 | rd << 12)

    def _half(self) -> bytes:
        load, kind = self._random.choice(((1, 1), (1, 2), (1, 3), (0, 1)))
        return self._split_offset(load, kind, 1 if kind == 2 else 2, None)

    def _pair(self) -> bytes:
        load = self._below(2)
        return self._split_offset(0, 2 if load else 3, 8, load)

    def _split_offset(self, load: int, kind: int, width: int, pair_load: int | None) -> bytes:
        before, up, writeback = self._below(2), self._below(2), self._below(2)
        if not before:
            writeback = 0
        written = writeback or not before
        rd = self._free() if pair_load is None else self._even()
        taken = [rd] if pair_load is None else [rd, rd + 1]
        base = self._free(*taken)
        setup = self._base(base, width)
        word = before << 24 | up << 23 | writeback << 21 | load << 20 | base << 16 | rd << 12
        offset = self._random.randrange(0, 256, width)
        if self._below(2):
            word |= 1 << 22 | offset >> 4 << 8 | offset & 15
        else:
            rm = self._free(base, *(taken if written or pair_load is not None else []))
            setup += _constant(rm, offset)
            word |= rm
        return arm(*setup, self._condition() << 28 | word | 0x90 | kind << 5)

    def _list(self, *taken: int) -> int:
        registers = [r for r in FREE if r not in taken]
        return sum(1 << r for r in self._random.sample(registers, 1 + self._below(len(registers))))

    def _multiple(self) -> bytes:
        load, before, up, writeback = (self._below(2) for _ in range(4))
        base = self._free()
        registers = self._list(base)
        if load and not writeback and self._below(2):
            registers |= 1 << base
        if not load and self._below(4) == 0:
            # The base among the stored is its old value if it comes first.
            registers = registers >> base << base | 1 << base
        if not load and not writeback and self._below(10) == 0:
            registers |= 1 << PC
        word = self._condition() << 28 | 4 << 25 | before << 24 | up << 23 | writeback << 21 | load << 20
        return arm(*self._base(base), word | base << 16 | registers)

    def _stack(self) -> bytes:
        count = 1 + self._below(8)
        store = sum(1 << r for r in self._random.sample(FREE, count))
        load = sum(1 << r for r in self._random.sample(FREE, count))
        return arm(0xE92D0000 | store, 0xE8BD0000 | load)

    def _swap(self) -> bytes:
        byte = self._below(2)
        base = self._free()
        rd, rm = self._free(base), self._free(base)
        setup = self._base(base, 1 if byte else 4)
        return arm(*setup, self._condition() << 28 | 0x01000090 | byte << 22 | base << 16 | rd << 12 | rm)

    def _status(self) -> bytes:
        kind = self._below(3)
        if kind == 0:
            rd = self._free()
            # The mode is not the same in every simulator.
            return arm(0xE10F0000 | rd << 12, 0xE20004F8 | rd << 16 | rd << 12)
        condition = self._condition() << 28
        if kind == 1:
            return arm(condition | 0x0328F400 | self._below(16) << 4)
        rm = self._free()
        return arm(0xE20004F8 | rm << 16 | rm << 12, condition | 0x0128F000 | rm)

    def _branch(self) -> bytes:
        skipped = self._processing() + self._processing()[: 4 * self._below(2)]
        return arm(self._condition() << 28 | 0x0A000000 | (len(skipped) // 4 - 1) & 0xFFFFFF) + skipped

    def _call(self) -> bytes:
        skipped = self._processing()
        return arm(self._condition() << 28 | 0x0B000000) + skipped

    def _jump(self) -> bytes:
        """The program counter as the target of anything, always one instruction ahead."""
        rd, condition = self._free(), self._condition() << 28
        skipped = self._processing()
        kind = self._below(6 if self.enhanced else 4)
        # Read by the instruction before the last one, the program counter names the one behind the skipped.
        setup = [0xE28F0004 | rd << 12]
        if kind == 0:
            return arm(condition | 0x028FF000) + skipped
        if kind == 1:
            return arm(*setup, condition | 0x01A0F000 | rd) + skipped
        if kind == 2:
            setup = [0xE28F0008 | rd << 12, 0xE52D0004 | rd << 12]
            return arm(*setup, 0xE49DF004) + skipped
        if kind == 3:
            setup = [0xE28F0008 | rd << 12, 0xE52D0004 | rd << 12]
            return arm(*setup, 0xE8BD8000) + skipped
        if kind == 4:
            return arm(*setup, condition | 0x012FFF10 | rd) + skipped
        return arm(*setup, condition | 0x012FFF30 | rd) + skipped

    def _literal(self) -> bytes:
        back = 8 + 4 * self._below(6)
        return arm(self._condition() << 28 | 0x051F0000 | self._free() << 12 | back)

    def _dsp(self) -> bytes:
        kind, halves = self._below(4), self._below(4)
        high, rm, rs = self._free(), self._free(), self._free()
        low = self._free(high)
        if kind == 3 or (kind == 1 and halves & 1):
            low = 0
        word = self._condition() << 28 | 0x01000080 | kind << 21 | high << 16 | low << 12
        return arm(word | rs << 8 | halves << 5 | rm)

    def _saturating(self) -> bytes:
        word = self._condition() << 28 | 0x01000050 | self._below(4) << 21
        return arm(word | self._free() << 16 | self._free() << 12 | self._free())

    def _clz(self) -> bytes:
        return arm(self._condition() << 28 | 0x016F0F10 | self._free() << 12 | self._free())

    def _thumb(self) -> bytes:
        """Into Thumb, some halfwords, and back."""
        register = self._free()
        body = b"".join(self._half_unit() for _ in range(1 + self._below(8)))
        if len(body) % 4:
            body += thumb(0x46C0)
        return arm(0xE28F0001 | register << 12, 0xE12FFF10 | register) + body + thumb(0x4778, 0x46C0)

    def _half_unit(self) -> bytes:
        kind = self._below(16)
        self.made[f"thumb {kind}"] += 1
        if kind == 0:
            return thumb(self._below(0x1800))
        if kind == 1:
            return thumb(0x1800 | self._below(0x800))
        if kind in (2, 3):
            return thumb(0x2000 | self._below(0x2000))
        if kind in (4, 5, 6):
            return thumb(0x4000 | self._below(0x400))
        if kind == 7:
            operation, rd, rm = self._below(3), self._free(), self._free()
            return thumb(0x4400 | operation << 8 | rd >> 3 << 7 | rm << 3 | rd & 7)
        if kind == 8:
            return thumb(0x4800 | self._below(8) << 8 | self._below(2))
        if kind == 9:
            # A base in the middle of the frame, then one of fourteen loads and stores.
            rd, rb, ro = self._random.sample(range(8), 3)
            base = [0xA800 | rb << 8 | 0xFF, 0x3000 | rb << 8 | 0x04 * self._below(16)]
            operation = self._below(8)
            width = (4, 2, 1, 1, 4, 2, 1, 2)[operation]
            offset = 0x2000 | ro << 8 | self._random.randrange(0, 256, width)
            return thumb(*base, offset, 0x5000 | operation << 9 | ro << 6 | rb << 3 | rd)
        if kind == 10:
            rd, rb = self._random.sample(range(8), 2)
            base = [0xA800 | rb << 8 | 0xFF, 0x3000 | rb << 8 | 0x04 * self._below(16)]
            return thumb(*base, 0x6000 | self._below(6) << 11 | self._below(32) << 6 | rb << 3 | rd)
        if kind == 11:
            return thumb(self._random.choice((0x9800, 0xA800)) | self._below(0x800))
        if kind == 12:
            return thumb(0xB400 | (registers := 1 + self._below(255)), 0xBC00 | registers)
        if kind == 13:
            rb = self._below(8)
            base = [0xA800 | rb << 8 | 0xFF]
            if self._below(2):
                registers = 1 + self._below(255)
                return thumb(*base, 0xC800 | rb << 8 | registers)
            # The base among the stored only if it comes first.
            registers = (1 + self._below(255)) >> rb << rb or 1 << rb
            return thumb(*base, 0xC000 | rb << 8 | registers)
        if kind == 14:
            step = self._below(64)
            return thumb(0xB000 | step, 0xB080 | step)
        condition = self._below(15)
        branch = 0xE000 if condition == ALWAYS else 0xD000 | condition << 8
        return thumb(branch, 0x2000 | self._below(0x2000))
