"""What the page keeps of a tree and counts: languages, standings with reasons, and records that decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import felics_tree
import polars as pl
import pytest
from studies.felics.test_study import FACTORS, cells, records

from steelyard.record.schema import Record
from steelyard.store.read import frame_schema
from steelyard.studies.felics import study
from steelyard.studies.felics.figures import TARGETS
from steelyard.studies.felics.page import blocks, compared

IN_ASSEMBLY = '#ifdef AVR\nvoid Nothing(void) { __asm__("nop"); }\n#endif\n'


def frame(rows: list[Record]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=frame_schema(), orient="row")


def of_toy(version: str, target: str, **changed: Any) -> list[Record]:
    return cells("aes", 1, target, variant=f"felics-toy/64-80-{version}", **changed)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    root = felics_tree.write(tmp_path / "FELICS")
    felics_tree.add(root, "Toy_64_80_v02", nothing__c=IN_ASSEMBLY)
    felics_tree.add(root, "Toy_64_80_v03", constants__h=None)
    felics_tree.add(root, "IdentityCipher_64_80_v01")
    monkeypatch.chdir(tmp_path)
    over = (
        "sample 1, Encrypt: a write to 0x1200, which the call was not given to write, at 0x4 (Encrypt+0x2)."
    )
    rows = [
        *of_toy("v01", "atmega128"),
        *of_toy("v01", "sam3x8e", status="fault", error=over),
        *of_toy(
            "v02", "atmega128", status="build-failed", error="x: a.c does not compile: a.c:1: error: odd"
        ),
        *of_toy("v02", "sam3x8e"),
        *of_toy("v02", "msp430f1611", status="wrong-output", error="vector 2 (A (b), c): byte 0 is 1."),
    ]
    made = blocks.implementations(frame(rows))
    listed = [{name: value or "" for name, value in row.items()} for row in made.to_dicts()]
    monkeypatch.setattr(blocks, "_kept", lambda: listed)
    return listed


def test_standings_name_language_and_reason(kept: list[dict[str, str]]) -> None:
    first, second, third = kept
    assert [one["implementation"] for one in kept] == [f"Toy_64_80_v0{number}" for number in (1, 2, 3)]
    assert (first["atmega128_language"], first["atmega128"]) == ("C", "measured")
    assert first["sam3x8e"] == "Encrypt: a write to 0x1200, which the call was not given to write"
    assert first["msp430f1611"] == "not measured"
    assert (second["atmega128_language"], second["atmega128"]) == ("assembly", "does not compile: odd")
    assert second["msp430f1611"] == "wrong output: vector 2: byte 0 is 1"
    assert (second["sam3x8e_language"], second["sam3x8e"]) == ("C", "measured")
    assert third["left_out"] == "it has no constants.h"


def test_an_operation_that_was_not_measured_is_named() -> None:
    listed = [one for one in of_toy("v01", "sam3x8e") if one["operation"] != "decrypt"]
    (builds,) = blocks._builds(listed).values()
    assert blocks._standing(builds, {"init", "encrypt"}) == "measured"
    assert blocks._standing(builds, {"init", "encrypt", "decrypt"}) == "not measured: decrypt"
    assert blocks._standing({}, {"encrypt"}) == "not measured"


def test_counts_are_of_what_is_measured_by_language(kept: list[dict[str, str]]) -> None:
    rows = {row[0]: row[1:] for row in blocks.counts().rows}
    assert rows["any, on at least one chip"] == ("3", "2", "66.7 %")
    assert rows["C, on at least one chip"] == ("3", "2", "66.7 %")
    assert rows["assembly for AVR, on atmega128"] == ("1", "0", "0.0 %")
    kept[1]["atmega128"] = "measured"
    again = {row[0]: row[1:] for row in blocks.counts().rows}
    assert again["assembly for AVR, on atmega128"] == ("1", "1", "100.0 %")
    kept[0]["atmega128"] = "a reason"
    assert {row[0]: row[1:] for row in blocks.counts().rows}["any, on at least one chip"][1] == "1"


def test_every_failure_is_listed_with_its_reason(kept: list[dict[str, str]]) -> None:
    listed = blocks.missing().rows
    assert ("Toy_64_80_v02", "assembly", "AVR", "does not compile: odd") in listed
    assert ("Toy_64_80_v03", "", "all", "it has no constants.h") in listed
    assert ("Toy_64_80_v01", "C", "MSP430", "not measured") in listed
    kept[1]["atmega128"] = "measured"
    assert not [row for row in blocks.missing().rows if row[1] == "assembly"]


def test_kept_records_lead_to_the_same_scores() -> None:
    slow = [one for target in TARGETS for one in cells("aes", 9, target, "v02")]
    # The smallest code on the chip belongs to no cipher's best implementation.
    small = [one for target in TARGETS for one in cells("led", 400, target, "v02", rom_code_bytes=1)]
    every = frame([*records(FACTORS), *slow, *small])
    kept = blocks.keep(every, ())
    assert {row["variant"] for row in kept.to_dicts()} >= {"felics-led/64-80-v02", "aes/felics-128-128-v01"}
    assert "aes/felics-128-128-v02" not in set(kept["variant"])
    whole, again = (study.reproduce(rows.to_dicts()) for rows in (every, kept))
    merits = [
        {key: [(one.cipher, one.merit) for one in listed] for key, listed in made.rankings.items()}
        for made in (whole, again)
    ]
    assert merits[0] == merits[1]


def test_figures_of_felics_stand_beside_ours(tmp_path: Path) -> None:
    head = "a\nb\nc\n"
    # Code of four parts and in all; four stacks; data of four parts, common and in all; four times.
    figures = ("10", "60", "0", "60", "60", "9", "8", "0", "30", "0", "0", "0", "0", "52", "52")
    times = ("10", "100", "0", "0")
    line = ",".join(("AES", "128", "128", "01", "C", '="-O3"', *figures, *times))
    other = line.replace('"-O3"', '"-Os"')
    path = tmp_path / compared.RESULTS
    path.parent.mkdir()
    with ZipFile(path, "w") as archive:
        for name in ("AVR", "MSP", "ARM"):
            archive.writestr(f"results/{name}_scenario0.csv", f"{head}{line}\n{other}\n")
    listed = compared.compared(frame(records({"aes": 1, "led": 1})), tmp_path)
    assert len(listed) == 3
    first = listed.row(0, named=True)
    assert (first["target"], first["version"], first["language"]) == ("atmega128", "v01", "C")
    assert [first[name] for name in ("code", "ram", "cycles")] == [120, 82, 220]
    assert [first[f"published_{name}"] for name in ("code", "ram", "cycles")] == [60, 82, 110]
    rows = [{name: str(value) for name, value in row.items()} for row in listed.to_dicts()]
    shown = {row[0]: row[2:] for row in compared.table(rows).rows}
    assert shown["atmega128"] == ("1", "2.00 (2.00 to 2.00)", "1.00 (1.00 to 1.00)", "2.00 (2.00 to 2.00)")
