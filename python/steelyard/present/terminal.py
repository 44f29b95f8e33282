"""Tables on a terminal, or in what its output is piped into."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

_WIDTH_OF_A_FILE = 240
_LONG_TABLE_ROWS = 500
"""Beyond this Rich would take longer to lay out a table than a warm run to make its rows."""


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int) -> None:
    """A table whose first `left` columns hold text and whose others hold numbers."""
    listed = [headings, *rows]
    if len(listed) > _LONG_TABLE_ROWS:
        _print_long_table(listed, left)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="left" if index < left else "right", no_wrap=True)
    for row in listed[1:]:
        table.add_row(*(Text(cell) for cell in row))
    Console(width=None if sys.stdout.isatty() else _WIDTH_OF_A_FILE, highlight=False).print(table)


def _print_long_table(rows: Sequence[Sequence[str]], left: int) -> None:
    """Print a long table at full width, independent of the terminal's."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "   ".join(
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    lines.insert(1, "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * len(lines[0]))
    print("\n".join(["", *(f" {line} ".rstrip() for line in lines), ""]))
