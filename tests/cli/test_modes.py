"""Modes of operation, footprints and limits, measured on a chip."""

from __future__ import annotations

from typing import Any

import pytest
from command import options

ON_CHIP = options(target="atmega128", toolchain="gcc")


def test_overhead_of_a_mode_is_what_a_block_costs_beyond_the_bare_operation(steelyard: Any) -> None:
    chosen = options(primitive=["speck-64-128", "idea"], mode=["*", "none"], length=[8, 64])
    rows = steelyard.json("measure", *ON_CHIP, *chosen)
    assert all(row["verified"] for row in rows)
    cells = {(r["primitive"], r["mode"], r["operation"], r["message_bytes"]): r for r in rows}
    for (name, mode, operation, length), row in cells.items():
        overhead = row["mode_overhead_cycles_per_block"]
        assert (overhead is None) == (mode is None or length == 8)
        if overhead is None:
            continue
        # Both ciphers have blocks of 8 bytes and get the same mode; the time of one depends on its data.
        assert overhead == cells["idea", mode, operation, 64]["mode_overhead_cycles_per_block"]
        if name == "speck-64-128" and mode != "ctr":
            block = "decrypt" if operation == "decrypt" and mode not in ("cfb", "ofb") else "encrypt"
            bare = cells[name, None, block, 8]["cycles"]
            shorter = cells[name, mode, operation, 8]["cycles"]
            assert overhead == (row["cycles"] - shorter) / 7 - bare > 0


def test_partial_blocks_and_a_wrapping_counter_are_verified_on_the_chip(steelyard: Any) -> None:
    chosen = options(primitive="speck-64-128", mode=["cfb", "ofb", "ctr"], length=[0, 13, 16])
    rows = steelyard.json("measure", *ON_CHIP, *chosen)
    assert len(rows) == 3 * 2 * 3
    assert all(row["verified"] for row in rows)
    assert all("a wrapping counter and a partial block" in row["verified_by"] for row in rows)
    cycles = {(row["mode"], row["operation"], row["message_bytes"]): row["cycles"] for row in rows}
    for mode, operation, _ in cycles:
        of_length = [cycles[mode, operation, length] for length in (0, 13, 16)]
        assert of_length == sorted(set(of_length))


FORWARDS, BACKWARDS = {"encrypt", "both"}, {"decrypt", "both"}
ALL = FORWARDS | BACKWARDS


@pytest.mark.parametrize(
    ("primitive", "expected"),
    [
        ("aes-128", {"init": ALL, "encrypt": FORWARDS, "decrypt": BACKWARDS}),
        ("idea", {"init": FORWARDS, "init-decrypt": BACKWARDS, "encrypt": FORWARDS, "decrypt": BACKWARDS}),
        ("rc4-128", {"init": ALL, "encrypt": FORWARDS, "decrypt": BACKWARDS}),
        ("md5", {"digest": {"both"}}),
        ("aes-128-cmac", {"init": {"both"}, "mac": {"both"}}),
        ("ascon-aead128", {"init": ALL, "seal": FORWARDS, "open": BACKWARDS}),
    ],
)
def test_every_kind_has_its_footprints(steelyard: Any, primitive: str, expected: dict[str, set[str]]) -> None:
    rows = steelyard.json("measure", *ON_CHIP, "--primitive", primitive, "--footprint", "*",
                          *(() if primitive in ("aes-128", "idea") else ("--length", 16)))  # fmt: skip
    assert all(row["verified"] for row in rows)
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["operation"], set()).add(row["footprint"])
    assert found == expected


def test_both_limits_are_named_where_both_are_broken(steelyard: Any) -> None:
    small = options(target="attiny45", toolchain="gcc", operation="encrypt")
    rows = steelyard.json("measure", *small, *options(primitive="blowfish-128", variant="blowfish/*"))
    for row in rows:
        assert row["status"] == "does-not-fit"
        for limit, used, size in (
            ("flash", row["rom_bytes"], 4096),
            ("RAM", row["ram_static_bytes"] + row["ram_context_bytes"], 256),
        ):
            assert (f"{used - size} bytes too large for the {limit}" in row["error"]) == (used > size)
    assert any("flash" in row["error"] and "RAM" in row["error"] for row in rows)
