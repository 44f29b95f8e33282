"""Random SPARC programs: each loads registers, %y and condition codes, runs a stream and stores them again.

A program is a function without arguments that finds its initial state at a fixed address and leaves its
final state in memory, so that two simulators are compared by memory alone. The stream is made of units; a
unit is one instruction, or a few that make its operands usable. %fp stays what it is, the middle of the data,
and so does %sp.
"""

from __future__ import annotations

import random
import struct
from collections import Counter
from dataclasses import dataclass, field

DATA_BYTES = 0x2000
"""Data around %fp; loads and stores reach its middle half, results lie before it."""
RESULT_OFFSET = -0x1000
RESULT_WORDS = 40
KEPT_WORDS = 5
"""Words before the registers in a state: two for the caller's, %y, two whose sum gives the codes."""

G1, G2, G3, SP, O7, FP, I7 = 1, 2, 3, 14, 15, 30, 31
FREE = [register for register in range(1, 32) if register not in (SP, FP)]
PAIRS = [register for register in FREE if register % 2 == 0 and register + 1 in FREE]
NOP = 0x01000000

_PLAIN = {
    "add": 0x00, "and": 0x01, "or": 0x02, "xor": 0x03, "sub": 0x04, "andn": 0x05, "orn": 0x06, "xnor": 0x07,
    "addx": 0x08, "umul": 0x0A, "smul": 0x0B, "subx": 0x0C, "addcc": 0x10, "andcc": 0x11, "orcc": 0x12,
    "xorcc": 0x13, "subcc": 0x14, "andncc": 0x15, "orncc": 0x16, "xnorcc": 0x17, "addxcc": 0x18,
    "umulcc": 0x1A, "smulcc": 0x1B, "subxcc": 0x1C, "taddcc": 0x20, "tsubcc": 0x21, "mulscc": 0x24,
    "sll": 0x25, "srl": 0x26, "sra": 0x27,
}  # fmt: skip
_DIVIDE = {"udiv": 0x0E, "sdiv": 0x0F, "udivcc": 0x1E, "sdivcc": 0x1F}
_MEMORY = {
    "ld": (0x00, 4), "ldub": (0x01, 1), "lduh": (0x02, 2), "ldd": (0x03, 8), "st": (0x04, 4),
    "stb": (0x05, 1), "sth": (0x06, 2), "std": (0x07, 8), "ldsb": (0x09, 1), "ldsh": (0x0A, 2),
    "ldstub": (0x0D, 1), "swap": (0x0F, 4),
}  # fmt: skip
_NEGATIVE, _EQUAL, _OVERFLOW = 6, 1, 7


def words(*values: int) -> bytes:
    """Big-endian bytes of words."""
    return struct.pack(f">{len(values)}I", *values)


def register_form(op3: int, rd: int, rs1: int, rs2: int, op: int = 2) -> int:
    """An instruction with two registers."""
    return op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | rs2


def immediate_form(op3: int, rd: int, rs1: int, value: int, op: int = 2) -> int:
    """An instruction with a register and 13 bits."""
    return op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | 1 << 13 | value & 0x1FFF


def branch(condition: int, distance_words: int, annul: bool = False) -> int:
    """A branch relative to itself."""
    return int(annul) << 29 | condition << 25 | 2 << 22 | distance_words & 0x3FFFFF


def constant(register: int, value: int) -> list[int]:
    """`sethi` and `or` that make a constant."""
    return [register << 25 | 4 << 22 | value >> 10, immediate_form(2, register, register, value & 0x3FF)]


