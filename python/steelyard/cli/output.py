"""Output of commands: tables and JSON on standard output, sentences on standard error."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from steelyard.present.latex import latex_comment, latex_table
from steelyard.present.table import Table
from steelyard.record.field import decoded
from steelyard.record.schema import FIELDS

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C ended with finished work kept."""


def warn(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(f"steelyard: {sentence}", file=sys.stderr)


def tell_left_out(reasons: Counter[str], what: str = "combination") -> None:
    """Report how many were not measured, one line for each reason."""
    for reason, count in reasons.most_common():
        warn(f"{count} {what}{'s' if count > 1 else ''} left out: {reason}.")


@contextmanager
def bar(doing: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on standard error if it is a terminal; yields a function that advances it with a text."""
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
    """Print one JSON array, one object per line; a figure without a finite value is null.

    Fields of a record that hold JSON as text are printed as what they hold.
    """
    lines = ",\n".join(_strict(decoded(row, FIELDS)) for row in rows)
    print(f"[\n{lines}\n]" if lines else "[]")


def print_latex(blocks: Iterable[Table | str]) -> None:
    """Print tables in LaTeX; paragraphs become comments."""
    parts = (latex_table(block) if isinstance(block, Table) else latex_comment(block) for block in blocks)
    print("\n".join(parts), end="")


def _strict(row: Mapping[str, object]) -> str:
    try:
        return json.dumps(row, allow_nan=False)
    except ValueError:
        # JSON has no word for such a number.
        return json.dumps(json.loads(json.dumps(row), parse_constant=lambda _: None), allow_nan=False)
