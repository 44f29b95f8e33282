"""What `steelyard new` writes measures at once, and is what one asked for."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from command import options

from steelyard.begin.skeleton import EXAMPLES
from steelyard.catalog.load import load_catalog

CHIP = options(target="stm32f407", toolchain="gcc", samples=2)


@pytest.mark.parametrize("variant", ["aes/compact", "keccak/fast", "ccm/compact", "ascon-aead128/fast"])
def test_a_new_variant_measures(steelyard: Any, tmp_path: Path, variant: str) -> None:
    algorithm = variant.partition("/")[0]
    done = steelyard.run("new", "variant", f"{algorithm}/mine", "--like", variant, "--in", tmp_path)
    assert str(tmp_path / algorithm / "mine" / "variant.toml") in done.stdout
    asked = ("measure", "--primitives", tmp_path, *CHIP, *options(length=16))
    rows = steelyard.json(*asked)
    assert {row["variant"] for row in rows} == {f"{algorithm}/mine"}
    assert all(row["verified"] for row in rows)
    known = steelyard.json("measure", *CHIP, *options(length=16, variant=variant))
    of = {(row["primitive"], row["operation"]): row["cycles"] for row in known}
    assert {(row["primitive"], row["operation"]): row["cycles"] for row in rows} == of


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_new_primitive_measures(steelyard: Any, tmp_path: Path, kind: str) -> None:
    steelyard.run("new", "primitive", "mine", "--kind", kind, "--in", tmp_path)
    rows = steelyard.json("measure", "--primitives", tmp_path, *CHIP, *options(length=8))
    assert rows and {row["primitive"] for row in rows} == {"mine"}
    assert all(row["verified"] for row in rows), [row["error"] for row in rows]
    assert load_catalog([tmp_path]).algorithm_of("mine").file.kind == kind


def test_a_new_chip_measures(steelyard: Any, tmp_path: Path) -> None:
    steelyard.run("new", "target", "my-board", "--like", "stm32f407", "--in", tmp_path)
    path = tmp_path / "my-board.toml"
    assert tomllib.loads(path.read_text("utf-8"))["inherits"] == "stm32f407"
    asked = options(primitive="aes-128", operation="encrypt", toolchain="gcc", samples=2)
    (row,), (known,) = (steelyard.json("measure", *asked, "--target", one) for one in (path, "stm32f407"))
    assert row["target"] == "my-board" and row["cycles"] == known["cycles"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("variant", "aes/compact"), "there is a variant of that name"),
        (("variant", "aez/mine"), 'did you mean "aes"'),
        (("variant", "aes"), "named algorithm/name"),
        (("variant", "aes/mine", "--like", "des/compact"), "no variant of aes"),
        (("variant", "aes/mine", "--like", "aes/compakt"), 'did you mean "aes/compact"'),
        (("primitive", "aes-128", "--kind", "block"), "there is a primitive"),
        (("primitive", "mine"), "--kind or --like"),
        (("primitive", "mine", "--kind", "blocks"), 'did you mean "block"'),
        (("primitive", "mine", "--like", "aes-128-ccm"), "made of other primitives"),
        (("primitive", "My", "--kind", "block"), "lower case"),
        (("target", "stm32f407", "--like", "stm32f407"), "there is a chip of that name"),
        (("target", "mine", "--like", "stm32f40"), "did you mean"),
    ],
)
def test_what_cannot_be_written_is_said(
    steelyard: Any, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in steelyard.sentence("new", *arguments, "--in", tmp_path, status=2)
    assert list(tmp_path.rglob("*.toml")) == []


def test_nothing_is_written_over(steelyard: Any, tmp_path: Path) -> None:
    begin = ("new", "variant", "aes/mine", "--in", tmp_path)
    steelyard.run(*begin)
    assert "nothing was written" in steelyard.sentence(*begin, status=2)
