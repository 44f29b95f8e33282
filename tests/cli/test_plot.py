"""`steelyard plot`, `--latex`, completion, and JSON without JSON in texts, through the real entry point."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import Steelyard
from typer.testing import CliRunner

from steelyard.cli.app import app
from steelyard.errors import SteelyardError

CELLS = (
    "--primitive",
    "chacha20",
    "--target",
    "atmega328p",
    "--toolchain",
    "clang",
    "--operation",
    "encrypt",
)
SIZES = ("--length", "64", "--length", "128", "--samples", "2")


def completed(words: str, at: int) -> list[str]:
    """What a shell is told for the word at this place."""
    asked = {"_STEELYARD_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    program = "import sys; sys.argv = ['steelyard']; from steelyard.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **asked}, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_a_figure_and_its_data(steelyard: Steelyard, tmp_path: Path) -> None:
    measured = steelyard.json("measure", *CELLS, *SIZES)
    done = steelyard.run("plot", "length", "-o", "a.svg", "-o", "a.pdf", "-o", "b.png", "--width", "60mm")
    assert "2 rows; a.svg, a.pdf, b.png, a.csv, b.csv written" in done.stderr
    assert 'width="60.' in (tmp_path / "a.svg").read_text(encoding="utf-8")[:300]
    first = {name: (tmp_path / name).read_bytes() for name in ("a.svg", "a.pdf", "b.png", "a.csv")}
    assert first["a.pdf"].startswith(b"%PDF") and first["b.png"].startswith(b"\x89PNG")
    steelyard.run("plot", "length", "-o", "a.svg", "-o", "a.pdf", "-o", "b.png", "--width", "60mm")
    assert {name: (tmp_path / name).read_bytes() for name in first} == first
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()))
    assert [(int(row["message_bytes"]), float(row["cycles"])) for row in rows] == [
        (row["message_bytes"], row["cycles"]) for row in measured
    ]
    printed = steelyard.json("plot", "length")
    assert [row["cycles"] for row in printed] == [row["cycles"] for row in measured]
    steelyard.run("plot", "length", "--data", "json")
    assert [row["cycles"] for row in json.loads((tmp_path / "length.json").read_text("utf-8"))] == [
        row["cycles"] for row in measured
    ]
    listed = {row["figure"] for row in steelyard.json("plot", "--list")}
    assert {"length", "front", "heat", "fidelity"} <= listed


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("lenght",), 2, 'did you mean "length"?'),
        ((), 2, "steelyard plot --list lists them"),
        (("length", "-o", "a.gif"), 2, "must end in .svg, .pdf or .png"),
        (("length", "--width", "88"), 2, "write it as 88mm"),
        (("length", "--width", "9m"), 2, "write it as 88mm"),
        (("length", "--width", "2mm"), 2, "between 15 mm and 840 mm"),
        (("length", "--choose", "flags=-O3"), 2, "for figures of studies"),
        (("cache-sweep-cycles", "--choose", "flags"), 2, "write it as flags=-O2"),
        (("fidelity",), 2, "--rows FILE and the figure fidelity go together"),
        (("fidelity", "--rows", "none.csv"), 2, "cannot be read"),
        (("length", "--primitive", "aes-12"), 2, 'did you mean "aes-192"?'),
        (("length",), 1, "steelyard measure --length 64"),
        (("cache-sweep-cycles",), 1, "steelyard reproduce cache-sweep makes them"),
    ],
)
def test_mistakes_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int, said: str
) -> None:
    monkeypatch.setenv("STEELYARD_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    error = CliRunner().invoke(app, ["plot", *words]).exception
    assert isinstance(error, SteelyardError)
    assert (error.exit_status, len(str(error).splitlines())) == (status, 1)
    assert said in str(error)
    assert list(tmp_path.iterdir()) == []


def test_tables_in_latex(steelyard: Steelyard) -> None:
    steelyard.json("measure", *CELLS, *SIZES)
    shown = steelyard.run("show", "--latex", "--columns", "primitive,message_bytes,rom_bytes").stdout
    lines = shown.splitlines()
    assert lines[:3] == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"primitive & message\_bytes & rom\_bytes \\",
    ]
    assert [line.split(" & ")[:2] for line in lines if line.startswith("chacha20")] == [
        ["chacha20", "64"],
        ["chacha20", "128"],
    ]
    said = steelyard.sentence("show", "--latex", "--json", status=2)
    assert "two forms of the output" in said


def test_json_holds_no_json_in_texts(steelyard: Steelyard) -> None:
    def texts(value: object) -> list[str]:
        if isinstance(value, str):
            return [value]
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [text for one in inside for text in texts(one)]

    measured = steelyard.json("measure", *CELLS, *SIZES, "--target", "sa1100")
    exported = json.loads(steelyard.run("store", "export").stdout)
    for rows in (measured, steelyard.json("show"), exported):
        assert [text for text in texts(rows) if re.match(r"\s*[\[{]", text)] == []
        functions = rows[0]["functions"]
        assert sum(one["cycles"] for one in functions) == pytest.approx(rows[0]["cycles"])
    assert any(isinstance(row["energy_shares"], dict) for row in measured)


def test_a_shell_completes_names() -> None:
    assert completed("steelyard measure --primitive aes-128", 3)[:3] == [
        "aes-128",
        "aes-128-ccm",
        "aes-128-ccm-4",
    ]
    assert completed("steelyard show --target atmega32", 3) == ["atmega328p", "atmega32u4"]
    assert completed("steelyard plot f", 2) == ["fidelity", "front"]
    assert completed("steelyard plo", 1) == ["plot"]


def test_names_of_a_shell_are_those_of_the_catalogue() -> None:
    from steelyard.catalog.load import load_catalog
    from steelyard.cli import completion
    from steelyard.study.discover import study_names

    catalog = load_catalog()
    named = [*(p.id for p in catalog.primitives if p.counted), *catalog.awaited_primitives]
    assert completion.primitive_names("") == sorted(named)
    assert completion.primitive_names("aes-256-c") == ["aes-256-ccm", "aes-256-cmac"]
    assert completion.variant_names("") == sorted(one.id for one in catalog.variants)
    assert completion.target_names("") == sorted(one.id for one in catalog.targets)
    assert completion.mode_names("") == sorted(one.id for one in catalog.modes)
    assert completion.toolchain_names("") == ["clang", "gcc"]
    assert completion.study_names("") == sorted(study_names())
