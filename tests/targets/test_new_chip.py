"""One more chip of a known core is one file: it is measured and has its page."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.data import data_root
from steelyard.measure.image import Rules
from steelyard.measure.selection import select
from steelyard.measure.session import prepare

RENDER = Path(__file__).parents[2] / "docs" / "targets" / "render.py"
CHIP = """\
id = "mine"
title = "A Cortex-M4 of mine"
core = "cortex-m4"
clock_hz = 80_000_000
tier = "model"
known_gaps = ["No board measurement has confirmed the cycle counts."]
memory = [
    { name = "flash", space = "program", kind = "flash", base = 0, size = 0x40000 },
    { name = "sram", space = "data", kind = "ram", base = 0x20000000, size = 0x10000 },
]

[[source]]
fact = "256 KB of flash, 64 KB of RAM, 80 MHz"
document = "a data sheet"
section = "Features"
"""


def test_a_chip_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    shutil.copytree(data_root() / "targets", data / "targets")
    for name in ("primitives", "modes", "vectors"):
        (data / name).symlink_to((data_root() / name).resolve())
    monkeypatch.setattr("steelyard.catalog.load.data_root", lambda: data)
    (data / "targets" / "mine.toml").write_text(CHIP)

    asked = select(primitive=("xtea",), target=("mine",), toolchain=("clang",), operation=("encrypt",))
    session = prepare(load_catalog(), [asked])
    (record,) = session.run(tmp_path / "store", Rules(samples=2, seed="any", max_cycles=100_000)).records
    assert (record["status"], record["verified"]) == ("ok", True)
    assert (record["target"], record["clock_hz"], record["tier"]) == ("mine", 80_000_000, "model")
    assert record["cycles"]

    page = runpy.run_path(str(RENDER))["render"]()[Path("mine.md")]
    assert "Core [cortex-m4](cores/cortex-m4.md), 80 MHz, `--target mine`." in page
    assert "ARMv7E-M beside Unicorn" in page
    assert "0x60000000" in page
