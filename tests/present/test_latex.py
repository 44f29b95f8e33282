"""Tables in LaTeX: every sign stands for itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from steelyard.present.latex import escaped, latex_comment, latex_table
from steelyard.present.table import Table

TABLE = Table(
    "50 % of A & B_1",
    ("name", "x"),
    (('a--b {c} $~^\\<|>#"', "1,234"), ("µ → \N{MULTIPLICATION SIGN}", "-5")),
    left=1,
)


def test_a_table() -> None:
    assert latex_table(Table("", ("a", "b"), (("x_1", "2"),), left=1)).splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"x\_1 & 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_title_is_a_caption() -> None:
    lines = latex_table(TABLE).splitlines()
    assert lines[0] == r"\begin{table}" and lines[-1] == r"\end{table}"
    assert r"\caption{50 \% of A \& B\_1}" in lines


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("\\{}", r"\textbackslash{}\{\}"),
        ("a\nb", "a b"),
        ("100 % & #_$", r"100 \% \& \#\_\$"),
        ("<a|b>~^", r"\textless{}a\textbar{}b\textgreater{}\textasciitilde{}\textasciicircum{}"),
    ],
)
def test_signs(text: str, made: str) -> None:
    assert escaped(text) == made


def test_sentences_are_comments() -> None:
    assert latex_comment("one\n\ntwo") == "% one\n%\n% two\n"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on PATH")
def test_latex_takes_it(tmp_path: Path) -> None:
    text = latex_table(TABLE)
    page = (
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}"
        f"\\begin{{document}}{text}\\end{{document}}"
    )
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "page.tex"], cwd=tmp_path, check=True)
