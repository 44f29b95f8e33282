"""The independent implementations: against the published answers and each other."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest
from Crypto.Cipher import AES, ARC4, ChaCha20
from Crypto.Hash import SHA3_512, SHA256, SHA384, SHAKE128, BLAKE2s
from host_build import CASES_BY_PRIMITIVE, Case, cases, modes

from steelyard import oracle
from steelyard.catalog.models import Primitive
from steelyard.oracle import library
from steelyard.oracle.modes import MODES, WHOLE_BLOCKS

CASES = [case for case in cases() if case.is_default]
RC5_12_8 = CASES_BY_PRIMITIVE["rc5-32-12-8"].primitive


@pytest.mark.parametrize("case", CASES, ids=str)
def test_known_answers(case: Case) -> None:
    for vector in case.vectors():
        got = oracle.expected(
            case.primitive,
            case.algorithm_id,
            vector.operation,
            mode=vector.mode,
            key=bytes.fromhex(vector.key),
            iv=bytes.fromhex(vector.iv),
            data=bytes.fromhex(vector.input) * vector.repeat,
        )
        assert got.hex() == vector.output, vector.source


@pytest.mark.parametrize("mode", ["ecb", "cbc", "cfb", "ofb", "ctr"])
@pytest.mark.parametrize("algorithm_id", ["aes", "idea"])
def test_own_modes_equal_the_library(algorithm_id: str, mode: str) -> None:
    if not library.has_mode(algorithm_id, mode):
        assert (algorithm_id, mode) == ("idea", "ctr")
        return
    size = 16 if algorithm_id == "aes" else 8
    rng = random.Random(mode)
    for _ in range(100):
        key, iv, data = rng.randbytes(16), rng.randbytes(size), rng.randbytes(rng.randrange(80))
        if rng.random() < 0.2:
            iv = b"\xff" * (size - 1) + iv[:1]
        if mode in WHOLE_BLOCKS:
            data = data[: len(data) - len(data) % size]
        for encrypt in (True, False):
            block = library.block_function(algorithm_id, key, encrypt=encrypt or mode not in WHOLE_BLOCKS)
            want = library.block_crypt(algorithm_id, mode, key, iv, data, encrypt=encrypt)
            assert MODES[mode](block, iv, data, encrypt=encrypt, size=size) == want


def test_pcbc_by_its_definition() -> None:
    """Two blocks written out: c1 = E(p1 + iv), c2 = E(p2 + p1 + c1)."""
    key, iv, data = bytes(range(16)), bytes(range(50, 66)), bytes(range(100, 132))
    cipher = AES.new(key, AES.MODE_ECB)

    def plus(*terms: bytes) -> bytes:
        total = 0
        for term in terms:
            total ^= int.from_bytes(term, "big")
        return total.to_bytes(16, "big")

    first = cipher.encrypt(plus(data[:16], iv))
    second = cipher.encrypt(plus(data[16:], data[:16], first))
    aes = CASES_BY_PRIMITIVE["aes-128"].primitive
    assert oracle.expected(aes, "aes", "encrypt", mode="pcbc", key=key, iv=iv, data=data) == first + second
    back = oracle.expected(aes, "aes", "decrypt", mode="pcbc", key=key, iv=iv, data=first + second)
    assert back == data


@pytest.mark.parametrize("key_bytes", [16, 24, 32])
@pytest.mark.parametrize("mode", ["ecb", "cbc", "cfb", "ofb", "ctr"])
def test_aes_equals_pycryptodome(key_bytes: int, mode: str) -> None:
    primitive = CASES_BY_PRIMITIVE[f"aes-{8 * key_bytes}"].primitive
    rng = random.Random(key_bytes)
    for _ in range(50):
        key, iv, data = rng.randbytes(key_bytes), rng.randbytes(16), rng.randbytes(16 * rng.randrange(6))
        more: dict[str, Any] = {
            "ecb": {},
            "cfb": {"iv": iv, "segment_size": 128},
            "ctr": {"nonce": b"", "initial_value": iv},
        }.get(mode, {"iv": iv})
        other: Any = AES.new(key, getattr(AES, f"MODE_{mode.upper()}"), **more)
        got = oracle.expected(primitive, "aes", "encrypt", mode=mode, key=key, iv=iv, data=data)
        assert got == other.encrypt(data)


def test_rc4_equals_pycryptodome() -> None:
    primitive = CASES_BY_PRIMITIVE["rc4-128"].primitive
    rng = random.Random(4)
    for _ in range(50):
        key, data = rng.randbytes(16), rng.randbytes(rng.randrange(600))
        got = oracle.expected(primitive, "rc4", "decrypt", key=key, data=data)
        assert got == ARC4.new(key).encrypt(data)


def test_libraries_agree_on_what_both_have() -> None:
    rng = random.Random(6)
    for _ in range(50):
        data = rng.randbytes(rng.randrange(600))
        assert plain_digest("sha-256", data) == SHA256.new(data).digest()
        assert plain_digest("sha-384", data) == SHA384.new(data).digest()
        assert plain_digest("sha3-512", data) == SHA3_512.new(data).digest()
        assert plain_digest("shake128", data) == SHAKE128.new(data).read(32)
        assert plain_digest("blake2s-256", data) == BLAKE2s.new(data=data, digest_bits=256).digest()
        key, iv = rng.randbytes(32), rng.randbytes(12)
        chacha = CASES_BY_PRIMITIVE["chacha20"].primitive
        got = oracle.expected(chacha, "chacha20", "encrypt", key=key, iv=iv, data=data)
        assert got == ChaCha20.new(key=key, nonce=iv).encrypt(data)


def plain_digest(primitive_id: str, data: bytes) -> bytes:
    case = CASES_BY_PRIMITIVE[primitive_id]
    return oracle.expected(case.primitive, case.algorithm_id, "digest", data=data)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_provenance_names_its_source(case: Case) -> None:
    source = oracle.provenance(case.primitive, case.algorithm_id)
    assert any(name in source for name in ("OpenSSL", "PyCryptodome", "RFC 2040", "second implementation"))
    for mode in modes():
        assert oracle.available(case.primitive, case.algorithm_id, mode) == (case.kind == "block")


def test_unknown_is_a_result_and_not_a_crash() -> None:
    strange = Primitive(
        id="mine-96", key_bytes=12, block_bytes=12, rounds=3, security="broken", authority="-"
    )
    reduced = CASES_BY_PRIMITIVE["aes-128"].primitive.model_copy(update={"rounds": 9})
    keccak = Primitive(id="keccak-x", block_bytes=136, digest_bytes=32, security="acceptable", authority="-")
    for primitive, algorithm_id in ((strange, "mine"), (reduced, "aes"), (keccak, "keccak")):
        assert not oracle.available(primitive, algorithm_id)
        assert oracle.provenance(primitive, algorithm_id).startswith("no independent implementation of")
        with pytest.raises(oracle.NoIndependentImplementationError, match=primitive.id):
            oracle.expected(primitive, algorithm_id, "encrypt", key=b"", data=b"")
    assert not oracle.available(RC5_12_8, "rc5", "xts")


@pytest.mark.parametrize(
    ("mode", "key_bytes", "iv_bytes", "data_bytes", "message"),
    [
        (None, 8, 0, 7, "a single block has 8 bytes, not 7"),
        (None, 9, 0, 8, "a key of 8 bytes, not of 9"),
        ("cbc", 8, 8, 9, "blocks of 8 bytes"),
        ("ctr", 8, 7, 9, "an IV of 8 bytes, not of 7"),
    ],
)
def test_wrong_sizes(mode: str | None, key_bytes: int, iv_bytes: int, data_bytes: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        oracle.expected(
            RC5_12_8,
            "rc5",
            "encrypt",
            mode=mode,
            key=bytes(key_bytes),
            iv=bytes(iv_bytes),
            data=bytes(data_bytes),
        )


def test_wrong_operation() -> None:
    with pytest.raises(ValueError, match="operation 'digest'"):
        oracle.expected(RC5_12_8, "rc5", "digest", key=bytes(8), data=bytes(8))


def test_libraries_are_imported_on_first_use() -> None:
    program = "import sys, steelyard.oracle; sys.exit('cryptography' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
