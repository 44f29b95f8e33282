"""Print tables on a terminal, or into a pipe.

A figure or a name is never cut. A table wider than the terminal wraps its headings and its prose; if that
does not suffice, it leaves out the least needed columns, then wraps names, then turns on its side. Piped
output has its full width.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from steelyard.present.table import Table

_GAP = "  "
_PROSE = 36
"""Width from which a column of words counts as prose; it wraps to no less while columns can be left out."""
_INDENT = " "
"""Indentation of the lines that continue a wrapped cell."""
_BREAK = re.compile(r"(?<=[^\W\d][-/_])(?=\w)|(?<=\d[-/_])(?=[^\W\d_])")
"""Places at which a name may be split: after `-`, `/` and `_`, except in a range of numbers or an option."""
_FIGURE = re.compile(r"[-+]?\d[\d,.]*")

_Pieces = Callable[[str], list[str]]
"""Splits a word where it may be wrapped."""


def print_page(blocks: Iterable[Table | str]) -> None:
    """Print tables and paragraphs in turn, with an empty line around each table."""
    width = terminal_width()
    before: Table | str | None = None
    for block in blocks:
        if before is not None and (isinstance(block, Table) or isinstance(before, Table)):
            print()
        lines = table_lines(block, width) if isinstance(block, Table) else paragraph(block, width)
        print("\n".join(lines))
        before = block


def terminal_width() -> int | None:
    """Return the number of characters in a line of the terminal; None if standard output is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def paragraph(text: str, width: int | None) -> list[str]:
    """Return the lines of a text wrapped between words; indented lines, such as commands, stay unchanged."""
    found = []
    for line in text.splitlines() or [""]:
        found += [line] if width is None or line.startswith(" ") else _wrapped(line, width, _whole, "")
    return found


def table_lines(table: Table, width: int | None) -> list[str]:
    """Return the lines of a table, none wider than `width` (None: no limit)."""
    columns = [
        _Column(_clean(heading), [_clean(row[index]) for row in table.rows], table.is_numeric(index))
        for index, heading in enumerate(table.headings)
    ]
    title = [*paragraph(table.title, width), ""] if table.title else []
    if width is None:
        return [*title, *_upright(columns, [column.natural for column in columns])]
    shown, widths = _fitted(columns, table, width)
    if not widths:
        return [*title, *_on_its_side(columns, width)]
    left_out = [column for column in columns if column not in shown]
    note = ["", *paragraph(_left_out_sentence(left_out, width), width)] if left_out else []
    return [*title, *_upright(shown, widths), *note]


@dataclass(frozen=True, eq=False)
class _Column:
    heading: str
    cells: list[str]
    is_number: bool

    @cached_property
    def widest_cell(self) -> int:
        return max(map(_width, self.cells), default=0)

    @cached_property
    def natural(self) -> int:
        """Return the width without any wrapping."""
        return max(_width(self.heading), self.widest_cell)

    @cached_property
    def comfortable(self) -> int:
        """Return the width with wrapped heading and prose."""
        cells = self.widest_cell
        if not self.is_number and cells > _PROSE and any(" " in cell for cell in self.cells):
            cells = max(_PROSE, *(_least(cell, _whole) for cell in {*self.cells}))
        return max(_least(self.heading, self.pieces), cells)

    @cached_property
    def words(self) -> int:
        """Return the width with names wrapped between words."""
        return self._narrowest(_whole)

    @cached_property
    def least(self) -> int:
        """Return the width with names also wrapped inside words."""
        return self._narrowest(self.pieces)

    def _narrowest(self, pieces: _Pieces) -> int:
        indent = 0 if self.is_number else len(_INDENT)
        cells = max((_least(cell, pieces, indent) for cell in {*self.cells}), default=0)
        return max(_least(self.heading, self.pieces), cells)

    def pieces(self, word: str) -> list[str]:
        """Split a word into pieces that may stand on lines of their own; a figure is one piece."""
        return _BREAK.split(word) if word[0].isalpha() or not self.is_number else [word]


def _fitted(columns: list[_Column], table: Table, width: int) -> tuple[list[_Column], list[int]]:
    """Return the shown columns and their widths; no widths if the table must turn on its side."""
    shown = columns
    # A single row is read more easily on its side than without some of its columns.
    is_long = len(table.rows) > 1
    empty = (column.heading for column in columns if not column.widest_cell)
    for name in (None, *((*empty, *table.least_needed) if is_long else ())):
        shown = [column for column in shown if column.heading != name]
        if widths := _widths(shown, width, 0):
            return shown, widths
    for name in (None, *(table.less_needed if is_long else ())):
        shown = [column for column in shown if column.heading != name]
        for wrapped in range(1, 2 * len(shown) + 1):
            if widths := _widths(shown, width, wrapped):
                return shown, widths
    return columns, []


def _widths(columns: Sequence[_Column], width: int, wrapped: int) -> list[int]:
    """Return widths that fit with `wrapped` columns wrapped: between words, then inside them; or none.

    Labels are wrapped before numbers, the widest first.
    """
    order = sorted(columns, key=lambda column: (column.is_number, -column.comfortable))
    least = {id(column): column.words for column in order[:wrapped]}
    least |= {id(column): column.least for column in order[: max(wrapped - len(columns), 0)]}
    return _shares(
        [least.get(id(column), column.comfortable) for column in columns],
        [column.natural for column in columns],
        width - len(_GAP) * (len(columns) - 1),
    )


