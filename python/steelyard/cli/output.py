"""What commands print: tables and JSON on standard output, sentences on standard error."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C ended, with what is done kept."""

_WIDTH_OF_A_FILE = 240
_LONG_TABLE_ROWS = 500
"""Beyond this Rich would take longer to lay out a table than a warm run to make its rows."""


def warn(sentence: str) -> None:
    """A sentence on standard error."""
    print(f"steelyard: {sentence}", file=sys.stderr)


def tell_left_out(reasons: Counter[str], what: str = "combination") -> None:
    """How many were not measured, a line for each reason."""
    for reason, count in reasons.most_common():
        warn(f"{count} {what}{'s' if count > 1 else ''} left out: {reason}.")


@contextmanager
def bar(doing: str, total: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error while it is a terminal; what it gives is called with what was done."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=total)
        yield lambda what: shown.update(task, advance=1, description=what.ljust(34)[:34])


def print_json(rows: Iterable[Mapping[str, object]]) -> None:
    """One JSON array, an object per line."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    print(f"[\n{lines}\n]" if lines else "[]")


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
    """As `print_table`, at full width whatever the terminal's."""
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
