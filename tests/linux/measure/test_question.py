"""Messages and right answers: the same on both sides, and wrong ones are told."""

from __future__ import annotations

import hashlib

import pytest

from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.linux.measure import question as questions
from steelyard.linux.measure.message import message, shown
from steelyard.linux.measure.question import Asked, question
from steelyard.oracle import expected


def _asked(catalog: Catalog, primitive: str, operation: str, length: int, mode: str | None = None) -> Asked:
    algorithm = catalog.algorithm_of(primitive)
    uses_iv = mode is not None and catalog.mode(mode).file.uses_iv
    kind = algorithm.file.kind
    return Asked(kind, catalog.primitive(primitive), algorithm.id, mode, uses_iv, operation, length)


def test_the_generator_of_messages_is_splitmix64() -> None:
    # The first output for seed 1234567, as many implementations give it: 6457827717110365317.
    assert int.from_bytes(message(8, 1234567), "little") == 6457827717110365317
    assert message(13, 5) == message(64, 5)[:13]
    assert message(0, 5) == b""


def test_short_outputs_are_shown_and_long_ones_digested() -> None:
    assert shown(b"\x01\xff") == "01ff"
    assert shown(bytes(257)) == f"sha256:{hashlib.sha256(bytes(257)).hexdigest()}"


def test_another_output_is_wrong(catalog: Catalog) -> None:
    asked = question(_asked(catalog, "aes-128", "encrypt", 64, "cbc"), "seed")
    right = dict(asked.answers)
    assert asked.wrong(right) is None
    assert "output is" in str(asked.wrong({"output": "00" * 64}))
    assert "output is" in str(asked.wrong({}))


def test_decryption_needs_the_right_ciphertext_too(catalog: Catalog) -> None:
    asked = question(_asked(catalog, "aes-128", "decrypt", 64, "cbc"), "seed")
    assert set(asked.answers) == {"input", "output"}
    assert asked.wrong({"output": asked.answers["output"], "input": "00" * 64}) is not None


@pytest.mark.parametrize("mode", ["ecb", "cbc", "pcbc", "cfb", "ofb", "ctr"])
def test_parts_of_a_long_output_are_compared_where_the_whole_takes_too_long(
    catalog: Catalog, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "_PATIENCE_S", 0.0)
    asked = question(_asked(catalog, "aes-128", "encrypt", 1 << 17, mode), "seed")
    assert asked.parts[0].at == 0
    assert asked.parts[-1].at + asked.parts[-1].count == 1 << 17
    words = {name: bytes.fromhex(str(asked.words[name])) for name in ("key", "iv")}
    plain = message(1 << 17, int(asked.words["seed"]))
    out = expected(catalog.primitive("aes-128"), "aes", "encrypt", mode=mode, data=plain, **words)

    def windows(output: bytes) -> dict[str, list[str]]:
        asked_for = [piece.split(":") for piece in str(asked.words["windows"]).split(",")]
        return {"windows": [output[int(at) : int(at) + int(count)].hex() for at, count in asked_for]}

    assert asked.wrong(windows(out)) is None
    damaged = bytearray(out)
    damaged[asked.parts[-1].at + 3] ^= 1
    assert "is wrong" in str(asked.wrong(windows(bytes(damaged))))
    assert "missing" in str(asked.wrong({"windows": []}))


def test_what_is_too_slow_to_be_told_is_said(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_PATIENCE_S", 0.0)
    with pytest.raises(UsageError, match="too slow for a message of 131072 bytes"):
        question(_asked(catalog, "groestl-256", "digest", 1 << 17), "seed")
