"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int) -> str:
    """Return a Markdown table whose first `left` columns are left aligned, the others right aligned."""
    lines = [[_escaped(cell) for cell in line] for line in (headings, *rows)]
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(headings))]
    rule = [("-" * width if i < left else "-" * (width - 1) + ":") for i, width in enumerate(widths)]

    def joined(cells: Sequence[str]) -> str:
        padded = (
            cell.ljust(w) if i < left else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join(padded) + " |\n"

    return joined(lines[0]) + joined(rule) + "".join(joined(line) for line in lines[1:])


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
