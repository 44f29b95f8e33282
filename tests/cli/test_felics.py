"""A tree of FELICS measured as it is: blocks, its scenarios with their modes, and its figure of merit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import felics_tree
import pytest
from command import options
from felics_tree import add

CHIPS = ["atmega128", "msp430f1611", "sam3x8e"]
SLOW = """\
#include "cipher.h"
#include "constants.h"
static volatile uint8_t waited;
void Encrypt(uint8_t *block, uint8_t *roundKeys)
{
    for (uint8_t i = 0; i < 100; i++) waited = i;
    for (uint8_t i = 0; i < BLOCK_SIZE; i++)
        block[i] = (block[i] + READ_ROUND_KEY_BYTE(roundKeys[i])) ^ READ_ROUND_KEY_BYTE(roundKeys[8 + i]);
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return felics_tree.write(tmp_path / "tree")


def measured(steelyard: Any, root: Path, **asked: object) -> list[dict[str, Any]]:
    given = {"target": CHIPS, "toolchain": "clang", "flags": "-O2", "samples": 3, **asked}
    rows: list[dict[str, Any]] = steelyard.json("measure", "--primitives", root, *options(**given))
    return rows


def test_blocks_and_scenarios_are_verified_on_the_chips_of_felics(steelyard: Any, root: Path) -> None:
    rows = measured(steelyard, root, mode=["none", "cbc", "ctr"], footprint=["both", "encrypt"])
    assert all(row["status"] == "ok" and row["verified"] for row in rows), [row["error"] for row in rows]
    asked = {(row["operation"], row["mode"], row["message_bytes"]) for row in rows}
    assert asked == {
        ("init", None, None),
        ("encrypt", None, 8),
        ("decrypt", None, 8),
        ("encrypt", "cbc", 128),
        ("decrypt", "cbc", 128),
        ("encrypt", "ctr", 16),
    }
    evidence = {(row["mode"], row["evidence"]) for row in rows}
    assert evidence == {(None, "vectors"), ("cbc", "vectors consistency"), ("ctr", "vectors consistency")}
    for chip in CHIPS:
        whole, ready = (
            next(
                row
                for row in rows
                if (row["target"], row["mode"]) == (chip, mode) and row["operation"] == "encrypt"
            )
            for mode in ("cbc", "ctr")
        )
        # Round keys are constants of an image without their schedule, which has a table.
        assert whole["ram_context_bytes"] == 16
        assert ready["ram_context_bytes"] == 0
        assert ready["rom_const_bytes"] == 16
        assert whole["rom_const_bytes"] == 4


def test_another_length_is_left_out_with_the_reason(steelyard: Any, root: Path) -> None:
    asked = options(target="atmega128", toolchain="clang", mode="cbc", length=64)
    said = steelyard.sentence("measure", "--primitives", root, *asked, status=2)
    assert "felics-toy/64-80-v01 takes messages of 128 bytes only (--length)" in said


def test_a_mode_that_is_not_what_it_says_is_wrong(steelyard: Any, root: Path) -> None:
    path = root / "block_ciphers" / "source" / "common" / "scenario1" / "encrypt_scenario1.c"
    path.write_text(path.read_text("utf-8").replace("block[i] ^= before[i]", "block[i] ^= iv[i]"), "utf-8")
    (row,) = steelyard.json(
        *("measure", "--primitives", root),
        *options(target="sam3x8e", toolchain="clang", mode="cbc", operation="encrypt", samples=2),
        status=1,
    )
    assert row["status"] == "wrong-output"


def test_the_figure_of_merit_is_of_the_best_implementations(steelyard: Any, root: Path) -> None:
    add(root, "Toy_64_80_v02", encrypt__c=SLOW)
    add(root, "Late_64_80_v01", encrypt__c=SLOW)
    rows = steelyard.json("reproduce", "felics", "--primitives", root, "--toolchain", "clang", "--flags=-O2")
    merits = {(row["scenario"], row["cipher"]): row["merit"] for row in rows if row["table"] == "merit"}
    assert set(merits) == {(number, f"{name} 64/80") for number in (0, 1, 2) for name in ("toy", "late")}
    every = [row for row in rows if row["table"] == "implementation"]
    assert len(every) == 3 * 3 * 3
    best = {(row["cipher"], row["scenario"], row["target"]): row for row in every if row["best"]}
    for number in (0, 1, 2):
        assert merits[number, "toy 64/80"] == pytest.approx(3)
        assert merits[number, "late 64/80"] > 3
        for chip in CHIPS:
            fast, slow = (best[f"{name} 64/80", number, chip] for name in ("toy", "late"))
            assert fast["variant"] == "felics-toy/64-80-v01"
            least = [fast[name] for name in ("code_bytes", "ram_bytes", "cycles")]
            figures = [slow[name] for name in ("code_bytes", "ram_bytes", "cycles")]
            assert slow["score"] == pytest.approx(sum(a / b for a, b in zip(figures, least, strict=True)))


def test_a_scenario_that_felics_has_not_is_refused(steelyard: Any, root: Path) -> None:
    said = steelyard.sentence("reproduce", "felics", "--primitives", root, "--scenario", "3", status=2)
    assert said == 'steelyard: --scenario: FELICS has the scenarios 0, 1 and 2, not "3".'


def test_an_implementation_that_is_wrong_on_a_chip_has_no_part(steelyard: Any, root: Path) -> None:
    wrong = felics_tree.vectors(felics_tree.KEY, felics_tree.BLOCK, bytes(8))
    add(root, "Late_64_80_v01", encrypt__c=SLOW, test_vectors__c=wrong)
    asked = options(toolchain="clang", flags="-O2", scenario="0")
    rows = steelyard.json("reproduce", "felics", "--primitives", root, *asked, status=1)
    assert {row["cipher"] for row in rows if row["table"] == "merit"} == {"toy 64/80"}
