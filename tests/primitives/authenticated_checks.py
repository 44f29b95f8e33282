"""What must hold of every MAC and AEAD, as functions of a case, so that each can be shown a faulty tree."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

from host_build import SANITIZE, WIDE, Case, Host, build

from steelyard import oracle

HERE = Path(__file__).parent


def expected(case: Case, key: bytes, nonce: bytes, ad: bytes, data: bytes) -> bytes:
    """The tag, or ciphertext and tag, by the independent implementation."""
    operation = "mac" if case.kind == "mac" else "seal"
    return oracle.expected(case.primitive, case.algorithm_id, operation, key=key, iv=nonce, data=data, ad=ad)


def random_input(
    case: Case, rng: random.Random, length: int, ad_length: int
) -> tuple[bytes, bytes, bytes, bytes]:
    """Key, nonce, associated data (none for a MAC) and message."""
    primitive = case.primitive
    ad = rng.randbytes(ad_length) if case.kind == "aead" else b""
    return rng.randbytes(primitive.key_bytes), rng.randbytes(primitive.iv_bytes), ad, rng.randbytes(length)


def known_answers(case: Case, options: Sequence[str] = WIDE) -> int:
    """All vectors, there and back; returns how many there were."""
    host = Host(case, None, options)
    for vector in case.vectors():
        key, nonce, ad = map(bytes.fromhex, (vector.key, vector.iv, vector.ad))
        data = bytes.fromhex(vector.input) * vector.repeat
        if case.kind == "mac":
            assert host.mac(key, data).hex() == vector.output, f"{case}: {vector.source}"
            continue
        sealed = bytes.fromhex(vector.output + vector.tag)
        assert host.seal(key, nonce, ad, data) == sealed, f"{case}: {vector.source}"
        assert host.open(key, nonce, ad, sealed) == data, f"{case}: {vector.source}"
    return len(case.vectors())


def against_oracle(case: Case, inputs: int, options: Sequence[str] = WIDE) -> None:
    """Random inputs of 0 to 300 bytes against the independent implementation."""
    host = Host(case, None, options)
    rng = random.Random(str(case))
    assert oracle.available(case.primitive, case.algorithm_id)
    for _ in range(inputs):
        compare(case, host, random_input(case, rng, rng.randrange(301), rng.randrange(70)), 0)


def all_lengths(case: Case) -> None:
    """Every length from 0 to 300, of associated data too: in place and unaligned alike."""
    host = Host(case)
    rng = random.Random(0)
    for length in range(301):
        compare(case, host, random_input(case, rng, length, 300 - length), 1 + length % 7)


def compare(case: Case, host: Host, drawn: tuple[bytes, bytes, bytes, bytes], skew: int) -> None:
    """One input by every call that can give the answer."""
    key, nonce, ad, data = drawn
    want = expected(case, key, nonce, ad, data)
    where = f"{case}: key {key.hex()} nonce {nonce.hex()} ad {ad.hex()} data {data.hex()}"
    if case.kind == "mac":
        assert host.mac(key, data, misalignment=skew) == want, where
        return
    for in_place in (False, True):
        assert host.seal(key, nonce, ad, data, in_place=in_place, misalignment=skew) == want, where
        assert host.open(key, nonce, ad, want, in_place=in_place, misalignment=skew) == data, where


def flips_refused(case: Case, inputs: int) -> None:
    """A bit changed in ciphertext, tag, associated data or nonce: refused, and the output wiped."""
    host = Host(case)
    rng = random.Random(f"flips {case}")
    for _ in range(inputs):
        key, nonce, ad, data = random_input(case, rng, rng.randrange(1, 70), rng.randrange(1, 40))
        sealed = host.seal(key, nonce, ad, data)
        for in_place in (False, True):
            assert host.open(key, nonce, ad, _flipped(sealed, rng), in_place=in_place) is None, str(case)
            assert host.open(key, nonce, _flipped(ad, rng), sealed, in_place=in_place) is None, str(case)
            assert host.open(key, _flipped(nonce, rng), ad, sealed, in_place=in_place) is None, str(case)
    # Every bit of the tag counts.
    for bit in range(8 * case.primitive.tag_bytes):
        changed = bytearray(sealed)
        changed[len(data) + bit // 8] ^= 1 << bit % 8
        assert host.open(key, nonce, ad, bytes(changed)) is None, f"{case}: bit {bit} of the tag"


def _flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def split_is_whole(case: Case, data: bytes, pieces: Sequence[int]) -> None:
    """A message cut anywhere has the tag it has whole."""
    host = Host(case)
    key = bytes(range(case.primitive.key_bytes))
    assert host.mac(key, data, pieces=pieces) == host.mac(key, data), f"{case}: cut at {pieces}"


def under_sanitizers(case: Case, inputs: int) -> None:
    """Random inputs, and forgeries of them, in a program built with both sanitizers."""
    program = build(case, None, [*SANITIZE], HERE / f"{case.kind}_driver.c")
    rng = random.Random(f"sanitizers {case}")
    lines: list[tuple[str, ...]] = []
    answers: list[str] = []
    for _ in range(inputs):
        key, nonce, ad, data = random_input(case, rng, rng.randrange(100), rng.randrange(40))
        want = expected(case, key, nonce, ad, data)
        if case.kind == "mac":
            lines.append(("m", key.hex(), "", data.hex()))
            answers.append(want.hex())
            continue
        out, tag = want[: len(data)], want[len(data) :]
        names = key.hex(), nonce.hex(), ad.hex()
        lines.append(("s", *names, data.hex(), bytes(len(tag)).hex()))
        answers += [out.hex(), tag.hex(), "0"]
        lines.append(("o", *names, out.hex(), tag.hex()))
        answers += [data.hex(), tag.hex(), "0"]
        if tag:
            wrong = _flipped(tag, rng).hex()
            lines.append(("o", *names, out.hex(), wrong))
            answers += [bytes(len(data)).hex(), wrong, "1"]
    text = "".join(" ".join(part or "-" for part in line) + "\n" for line in lines)
    result = subprocess.run([str(program)], input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{case}: {result.stderr}"
    assert result.stdout.split() == [answer or "-" for answer in answers], str(case)
