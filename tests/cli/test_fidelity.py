"""`steelyard fidelity` on a source folder, a board and a driver made here."""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(
    shutil.which("avr-gcc") is None or shutil.which("git") is None, reason="needs avr-gcc and git"
)

COLUMNS = (
    "routine,source,path,language,options,operation,ad_bytes,message_bytes,published,divisor,place".split(",")
)

# ldi 1, then dec 1 and brne 2 for each turn but the last, which takes a cycle less, and ret 4.
TURNS = 100
LOOP_CYCLES = 1 + 3 * TURNS - 1 + 4
# The calls of `measured` and of the routine, its result zeroed by ldi, ldi and movw, and the return.
AROUND_CYCLES = 4 + 4 + 3 + 4

ASSEMBLY = f"""
    .text
    .global turns
turns:
    ldi r24, {TURNS}
1:  dec r24
    brne 1b
    ret
"""

DRIVER = """
#include <stdint.h>
void turns(void);
uint32_t measured(void)
{
    turns();
    return RESULT;
}
"""

RECIPE = """
board = ["board.toml"]
source = "mine"

[[build]]
path = "turns.S"
files = ["{path}"]
driver = "driver.c"
define = ["RESULT=0"]

[[build]]
path = "wrong.S"
files = ["turns.S"]
driver = "driver.c"
define = ["RESULT=7"]

[[build]]
path = "broken.S"
files = ["{path}"]
driver = "driver.c"
define = ["RESULT=0"]

[[build]]
path = "gone.S"
files = ["{path}"]
driver = "driver.c"
"""

BOARD = """
title = "a board of this test"
target = "atmega128"
core = "avr51"
memory = "flash without wait states"
measured = "counted by hand"
compiler = "avr-gcc"
unit = "cycles"

[[source]]
id = "mine"
repository = "https://example.org/mine"
commit = "%s"
publication = "this test"

[[source]]
id = "theirs"
repository = "https://example.org/theirs"
publication = "nothing"
"""

Folder = Callable[..., Path]


