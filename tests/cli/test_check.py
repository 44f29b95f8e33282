"""`steelyard check` through its real entry point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from command import options

AES = options(primitive="aes-128", operation="encrypt", toolchain="gcc")


def test_verdicts_of_variants_as_objects(steelyard: Any) -> None:
    variants = options(variant=["aes/sbox", "aes/bitslice"])
    rows = steelyard.json("check", *AES, *variants, "--target", "stm32f407", "--top", 1, status=1)
    verdicts = {row["variant"]: row["constant_time"] for row in rows}
    assert verdicts == {"aes/sbox": "no", "aes/bitslice": "yes"}
    (sbox,) = (row for row in rows if row["variant"] == "aes/sbox")
    assert sbox["leaks"] == len(sbox["findings"]) > 0
    assert sbox["findings"][0]["instruction"]
    assert sbox["secrets"] == ["key"]


def test_the_text_names_place_and_reason(steelyard: Any) -> None:
    done = steelyard.run("check", *AES, "--variant", "aes/sbox", "--target", "stm32f407", status=1)
    assert "flash has wait states" in done.stdout
    assert "time may follow it" in done.stdout
    assert "aes/" in done.stdout


def test_a_chip_without_waits_passes(steelyard: Any) -> None:
    done = steelyard.run("check", *AES, "--variant", "aes/sbox", "--target", "atmega128")
    assert "on-this-chip" in done.stdout
    assert "no matter here" in done.stdout


def test_sarif_goes_to_a_file(steelyard: Any, tmp_path: Path) -> None:
    log = tmp_path / "leaks.sarif"
    steelyard.run(
        "check", *AES, "--variant", "aes/sbox", "--target", "stm32f407", "--format", "sarif", "--output", log,
        status=1,
    )  # fmt: skip
    assert json.loads(log.read_text("utf-8"))["version"] == "2.1.0"


def test_options_that_say_nothing_are_refused(steelyard: Any) -> None:
    sentence = steelyard.sentence("check", *AES, "--target", "atmega128", "--secret", "kee", status=2)
    assert "did you mean" in sentence
    assert "--format" in steelyard.sentence(
        "check", *AES, "--target", "atmega128", "--format", "xml", status=2
    )
    assert "--output" in steelyard.sentence("check", *AES, "--target", "atmega128", "--output", "a", status=2)


def test_records_carry_the_verdict_and_recommend_asks_for_it(steelyard: Any) -> None:
    wanted = options(variant=["aes/sbox", "aes/bitslice"], mode="ctr", length=20, flags="-Os")
    rows = steelyard.json("measure", *AES, *wanted, "--target", "stm32f407", "--samples", 2)
    assert {row["variant"]: row["constant_time"] for row in rows} == {"aes/sbox": "no", "aes/bitslice": "yes"}
    assert all(isinstance(row["leaks"], int) for row in rows)
    asked = ("recommend", "--target", "stm32f407", "--need", "confidentiality", "--message", 20)
    names = options(primitive="aes-128", variant=["aes/sbox", "aes/bitslice"], toolchain="gcc", flags="-Os")
    free = steelyard.json(*asked, *names)
    strict = steelyard.json(*asked, *names, "--constant-time")
    assert {row["variants"] for row in free if row["fits"]} == {"aes/sbox", "aes/bitslice"}
    assert {row["variants"] for row in strict if row["fits"]} == {"aes/bitslice"}
    assert any("follow a secret" in str(row["reason"]) for row in strict)


def test_what_is_declassified_does_not_count(own_idea: Any, steelyard: Any) -> None:
    leaky = ("variant.toml", 'summary = "', 'summary = "own: ')
    folder = own_idea("mine", leaky)
    table = folder / "idea" / "mine" / "variant.toml"
    asked = (
        "check",
        "--primitives",
        folder,
        *options(primitive="idea", variant="idea/mine", operation="encrypt"),
    )
    (before,) = steelyard.json(*asked, *options(target="ch32v003", toolchain="clang"), status=None)
    assert before["leaks"] > 0
    functions = {finding["function"] for finding in before["findings"]}
    text = "".join(
        f'\n[[declassified]]\nfunction = "{name}"\nreason = "a test"\n' for name in sorted(functions)
    )
    table.write_text(table.read_text("utf-8") + text, "utf-8")
    (after,) = steelyard.json(*asked, *options(target="ch32v003", toolchain="clang"))
    assert (after["leaks"], after["constant_time"]) == (0, "yes")
    assert {finding["declassified"] for finding in after["findings"]} == {"a test"}