def _shares(least: Sequence[int], most: Sequence[int], available: int) -> list[int]:
    """Return widths between each column's least and most, narrowing the widest first; or none."""
    if sum(least) > available:
        return []
    low, high = 0, max(most)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(max(a, min(b, middle)) for a, b in zip(least, most, strict=True)) <= available:
            low = middle
        else:
            high = middle - 1
    return [max(a, min(b, low)) for a, b in zip(least, most, strict=True)]


def _upright(columns: Sequence[_Column], widths: Sequence[int]) -> list[str]:
    """Return headings, a rule under each, then the rows."""
    rule = "\N{BOX DRAWINGS LIGHT HORIZONTAL}" if (sys.stdout.encoding or "").startswith("utf") else "-"
    headings = [_wrapped(c.heading, width, c.pieces, "") for c, width in zip(columns, widths, strict=True)]
    height = max(map(len, headings))
    lines = list(_joined([[""] * (height - len(one)) + one for one in headings], columns, widths))
    lines.append(_GAP.join(rule * width for width in widths))
    if all(column.widest_cell <= width for column, width in zip(columns, widths, strict=True)):
        padded = ([_padded(cell, c, w) for cell in c.cells] for c, w in zip(columns, widths, strict=True))
        return [*lines, *(_GAP.join(cells).rstrip() for cells in zip(*padded, strict=True))]
    cells = zip(*(_wrapped_cells(c, width) for c, width in zip(columns, widths, strict=True)), strict=True)
    return [*lines, *(line for row in cells for line in _joined(row, columns, widths))]


def _joined(cells: Sequence[list[str]], columns: Sequence[_Column], widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a row whose cells have several lines."""
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (_padded(part, c, width) for part, c, width in zip(parts, columns, widths, strict=True))
        yield _GAP.join(padded).rstrip()


def _wrapped_cells(column: _Column, width: int) -> Iterator[list[str]]:
    known: dict[str, list[str]] = {}
    for cell in column.cells:
        if cell not in known:
            known[cell] = _wrapped(cell, width, column.pieces, "" if column.is_number else _INDENT)
        yield known[cell]


def _on_its_side(columns: Sequence[_Column], width: int) -> list[str]:
    """Return for each row a block with a line for each column that has a value."""
    label = max(_width(column.heading) for column in columns) + len(_GAP)
    room = max(width - label, 1)
    headings = [column.heading + " " * (label - _width(column.heading)) for column in columns]
    lines = []
    for cells in zip(*(column.cells for column in columns), strict=True):
        for heading, cell in zip(headings, map(str.strip, cells), strict=True):
            if cell and _width(cell) <= room:
                lines.append(heading + cell)
            elif cell:
                first, *others = _wrapped(cell, room, lambda word: _parted(word, room), "")
                lines += [heading + first, *(" " * label + other for other in others)]
        lines.append("")
    return lines[:-1]


def _parted(word: str, width: int) -> list[str]:
    """Split a word that is wider than a line at any character."""
    pieces = _BREAK.split(word)
    return [piece[start : start + width] for piece in pieces for start in range(0, max(len(piece), 1), width)]


def _left_out_sentence(columns: Sequence[_Column], width: int) -> str:
    names = ", ".join(
        f"{column.heading} ({column.cells[0] or 'empty'} in all rows)"
        if len({*column.cells}) == 1
        else column.heading
        for column in columns
    )
    return (
        f"{len(columns)} column{'s' if len(columns) > 1 else ''} left out at {width} characters: {names};"
        " --columns chooses, a wider terminal or a pipe shows all."
    )


def _wrapped(text: str, width: int, pieces: _Pieces, indent: str) -> list[str]:
    """Return a text in lines; a piece wider than a line gets a line to itself."""
    if _width(text) <= width:
        return [text]
    lines = []
    line = text[: len(text) - len(text.lstrip())]
    start, between = line + indent, ""
    for word in _words(text):
        for piece in [word] if _width(start) + _width(word) <= width else pieces(word):
            if line.strip() and _width(line) + len(between) + _width(piece) > width:
                lines.append(line)
                line, between = start, ""
            line += between + piece
            between = ""
        between = " "
    return [*lines, line]


def _whole(word: str) -> list[str]:
    return [word]


def _words(text: str) -> list[str]:
    """Return the words of a text; a number and its unit are one word."""
    words: list[str] = []
    for word in text.split():
        if words and _FIGURE.fullmatch(words[-1]) and not word[0].isdigit() and word[0] not in "-+([":
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _least(text: str, pieces: _Pieces, indent: int = 0) -> int:
    """Return the width of the widest piece; all but the first one are indented."""
    if not text or (" " not in text and pieces(text) == [text]):
        return _width(text)
    start = len(text) - len(text.lstrip())
    widths = [start + _width(one) for word in _words(text) for one in pieces(word)]
    return max((width + (indent if index else 0) for index, width in enumerate(widths)), default=0)


def _padded(text: str, column: _Column, width: int) -> str:
    space = " " * (width - _width(text))
    return space + text if column.is_number else text + space


def _width(text: str) -> int:
    """Return the number of terminal characters of a text."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _clean(text: str) -> str:
    """Return a text without control characters and line breaks."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)
