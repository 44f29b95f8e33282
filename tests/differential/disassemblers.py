"""Other programs' disassemblers: the distribution's objdump, and those that gdb's simulators bring."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


@dataclass(frozen=True)
class Line:
    """An instruction: its address, its bytes as written, and its text."""

    address: int
    code: str
    text: str


_LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*\t(.*)")


def parsed(listing: str) -> Iterator[Line]:
    for line in listing.splitlines():
        found = _LINE.fullmatch(line)
        if found:
            yield Line(int(found[1], 16), found[2], found[3])


@dataclass(frozen=True)
class Objdump:
    """The distribution's objdump of a family, with its options."""

    command: tuple[str, ...]

    def missing(self) -> str | None:
        """Why it cannot be asked."""
        return None if shutil.which(self.command[0]) else f"{self.command[0]} is not installed"

    def lines(self, image: Path) -> Iterator[Line]:
        done = subprocess.run([*self.command, "-d", str(image)], capture_output=True, text=True, check=True)
        return parsed(done.stdout)


# Number of the command in differential/simulators/simulator.c.
_DISASSEMBLE = 11


@dataclass(frozen=True)
class Simulator:
    """The disassembler in gdb's simulator of a family, for which the distribution has no objdump."""

    name: str
    options: tuple[str, ...] = ()

    @property
    def _program(self) -> Path:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(cache) / "steelyard/simulators" / self.name / "simulator"

    def missing(self) -> str | None:
        """Why it cannot be asked."""
        built = os.access(self._program, os.X_OK)
        return None if built else f"differential/simulators/build.sh {self.name} has not been run"

    def lines(self, image: Path) -> Iterator[Line]:
        pieces = list(code(image))
        batch = b"".join(
            struct.pack("<BII", _DISASSEMBLE, address, len(data)) + data for address, data in pieces
        )
        asked = struct.pack("<I", len(batch)) + batch
        done = subprocess.run([self._program, *self.options], input=asked, capture_output=True, check=False)
        assert done.returncode == 0, f"{self._program}: {done.stderr.decode()}; is it older than simulator.c?"
        at = 4
        for _ in pieces:
            (length,) = struct.unpack_from("<I", done.stdout, at)
            yield from parsed(done.stdout[at + 4 : at + 4 + length].decode())
            at += 4 + length


def code(image: Path) -> Iterator[tuple[int, bytes]]:
    """The executable sections' addresses and bytes, cut at each symbol, where an instruction begins."""
    with image.open("rb") as file:
        elf = ELFFile(file)
        tables = [section for section in elf.iter_sections() if isinstance(section, SymbolTableSection)]
        symbols = {symbol["st_value"] for table in tables for symbol in table.iter_symbols() if symbol.name}
        for section in elf.iter_sections("SHT_PROGBITS"):
            start, data = section["sh_addr"], section.data()
            if not section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                continue
            cuts = sorted(
                {start, start + len(data), *(at for at in symbols if start < at < start + len(data))}
            )
            for begin, end in itertools.pairwise(cuts):
                yield begin, data[begin - start : end - start]
