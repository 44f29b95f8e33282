"""Sizes by owner from a linker's own map: an account that does not go through our output sections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# GNU ld: " .text.f  0x0000000000000036  0xf0 own_f.o", the name on a line of its own where it is long.
_GNU = re.compile(r"^ (\.\S+|COMMON)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)$", re.MULTILINE)
# lld: "  36  36  f0  2  own_f.o:(.text.f)"; an output section's line has its name alone at the end.
_LLD = re.compile(r"^\s*[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+\s+(?:(\S+):\((\S+)\)|(\.\S+))$")

_OWNED = ("own", "mode", "harness")


def bytes_by_owner(path: Path) -> Counter[tuple[str, str]]:
    """Bytes that input sections contribute, by (owner, first word of the section's name)."""
    text = path.read_text()
    if "Linker script and memory map" in text:
        placed = re.sub(r"\n(\s+\S+)\n\s+0x", r"\n\1 0x", text.partition("Linker script and memory map")[2])
        rows = [(file, name, size) for name, size, file in _GNU.findall(placed)]
    else:
        rows = list(_lld_rows(text))
    assert rows
    total: Counter[tuple[str, str]] = Counter()
    for file, name, size in rows:
        prefix = Path(file).name.partition("_")[0]
        owner = prefix if prefix in _OWNED and "libsupport" not in file else "support"
        total[owner, name.lstrip(".").partition(".")[0]] += int(size, 16)
    return total


def _lld_rows(text: str) -> Iterator[tuple[str, str, str]]:
    """File, section and size; mergeable constants have no file in the map, they are where they were put."""
    output = ""
    for line in text.splitlines():
        match = _LLD.match(line)
        if match is None:
            continue
        size, file, name, section = match.groups()
        if section is not None:
            output = section
        elif file == "<internal>":
            yield f"{output.split('.')[1]}_merged.o", name, size
        else:
            yield file, name, size
