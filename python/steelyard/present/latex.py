"""Tables in LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from steelyard.present.table import Table

# A plain hyphen is one; two or three together would be a dash.
_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "µ": r"\textmu{}",
    "→": r"$\rightarrow$",
    "±": r"$\pm$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
}
_SIGN = re.compile("|".join([r"(?<=-)-", *map(re.escape, _SIGNS)]))


def latex_table(table: Table) -> str:
    """Return a table for `\\usepackage{booktabs}`, labels left and numbers right aligned.

    A title becomes the caption of a float.
    """
    columns = "".join("r" if table.is_numeric(index) else "l" for index in range(len(table.headings)))
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line(table.headings),
        r"\midrule",
        *map(_line, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.title:
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped(table.title)}}}",
            *lines,
            r"\end{table}",
        ]
    return "\n".join(lines) + "\n"


def latex_comment(text: str) -> str:
    """Return a text that stands beside tables, as comments."""
    return "".join(f"% {line}".rstrip() + "\n" for line in text.splitlines())


def escaped(text: str) -> str:
    """Return a text in which every sign stands for itself in LaTeX."""
    return _SIGN.sub(lambda found: _SIGNS.get(found[0], "{}-"), " ".join(text.split()))


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
