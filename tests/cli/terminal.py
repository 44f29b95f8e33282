"""A command on a pseudo-terminal, and what its screen shows of the tables that it pipes."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_FIGURE = re.compile(r"[-+]?\d[\d,.]*")
_NOTE = re.compile(r"\d+ columns? left out at \d+ characters: (.*?); --columns chooses")


def on_terminal(command: Sequence[str], environment: Mapping[str, str], width: int) -> str:
    """What a command writes to a terminal of this width; its errors go elsewhere."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    named = {name: value for name, value in environment.items() if name != "COLUMNS"}
    with subprocess.Popen(
        command, env=named, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL
    ):
        os.close(slave)
        written = b""
        while True:
            try:
                part = os.read(master, 1 << 16)
            except OSError:  # Linux says so at the end.
                break
            if not part:
                break
            written += part
    os.close(master)
    return written.decode().replace("\r\n", "\n")


@dataclass(frozen=True)
class Shown:
    """A table as it was printed: headings, and for each column its lines."""

    headings: list[str]
    columns: list[list[str]]


def tables(text: str) -> list[Shown]:
    """The tables of a text, found by the rules under their headings; each ends with an empty line."""
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        if not line.strip() or set(line) - {"\N{BOX DRAWINGS LIGHT HORIZONTAL}", " "}:
            continue
        spans = [one.span() for one in re.finditer(r"\S+", line)]
        spans[-1] = (spans[-1][0], 1 << 20)
        first = number
        while first and lines[first - 1].strip():
            first -= 1
        last = number
        while last + 1 < len(lines) and lines[last + 1].strip():
            last += 1
        heads = [" ".join(row[a:b].strip() for row in lines[first:number]).strip() for a, b in spans]
        found.append(Shown(heads, [[row[a:b] for row in lines[number + 1 : last + 1]] for a, b in spans]))
    return found


def cuts(screen: str, piped: str, width: int) -> list[str]:
    """What a screen does not show whole of the tables that are piped; nothing is as it must be.

    A column stands on the screen with all of its text, each figure on one line, or is named as left out; a
    table without columns has turned on its side, with each cell beside its heading.
    """
    wrong = [f"too wide: {line}" for line in screen.splitlines() if len(line) > width]
    wrong += [f"ellipsis: {line}" for line in screen.splitlines() if "..." in line or "…" in line]
    shown = tables(screen)
    notes = [_bare(note) for note in _NOTE.findall(" ".join(screen.split()))]
    for table in tables(piped):
        heads = [_bare(heading) for heading in table.headings]
        there = next((one for one in shown if {_bare(head) for head in one.headings} <= {*heads}), None)
        if there is None:
            wrong += _not_beside(screen, table)
            continue
        shown.remove(there)
        columns = dict(zip(map(_bare, there.headings), there.columns, strict=True))
        left_out = [heading for heading in heads if heading not in columns]
        if left_out:
            note = notes.pop(0) if notes else ""
            wrong += [f"left out unsaid: {heading}" for heading in left_out if heading not in note]
        for heading, cells in zip(heads, table.columns, strict=True):
            if heading in columns:
                if _bare("".join(cells)) != _bare("".join(columns[heading])):
                    wrong.append(f"column {heading} is not whole")
                figures = {word for line in columns[heading] for word in line.split()}
                wrong += [
                    f"figure of {heading}: {word}"
                    for cell in cells
                    for word in cell.split()
                    if _FIGURE.fullmatch(word) and word not in figures
                ]
    return wrong


def _not_beside(screen: str, table: Shown) -> list[str]:
    bare = _bare(screen)
    return [
        f"neither upright nor on its side: {heading} {cell.strip()}"
        for heading, cells in zip(table.headings, table.columns, strict=True)
        for cell in cells
        if cell.strip() and _bare(heading + cell) not in bare
    ]


def _bare(text: str) -> str:
    """A text without what wrapping adds."""
    return re.sub(r"\s", "", text)
