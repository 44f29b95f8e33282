"""Random RV32IMAC programs: each loads all registers, runs a random stream and stores them again.

A program is a function of one argument, the address of its initial state (x0 to x31, of which x0 and
the stack pointer are ignored). It leaves its final state below its stack frame, so that two simulators are
compared by memory alone. The stream is made of units; a unit is one instruction, or a few that make its
operands usable before it: a base register that points into the frame, a target that lies ahead.
"""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

FRAME_BYTES = 0x1000
"""Data below the saved registers; bases lie in it so that every offset does too."""
SAVED_BYTES = 64
STATE_BYTES = 128

SP = 2
FREE = [1, *range(3, 32)]
"""Registers that instructions may write; x0 is written now and then."""
COMPRESSED = range(8, 16)
"""Those that the short fields of compressed instructions name."""
MSCRATCH = 0x340

_CALLEE_SAVED = (1, 3, 4, 8, 9, *range(18, 28))


def words(*values: int) -> bytes:
    """Little-endian bytes of instructions of four bytes."""
    return struct.pack(f"<{len(values)}I", *values)


def half(value: int) -> bytes:
    """Little-endian bytes of an instruction of two bytes."""
    return struct.pack("<H", value)


def i_type(opcode: int, funct3: int, rd: int, rs1: int, imm: int) -> int:
    """An instruction with a register and an immediate of 12 bits."""
    return (imm & 0xFFF) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def r_type(funct7: int, funct3: int, rd: int, rs1: int, rs2: int, opcode: int = 0x33) -> int:
    """An instruction with two registers."""
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def s_type(funct3: int, rs1: int, rs2: int, imm: int) -> int:
    """A store."""
    return (imm >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 0x1F) << 7 | 0x23


def b_type(funct3: int, rs1: int, rs2: int, offset: int) -> int:
    """A branch ahead."""
    upper, lower = offset >> 12 & 1, offset >> 11 & 1
    parts = upper << 31 | (offset >> 5 & 0x3F) << 25 | (offset >> 1 & 0xF) << 8 | lower << 7
    return parts | rs2 << 20 | rs1 << 15 | funct3 << 12 | 0x63


def j_type(rd: int, offset: int) -> int:
    """`jal` ahead, by less than 2048 bytes."""
    return (offset >> 1 & 0x3FF) << 21 | rd << 7 | 0x6F


def addi(rd: int, rs1: int, imm: int) -> int:
    """rd = rs1 + imm."""
    return i_type(0x13, 0, rd, rs1, imm)


def count(code: bytes) -> int:
    """Instructions in a piece of code."""
    at = found = 0
    while at < len(code):
        at += 4 if code[at] & 3 == 3 else 2
        found += 1
    return found


@dataclass
class Program:
    """Code of a function and how many instructions its random part has."""

    code: bytes
    instructions: int


