"""A tree of FELICS measured as it is: blocks, its scenarios with their modes, and its figure of merit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import felics_tree
import pytest
from command import options

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