@dataclass
class Stream:
    """Makes programs; `made` counts the units by their name."""

    seed: int
    state_address: int
    middle: int
    made: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._names = [*_PLAIN, *_DIVIDE, *_MEMORY, "sethi", "rd", "wr", "branch", "call", "jmpl", "window"]

    def kinds(self) -> list[str]:
        """Names of all units."""
        return self._names

    def state(self) -> bytes:
        """Registers with values at the turning points."""
        return words(*(self._value() for _ in range(KEPT_WORDS + len(FREE))))

    def data(self) -> bytes:
        """Bytes for the data."""
        return self._random.randbytes(DATA_BYTES)

    def program(self, units: int) -> tuple[bytes, int]:
        """A function of so many units, and its instructions."""
        body: list[int] = []
        for name in self._random.choices(self._names, k=units):
            body += self._unit(name)
            self.made[name] += 1
        return words(*self._entry(), *body, *self._exit()), len(body)

    def _entry(self) -> list[int]:
        def load(rd: int, word: int) -> int:
            return immediate_form(0, rd, G1, 4 * word, op=3)

        def store(rd: int, word: int) -> int:
            return immediate_form(4, rd, G1, 4 * word, op=3)

        code = [immediate_form(0x3C, SP, SP, -96), *constant(G1, self.state_address)]
        code += [store(FP, 0), store(I7, 1), load(G2, 2), register_form(0x30, 0, G2, 0), NOP, NOP, NOP]
        code += [load(G2, 3), load(G3, 4), register_form(0x10, 0, G2, G3), *constant(FP, self.middle)]
        for number, register in reversed(list(enumerate(FREE))):
            code.append(load(register, KEPT_WORDS + number))
        return code

    def _exit(self) -> list[int]:
        def store(rd: int, word: int) -> int:
            return immediate_form(4, rd, FP, RESULT_OFFSET + 4 * word, op=3)

        code = [store(register, number) for number, register in enumerate(FREE)]
        place = len(FREE)
        code += [register_form(0x28, G1, 0, 0), store(G1, place)]
        code += [immediate_form(8, G1, 0, 0), store(G1, place + 1)]
        for number, condition in enumerate((_NEGATIVE, _EQUAL, _OVERFLOW)):
            code += [immediate_form(2, G1, 0, 1), branch(condition, 3), NOP, immediate_form(2, G1, 0, 0)]
            code.append(store(G1, place + 2 + number))
        code += constant(G1, self.state_address)
        code += [immediate_form(0, FP, G1, 0, op=3), immediate_form(0, I7, G1, 4, op=3)]
        return [*code, immediate_form(0x38, 0, I7, 8), register_form(0x3D, 0, 0, 0)]

    def _value(self) -> int:
        kind = self._random.random()
        if kind < 0.4:
            return self._random.getrandbits(32)
        if kind < 0.6:
            return self._random.choice((0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x8000, 0x10000))
        value = self._random.getrandbits(32) >> self._random.randrange(32)
        return value if kind < 0.8 else ~value & 0xFFFFFFFF

    def _plain(self, op3: int) -> int:
        rd, rs1 = self._random.choice([0, *FREE]), self._random.randrange(32)
        if self._random.random() < 0.5:
            return register_form(op3, rd, rs1, self._random.randrange(32))
        return immediate_form(op3, rd, rs1, self._random.getrandbits(13))

    def _unit(self, name: str) -> list[int]:
        choose = self._random.choice
        if name in ("addxcc", "subxcc"):
            # Behind a logic operation or a division Unicorn leaves that one's condition codes, and sis does
            # not; behind a sum it makes its own.
            return [register_form(0x10, 0, choose(FREE), choose(FREE)), self._plain(_PLAIN[name])]
        if name in _PLAIN:
            return [self._plain(_PLAIN[name])]
        if name in _DIVIDE:
            divisor = choose(FREE)
            return [
                immediate_form(2, divisor, divisor, 1),
                register_form(_DIVIDE[name], choose([0, *FREE]), self._random.randrange(32), divisor),
            ]
        if name in _MEMORY:
            op3, size = _MEMORY[name]
            register = choose(PAIRS) if size == 8 else choose([0, *FREE])
            offset = self._random.randrange(-2048, 2048) // size * size
            return [immediate_form(op3, register, FP, offset, op=3)]
        if name == "sethi":
            return [choose([0, *FREE]) << 25 | 4 << 22 | self._random.getrandbits(22)]
        if name == "rd":
            return [register_form(0x28, choose([0, *FREE]), 0, 0)]
        if name == "wr":
            return [self._plain(0x30) & ~(0x1F << 25), NOP, NOP, NOP]
        flow = {"branch": self._branch, "call": self._call, "jmpl": self._jmpl, "window": self._window}
        return flow[name]()

    def _branch(self) -> list[int]:
        skipped = self._random.randrange(1, 4)
        first = branch(self._random.randrange(16), 1 + skipped, self._random.random() < 0.5)
        return [first, *(self._plain(self._random.choice((0x00, 0x10, 0x14))) for _ in range(skipped))]

    def _call(self) -> list[int]:
        return [1 << 30 | 3, self._plain(0x00), NOP]

    def _jmpl(self) -> list[int]:
        # To what is behind the two in its way; the call has told where it is.
        target, link = O7, self._random.choice([register for register in FREE if register != O7])
        return [1 << 30 | 2, NOP, immediate_form(0x38, link, target, 20), NOP, NOP]

    def _window(self) -> list[int]:
        sources = [self._random.choice([24, 25, 26, 27, 28, 29]) for _ in range(3)]
        return [
            immediate_form(0x3C, SP, SP, -96),
            register_form(self._random.choice((0, 2, 3, 4)), 16, sources[0], sources[1]),
            immediate_form(0x00, 17, 16, self._random.getrandbits(13)),
            register_form(0x02, 24, 17, 0),
            register_form(0x3D, self._random.choice([0, *FREE]), 17, sources[2]),
        ]