def figure(routine: str, published: float, path: str = "turns.S", source: str = "mine") -> dict[str, object]:
    return {
        "routine": routine,
        "source": source,
        "path": path,
        "language": "assembly",
        "options": "-O2",
        "operation": "",
        "ad_bytes": "",
        "message_bytes": "",
        "published": published,
        "divisor": 1,
        "place": "above",
    }


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Makes a checkout with one commit, its recipe and its board."""

    def make(figures: Sequence[dict[str, object]], routine: str = ASSEMBLY, recipe: str = RECIPE) -> Path:
        made = tmp_path / "checkout"
        made.mkdir()
        (made / "turns.S").write_text(routine)
        (made / "broken.S").write_text("    nosuch r1\n")
        git(made, "init", "--quiet")
        git(made, "add", ".")
        git(made, "commit", "--quiet", "--message", "published")
        (made / "driver.c").write_text(DRIVER)
        (made / "steelyard-fidelity.toml").write_text(recipe)
        (made / "board.toml").write_text(BOARD % git(made, "rev-parse", "HEAD"))
        with (made / "board.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(figures)
        return made

    return make


HERE = ("--toolchain", "gcc")


def test_a_right_figure_has_no_error_and_a_wrong_one_shows(steelyard: Any, folder: Folder) -> None:
    cycles = AROUND_CYCLES + LOOP_CYCLES
    made = folder([figure("right", cycles), figure("wrong", cycles / 2)])
    right, wrong = steelyard.json("fidelity", "--source", made, *HERE)
    assert (right["emulated"], right["error_percent"], right["reason"]) == (cycles, 0, None)
    assert wrong["error_percent"] == pytest.approx(100)
    assert right["assembly_percent"] == pytest.approx(100 * LOOP_CYCLES / cycles)
    assert steelyard.run("fidelity", "--source", made, *HERE).stdout.count("+100.00") == 1


def test_what_cannot_be_built_or_run_is_a_row_with_its_reason(steelyard: Any, folder: Folder) -> None:
    paths = ("turns.S", "wrong.S", "broken.S", "gone.S", "unnamed.S")
    figures = [figure(path, 324, path) for path in paths]
    made = folder([*figures, figure("not here", 1, source="theirs")])
    rows = steelyard.json("fidelity", "--source", made, *HERE, "--output", "rows.csv", status=1)
    assert [row["routine"] for row in rows] == [*paths, "not here"]
    reasons = [row["reason"] for row in rows]
    assert reasons[0] is None
    assert all(row["emulated"] is None and row["error_percent"] is None for row in rows[1:])
    for reason, said in zip(
        reasons[1:],
        ("it returned 7", "nosuch", "no file gone.S", "says nothing of it", "source theirs"),
        strict=True,
    ):
        assert said in reason
    assert str(made) not in reasons[2]
    with (made.parent / "rows.csv").open(newline="") as file:
        assert [row["routine"] for row in csv.DictReader(file)] == [*paths, "not here"]


def test_corrections_and_units_are_the_board_s(steelyard: Any, folder: Folder) -> None:
    made = folder([figure("right", 100)])
    board = made / "board.toml"
    correction = (
        "\n[correction]\noverhead_cycles = 20\ninterrupt_cycles = 1\ninterrupt_period_cycles = 5\n"
        'reason = "a test"\ndocument = "this"\nsection = "here"\n'
    )
    text = board.read_text().replace('unit = "cycles"', 'unit = "us"\nclock_hz = 8000000')
    board.write_text(text + correction)
    (row,) = steelyard.json("fidelity", "--source", made, *HERE)
    assert row["cycles"] == AROUND_CYCLES + LOOP_CYCLES
    assert row["emulated"] == pytest.approx((AROUND_CYCLES + LOOP_CYCLES + 20) / (4 / 5) / 8)


def test_bad_input_is_one_sentence(steelyard: Any, folder: Folder) -> None:
    made = folder([figure("right", 100)])

    def said(status: int = 2) -> str:
        sentence: str = steelyard.sentence("fidelity", "--source", made, status=status)
        return sentence

    assert "no such folder" in steelyard.sentence("fidelity", "--source", "nowhere", status=2)
    recipe, board, figures = (made / name for name in ("steelyard-fidelity.toml", "board.toml", "board.csv"))
    kept = board.read_text()
    board.write_text(BOARD % ("0" * 40))
    assert "the figures of mine are of commit 000000000000, the checkout is at" in said()
    board.write_text(kept.replace('"atmega128"', '"atmega12"'))
    assert 'did you mean "atmega128"?' in said()
    board.write_text(kept)
    (made / "turns.S").write_text("")
    assert "were changed since commit" in said()
    (made / "turns.S").write_text(ASSEMBLY)
    figures.write_text(figures.read_text().replace(",100,", ",none,"))
    assert "board.csv: line 2: published:" in said()
    figures.write_text("a,b\n1,2\n")
    assert "its columns have to be routine, source" in said()
    figures.unlink()
    assert "board.csv: cannot be read" in said()
    recipe.write_text(RECIPE.replace('"board.toml"', '"mkrzeno"'))
    assert 'unknown board "mkrzeno"; did you mean "mkrzero"?' in said()
    recipe.write_text(RECIPE.replace("driver.c", "other.c"))
    assert "cannot be read" in said()
    recipe.write_text(RECIPE.replace('source = "mine"', 'source = "nine"'))
    figures.write_text(",".join(COLUMNS) + "\n")
    assert "holds no figure" in said()
    recipe.unlink()
    assert "it has no steelyard-fidelity.toml" in said()


def test_a_folder_without_git_has_no_commit(steelyard: Any, folder: Folder) -> None:
    made = folder([figure("right", 100)])
    shutil.rmtree(made / ".git")
    said = steelyard.sentence("fidelity", "--source", made, status=2)
    assert "it is no git checkout" in said
