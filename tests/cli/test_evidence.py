"""An AEAD of one's own that nobody else implements: published answers serve sealing and opening."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from command import options

from steelyard.catalog.load import load_catalog

ANSWERS = """\
Count = 1
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 101112131415161718191A1B1C1D1E1F
PT =\x20
AD =\x20
CT = 4F9C278211BEC9316BF68F46EE8B2EC6

Count = 34
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 101112131415161718191A1B1C1D1E1F
PT = 20
AD =\x20
CT = E8DD576ABA1CD3E6FC704DE02AEDB79588

"""
ASKED = options(target="stm32f407", toolchain="gcc", operation=["seal", "open"], length=40, samples=2)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Ascon under another name, with two answers as NIST published them."""
    source = load_catalog().algorithm_of("ascon-aead128").folder
    folder = tmp_path / "mine" / "odd-aead"
    shutil.copytree(source, folder)
    text = (source / "algorithm.toml").read_text("utf-8")
    (folder / "algorithm.toml").write_text(text.replace('"ascon-aead128"', '"odd-aead"'), "utf-8")
    (folder / "LWC_AEAD_KAT_128_128.txt").write_text(ANSWERS, "utf-8")
    (folder / "vectors.toml").write_text(
        '[[file]]\nname = "LWC_AEAD_KAT_128_128.txt"\nprimitive = "odd-aead"\n', "utf-8"
    )
    return tmp_path / "mine"


def test_published_answers_suffice_for_sealing_and_opening(steelyard: Any, own: Path) -> None:
    rows = steelyard.json("measure", "--primitives", own, *ASKED)
    named = {(row["variant"], row["operation"]): row for row in rows}
    assert all(row["verified"] and row["cycles"] > 1000 for row in rows)
    variant = rows[0]["variant"]
    assert named[variant, "seal"]["evidence"] == "vectors"
    assert named[variant, "open"]["evidence"] == "vectors consistency"
    assert "2 random inputs that its own seal made" in named[variant, "open"]["verified_by"]
    (known,) = steelyard.json(
        "measure", *options(primitive="ascon-aead128", target="stm32f407", toolchain="gcc"),
        *options(operation="open", length=40, samples=2),
    )  # fmt: skip
    assert known["evidence"] == "independent vectors"
    assert known["cycles"] == pytest.approx(named[known["variant"].replace("ascon", "odd").replace(
        "odd-aead128", "odd-aead"), "open"]["cycles"], rel=0.01)  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return verify_tag(tag, expected, 16, out, length);", "return 0;", "does not refuse a wrong"),
        # Wrong from the third block on, which no published answer here has.
        ("length, 1);", "length, 1);\n    if (length > 32) { out[33] ^= 1; }", "byte 33 of the output"),
    ],
)
def test_an_opening_that_is_wrong_is_found(steelyard: Any, own: Path, old: str, new: str, said: str) -> None:
    path = own / "odd-aead" / "open.c"
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    rows = steelyard.json("measure", "--primitives", own, *ASKED, status=1)
    opened = [row for row in rows if row["operation"] == "open"]
    assert {row["status"] for row in opened} == {"wrong-output"}
    assert all(said in row["error"] for row in opened)
    assert all(row["verified"] for row in rows if row["operation"] == "seal")


def test_without_any_answer_there_is_no_figure(steelyard: Any, own: Path) -> None:
    (own / "odd-aead" / "vectors.toml").unlink()
    rows = steelyard.json("measure", "--primitives", own, *ASKED, status=1)
    assert not any(row["verified"] for row in rows)
    assert all(row["cycles"] is None and row["evidence"] is None for row in rows)
