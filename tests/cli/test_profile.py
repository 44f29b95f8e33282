"""`steelyard profile` through the real entry point."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import options
from report.packed import everything, page_data

from steelyard.toolchain import find_toolchain

Make = Callable[..., Path]

GOLDEN = Path(__file__).parent.parent / "golden"
SUM = GOLDEN / "sum.elf"
CALL = ("--call", "sum", "--target", "atmega128", "--arg", "in:0102030405", "--arg", "5")
RC5 = options(
    primitive="rc5-32-12-8", target="atmega128", operation="encrypt", toolchain="clang", flags="-O2"
)


def test_rows_are_the_record(steelyard: Any) -> None:
    """Functions, lines and instructions each have the cycles that `measure` records."""
    (record,) = steelyard.json("measure", *RC5)
    for by in ("function", "line", "instruction"):
        rows = steelyard.json("profile", *RC5, "--by", by)
        assert sum(row["cycles"] for row in rows) == pytest.approx(record["cycles"], abs=1e-6)
        assert {row["call_cycles"] for row in rows} == {record["cycles"]}
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        assert sum(row["energy_nj"] for row in rows) == pytest.approx(record["energy_nj"])
    named = {row["name"]: row["cycles"] for row in record["functions"]}
    functions = steelyard.json("profile", *RC5, "--by", "function", "--tree")
    assert sum(row["cycles"] for row in functions) == pytest.approx(sum(named.values()))


def test_text_is_two_tables_of_ten_rows(steelyard: Any) -> None:
    done = steelyard.run("profile", *RC5)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("rc5-32-12-8 encrypt, 8 bytes: rc5/")
    assert "cycles, mean of 16 inputs" in lines[1]
    assert len(lines) < 40
    assert any(line.startswith("function ") for line in lines)
    assert any(line.startswith("line ") and line.endswith("source") for line in lines)
    assert done.stderr == ""


def test_tables_can_be_chosen(steelyard: Any) -> None:
    tree = steelyard.run("profile", *RC5, "--tree").stdout
    assert "path of calls" in tree and "function  " not in tree
    heat = steelyard.run("profile", *RC5, "--heat").stdout
    assert "stack" in heat and "loads" in heat
    hot = steelyard.run("profile", *RC5, "--by", "instruction", "--top", "3").stdout
    assert len([line for line in hot.splitlines() if line.startswith("0x")]) == 3
    assert "more" in hot.splitlines()[-1]


@pytest.mark.parametrize("form", ["json", "speedscope", "pprof", "folded", "flamegraph"])
def test_every_format_is_a_file(steelyard: Any, form: str) -> None:
    path = steelyard.folder / f"profile.{form}"
    steelyard.run("profile", *RC5, "--format", form, "-o", path)
    content = path.read_bytes()
    if form == "pprof":
        content = gzip.decompress(content)
    elif form in ("json", "speedscope"):
        assert json.loads(content)
    assert b"block_encrypt" in content
    assert b"/tmp" not in content and str(Path.home()).encode() + b"/" not in content


def test_a_saved_profile_is_in_the_report(steelyard: Any) -> None:
    steelyard.run("measure", *RC5)
    steelyard.run("profile", *RC5, "--save", "before & after")
    steelyard.run("report", "-o", "report.html")
    page = everything(steelyard.folder / "report.html")
    titles = [section["title"] for section in page_data(steelyard.folder / "report.html")["sections"]]
    assert "Profile: before & after" in titles
    assert r"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\"" in page
    assert "sha256-" in page.partition("script-src")[2][:20]
    rows = steelyard.json("profile", *RC5, "--diff", "before & after", "clang")
    assert rows and not any(row["difference"] for row in rows)


def test_a_difference_of_flags_and_of_files(steelyard: Any) -> None:
    rows = steelyard.json("profile", *RC5[:-1], "--diff", "-O1", "-O3", "--by", "function")
    cells = {}
    for flags in ("-O1", "-O3"):
        path = steelyard.folder / f"{flags[1:]}.json"
        steelyard.run("profile", *RC5[:-1], f"--flags={flags}", "--format", "json", "-o", path)
        cells[flags] = json.loads(path.read_text())["cell"]["cycles"]
    whole = cells["-O3"] - cells["-O1"]
    assert sum(row["difference"] for row in rows) == pytest.approx(whole)
    of_files = steelyard.json("profile", "--diff", "O1.json", "O3.json", "--by", "function")
    assert of_files == rows
    shown = steelyard.run("profile", "--diff", "O1.json", "O3.json").stdout
    assert shown.splitlines()[0].startswith("A: rc5-32-12-8 encrypt")
    assert "difference" in shown


def test_an_image_without_debug_information_has_functions(steelyard: Any) -> None:
    (record,) = steelyard.json("measure", "--elf", SUM, *CALL)
    rows = steelyard.json("profile", "--elf", SUM, *CALL)
    assert sum(row["cycles"] for row in rows) == record["cycles"]
    assert rows[0]["function"] == "sum"
    shown = steelyard.run("profile", "--elf", SUM, *CALL).stdout
    assert "No source lines: sum.elf has no debug information." in shown


def test_an_image_with_debug_information_has_lines(steelyard: Any) -> None:
    """The loop of the C is where its cycles go; its text is read beside the image."""
    folder = steelyard.folder
    for name in ("sum.c", "sum.ld"):
        shutil.copy(GOLDEN / name, folder / name)
    programs = find_toolchain("avr", "clang").require().programs
    made = ("--target=avr", "-mmcu=atmega128", "-g", "-Os", "-ffreestanding", "-c", "sum.c", "-o", "sum.o")
    for command in (
        [*programs.compile, *made],
        [*programs.link, "-T", "sum.ld", "-e", "sum", "sum.o", "-o", "sum.elf"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    rows = steelyard.json("profile", "--elf", "sum.elf", *CALL, "--by", "line")
    assert {row["file"] for row in rows} == {"sum.c", None}
    assert "total += *bytes++;" in {row["text"] for row in rows}
    (record,) = steelyard.json("measure", "--elf", "sum.elf", *CALL)
    assert sum(row["cycles"] for row in rows) == record["cycles"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--elf", SUM, "--call", "sun", "--target", "atmega128"), 'did you mean "sum"?'),
        (("--elf", SUM, "--target", "atmega128"), "go together"),
        (("--call", "sum", "--target", "atmega128"), "go together"),
        (("--elf", SUM, "--call", "sum"), "needs one --target"),
        (("--elf", SUM, *CALL, "--operation", "encrypt"), "says nothing of an image"),
        (("--target", "atmega128"), "--primitive or --variant"),
        (("--primitive", "aes-129", "--target", "atmega128"), "did you mean"),
        ((*RC5[:2], "--format", "folded"), "cells"),
        ((*RC5, "--format", "flame"), "flamegraph"),
        ((*RC5, "-o", "x"), "--output is for --format"),
        ((*RC5, "--json", "--format", "folded"), "exclude each other"),
        ((*RC5, "--diff", "-O1", "rc5/compac"), "did you mean"),
        ((*RC5, "--diff", "-O1", "-O2", "--by", "instruction"), "functions and lines"),
        ((*RC5, "--diff", "-O1", "-O2", "--tree"), "leave --format"),
        (("--primitive", "*", "--target", "atmega128"), "at most 16"),
    ],
)
def test_bad_input_is_one_sentence(steelyard: Any, arguments: tuple[object, ...], said: str) -> None:
    done = steelyard.run("profile", *arguments, status=2)
    assert done.stdout == ""
    assert said in " ".join(done.stderr.split()), done.stderr


def test_a_failed_cell_has_its_status_and_reason(steelyard: Any, own_idea: Make) -> None:
    """A wrong output is no profile: the command says what is wrong and ends with status 1."""
    folder = own_idea("mine", ("encrypt.c", "x1 ^= u;", "x1 ^= u + 1;"))
    sentence = steelyard.sentence(
        "profile", "--primitives", folder, "--variant", "idea/mine", "--target", "atmega128",
        "--operation", "encrypt", "--flags=-O2", status=1,
    )  # fmt: skip
    assert "wrong-output" in sentence and "byte" in sentence


def test_a_call_that_faults_has_no_profile(steelyard: Any) -> None:
    sentence = steelyard.sentence(
        "profile", "--elf", SUM, "--call", "reverse", "--target", "atmega128",
        "--arg", "inout:0011", "--arg", "5", status=1,
    )  # fmt: skip
    assert "fault" in sentence and "past the end" in sentence
