"""Tables of sequences with the cycles that were worked out for them by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Final

FOLDER = Path(__file__).parent
COLUMNS: Final = ("cores", "cycles", "code", "assembly", "why")
ENDS = ("sleep",)
"""Faults in which a sequence may be meant to end."""


@dataclass(frozen=True)
class Sequence:
    """A row: instructions in memory order, their cycles, and the fault that ends them, None if they end.

    In the file the cycles may be a sum, whose terms are the instructions'.
    """

    cores: tuple[str, ...]
    cycles: int
    code: bytes
    assembly: str
    ends: str | None


def code_of(text: str, *, big_endian: bool = False) -> bytes:
    """Bytes of words in hexadecimal, one after the other; `word*n` is a word n times."""
    code = bytearray()
    for word in text.split():
        digits, _, times = word.partition("*")
        unit = bytes.fromhex(digits)
        code += (unit if big_endian else unit[::-1]) * int(times or 1)
    return bytes(code)


def total(text: str) -> int:
    """The value of a sum of numbers and products, `33+8*2`."""
    return sum(prod(map(int, term.split("*"))) for term in text.split("+"))


@cache
def sequences(family: str) -> tuple[Sequence, ...]:
    """The rows of a family's table; ValueError names one that is not in form."""
    lines = (FOLDER / "cores" / f"{family}.tsv").read_text("utf-8").splitlines()
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise ValueError(f"{family}.tsv: the columns are {', '.join(COLUMNS)}")
    return tuple(_sequence(family, line) for line in lines[1:])


def _sequence(family: str, line: str) -> Sequence:
    fields = line.split("\t")
    if len(fields) != len(COLUMNS) or not all(fields):
        raise ValueError(f"{family}.tsv: five columns, none empty: {line}")
    cores, cycles, code, assembly, _why = fields
    count, _, ends = cycles.partition(" ")
    if ends and ends not in ENDS:
        raise ValueError(f"{family}.tsv: no sequence ends by {ends}: {line}")
    words = code_of(code, big_endian=family == "sparc")
    return Sequence(tuple(cores.split()), total(count), words, assembly, ends or None)


CHIP_COLUMNS: Final = ("chips", "clock", "cycles", "code", "assembly", "why")


@dataclass(frozen=True)
class Run:
    """A row of the chips' table: instructions at the start of the program's memory, from reset to their end.

    `clock_mhz` is the core's clock of the run. With `own` it is also that of the chip's data.
    """

    chips: tuple[str, ...]
    clock_mhz: float
    own: bool
    cycles: int
    code: str
    assembly: str


@cache
def runs() -> tuple[Run, ...]:
    """The rows of the chips' table; ValueError names one that is not in form."""
    lines = (FOLDER / "chips.tsv").read_text("utf-8").splitlines()
    if tuple(lines[0].split("\t")) != CHIP_COLUMNS:
        raise ValueError(f"chips.tsv: the columns are {', '.join(CHIP_COLUMNS)}")
    return tuple(_run(line) for line in lines[1:])


def _run(line: str) -> Run:
    fields = line.split("\t")
    if len(fields) != len(CHIP_COLUMNS) or not all(fields):
        raise ValueError(f"chips.tsv: six columns, none empty: {line}")
    chips, clock, cycles, code, assembly, _why = fields
    own, _, clock = clock.rpartition(" ")
    if own not in ("", "own"):
        raise ValueError(f"chips.tsv: a clock is MHz or `own` MHz: {line}")
    return Run(tuple(chips.split()), float(clock), own == "own", total(cycles), code, assembly)
