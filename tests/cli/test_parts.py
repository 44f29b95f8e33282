"""Variants of a construction's parts, and one's own code, wherever a primitive can be named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import options
from report.packed import everything

CCM = options(primitive="aes-128-ccm", operation="seal", length=20, ad_length=0, samples=2)
CHIP = options(target="atmega128", toolchain="gcc")
BOTH = ("--need", "confidentiality,integrity", "--message", 20)
Make = Callable[..., Path]


def made_of(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["variant"], row["parts"]) for row in rows]


def test_a_construction_takes_the_variants_of_its_parts(steelyard: Any) -> None:
    rows = steelyard.json("measure", *CCM, *CHIP, "--variant", "aes/sbox-rows", "--variant", "aes/compact")
    assert sorted(made_of(rows)) == [("ccm/compact", "aes/compact"), ("ccm/compact", "aes/sbox-rows")]
    assert len({row["cycles"] for row in rows}) == 2
    assert all(row["verified"] for row in rows)


def test_parts_of_one_algorithm_are_one_variant(steelyard: Any) -> None:
    (row,) = steelyard.json(
        "measure", *options(primitive="aes-128-eax", operation="seal", length=20, samples=2), *CHIP,
        "--variant", "aes/compact",
    )  # fmt: skip
    assert {part for part in row["parts"].split() if part.startswith("aes/")} == {"aes/compact"}


@pytest.mark.parametrize(
    "command",
    [
        ("measure", *CCM, *CHIP, "--variant", "des/compact"),
        ("protocol", "ble", *options(target="atmega128"), "--variant", "des/compact"),
        (
            "battery",
            "micaz",
            "--crypto-cycles",
            9,
            "--message",
            9,
            "--rate",
            "1/min",
            "--variant",
            "aes/sbox",
        ),
    ],
)
def test_a_variant_that_changes_nothing_is_refused(steelyard: Any, command: tuple[Any, ...]) -> None:
    assert "--variant" in steelyard.sentence(*command, status=2)


def test_a_protocol_uses_one_variant_in_session_and_messages(steelyard: Any) -> None:
    steps = ("protocol", "ble", "--steps", *options(target="atmega128", toolchain="gcc", message=20))
    usual, other = steelyard.json(*steps), steelyard.json(*steps, "--variant", "aes/compact")
    sealed = [next(row for row in rows if row["operation"] == "seal") for rows in (usual, other)]
    assert sealed[0]["variant"] == sealed[1]["variant"]
    assert sealed[0]["cycles"] != sealed[1]["cycles"]


def test_a_recommendation_holds_one_variant_of_an_algorithm(steelyard: Any) -> None:
    chosen = options(primitive=["aes-128", "aes-128-cmac"], variant=["aes/compact", "aes/sbox-rows"])
    rows = steelyard.json("recommend", *CHIP, *BOTH, *chosen)
    pairs = [row["variants"] for row in rows if row["cycles"] is not None]
    assert sorted(pairs) == ["aes/compact + cmac/fast", "aes/sbox-rows + cmac/fast"]
    assert len({row["time_us"] for row in rows if row["cycles"] is not None}) == 2


def test_ones_own_code_is_recommended(steelyard: Any, own_idea: Make) -> None:
    need = ("recommend", *CHIP, "--need", "confidentiality", "--message", 16, "--allow-legacy")
    asked = (*need, *options(primitive="idea"))
    rows = steelyard.json(*asked, "--primitives", own_idea("mine"))
    variants = {row["variants"] for row in rows if row["cycles"] is not None}
    assert "idea/mine" in variants and len(variants) == 2
    assert "idea/mine" not in {row["variants"] for row in steelyard.json(*asked)}


def test_a_report_names_ones_own_primitive(steelyard: Any, own_idea: Make, tmp_path: Path) -> None:
    folder = own_idea("mine")
    steelyard.run("measure", "--primitives", folder, *CHIP, "--operation", "encrypt")
    page = tmp_path / "page.html"
    steelyard.run("report", "--primitives", folder, "--output", page)
    assert "idea/mine" in everything(page)