@dataclass
class Stream:
    """Makes programs; `made` counts the units by their name."""

    seed: int
    made: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._units: list[tuple[Callable[[], bytes], int]] = [
            (self._immediate, 20),
            (self._registers, 20),
            (self._multiply, 12),
            (self._upper, 5),
            (self._load, 10),
            (self._store, 8),
            (self._branch, 6),
            (self._jump, 2),
            (self._jump_register, 3),
            (self._atomic, 4),
            (self._reserved, 2),
            (self._control, 3),
            (self._fence, 1),
            (self._short_immediate, 10),
            (self._short_registers, 8),
            (self._short_stack, 4),
            (self._short_memory, 4),
            (self._short_branch, 4),
            (self._short_jump, 3),
        ]

    def kinds(self) -> list[str]:
        """Names of all units."""
        return [unit.__name__[1:] for unit, _ in self._units]

    def state(self) -> bytes:
        """Registers with values at the turning points."""
        return words(*(self._value() for _ in range(32)))

    def frame(self) -> bytes:
        """Bytes for the frame."""
        return self._random.randbytes(FRAME_BYTES)

    def program(self, units: int) -> Program:
        """A function of so many units."""
        kinds, weights = zip(*self._units, strict=True)
        body = bytearray()
        for unit in self._random.choices(kinds, weights, k=units):
            body += unit()
            self.made[unit.__name__[1:]] += 1
        return Program(self._entry() + bytes(body) + self._exit(), count(body))

    def _entry(self) -> bytes:
        saves = [s_type(2, SP, register, 4 * place) for place, register in enumerate(_CALLEE_SAVED)]
        lower = [addi(SP, SP, -2048)] * (FRAME_BYTES // 2048)
        a0 = 10
        loads = [i_type(0x03, 2, register, a0, 4 * register) for register in FREE if register != a0]
        return words(addi(SP, SP, -SAVED_BYTES), *saves, *lower, *loads, i_type(0x03, 2, a0, a0, 4 * a0))

    def _exit(self) -> bytes:
        stores = [s_type(2, SP, register, 4 * register) for register in FREE]
        raised = [addi(SP, SP, STATE_BYTES), addi(SP, SP, 2047), addi(SP, SP, 2047), addi(SP, SP, 2)]
        loads = [i_type(0x03, 2, register, SP, 4 * place) for place, register in enumerate(_CALLEE_SAVED)]
        back = [addi(SP, SP, SAVED_BYTES), i_type(0x67, 0, 0, 1, 0)]
        return words(addi(SP, SP, -STATE_BYTES), *stores, *raised, *loads, *back)

    def _value(self) -> int:
        kind = self._random.random()
        if kind < 0.4:
            return self._random.getrandbits(32)
        if kind < 0.6:
            return self._random.choice((0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x8000, 31))
        value = self._random.getrandbits(32) >> self._random.randrange(32)
        return value if kind < 0.8 else -value & 0xFFFFFFFF

    def _below(self, bound: int) -> int:
        return self._random.randrange(bound)

    def _free(self) -> int:
        return self._random.choice(FREE)

    def _rd(self) -> int:
        return 0 if self._below(32) == 0 else self._free()

    def _rs(self) -> int:
        return self._below(32)

    def _short(self) -> int:
        return self._random.choice(COMPRESSED)

    def _filler(self) -> bytes:
        """An instruction that may be jumped over, of either length."""
        return self._short_immediate() if self._below(2) else self._immediate()

    def _base(self, register: int) -> int:
        return addi(register, SP, 1024 + 4 * self._below(200))

    def _immediate(self) -> bytes:
        funct3 = self._below(8)
        imm = self._random.getrandbits(12)
        if funct3 in (1, 5):
            imm = self._below(32) | (0x400 if funct3 == 5 and self._below(2) else 0)
        return words(i_type(0x13, funct3, self._rd(), self._rs(), imm))

    def _registers(self) -> bytes:
        funct3 = self._below(8)
        funct7 = 0x20 if funct3 in (0, 5) and self._below(2) else 0
        return words(r_type(funct7, funct3, self._rd(), self._rs(), self._rs()))

    def _multiply(self) -> bytes:
        return words(r_type(1, self._below(8), self._rd(), self._rs(), self._rs()))

    def _upper(self) -> bytes:
        return words(self._random.getrandbits(20) << 12 | self._rd() << 7 | self._random.choice((0x37, 0x17)))

    def _load(self) -> bytes:
        base, funct3 = self._free(), self._random.choice((0, 1, 2, 4, 5))
        offset = self._random.randrange(-1024, 2047, 1 << (funct3 & 3))
        return words(self._base(base), i_type(0x03, funct3, self._rd(), base, offset))

    def _store(self) -> bytes:
        base, funct3 = self._free(), self._below(3)
        offset = self._random.randrange(-1024, 2047, 1 << funct3)
        return words(self._base(base), s_type(funct3, base, self._rs(), offset))

    def _branch(self) -> bytes:
        between = b"".join(self._filler() for _ in range(self._below(4)))
        funct3 = self._random.choice((0, 1, 4, 5, 6, 7))
        return words(b_type(funct3, self._rs(), self._rs(), 4 + len(between))) + between

    def _jump(self) -> bytes:
        between = self._filler()
        return words(j_type(self._rd(), 4 + len(between))) + between

    def _jump_register(self) -> bytes:
        base, between = self._free(), self._filler()
        # The lowest bit of the sum is ignored.
        offset = 8 + len(between) + self._below(2)
        return words(base << 7 | 0x17, i_type(0x67, 0, self._rd(), base, offset)) + between

    def _atomic(self) -> bytes:
        base = self._free()
        operation = self._random.choice((0, 1, 4, 8, 12, 16, 20, 24, 28))
        funct7 = operation << 2 | self._below(4)
        return words(self._base(base), r_type(funct7, 2, self._rd(), base, self._rs(), 0x2F))

    def _reserved(self) -> bytes:
        base = self._free()
        result = self._random.choice([register for register in FREE if register != base])
        load = r_type(2 << 2, 2, result, base, 0, 0x2F)
        # Now and then without a reservation, so that nothing is stored.
        loads = [load] if self._below(4) else []
        return words(self._base(base), *loads, r_type(3 << 2, 2, self._rd(), base, self._rs(), 0x2F))

    def _control(self) -> bytes:
        funct3 = self._random.choice((1, 2, 3, 5, 6, 7))
        return words(i_type(0x73, funct3, self._rd(), self._rs(), MSCRATCH))

    def _fence(self) -> bytes:
        return words(self._random.choice((0x0FF0000F, 0x0000100F)))

    def _short_immediate(self) -> bytes:
        imm = self._random.getrandbits(6)
        split = (imm >> 5) << 12 | (imm & 31) << 2
        kind = self._below(6)
        if kind == 0:
            return half(0x0001 | self._free() << 7 | split)  # c.addi
        if kind == 1:
            return half(0x4001 | self._free() << 7 | split)  # c.li
        if kind == 2:
            return half(0x6001 | self._free() << 7 | (split or 4))  # c.lui
        if kind == 3:
            return half(0x0002 | self._free() << 7 | (imm & 31) << 2)  # c.slli
        operation = self._below(3)  # c.srli, c.srai, c.andi
        if operation < 2:
            split &= 0x7C
        return half(0x8001 | operation << 10 | (self._short() - 8) << 7 | split)

    def _short_registers(self) -> bytes:
        if self._below(2):
            rd, rs = self._free(), self._free()
            return half(self._random.choice((0x8002, 0x9002)) | rd << 7 | rs << 2)  # c.mv, c.add
        rd, rs = self._short() - 8, self._short() - 8
        return half(0x8C01 | rd << 7 | self._below(4) << 5 | rs << 2)  # c.sub, c.xor, c.or, c.and

    def _short_stack(self) -> bytes:
        kind = self._below(4)
        offset = self._below(64)
        if kind == 0:  # c.lwsp
            bits = (offset >> 3 & 1) << 12 | (offset & 7) << 4 | (offset >> 4) << 2
            return half(0x4002 | self._free() << 7 | bits)
        if kind == 1:  # c.swsp
            return half(0xC002 | (offset & 15) << 9 | (offset >> 4) << 7 | self._rs() << 2)
        if kind == 2:  # c.addi4spn
            imm = 1 + self._below(255)
            bits = (imm >> 2 & 3) << 11 | (imm >> 4) << 7 | (imm & 1) << 6 | (imm >> 1 & 1) << 5
            return half(0x0000 | bits | (self._short() - 8) << 2)
        # c.addi16sp down and up again.
        step = 16 * (1 + self._below(15))
        moved = []
        for imm in (-step & 0x3FF, step):
            bits = (imm >> 9 & 1) << 12 | (imm >> 4 & 1) << 6 | (imm >> 6 & 1) << 5
            moved.append(half(0x6101 | bits | (imm >> 7 & 3) << 3 | (imm >> 5 & 1) << 2))
        return moved[0] + self._short_immediate_elsewhere() + moved[1]

    def _short_immediate_elsewhere(self) -> bytes:
        """Something between the two, which does not look at the stack pointer."""
        return half(0x0001 | self._free() << 7 | self._below(32) << 2)

    def _short_memory(self) -> bytes:
        base, data = self._short(), self._short()
        offset = self._below(32)
        bits = (offset >> 1 & 7) << 10 | (offset & 1) << 6 | (offset >> 4) << 5
        opcode = self._random.choice((0x4000, 0xC000))
        return words(self._base(base)) + half(opcode | bits | (base - 8) << 7 | (data - 8) << 2)

    def _short_branch(self) -> bytes:
        between = b"".join(self._filler() for _ in range(self._below(3)))
        offset = 2 + len(between)
        bits = (offset >> 8 & 1) << 12 | (offset >> 3 & 3) << 10 | (offset >> 6 & 3) << 5
        bits |= (offset >> 1 & 3) << 3 | (offset >> 5 & 1) << 2
        opcode = self._random.choice((0xC001, 0xE001))
        return half(opcode | bits | (self._short() - 8) << 7) + between

    def _short_jump(self) -> bytes:
        between = self._filler()
        offset = 2 + len(between)
        if self._below(2):
            bits = (offset >> 4 & 1) << 11 | (offset >> 1 & 7) << 3 | (offset >> 5 & 1) << 2
            return half(self._random.choice((0xA001, 0x2001)) | bits) + between  # c.j, c.jal
        base = self._free()
        jump = self._random.choice((0x8002, 0x9002)) | base << 7  # c.jr, c.jalr
        return words(base << 7 | 0x17, addi(base, base, 8 + offset)) + half(jump) + between
