"""SM2 on a chip of 4 KB: what the record says, and that a wrong implementation is found out."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from steelyard.data import data_root

pytestmark = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")

HERE = ("--primitive", "sm2", "--target", "atmega128", "--toolchain", "gcc", "--samples", "2")


@pytest.fixture
def own_sm2(tmp_path: Path) -> Path:
    """A user's folder with a copy of the default variant, `sm2/mine`."""
    folder = tmp_path / "own" / "sm2"
    shutil.copytree((data_root() / "primitives" / "signature" / "sm2").resolve(), folder)
    (folder / "algorithm.toml").unlink()
    shutil.rmtree(folder / "compact")
    (folder / "fast").rename(folder / "mine")
    replace(folder / "mine" / "variant.toml", "default = true\n", "")
    return folder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_every_operation_is_verified_within_the_chip(steelyard: Any) -> None:
    rows = steelyard.json("measure", *HERE)
    by_operation = {row["operation"]: row for row in rows}
    assert list(by_operation) == ["init", "sign", "encrypt", "decrypt", "verify"]
    for row in rows:
        assert (row["status"], row["verified"]) == ("ok", True)
        assert 0 < row["ram_bytes"] < 4096 / 2
    footprints = {name: row["footprint"] for name, row in by_operation.items()}
    assert footprints == {name: name for name in footprints} | {"init": "sign"}
    assert {name: row["message_bytes"] for name, row in by_operation.items()} == {
        **dict.fromkeys(("init", "sign", "verify")),
        **dict.fromkeys(("encrypt", "decrypt"), 32),
    }
    # The private key's inverse is all that a set-up leaves; what takes keys as they are needs no context.
    contexts = {name: row["ram_context_bytes"] for name, row in by_operation.items()}
    assert contexts == {"init": 32, "sign": 32, "encrypt": 0, "decrypt": 0, "verify": 0}
    assert by_operation["encrypt"]["ram_io_bytes"] == 64 + 32 + 97 + 32
    assert by_operation["decrypt"]["ram_io_bytes"] == 32 + 97 + 32


def test_an_empty_message_is_left_out(steelyard: Any) -> None:
    said = steelyard.sentence("measure", *HERE, "--operation", "encrypt", "--length", "0", status=2)
    assert "sm2 encrypts at least one byte" in said


@pytest.mark.parametrize(
    ("operation", "file", "old", "new", "said"),
    [
        (
            "decrypt",
            "decrypt.c",
            "return verify_tag(in + C1_BYTES, digest, C3_BYTES, out, length);",
            "return 0;",
            "pke_decrypt does not refuse a wrong ciphertext",
        ),
        (
            "decrypt",
            "decrypt.c",
            "return verify_tag(in + C1_BYTES, digest, C3_BYTES, out, length);",
            "return verify_tag(in + C1_BYTES, digest, C3_BYTES, out, 0);",
            "it should be 00",
        ),
        (
            "encrypt",
            "load_point.c",
            "return is_on_curve(r);",
            "return (limb)(is_on_curve(r) | 1);",
            "pke_encrypt does not refuse a wrong public key",
        ),
        ("encrypt", "encrypt.c", "out[0] = UNCOMPRESSED;", "out[0] = 2;", "byte 0 of the output is 02"),
    ],
)
def test_a_wrong_implementation_is_found_out(
    steelyard: Any, own_sm2: Path, operation: str, file: str, old: str, new: str, said: str
) -> None:
    replace(own_sm2 / file, old, new)
    mine = ("--primitives", own_sm2.parent, "--variant", "sm2/mine", "--operation", operation)
    (row,) = steelyard.json("measure", *HERE, *mine, status=1)
    assert row["status"] == "wrong-output"
    assert said in row["error"]
